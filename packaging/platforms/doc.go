// Command platforms checks the types of every package and its tests, as another
// platform sees them, without compiling anything.
//
// # Usage
//
//	go run ./packaging/platforms windows/amd64 darwin/arm64
//
// It finds what a build constraint leaves out there, and what does not exist.
// "go vet" for another platform does too, and compiles all dependencies for it
// first, which takes minutes where these take seconds.
//
// # Errors
//
// Type errors are written to standard error with their positions; the exit code
// is then 1.
package main
