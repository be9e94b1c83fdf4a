"""Puts measured tables and pictures where readers look: between the marks of README.md and docs/performance.md."""

import pathlib
import re
import shutil

from .report import Section

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
DOCUMENTS = ("README.md", "docs/performance.md")
PICTURES = "docs/pictures"


def publish(report):
    """Fills `<!-- bench PART: begin -->` ... `<!-- bench PART: end -->` with the part's section of the report."""
    for name in DOCUMENTS:
        document = ROOT / name
        text = document.read_text()
        up = "../" * (len(pathlib.Path(name).parts) - 1)
        for section in report.sections:
            text = filled(text, section.part, body(section, up + PICTURES))
            text = filled(text, section.part + " summary", summary(section, up + PICTURES))
        document.write_text(text)
    (ROOT / PICTURES).mkdir(exist_ok=True)
    for picture in report.folder.glob("*.svg"):
        shutil.copy(picture, ROOT / PICTURES / picture.name)
    print(f"published in {', '.join(DOCUMENTS)}")


def body(section, pictures):
    """A section without its title, its pictures where they are published."""
    text = "\n\n".join(section.blocks)
    return re.sub(r"\]\(([\w.-]+\.svg)\)", rf"]({pictures}/\1)", text)


def summary(section, pictures):
    """What the README has of a part: its short table, and its first picture; empty when it has no such table."""
    text = section.data.get("summary", "")
    picture = next((block for block in section.blocks if block.startswith("![")), "")
    return "\n\n".join([text, body(Section("", "", [picture]), pictures)]) if text else ""


def filled(text, mark, content):
    """The text with the content between the marks, where it has them."""
    begin, end = f"<!-- bench {mark}: begin -->", f"<!-- bench {mark}: end -->"
    if begin not in text or not content:
        return text
    head, rest = text.split(begin, 1)
    return f"{head}{begin}\n{content}\n{end}{rest.split(end, 1)[1]}"
