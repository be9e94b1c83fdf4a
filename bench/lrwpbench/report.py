"""The report of a run: Markdown with tables, pictures beside it, and the same table on the terminal."""

import dataclasses
import datetime
import json
import shlex


@dataclasses.dataclass
class Section:
    """What one part has to say. data: figures that other parts use."""

    part: str
    title: str
    blocks: list = dataclasses.field(default_factory=list)
    data: dict = dataclasses.field(default_factory=dict)

    def text(self, text):
        self.blocks.append(text)

    def table(self, header, rows):
        lines = ["| " + " | ".join(header) + " |", "|" + "---|" * len(header)]
        lines.extend("| " + " | ".join(str(cell) for cell in row) + " |" for row in rows)
        self.blocks.append("\n".join(lines))

    def picture(self, name, title):
        self.blocks.append(f"![{title}]({name})")

    def markdown(self):
        return f"## {self.title}\n\n" + "\n\n".join(self.blocks) + "\n"


class Report:
    """Written anew after each part, so that a run that is interrupted leaves what it has measured."""

    def __init__(self, folder, arguments, scale, machine_rows):
        now = datetime.datetime.now(datetime.timezone.utc)
        self.folder = folder / (now.strftime("%Y-%m-%dT%H%M%S") + ("-quick" if scale.quick else ""))
        self.folder.mkdir(parents=True)
        self.command = " ".join(["bench/run", *(shlex.quote(argument) for argument in arguments)])
        self._date = now.strftime("%Y-%m-%d %H:%M UTC")
        self._scale = scale
        self._machine = machine_rows
        self.sections = []

    def add(self, section):
        self.sections.append(section)
        (self.folder / "report.md").write_text(self.markdown())
        data = {one.part: one.data for one in self.sections}
        (self.folder / "data.json").write_text(json.dumps(data, indent=1))

    def markdown(self):
        head = [f"# `{self.command}`, {self._date}", ""]
        if self._scale.quick:
            head += ["**A quick run: it shows that the bench works. Its figures mean nothing.**", ""]
        head += ["| | |", "|---|---|"]
        head += [f"| {what} | {which} |" for what, which in self._machine]
        head += [
            f"| rounds | {self._scale.rounds} of {self._scale.seconds:g} s for each case, in turn; medians (least to most) |",
            "| `*` | somebody else took more than 5 % of the machine, five times in a row: only CPU per request counts |",
            "",
        ]
        return "\n".join(head) + "\n" + "\n".join(section.markdown() for section in self.sections)
