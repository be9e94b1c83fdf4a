package cgi

import (
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"lrwp.org/go/lrwp/internal/gateway"
)

// Of the proxy's variables only these come into a program's environment: a name such as LD_PRELOAD never does.
var passed = []string{
	"HTTP_", "SERVER_", "REMOTE_", "REQUEST_", "QUERY_", "CONTENT_", "AUTH_TYPE", "HTTPS", "SSL_",
	"LRWP_FORWARDED", "REDIRECT_",
}

// environment of a program: the request, what finds other programs, and what the options add.
func (p *Programs) environment(s *script, place gateway.Place, env map[string]string) []string {
	var made []string
	for name, value := range env {
		if !gateway.IsForPrograms(name, value) || strings.ContainsRune(value, 0) {
			continue
		}
		for _, prefix := range passed {
			if strings.HasPrefix(name, prefix) {
				made = append(made, name+"="+value)
				break
			}
		}
	}
	made = append(made,
		"GATEWAY_INTERFACE=CGI/1.1", "SCRIPT_NAME="+place.Base+s.name, "SCRIPT_FILENAME="+s.file, "PATH_INFO="+s.rest, "DOCUMENT_ROOT="+p.options.Folder,
		"REDIRECT_STATUS=200", // php-cgi asks for it
		"PATH="+os.Getenv("PATH"))
	if s.rest != "" {
		made = append(made, "PATH_TRANSLATED="+filepath.Join(p.options.Folder, filepath.FromSlash(s.rest)))
	}
	return append(made, p.options.Environment...)
}

func decoded(path string) string {
	if plain, err := url.PathUnescape(path); err == nil {
		return plain
	}
	return path
}
