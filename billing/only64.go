//go:build 386 || arm || mips || mipsle

package billing

// Credits are counted in int, and that of these platforms does not hold
// MaxCredits. The library does without this package and runs there; the server
// and the command line do not.
var _ = accounts_need_a_64_bit_platform
