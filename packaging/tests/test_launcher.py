"""What ./lrwp does to folders, with a JDK and a Maven that do nothing."""

import os
import pathlib
import shutil
import socket
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
POM = "<project><parent>\n<artifactId>all</artifactId>\n</parent>\n<artifactId>{}</artifactId>\n{}</project>\n"


class Launcher(unittest.TestCase):
    """A tree of its own."""

    def setUp(self):
        self.root = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory())).resolve()
        shutil.copy(ROOT / "lrwp", self.root / "lrwp")
        self.program("jdk/bin/java", "echo started")
        self.program("jdk/bin/javac", "exit 1")
        (self.root / "jdk" / "release").write_text('JAVA_VERSION="25.0.1"\n')
        self.program("bin/mvn", "exit 1")
        self.environment = os.environ | {
            "JAVA_HOME": str(self.root / "jdk"),
            "PATH": f"{self.root}/bin:{os.environ['PATH']}",
        }

    def program(self, name, line):
        file = self.root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"#!/bin/sh\n{line}\n")
        file.chmod(0o755)

    def module(self, folder, name, needs=()):
        (self.root / folder / "target" / "classes").mkdir(parents=True)
        lines = "".join(f"<dependency>\n<artifactId>{need}</artifactId>\n</dependency>\n" for need in needs)
        (self.root / folder / "pom.xml").write_text(POM.format(name, lines))

    def run_it(self, *words):
        return subprocess.run(
            [self.root / "lrwp", *words], env=self.environment, capture_output=True, text=True, check=False
        )

    def test_a_build_removes_the_classes_of_what_it_builds_alone(self):
        self.module("peer-modules/download", "peer-download", ["peer-runtime", "picocli"])
        self.module("peer-modules/runtime", "peer-runtime", ["lrwp-files"])
        self.module("lrwp-files", "lrwp-files")
        self.module("proxy-server", "proxy-server", ["peer-download"])
        (self.root / "pom.xml").write_text("<project><artifactId>all</artifactId></project>\n")

        done = self.run_it("download-peer")

        self.assertEqual(1, done.returncode, done.stderr)
        left = [str(file.relative_to(self.root)) for file in self.root.rglob("classes")]
        self.assertEqual(["proxy-server/target/classes"], left)

    def test_a_demo_whose_port_is_taken_is_refused_before_anything_is_built_or_started(self):
        with socket.create_server(("127.0.0.1", 0)) as other:
            port = other.getsockname()[1]
            for kind, option in ("HTTP", "--http-port"), ("LRWP", "--lrwp-port"):
                done = self.run_it("demo", "--http-port", "1", "--lrwp-port", "1", option, str(port))

                self.assertEqual(2, done.returncode, done.stderr)
                said = f"lrwp: the {kind} port 127.0.0.1:{port} is taken by another program: stop it or choose another"
                self.assertEqual(f"{said} with {option}\n", done.stderr)

    def test_a_folder_that_cannot_be_made_is_a_sentence(self):
        self.program("runtime/bin/java", "echo started")
        self.environment["XDG_STATE_HOME"] = str(self.root / "lrwp")

        done = self.run_it("proxy")

        self.assertEqual(2, done.returncode, done.stderr)
        folder = f"the folder {self.root}/lrwp/lrwp/logs cannot be made or written\n"
        self.assertEqual(f"lrwp: there is no place for the log, unless --log-file names one: {folder}", done.stderr)
        # Which that option is none of.
        self.assertEqual(
            f"lrwp: there is no place for the log: {folder}",
            self.run_it("demo", "--http-port", "1", "--lrwp-port", "1").stderr,
        )

    def test_with_a_log_file_no_folder_is_made(self):
        self.program("runtime/bin/java", "echo started")
        self.environment["XDG_STATE_HOME"] = str(self.root / "lrwp")
        self.assertEqual("started\n", self.run_it("proxy", "--log-file", "a.log").stdout)


if __name__ == "__main__":
    unittest.main()
