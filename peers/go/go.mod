module lrwp

go 1.19
