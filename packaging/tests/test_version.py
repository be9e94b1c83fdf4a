"""What packaging/version reads, writes and complains of."""

import importlib.machinery
import importlib.util
import pathlib
import shutil
import tempfile
import unittest

PACKAGING = pathlib.Path(__file__).resolve().parent.parent


def load():
    """A program without the suffix of a module."""
    loader = importlib.machinery.SourceFileLoader("version", str(PACKAGING / "version"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("version", loader))
    loader.exec_module(module)
    return module


version = load()


class Version(unittest.TestCase):
    """Over a copy of the files that have the version."""

    def setUp(self):
        self.root = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        for path in [place[0] for place in version.PLACES] + ["CHANGELOG.md"]:
            (self.root / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(version.ROOT / path, self.root / path)

    def set_to(self, number):
        for place in version.PLACES:
            version.write(self.root / place[0], place, number)

    def test_the_tree_says_the_same_everywhere(self):
        self.assertEqual([], version.faults())

    def test_a_version_that_is_set_stands_everywhere_and_needs_its_section(self):
        self.set_to("7.8.9")
        self.assertEqual("7.8.9", version.current(self.root))
        self.assertEqual(["CHANGELOG.md: no section [7.8.9]"], version.faults(self.root))

    def test_between_releases_python_has_its_own_form_and_no_section_is_asked_for(self):
        self.set_to("7.8.9-SNAPSHOT")
        self.assertEqual([], version.faults(self.root))
        self.assertIn('version = "7.8.9.dev0"', (self.root / "peers/python/pyproject.toml").read_text())

    def test_a_place_that_differs_is_named(self):
        place = next(place for place in version.PLACES if place[0] == "peers/go/lrwp.go")
        version.write(self.root / place[0], place, "7.8.9")
        self.assertEqual([f"peers/go/lrwp.go: 7.8.9 instead of {version.current()}"], version.faults(self.root))


if __name__ == "__main__":
    unittest.main()
