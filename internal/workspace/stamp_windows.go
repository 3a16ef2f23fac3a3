package workspace

import "io/fs"

// stampOf has no change time and no file id on Windows: a file whose size and
// mtime were both put back is not noticed.
func stampOf(info fs.FileInfo) stamp {
	return stamp{size: info.Size(), mtime: info.ModTime().UnixNano(), ctime: info.ModTime().UnixNano()}
}
