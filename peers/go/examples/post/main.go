// Takes an XML message by POST, as an OSP server does, and answers a small one with the same ids.
package main

import (
	"context"
	"encoding/xml"
	"io"
	"net/http"

	"lrwp.org/go/lrwp/examples/options"
)

type body struct {
	Component string `xml:"componentId,attr"`
	Code      int    `xml:"Status>Code,omitempty"`
}

type message struct {
	XMLName  xml.Name `xml:"Message"`
	ID       string   `xml:"messageId,attr"`
	Request  *body    `xml:"AuthorizationRequest"`
	Response *body    `xml:"AuthorizationResponse"`
}

func handle(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodPost {
		w.Header().Set("Allow", http.MethodPost)
		http.Error(w, "POST only", http.StatusMethodNotAllowed)
		return
	}
	var in message
	err := xml.NewDecoder(io.LimitReader(r.Body, 100_000)).Decode(&in)
	if err != nil || in.Request == nil {
		http.Error(w, "no AuthorizationRequest", http.StatusBadRequest)
		return
	}
	w.Header().Set("Content-Type", "text/xml")
	io.WriteString(w, xml.Header)
	xml.NewEncoder(w).Encode(message{ID: in.ID, Response: &body{Component: in.Request.Component, Code: 200}})
}

func main() {
	options.Serve(context.Background(), handle)
}
