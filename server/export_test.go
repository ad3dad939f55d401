package server

// Deadline is the context of a request's work.
var Deadline = newDeadline
