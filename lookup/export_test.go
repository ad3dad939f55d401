package lookup

// ThresholdOf is tested by itself.
var ThresholdOf = thresholdOf

func (x Code) Normalizes(p0 string) bool { return x.normalizes(p0) }

var FSACode = fsaCode

var FlagOf = flagOf

var NewZone = newZone

var ZIP4Code = zip4Code

var ZIPCode = zipCode
