package table

import "github.com/postgeo/postgeo/internal/disk"

// OnDisk returns the output on a disk that is not the operating system's.
func (o Output) OnDisk(d disk.Disk) Output {
	o.disk = d
	return o
}
