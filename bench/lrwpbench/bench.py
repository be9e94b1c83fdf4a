"""What a part gets to work with."""

import dataclasses
import pathlib
import tempfile

from .builds import Builds
from .loads import Loads
from .ours import Ours
from .processes import Processes
from .report import Section
from .rivals import Rivals
from .scale import Scale


@dataclasses.dataclass
class Bench:
    """The tools of one part. folder: where pictures go; sections: what earlier parts have said, by name."""

    scale: Scale
    folder: pathlib.Path
    sections: dict
    command: str
    processes: Processes
    builds: Builds
    ours: Ours
    rivals: Rivals
    loads: Loads

    @staticmethod
    def say(line):
        print(line, flush=True)

    def section(self, part, title):
        section = Section(part, title)
        section.text(f"`{self.command}`")
        return section


class Workshop:
    """A temporary folder with processes in it; leaving it ends them."""

    def __init__(self, scale, report):
        self._scale = scale
        self._report = report

    def __enter__(self):
        self._temporary = tempfile.TemporaryDirectory(prefix="lrwp-bench-")
        self._processes = processes = Processes(self._temporary.name)
        builds = Builds(self._temporary.name)
        return Bench(
            self._scale,
            self._report.folder,
            {section.part: section for section in self._report.sections},
            self._report.command,
            processes,
            builds,
            Ours(processes, builds, self._scale.quick),
            Rivals(processes, builds),
            Loads(processes, builds),
        )

    def __exit__(self, *error):
        self._processes.stop_all()
        self._temporary.cleanup()
