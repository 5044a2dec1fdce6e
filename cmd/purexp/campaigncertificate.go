package main

import (
	"github.com/spf13/cobra"

	"github.com/purexp/purexp/pkg/campaign"
	"github.com/purexp/purexp/pkg/campaign/report"
)

// certificate is purexp campaign certificate.
func (b *shared) certificate() *cobra.Command {
	var path string
	var page bool
	cmd := &cobra.Command{
		Use:   "certificate [FILE.campaign]",
		Short: "Write what others need to check the answer, or a page to sign",
		Long: `Certificate writes one file of JSON lines: the problem, all results with their hashes,
the method, a claim for each candidate, and what the monitors found. Whoever has it can
check, without purexp, that the answer follows: python3 docs/check_certificate.py FILE. See
docs/certificate.md. With --html it writes a page of A4, to be printed and signed.

Before the campaign is finished it says what is certain so far. There is none if the
results contradict what is declared, or the method failed (exit code 4).`,
		Example: "  purexp campaign certificate coupling.campaign -o coupling.certificate\n" +
			"  purexp campaign certificate --html -o certificate.html",
		Args: args(cobra.MaximumNArgs(1)),
		RunE: func(cmd *cobra.Command, a []string) error {
			if len(a) == 1 {
				b.file = a[0]
			}
			_, err := b.open(func(c *campaign.Campaign) (any, error) {
				if !page {
					return nil, output(cmd, path, c.Certificate)
				}
				r, err := report.NewViewer(c).Report()
				if err != nil {
					return nil, err
				}
				return nil, output(cmd, path, r.Certificate)
			})
			return err
		},
	}
	cmd.Flags().BoolVar(&page, "html", false, "write a page to print and to sign")
	cmd.Flags().StringVarP(&path, "output", "o", "", "file to write (default: standard output)")
	return cmd
}
