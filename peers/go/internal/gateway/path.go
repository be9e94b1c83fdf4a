package gateway

import (
	"path/filepath"
	"runtime"
	"strings"
)

// Place is where a request points to below a context.
type Place struct {
	Base string // the path of the context
	Path string // the rest, decoded
}

// Locate finds the place of a request by its SCRIPT_NAME and PATH_INFO. A context such as .php is none of the path.
func Locate(script, rest string, contexts []string) Place {
	for _, context := range contexts {
		if rest == "" && strings.HasPrefix(context, ".") && strings.HasSuffix(script, context) {
			return Place{"", script}
		}
	}
	return Place{script, rest}
}

// Variables calls take with each variable of an env block.
func Variables(block string, take func(name, value string)) {
	for len(block) > 0 {
		var entry string
		entry, block, _ = strings.Cut(block, "\x00")
		if name, value, found := strings.Cut(entry, "="); found {
			take(name, value)
		}
	}
}

// IsSafe tells that a decoded path stays below the folder that it is put behind, and names nothing hidden.
func IsSafe(path string) bool {
	if path == "" || path[0] != '/' || strings.IndexByte(path, 0) >= 0 {
		return false
	}
	segments := strings.Split(path[1:], "/")
	for i, segment := range segments {
		if segment == "" && i+1 < len(segments) || strings.HasPrefix(segment, ".") || strings.ContainsRune(segment, filepath.Separator) {
			return false
		}
		// C:, streams and devices.
		if runtime.GOOS == "windows" && (strings.ContainsAny(segment, `:\`) || !filepath.IsLocal("x/"+segment)) {
			return false
		}
	}
	return true
}
