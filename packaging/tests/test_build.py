"""What packaging/build does to the folder that is named."""

import hashlib
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

PACKAGING = pathlib.Path(__file__).resolve().parent.parent


class Output(unittest.TestCase):
    """A folder with something in it, and a copy of the program whose tools are missing: it builds nothing."""

    def setUp(self):
        folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.out = folder / "out"
        (self.out / "connect").mkdir(parents=True)
        shutil.copytree(PACKAGING, folder / "packaging")
        for program in ("bin/jlink", "bin/python3"):
            file = folder / program
            file.parent.mkdir(exist_ok=True)
            file.write_text("#!/bin/sh\nexit 1\n")
            file.chmod(0o755)
        self.environment = os.environ | {"PATH": f"{folder}/bin:{os.environ['PATH']}", "SOURCE_DATE_EPOCH": "0"}
        self.command = [folder / "packaging" / "build", "--jdk", folder, "--version", "1", "--parts", "python"]

    def write(self, name):
        (self.out / name).write_text(name)
        with open(self.out / "SHA256SUMS", "a", encoding="ascii") as sums:
            sums.write(f"{hashlib.sha256(name.encode()).hexdigest()}  {name}\n")

    def told(self):
        command = [*self.command, "--output", self.out]
        done = subprocess.run(command, env=self.environment, capture_output=True, text=True, check=False)
        self.assertEqual(2, done.returncode, done.stderr)
        return done.stderr

    def test_what_no_run_has_made_is_not_deleted(self):
        for name in ("a.deb", "connect/b"):
            self.write(name)
        (self.out / "connect" / "mine").write_text("precious")

        self.assertIn("has connect/mine, which is no package of an earlier run", self.told())

        self.assertTrue((self.out / "a.deb").exists())
        self.assertEqual("precious", (self.out / "connect" / "mine").read_text())

    def test_what_an_earlier_run_has_made_is_deleted_and_what_is_there_at_the_end_is_listed(self):
        for name in ("a.deb", "connect/b"):
            self.write(name)

        self.assertIn("venv is missing", self.told())

        self.assertEqual(["SHA256SUMS"], [file.name for file in self.out.iterdir()])
        self.assertEqual("", (self.out / "SHA256SUMS").read_text())
        self.assertIn("venv is missing", self.told())

    def test_a_folder_without_a_list_is_refused(self):
        (self.out / "mine").write_text("precious")
        self.assertIn("has no packages of an earlier run", self.told())


if __name__ == "__main__":
    unittest.main()
