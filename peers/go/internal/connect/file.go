package connect

import (
	"errors"
	"fmt"
	"strings"
)

// line is one `key = value` of a configuration file.
type line struct {
	where, key, value string
}

// parseFile reads `key = value` lines: `option = value` is for every route, `route.NAME.option = value` for one. All
// faults are told at once.
func parseFile(file, content string, common *route) ([]*route, error) {
	var faults []error
	var names []string
	var general []line
	own := map[string][]line{}
	for i, text := range strings.Split(content, "\n") {
		text = strings.TrimSpace(text)
		if text == "" || text[0] == '#' {
			continue
		}
		key, value, found := strings.Cut(text, "=")
		l := line{fmt.Sprintf("%s:%d: %s", file, i+1, strings.TrimSpace(key)), strings.TrimSpace(key), strings.TrimSpace(value)}
		if !found {
			faults = append(faults, fmt.Errorf("%s: a line is `key = value`", l.where))
			continue
		}
		rest, isRoute := strings.CutPrefix(l.key, "route.")
		if !isRoute {
			if find(l.key) == nil {
				faults = append(faults, fmt.Errorf("%s: there is no such key", l.where))
			} else {
				general = append(general, l)
			}
			continue
		}
		name, option, found := strings.Cut(rest, ".")
		if !found || name == "" {
			faults = append(faults, fmt.Errorf("%s: a key of a route is route.NAME.option", l.where))
			continue
		}
		if own[name] == nil {
			names = append(names, name)
		}
		l.key = option
		own[name] = append(own[name], l)
	}
	if len(names) == 0 {
		faults = append(faults, fmt.Errorf("%s has no route.NAME.kind", file))
	}
	var routes []*route
	for _, name := range names {
		r, wrong := makeRoute(file, name, own[name], general, common)
		routes = append(routes, r)
		faults = append(faults, wrong...)
	}
	return routes, errors.Join(faults...)
}

// makeRoute: what stands at the route itself comes first, then the command line, then what is for every route.
func makeRoute(file, name string, own, general []line, common *route) (*route, []error) {
	var faults []error
	r := &route{name: name}
	isKindGiven := false
	for _, l := range own { // which options there are hangs on it
		if l.key == "kind" {
			isKindGiven = true
			if err := r.setLine(l); err != nil {
				faults = append(faults, err)
			}
		}
	}
	for _, l := range own {
		if l.key == "kind" {
			continue
		}
		if o := find(l.key); o != nil && r.kind != "" && !o.knownTo(r.kind) {
			faults = append(faults, fmt.Errorf("%s: %s does not know it", l.where, r.kind))
		} else if err := r.setLine(l); err != nil {
			faults = append(faults, err)
		}
	}
	before := map[string]bool{}
	for option := range r.given {
		before[option] = true
	}
	for option, values := range common.given {
		if o := find(option); !before[option] && o.knownTo(r.kind) {
			for _, value := range values {
				if err := r.set(o, "--"+option, value); err != nil {
					faults = append(faults, err)
				}
			}
			before[option] = true
		}
	}
	for _, l := range general {
		if o := find(l.key); !before[l.key] && o.knownTo(r.kind) {
			if err := r.set(o, l.where, l.value); err != nil {
				faults = append(faults, err)
			}
		}
	}
	var wrong []error
	switch {
	case r.kind != "":
		if r.kind != kindRun && r.target == "" {
			faults = append(faults, fmt.Errorf("%s: route.%s.target is missing: a URL, a folder or an address", file, name))
		}
		wrong = r.complete()
	case !isKindGiven:
		faults = append(faults, fmt.Errorf("%s: route.%s.kind is missing: http, cgi, fastcgi or run", file, name))
		fallthrough
	default:
		wrong = r.check()
	}
	for _, err := range wrong {
		faults = append(faults, fmt.Errorf("%s: route %s: %w", file, name, err))
	}
	return r, faults
}

func (r *route) setLine(l line) (err error) {
	switch l.key {
	case "kind":
		switch l.value {
		case kindHTTP, kindCGI, kindFastCGI, kindRun:
			r.kind = l.value
			return nil
		}
		return fmt.Errorf("%s: %q is not http, cgi, fastcgi or run", l.where, l.value)
	case "target":
		r.target = l.value
		return nil
	case "command":
		if r.command, err = splitWords(l.value); err != nil {
			r.command = []string{l.value} // it is not missing
			return fmt.Errorf("%s: %w", l.where, err)
		}
		return nil
	}
	o := find(l.key)
	if o == nil {
		return fmt.Errorf("%s: there is no such key", l.where)
	}
	return r.set(o, l.where, l.value)
}
