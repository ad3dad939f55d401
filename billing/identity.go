package billing

// An Identity is the sender of a request.
type Identity struct {
	Kind    KeyKind
	KeyID   string // "" of the configured demo key
	Account string // "" of demo keys, which are not charged
	Plan    Plan   // "" of demo keys
	Debug   bool   // responses include meta.debug on request
}
