"""How long and how often is measured: the full run, and the quick one that only shows that the bench works."""

import dataclasses

from .goals import REPEATED
from .loads import VARIED

PACED = "paced"
# Of part beside.
LOADS = (REPEATED, PACED, *VARIED)


@dataclasses.dataclass(frozen=True)
class Scale:
    """Seconds are of one round of one case. warm_seconds: of a proxy's first load; 0 leaves warm-ups out. tries: how
    often a disturbed round is run at most."""

    quick: bool
    rounds: int
    seconds: float
    warm_seconds: float
    tries: int
    connections: tuple
    paced_rate: int
    calls: int  # 0: as many as fill cpm_seconds
    cpm_seconds: float
    varied_connections: tuple  # of the varied loads
    loads: tuple = LOADS
    soak_minutes: float = 100

    @property
    def judged(self):
        """Whether rounds are called disturbed. A quick run measures nothing, so it does not judge."""
        return not self.quick


FULL = Scale(False, 3, 3, 30, 5, (10, 50, 100, 500), 8000, 0, 60, (10, 100, 500))
QUICK = Scale(True, 1, 0.5, 0, 1, (10,), 500, 300, 3, (10,), soak_minutes=0.2)
