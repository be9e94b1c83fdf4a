// Command lrwp-connect makes any program a peer of an LRWP proxy; docs/connect.md describes it.
package main

import (
	"os"

	"lrwp.org/go/lrwp/internal/connect"
)

func main() { os.Exit(connect.Main(os.Args[1:], os.Stdout, os.Stderr)) }
