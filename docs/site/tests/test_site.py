"""What makes the site finds the faults of its pages."""

import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

import check_links
import stage


class Files(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name).resolve()

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


class RenderedPages(Files):
    def faults(self):
        return check_links.faults(self.folder)

    def test_links_that_lead_somewhere_are_followed(self):
        self.write("index.html", '<a href="docs/a.html#place">a</a> <a href="https://example.org/x">elsewhere</a>')
        self.write("docs/a.html", '<h2 id="place">A</h2><a href="..">up</a><img src="a.svg">')
        self.write("docs/a.svg", "<svg/>")
        self.assertEqual(self.faults(), ([], 3))

    def test_a_link_to_no_file_is_a_fault(self):
        self.write("index.html", '<a href="gone.html">a</a>')
        self.assertEqual(self.faults()[0], ["index.html: gone.html leads to no file"])

    def test_a_link_to_no_anchor_is_a_fault(self):
        self.write("index.html", '<h2 id="here">A</h2><a href="#there">a</a>')
        self.assertEqual(self.faults()[0], ["index.html: #there leads to no place in its page"])

    def test_what_is_loaded_from_another_host_is_a_fault(self):
        self.write("index.html", '<script src="https://example.org/x.js"></script>')
        self.assertEqual(self.faults()[0], ["index.html: loads https://example.org/x.js from another host"])


class StagedPages(Files):
    def setUp(self):
        super().setUp()
        self.write("tree/docs/site/zensical.toml", '[project]\nnav = [ { "A" = "README.md" }, { "B" = "docs/b.md" } ]\n')
        self.write("tree/docs/site/site.css", "")
        self.write("tree/README.md", "# A\n\nFirst [b](docs/b.md#b).\n\nLast")
        self.write("tree/docs/b.md", "# B\n")

    def staged(self):
        made = stage.Stage(self.folder / "tree", self.folder / "made")
        made.run()
        return made.faults

    def page(self, name):
        return (self.folder / "made/pages" / name).read_text()

    def test_links_to_pages_hold(self):
        self.write("tree/docs/b.md", "# B\n\n[a](../README.md#a) [folder](site/) [x](https://example.org)\n")
        self.assertEqual(self.staged(), [])
        self.assertIn("[b](docs/b.md#b)", self.page("start.md"))
        self.assertIn("[a](../start.md#a) folder [x](https://example.org)", self.page("docs/b.md"))

    def test_a_part_of_another_page_has_links_as_they_are_from_here(self):
        self.write("tree/docs/b.md", '<!-- include README.md after "# A" before "Last" -->\n')
        self.assertEqual(self.staged(), [])
        self.assertEqual(self.page("docs/b.md"), "First [b](b.md#b).\n")

    def test_a_part_that_is_not_there_is_a_fault(self):
        self.write("tree/docs/b.md", '<!-- include README.md after "# A" before "End" -->\n')
        self.assertEqual(self.staged(), ['docs/b.md: README.md has no part after "# A" and before "End"'])

    def test_a_link_to_no_page_is_a_fault(self):
        self.write("tree/docs/b.md", "[c](c.md)\n")
        self.assertEqual(self.staged(), ["docs/b.md: the link to c.md leads to no page"])

    def test_a_document_outside_of_the_navigation_is_a_fault(self):
        self.write("tree/docs/c.md", "# C\n")
        self.assertEqual(self.staged(), ["docs/c.md is not in the navigation of docs/site/zensical.toml"])


if __name__ == "__main__":
    unittest.main()
