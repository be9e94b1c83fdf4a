package lrwp

import "sync"

// keptWorkers is how many goroutines wait for requests; what is above it ends with its request.
const keptWorkers = 256

// workers run handlers, one request after the other on the same goroutine: its stack has grown once for all of them.
type workers struct {
	mu     sync.Mutex
	idle   []chan *stream // the one that worked last comes first
	closed bool
}

// serve runs the handler of a stream, on a goroutine that waits or on a new one.
func (w *workers) serve(s *stream) {
	w.mu.Lock()
	last := len(w.idle) - 1
	if last < 0 {
		w.mu.Unlock()
		go w.work(s)
		return
	}
	next := w.idle[last]
	w.idle = w.idle[:last]
	w.mu.Unlock()
	next <- s
}

func (w *workers) work(s *stream) {
	next := make(chan *stream, 1)
	for s != nil {
		s.serve()
		if !w.wait(next) {
			return
		}
		s = <-next
	}
}

// wait puts a goroutine into the row of those that wait, unless there are enough.
func (w *workers) wait(next chan *stream) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed || len(w.idle) >= keptWorkers {
		return false
	}
	w.idle = append(w.idle, next)
	return true
}

// close ends those that wait, and the others when their request is done.
func (w *workers) close() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.closed = true
	for _, next := range w.idle {
		close(next)
	}
	w.idle = nil
}
