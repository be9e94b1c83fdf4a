package origin

import (
	"errors"
	"io"
	"net/http"
	"time"

	"lrwp.org/go/lrwp/internal/pool"
)

// tunnel passes bytes both ways until each side has ended.
func (q *request) tunnel(c *pool.Conn, a *answer) error {
	if err := q.e.SendHead(http.StatusSwitchingProtocols, a.head); err != nil {
		return err
	}
	client, err := q.e.Hijack()
	if err != nil {
		return err
	}
	defer client.Close()
	c.SetDeadline(time.Time{})
	up := make(chan error, 1)
	go func() {
		_, err := io.Copy(c.Conn, client)
		if end, ok := c.Conn.(interface{ CloseWrite() error }); ok && err == nil {
			end.CloseWrite()
		} else {
			c.Close()
		}
		up <- err
	}()
	_, down := io.Copy(client, c.In)
	if end, ok := client.(interface{ CloseWrite() error }); ok && down == nil {
		end.CloseWrite()
	} else {
		client.Close()
		c.Close()
	}
	return errors.Join(<-up, down)
}
