package operation

import (
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/internal/wording"
)

// InBatch returns err as the batch of quick-zip reports it: with another message for a
// code that is not found (decision D75).
func InBatch(err error) error {
	if e := envelope.AsFailure(err); e != nil && e.Kind == envelope.KindNotFound && e.Param == "" {
		switch e.Thing {
		case envelope.ThingCode, envelope.ThingZIP, envelope.ThingFSA, envelope.ThingPostal:
			return &envelope.Fault{Code: envelope.FaultOf(e).Code, Message: wording.CodeNotFound(e.Input)}
		default:
		}
	}
	return err
}
