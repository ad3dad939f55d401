// Package channel publishes datasets as static files and installs them.
//
// # Usage
//
//	err := channel.NewKey("channel.key", rand.Reader)
//	m, err := channel.Publish(ctx, channel.PublishOptions{Files: files, To: folder, Key: key, Now: now})
//
//	r, err := channel.Pull(ctx, channel.PullOptions{From: addresses, Trust: keys, Output: "postgeo.db"})
//
// # Data
//
// A channel is a folder. The file index.json has an [Index] and its signatures. The
// folder data has all other files by their SHA-256: a [Manifest] for each vintage,
// frames, packs and deltas (package packed). The file keys.json, if present, has the
// rotations of keys.
//
// A signature is Ed25519 over a line with its purpose and the compact JSON text. A
// [KeySet] trusts an index that one of its keys signed. A rotation replaces the set
// if two of its keys signed, or the only one.
//
// Next to an installed dataset are the file .channel.json with the state of the channel
// and an empty file .lock. During a pull, the folder .pull has the received files.
//
// # Trust
//
// A pull verifies the signature of the index, its date and its counter. It verifies the
// size and the hash of every file before it parses it, and those of the new dataset.
// A mirror can thus only withhold data, until the index expires. The owner of a stolen
// key can publish until the other keys replace it. Without a state file, as before the
// first pull, a mirror can offer an older index that has not expired.
//
// # Concurrency
//
// Pulls of one output wait for one another, also in other processes.
//
// # Errors
//
// A refused pull matches [ErrUntrusted], [ErrExpired], [ErrRollback], [ErrContent] or
// [ErrMissing]. The installed file is as before after any error.
package channel
