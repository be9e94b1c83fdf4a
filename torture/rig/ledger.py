"""What became of each request, and what of it is the proxy's fault."""

import time
from collections import Counter
from dataclasses import dataclass

from rig.peers import LOAD, STEADY

CLASSES = {
    "wrong": "an answer that is not the one to its request, or is no HTTP",
    "hung": "a client that waited in vain until its patience was over",
    "doubled": "a request executed more often than its method allows",
    "lost": "a POST that was executed, and whose client was told that it may come again (503)",
    "unanswered": "an error, a cut or silence that nothing explains that the rig did",
    "not recovered": "something that was not as before when the faults were over",
}
IDEMPOTENT_MOST, OTHER_MOST = 2, 1


@dataclass(frozen=True)
class Finding:
    kind: str
    at: float
    words: str


@dataclass
class Entry:
    """One request: when it began and ended, in seconds of the run, and its outcome in a word.

    `may_repeat`: the client sends it again when it pleases, so that the number of executions says nothing."""

    method: str
    context: str
    begun: float
    may_repeat: bool = False
    ended: float = 0
    outcome: str = ""
    detail: str = ""


@dataclass
class Excuse:
    """While this was done to the proxy, these outcomes say nothing of it."""

    why: str
    begun: float
    outcomes: frozenset
    ended: float = float("inf")


# What a client may see while all of the proxy is gone, or stands still. To hang is never among them.
ANYTHING = frozenset({"error", "cut", "none", "unreachable"})
ERRORS = frozenset({"error"})
# A container opens its ports before it has started its applications, and closes them later. Meanwhile GlassFish never
# ends some requests of HTTP/2 that have a body.
ABSENT = frozenset({"absent", "hung"})
# A request may have been begun before the fault, and its connection be found dead after it.
AROUND = 1.0


class Ledger:
    def __init__(self):
        self.start = time.monotonic()
        self.entries = {}
        self.excuses = []
        self.findings = []
        self.notes = []
        self.timeline = Counter()

    def now(self):
        return time.monotonic() - self.start

    def begin(self, identity, method, context, may_repeat=False):
        self.entries[identity] = Entry(method, context, self.now(), may_repeat)

    def end(self, identity, outcome, detail=""):
        """The outcome: right, wrong, absent, gone, hung, cut, none, unreachable, or `STATUS reason`."""
        entry = self.entries[identity]
        entry.ended, entry.outcome, entry.detail = self.now(), outcome, detail
        kind = kind_of(outcome)
        away = self.is_excused(entry, kind) and kind != "error"
        self.timeline[int(entry.ended), "away" if away else colour(kind)] += 1

    def found(self, kind, words):
        self.findings.append(Finding(kind, self.now(), words))

    def excuse(self, why, outcomes):
        self.excuses.append(Excuse(why, self.now(), outcomes))
        return self.excuses[-1]

    def is_excused(self, entry, outcome):
        return any(
            outcome in excuse.outcomes and entry.begun - AROUND <= excuse.ended and entry.ended + AROUND >= excuse.begun
            for excuse in self.excuses)

    def was_begun_amid(self, entry, outcome):
        """Whether a request was begun while this outcome says nothing; its end may be much later."""
        return any(
            outcome in excuse.outcomes and excuse.begun - AROUND <= entry.begun <= excuse.ended + AROUND
            for excuse in self.excuses)

    def judge(self, executions):
        """All findings, those of single requests too."""
        for identity, entry in self.entries.items():
            if entry.outcome:
                for kind, words in self.faults(entry, executions.get(identity, 0)):
                    whole = f"{entry.method} {entry.context}/{identity}: {words}"
                    self.findings.append(Finding(kind, entry.ended, whole))
        self.findings.sort(key=lambda finding: finding.at)

    def faults(self, entry, executed):
        times = f"executed {executed} times, outcome {entry.outcome} {entry.detail}".strip()
        kind = kind_of(entry.outcome)
        if not entry.may_repeat and executed > (OTHER_MOST if entry.method == "POST" else IDEMPOTENT_MOST):
            yield "doubled", times
        if kind == "wrong" or (kind == "right" and executed == 0):
            yield "wrong", times
        elif kind == "absent" and (executed or not self.is_excused(entry, kind)):
            yield "wrong", times
        elif kind == "hung" and (executed or not self.was_begun_amid(entry, kind)):
            yield "hung", times
        elif kind in ("none", "unreachable") or (kind == "cut" and (executed == 0 or entry.context == STEADY)):
            if not self.is_excused(entry, kind):
                yield "unanswered", times
        elif kind == "error":
            yield from self.error_faults(entry, executed, times)

    def error_faults(self, entry, executed, times):
        if entry.outcome.startswith("503") and entry.method == "POST" and executed and not entry.may_repeat:
            yield "lost", times
        elif self.is_excused(entry, "error"):
            return
        elif entry.context == STEADY or (entry.context == LOAD and not entry.outcome.startswith("503")):
            yield "unanswered", times


def kind_of(outcome):
    return "error" if outcome[:3].isdigit() else outcome


def colour(kind):
    """The part of the report's picture that an outcome belongs to."""
    return kind if kind in ("right", "error", "gone") else "other"
