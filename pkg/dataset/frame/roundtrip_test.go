package frame_test

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"

	"github.com/purexp/purexp/pkg/dataset/frame"
)

// Writing and reading a frame preserves names, types, all digits, and missing values.
func TestCSVRoundTrip(t *testing.T) {
	df, err := frame.ParseCSV(strings.NewReader("code,n,x,ok,text,hole\n"+
		"007,1,0.12345678901234567,true,\"a, \"\"b\"\"\",1\n0,-12,1e-300,false,=1+1,\nx,9007199254740993,NaN,true,,2.5\n"), "in.csv")
	if err != nil {
		t.Fatal(err)
	}
	text, err := frame.CSV(df)
	if err != nil {
		t.Fatal(err)
	}
	back, err := frame.ParseCSV(bytes.NewReader(text), "back.csv")
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	if got, want := fmt.Sprint(back.Names(), back.Types()), fmt.Sprint(df.Names(), df.Types()); got != want ||
		got != "[code n x ok text hole] [string int float bool string float]" {
		t.Errorf("%s came back as %s", want, got)
	}
	for _, name := range df.Names() {
		a, b := df.Col(name), back.Col(name)
		if a.Type() == series.Float {
			if !slices.EqualFunc(a.Float(), b.Float(), func(x, y float64) bool {
				return x == y || math.IsNaN(x) && math.IsNaN(y)
			}) {
				t.Errorf("%s: %v came back as %v", name, a.Float(), b.Float())
			}
		} else if !slices.Equal(a.Records(), b.Records()) {
			t.Errorf("%s: %q came back as %q", name, a.Records(), b.Records())
		}
	}
	if got := df.Col("n").Records()[2]; got != "9007199254740993" {
		t.Errorf("an integer lost digits: %s", got)
	}
	// Missing values are empty cells in columns of any type. Line ends within a cell become Unix line ends.
	gaps, err := frame.ParseCSV(strings.NewReader("n,x,t\n1,NA,\"a\r\r\nb\r\nc\"\n2,1.5,\n"), "gaps.csv")
	if err != nil {
		t.Fatal(err)
	}
	ints := series.New([]string{"1", "NaN"}, series.Int, "i")
	if text, err := frame.CSV(gaps.CBind(dataframe.New(ints))); err != nil || string(text) != "n,x,t,i\n1,,\"a\nb\nc\",1\n2,1.5,,\n" {
		t.Errorf("%q, %v", text, err)
	}
	broken := df.Select("nothing")
	if _, err := frame.CSV(broken); err == nil {
		t.Error("a frame with an error is written")
	}
}
