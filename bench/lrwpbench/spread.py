"""Medians with their spread, as text."""

import statistics


def median(values):
    return statistics.median(values)


def shown(values, digits=0):
    """The median, with the least and the most when there is more than one value."""
    if not values:
        return ""
    middle = f"{statistics.median(values):,.{digits}f}"
    if len(values) == 1:
        return middle
    return f"{middle} ({min(values):,.{digits}f} to {max(values):,.{digits}f})"
