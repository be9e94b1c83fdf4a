"""A contract for both ends of LRWP: see README.md in the folder above."""
