package command

// Parts of "version --verify".
var (
	CheckSignature = checkSignature
	ReadKey        = readKey
)
