package sweep

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

// Profile describes the resources that a shard requests; the zero Profile requests one processor
// and the defaults of the cluster.
type Profile struct {
	// Partition, Time and Memory are in Slurm's notation, such as "main", "02:00:00" and "2G";
	// empty means the default of the cluster.
	Partition string `toml:"partition"`
	Time      string `toml:"time"`
	Memory    string `toml:"memory"`
	// CPUs is the number of processors of a shard, and also the number of its parallel simulations;
	// zero means 1.
	CPUs int `toml:"cpus"`
	// AtOnce is the largest number of shards that run at the same time; zero means no limit.
	AtOnce int `toml:"at_once"`
	// Notice is the number of seconds before the time limit at which a shard receives a signal, so
	// that it can stop and requeue itself. Zero means 120 seconds.
	Notice int `toml:"notice"`
	// Options are additional options for sbatch, such as "--account=chem".
	Options []string `toml:"options"`
	// Setup contains lines of shell commands to run before the program, such as "module load gcc".
	Setup []string `toml:"setup"`
}

// ProfileText is a template of a profile, with comments.
const ProfileText = `# Resources that each shard requests from the cluster. 'submit' and 'retry' read this file.

#partition = "main"
#time = "02:00:00"        # time limit of an attempt; longer shards continue in another attempt
#memory = "2G"
cpus = 1
#at_once = 100            # largest number of shards at the same time
#notice = 120             # seconds before the time limit at which a shard stops and requeues itself
#options = ["--account=chem", "--constraint=avx2"]   # further options of sbatch
#setup = ["module load gcc/13"]                      # shell lines before the program
`

func readProfile(path string) (Profile, error) {
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return Profile{}, fmt.Errorf("sweep: %s does not exist; create it with 'sweep profile', which prints a "+
			"profile: %w", path, fs.ErrNotExist)
	}
	if err != nil {
		return Profile{}, fmt.Errorf("sweep: profile: %w", err)
	}
	p, err := ParseProfile(text)
	if err != nil {
		return Profile{}, fmt.Errorf("sweep: %s: %w", path, err)
	}
	return p, nil
}

// Profile reads the profile in the folder of the sweep; see ParseProfile.
func (s *Sweep) Profile() (Profile, error) { return readProfile(s.path(profileName)) }

// ParseProfile parses a profile in TOML. For an unknown setting or a value of the wrong type, the
// error states the line. For any other value that Slurm would reject, the error names the setting.
func ParseProfile(text []byte) (Profile, error) {
	var p Profile
	err := toml.NewDecoder(bytes.NewReader(text)).DisallowUnknownFields().Decode(&p)
	var strict *toml.StrictMissingError
	var wrong *toml.DecodeError
	switch {
	case errors.As(err, &strict):
		first := strict.Errors[0]
		line, _ := first.Position()
		return p, fmt.Errorf("line %d: unknown setting %q; 'sweep profile' lists the "+
			"settings", line, strings.Join(first.Key(), "."))
	case errors.As(err, &wrong):
		line, column := wrong.Position()
		text := strings.TrimPrefix(wrong.Error(), "toml: ")
		if f := kind.FindStringSubmatch(text); f != nil {
			text = fmt.Sprintf("%s is a TOML %s; expected %s", strings.Join(wrong.Key(), "."), f[1], kinds[f[2]])
		}
		return p, fmt.Errorf("line %d, column %d: %s", line, column, text)
	case err != nil:
		return p, err
	}
	return p, p.validate()
}

// kind matches the TOML decoder's message about a value of the wrong type; kinds contains the names
// of types.
var (
	kind  = regexp.MustCompile(`^cannot decode TOML (.+) into struct field .+ of type (\S+)$`)
	kinds = map[string]string{"int": "a whole number", "string": "a text in quotes",
		"[]string": `a list such as ["a", "b"]`}
)

// The following variables are patterns for values that may be passed to sbatch without quotes.
var (
	word     = regexp.MustCompile(`^[A-Za-z0-9_.,:/@+*=-]*$`)
	duration = regexp.MustCompile(`^([0-9]+-)?[0-9]+(:[0-9]{1,2}){0,2}$|^$|^UNLIMITED$`)
	memory   = regexp.MustCompile(`^[0-9]+[KMGT]?$|^$`)
)

// validate returns an error about the first invalid setting of the profile.
func (p *Profile) validate() error {
	switch {
	case !word.MatchString(p.Partition):
		return fmt.Errorf("partition is %q; expected names separated by commas", p.Partition)
	case !duration.MatchString(p.Time):
		return fmt.Errorf("time is %q; expected minutes, HH:MM:SS or D-HH:MM:SS", p.Time)
	case !memory.MatchString(p.Memory):
		return fmt.Errorf("memory is %q; expected a number with K, M, G or T, such as 2G", p.Memory)
	case p.CPUs < 0:
		return fmt.Errorf("cpus is %d; expected at least 1, or 0 for the default", p.CPUs)
	case p.AtOnce < 0:
		return fmt.Errorf("at_once is %d; expected at least 1, or 0 for no limit", p.AtOnce)
	case p.Notice < 0 || p.Notice > 65535:
		return fmt.Errorf("notice is %d; expected 1 to 65535 seconds, or 0 for the default", p.Notice)
	}
	for _, o := range p.Options {
		if !strings.HasPrefix(o, "-") || strings.ContainsAny(o, "\n\r") {
			return fmt.Errorf("options has %q; expected options of sbatch, such as --account=chem", o)
		}
		if ours(o) {
			return fmt.Errorf("options has %q, which the sweep sets itself; remove this option", o)
		}
	}
	for _, line := range p.Setup {
		if strings.ContainsAny(line, "\n\r\x00") {
			return fmt.Errorf("setup has %q; expected one shell line per entry", line)
		}
	}
	return nil
}

// ours reports whether option, possibly abbreviated, is an option of sbatch that the sweep itself
// sets, or the opposite of such an option.
func ours(option string) bool {
	name := strings.FieldsFunc(option+" ", func(r rune) bool {
		return r == '=' || r == ' ' || r == '\t'
	})[0]
	if !strings.HasPrefix(name, "--") { // the option -a1-8 means -a 1-8
		return len(name) > 1 && strings.ContainsRune("aoJD", rune(name[1]))
	}
	const shortest = len("--ar")
	return len(name) >= shortest && slices.ContainsFunc([]string{"--array", "--signal", "--output", "--job-name",
		"--chdir", "--no-requeue"}, func(own string) bool { return strings.HasPrefix(own, name) })
}

func (p *Profile) processors() int { return max(p.CPUs, 1) }

func (p *Profile) notice() int {
	if p.Notice == 0 {
		return 120
	}
	return p.Notice
}
