package nb

import (
	"fmt"
	"html"
	"os"
	"path/filepath"

	"github.com/janpfeifer/gonb/gonbui"

	"github.com/purexp/purexp/pkg/tidy"
)

// announce says which rows were read, where a progress bar says which were simulated.
func (k *rowCache) announce() {
	n := k.from.Read
	if n == 0 {
		return
	}
	text := fmt.Sprintf("%s: %s of %s runs read from results/%s", k.study.Title, tidy.Int(n),
		tidy.Int(len(k.rows())), filepath.Base(k.from.Path))
	if !gonbui.IsNotebook {
		fmt.Fprintln(os.Stderr, text)
		return
	}
	gonbui.DisplayHTML(html.EscapeString(text))
	gonbui.Sync()
}
