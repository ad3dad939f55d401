package lookup

// ThresholdOf is tested by itself.
var ThresholdOf = thresholdOf

func (c Code) Normalizes(s string) bool { return c.normalizes(s) }

var FSACode = fsaCode

var FlagOf = flagOf

var NewZone = newZone

var ZIP4Code = zip4Code

var ZIPCode = zipCode
