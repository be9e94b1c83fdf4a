#!/bin/sh
echo "Content-Type: text/plain"
echo
echo "it is $(date -u +%Y), query $QUERY_STRING"
