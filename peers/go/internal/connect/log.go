package connect

import (
	"fmt"
	"io"
	stdlog "log"
	"sync"
)

// log writes lines: the name of what has happened, then key=value.
type log struct {
	verbose bool
	lines   *stdlog.Logger
}

func newLog(out io.Writer, verbose bool) *log {
	return &log{verbose, stdlog.New(out, "", stdlog.LstdFlags)}
}

func (l *log) print(line string) { l.lines.Print(line) }

func (l *log) printf(format string, arguments ...any) {
	l.lines.Print(fmt.Sprintf(format, arguments...))
}

// once tells what may come again and again when it begins, and when it changes.
type once struct {
	mu   sync.Mutex
	last string
}

func (o *once) isNew(text string) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	isNew := text != o.last
	o.last = text
	return isNew
}
