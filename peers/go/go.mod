module lrwp.org/go/lrwp

go 1.21
