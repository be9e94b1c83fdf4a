module lrwp.org/torture

go 1.21

require lrwp.org/go/lrwp v0.0.0

replace lrwp.org/go/lrwp => ../../../peers/go
