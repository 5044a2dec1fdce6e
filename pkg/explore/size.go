package explore

import "fmt"

// LargestTable is the size in bytes, 1 GiB, of the largest table of numbers that a problem may
// make necessary: 134 217 728 numbers. Policies keep some ten tables with a number for each arm
// and objective, and those for linear models some with a row and a column for each
// parameter. A problem whose tables are larger is an error, rather than a process that the
// system ends for want of memory in the middle of a campaign.
const LargestTable = 1 << 30

// CheckTable returns an error, of one clause, if a table of rows x cols numbers is larger than
// LargestTable. Policies whose tables grow faster than the number of arms call it in Init, before
// they make one, with a table of what.
func CheckTable(what string, rows, cols int) error {
	need := 8 * float64(rows) * float64(cols) // a product of integers may overflow
	if need <= LargestTable {
		return nil
	}
	return fmt.Errorf("a table of %s, %d x %d numbers, takes %.3g GiB; want at most %d GiB "+
		"(explore.LargestTable)", what, rows, cols, need/(1<<30), LargestTable>>30)
}

// checkTables reports tables that are too large, whatever the policy.
func (p *Problem) checkTables() error {
	for _, f := range []struct {
		field, what string
		rows        int
	}{{"Arms", "the means of the arms", p.K()}, {"Z", "the means of the items", p.M()}} {
		if err := CheckTable(f.what, f.rows, p.D()); err != nil {
			return wrong(f.field, "%v; explore fewer arms, or fewer objectives", err)
		}
	}
	return nil
}
