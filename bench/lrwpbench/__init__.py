"""The benchmarks of the LRWP proxy: bench/README.md says how they measure."""
