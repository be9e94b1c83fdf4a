module lrwp

go 1.21
