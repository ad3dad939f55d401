package operation

import (
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/envelope/fault"
	"github.com/postgeo/postgeo/internal/wording"
)

// InBatch returns err as the batch of quick-zip reports it: with another message for a
// code that is not found (decision D75).
func InBatch(err error) error {
	var f envelope.Failure
	e := fault.As(err)
	if e == nil || e.Kind != fault.NotFound || e.Param != "" || e.Thing > fault.Postal || !envelope.AsFailure(e, &f) {
		return err
	}
	return &envelope.Fault{Code: f.ContractCode(), Message: wording.CodeNotFound(e.Input)}
}
