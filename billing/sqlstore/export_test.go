package sqlstore

// Names of calls that are owed, for tests.
type (
	Owed   = owed
	OpKind = opKind
)

// The kinds of calls.
const (
	OpRefund = opRefund
	OpCut    = opCut
)
