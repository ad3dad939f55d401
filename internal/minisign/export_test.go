package minisign

var Blake2b = blake2b
