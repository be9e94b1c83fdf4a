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

// IsForPrograms tells whether a program gets a variable. HTTP_PROXY is a client's field that some libraries take for
// their own setting. The proxy's "-" is nobody, and would be somebody to a program that asks who has signed in.
func IsForPrograms(name, value string) bool {
	return name != "HTTP_PROXY" && (name != "REMOTE_USER" || value != "-")
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
