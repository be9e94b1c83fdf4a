"""The parts: each has HELP, two lines, and run(bench), which returns its section of the report."""
