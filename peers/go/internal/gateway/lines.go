package gateway

import "bytes"

// Of a line longer than this the rest is another line.
const longestLine = 4096

// Lines takes what a program writes apart into lines for the log. One goroutine at a time may write.
type Lines struct {
	Print  func(line string)
	Prefix string
	rest   []byte
}

// Write is io.Writer. What has no line end yet waits.
func (l *Lines) Write(piece []byte) (int, error) {
	l.rest = append(l.rest, piece...)
	for {
		at := bytes.IndexByte(l.rest, '\n')
		if at < 0 && len(l.rest) < longestLine {
			return len(piece), nil
		}
		if at < 0 || at > longestLine {
			l.print(l.rest[:longestLine])
			l.rest = l.rest[longestLine:]
			continue
		}
		l.print(l.rest[:at])
		l.rest = l.rest[at+1:]
	}
}

// Flush tells what has no line end.
func (l *Lines) Flush() {
	if len(l.rest) > 0 {
		l.print(l.rest)
		l.rest = nil
	}
}

func (l *Lines) print(line []byte) {
	if line = bytes.TrimRight(line, "\r"); len(line) == 0 {
		return
	}
	visible := append([]byte(l.Prefix), line...)
	for i, c := range visible { // a terminal shows the log
		if c < ' ' && c != '\t' || c == 0x7f {
			visible[i] = '?'
		}
	}
	l.Print(string(visible))
}
