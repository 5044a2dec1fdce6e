package runner

import "testing"

// FuzzReadColumns: a table of candidates is rejected, or has a value for each candidate in each column.
func FuzzReadColumns(f *testing.F) {
	for _, s := range []string{"name,flags\nO1,-O1\nO3,-O3 -flto\n", "a;b\n1;2\n", "\ufeffx\ty\n'=1\t2\n"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		all, err := ReadColumns("t.csv", data)
		if err != nil {
			if all != nil || err.Error() == "" {
				t.Fatal("an error without a message, or with columns")
			}
			return
		}
		n := -1
		for column, values := range all {
			if n >= 0 && len(values) != n {
				t.Fatalf("column %q has %d values, and another %d", column, len(values), n)
			}
			n = len(values)
		}
	})
}
