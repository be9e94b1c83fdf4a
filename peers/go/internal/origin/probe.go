package origin

import (
	"context"
	"net"
	"net/http"
)

// Probe gives the status of the answer to a GET, over a connection of its own.
func (c *Client) Probe(ctx context.Context, path string) (int, error) {
	dial := func(ctx context.Context, _, _ string) (net.Conn, error) { return c.dial(ctx) }
	transport := &http.Transport{DialContext: dial, DialTLSContext: dial, DisableKeepAlives: true}
	scheme := "http://"
	if c.secure != nil {
		scheme = "https://"
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, scheme+c.authority+c.base+path, nil)
	if err != nil {
		return 0, err
	}
	request.Host = c.options.Host
	request.Header.Set("User-Agent", "lrwp-connect")
	answer, err := transport.RoundTrip(request)
	if err != nil {
		return 0, err
	}
	answer.Body.Close()
	return answer.StatusCode, nil
}
