package operation

// Namesakes is exported for tests.
var Namesakes = namesakes
