"""What bash completes behind ./lrwp."""

import pathlib
import subprocess
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCRIPT = """
. build-tools/lrwp-completion.bash
COMP_WORDS=("$@")
COMP_CWORD=$(($# - 1))
_lrwp
printf '%s\\n' "${COMPREPLY[@]}"
"""


def completed(*words):
    """The words that may stand in place of the last one."""
    run = subprocess.run(["bash", "-c", SCRIPT, "bash", *words], cwd=ROOT, capture_output=True, text=True, check=True)
    return run.stdout.split()


class CompletionTest(unittest.TestCase):
    def test_commands(self):
        self.assertEqual(["demo", "doctor", "download-peer"], sorted(completed("./lrwp", "d")))
        self.assertIn("identity", completed("./lrwp", ""))

    def test_options_are_those_of_the_help(self):
        self.assertIn("--https-port", completed("./lrwp", "proxy", "--"))
        self.assertEqual(["--http-port"], completed("./lrwp", "demo", "--ht"))
        self.assertEqual([], completed("./lrwp", "site", "--http"))

    def test_commands_of_commands(self):
        self.assertEqual(["create"], completed("./lrwp", "identity", "c"))
        self.assertIn("--contexts", completed("./lrwp", "identity", "create", "--"))
        self.assertEqual(["drain-node", "drain-peers"], sorted(completed("./lrwp", "ctl", "drain-")))

    def test_files(self):
        self.assertEqual(["README.md"], completed("./lrwp", "proxy", "--config", "READ"))
        self.assertEqual(["README.md"], completed("./lrwp", "proxy", "--log-file", "READ"))


if __name__ == "__main__":
    unittest.main()
