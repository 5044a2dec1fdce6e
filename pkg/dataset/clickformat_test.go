package dataset

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
)

// parseClicks reads a log from r, called name in errors. The best pair is that
// of the distinct pairs kept.
func parseClicks(r io.Reader, name string) (*Clicks, error) {
	a := newClickFit(0)
	synthetic, err := scanClicks(r, name, a.add, &a.counts)
	if err != nil {
		return nil, err
	}
	return a.clicks(name, synthetic)
}

// writeClicks writes the log of s to w, in the format of R6A. Its first line is a
// comment that says that it is synthetic.
func writeClicks(w io.Writer, s ClickSim) (int64, error) {
	n := &counting{w: w}
	bw := bufio.NewWriter(n)
	fmt.Fprintf(bw, "# synthetic click log in the format of Yahoo! R6A, "+
		"made up by purexp, seed %d\n", s.Seed)
	var buf []byte
	t := 0
	err := s.each(func(v *visit, offer []clickPair) error {
		click := "0"
		if v.clicked {
			click = "1"
		}
		buf = strconv.AppendInt(buf[:0], int64(1_241_160_900+t/50), 10)
		t++
		buf = append(buf, " "+v.id+" "+click+" |user"...)
		buf = appendFeatures(buf, &v.user)
		for i := range offer {
			buf = append(buf, " |"+offer[i].id...)
			buf = appendFeatures(buf, &offer[i].article)
		}
		_, err := bw.Write(append(buf, '\n'))
		return err
	})
	if err != nil {
		return n.n, err
	}
	err = bw.Flush()
	return n.n, err
}

// appendFeatures appends features in the order of R6A: the constant last.
func appendFeatures(b []byte, f *clickSideFeatures) []byte {
	for k := range clickSide {
		i := (k + 1) % clickSide
		b = append(b, ' ', byte('1'+i), ':')
		b = strconv.AppendFloat(b, f[i], 'f', 6, 64)
	}
	return b
}

// counting counts bytes.
type counting struct {
	w io.Writer
	n int64
}

func (c *counting) Write(p []byte) (int, error) {
	n, err := c.w.Write(p)
	c.n += int64(n)
	return n, err
}
