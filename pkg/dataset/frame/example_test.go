package frame_test

import (
	"fmt"
	"strings"

	"github.com/purexp/purexp/pkg/dataset/frame"
)

func ExampleParseCSV() {
	file := "code,response\n007,1e-9\n010,0.5\n"
	df, err := frame.ParseCSV(strings.NewReader(file), "doses.csv", "code", "response")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(df.Col("code").Elem(0), df.Col("response").Float())

	_, err = frame.ParseCSV(strings.NewReader(file), "doses.csv", "dose")
	fmt.Println(err)
	// Output:
	// 007 [1e-09 0.5]
	// frame: doses.csv:1: no column "dose"; the columns are ["code" "response"]
}
