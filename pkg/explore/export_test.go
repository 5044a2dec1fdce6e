package explore

// failingLog is a log on a disk that fails with err, unless that is nil.
type failingLog struct {
	logFile
	err error
}

func (f *failingLog) AppendSync(v any) error {
	if f.err != nil {
		return f.err
	}
	return f.logFile.AppendSync(v)
}

// FailDisk makes all that c writes fail with err, until the returned function is called.
func (c *Campaign) FailDisk(err error) (mend func()) {
	disk := &failingLog{c.file, err}
	c.file = disk
	return func() { disk.err = nil }
}
