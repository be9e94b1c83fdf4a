"""The cases, and what they are run on."""

CASES = []


class Case:
    """One thing that has to be so. group: which process it is run with; own: a process for it alone."""

    def __init__(self, function, group, section, own, needs):
        self.function, self.group, self.section, self.own, self.needs = function, group, section, own, needs
        self.name = function.__name__.replace("_", "-")
        self.title = " ".join(function.__doc__.split())

    def fits(self, text):
        return text in ("=" + self.name, self.section, self.group) or text in self.name

    def __str__(self):
        return f"{self.section} {self.name}: {self.title}"


def case(group, section, own=False, needs=()):
    """Registers a function; its documentation is what has to be so."""

    def register(function):
        CASES.append(Case(function, group, section, own, (needs,) if isinstance(needs, str) else tuple(needs)))
        return function

    return register
