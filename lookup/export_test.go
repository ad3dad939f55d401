package lookup

// ThresholdOf is tested by itself.
var ThresholdOf = thresholdOf
