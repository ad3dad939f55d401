package clocks

// Tenths rounds parts of a whole.
var Tenths = tenths
