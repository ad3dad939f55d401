package lookup

// A Classification is the class of a ZIP as the contract's letter. Its zero value is
// none, and left out of JSON.
type Classification string

// The classifications of the contract.
const (
	General  Classification = "G"
	POBox    Classification = "P" // boxes only, a point
	Military Classification = "M"
	Unique   Classification = "U" // one organization, a point
)

// A ClassificationName is the class of a ZIP in the contract's words: General,
// PO Box, Military or Unique. Its zero value is none, and left out of JSON.
type ClassificationName string
