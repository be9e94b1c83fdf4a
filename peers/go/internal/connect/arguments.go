package connect

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
)

// invocation is a command line that has been read.
type invocation struct {
	help    bool
	version bool
	verbose bool
	routes  []*route
}

// parse reads a command line. Options may stand anywhere before --.
func parse(arguments []string, readFile func(string) ([]byte, error)) (*invocation, error) {
	in, r := &invocation{}, &route{}
	var positional []string
	file := ""
	for len(arguments) > 0 {
		argument := arguments[0]
		arguments = arguments[1:]
		if argument == "--" {
			r.command, arguments = arguments, nil
			break
		}
		if !strings.HasPrefix(argument, "-") || argument == "-" {
			positional = append(positional, argument)
			continue
		}
		name, value, hasValue := strings.Cut(argument, "=")
		switch name {
		case "-h", "--help":
			in.help = true
			continue
		case "--version":
			in.version = true
			continue
		case "-v", "--verbose":
			in.verbose = true
			continue
		}
		o := find(strings.TrimPrefix(name, "--"))
		switch {
		case name == "--config" || (o != nil && o.value != "" && strings.HasPrefix(name, "--")):
			if !hasValue {
				if len(arguments) == 0 || arguments[0] == "--" {
					return nil, fmt.Errorf("%s needs a value", name)
				}
				value, arguments = arguments[0], arguments[1:]
			}
		case o == nil || !strings.HasPrefix(name, "--"):
			return nil, fmt.Errorf("there is no option %s: lrwp-connect help lists them", name)
		case hasValue:
			return nil, fmt.Errorf("%s takes no value", name)
		}
		if name == "--config" {
			file = value
			continue
		}
		if err := r.set(o, name, value); err != nil {
			return nil, err
		}
	}
	if in.help || in.version || (len(positional) > 0 && positional[0] == "help") {
		in.help = !in.version
		return in, nil
	}
	if file != "" {
		return in, in.fromFile(file, positional, r, readFile)
	}
	if err := r.fromPositional(positional); err != nil {
		return nil, err
	}
	in.routes = []*route{r}
	if faults := r.complete(); len(faults) > 0 {
		return in, faults[0]
	}
	return in, nil
}

func (r *route) fromPositional(positional []string) error {
	if len(positional) == 0 {
		return errors.New("a command is missing: lrwp-connect help lists them")
	}
	command, rest := positional[0], positional[1:]
	what := map[string]string{kindHTTP: "URL CONTEXT", kindCGI: "DIR CONTEXT", kindFastCGI: "ADDRESS CONTEXT", kindRun: "--context CONTEXT --port-env NAME -- COMMAND"}[command]
	if what == "" {
		return fmt.Errorf("there is no command %s: lrwp-connect help lists them", command)
	}
	r.kind = command
	usage := fmt.Errorf("use: lrwp-connect %s %s", command, what)
	if command == kindRun {
		if len(rest) > 0 {
			return usage
		}
		return nil
	}
	if len(r.command) > 0 || len(rest) == 0 || (len(rest) == 1 && len(r.contexts) == 0) {
		return usage
	}
	if len(rest) > 2 {
		return fmt.Errorf("%q is one argument too many: %w; --context adds a context", rest[2], usage)
	}
	for _, context := range rest[1:] {
		if err := checkContext(context); err != nil {
			return fmt.Errorf("%q %w", context, err)
		}
	}
	r.target = rest[0]
	r.contexts = append(rest[1:], r.contexts...)
	return nil
}

// fromFile reads a configuration. Options of the command line are those of every route.
func (in *invocation) fromFile(file string, positional []string, common *route, readFile func(string) ([]byte, error)) error {
	if len(positional) > 0 || len(common.command) > 0 {
		return errors.New("--config stands in place of a command")
	}
	content, err := readFile(file)
	var why *fs.PathError
	if errors.As(err, &why) {
		return fmt.Errorf("--config %s: %w", file, why.Err)
	}
	if err != nil {
		return err
	}
	routes, err := parseFile(file, string(content), common)
	in.routes = routes
	return err
}
