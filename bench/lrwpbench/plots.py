"""The pictures. Drawing is not our field: matplotlib does it."""

import itertools

try:
    import matplotlib

    matplotlib.use("svg")
    from matplotlib import pyplot
except ImportError:
    pyplot = None

_MARKERS = "osD^v<>pP*X"
_OWNERS = ("#c9c9c9", "#c0504d", "#e8c170", "#8aa4c8", "#b5cfa0")
_LETTERS = 330  # of the flame graph's small print, in its whole width


class Picture:
    """One SVG of one or more charts side by side; without matplotlib nothing is drawn, and the report says so."""

    def __init__(self, section, folder, name, title, charts=1, size=None):
        self._section = section
        self._folder = folder
        self._name = name
        self._title = title
        self._axes = []
        if pyplot is None:
            section.text("(No picture: python3-matplotlib is not installed.)")
            return
        # The same figures give the same file.
        matplotlib.rcParams["svg.hashsalt"] = "lrwp"
        self._figure, axes = pyplot.subplots(1, charts, figsize=size or (5.5 * charts, 4.2), squeeze=False)
        self._axes = list(axes[0])

    def bars(self, chart, title, names, values, unit):
        """Horizontal bars, in the order given from the top."""
        for axes in self._axes[chart : chart + 1]:
            colours = ["#c0504d" if name.startswith("LRWP") else "#8aa4c8" for name in names]
            places = range(len(names))
            axes.barh(places, values, color=colours)
            axes.set_yticks(places, names)
            axes.invert_yaxis()
            axes.set_xlabel(unit)
            axes.set_title(title)
            for place, value in zip(places, values):
                shown = f" {value:,.0f}" if value >= 100 else f" {value:.1f}"
                axes.annotate(shown, (value, place), va="center", fontsize=8)
            axes.margins(x=0.2)

    def lines(self, chart, title, series, labels, logarithmic=False):
        """series: name to (xs, ys); labels: of x and y."""
        for axes in self._axes[chart : chart + 1]:
            for (name, (xs, ys)), marker in zip(series.items(), itertools.cycle(_MARKERS)):
                axes.plot(xs, ys, marker=marker, markersize=4, linewidth=2 if name.startswith("LRWP") else 1, label=name)
            if logarithmic:
                axes.set_xscale("log")
                ticks = sorted({x for xs, _ in series.values() for x in xs})
                axes.set_xticks(ticks, [f"{tick:,}" for tick in ticks])
                axes.minorticks_off()
            axes.set_ylim(bottom=0)
            axes.set_xlabel(labels[0])
            axes.set_ylabel(labels[1])
            axes.set_title(title)
            axes.grid(alpha=0.3)
            if chart == 0:
                axes.legend(fontsize=7)

    def flame(self, boxes, owners):
        """Calls (flame.Box), the outermost at the bottom, in a colour for each owner."""
        colours = dict(zip(owners, _OWNERS))
        for axes in self._axes[:1]:
            for owner, colour in colours.items():
                mine = [box for box in boxes if box.owner == owner]
                if not mine:
                    continue
                axes.barh(
                    [box.depth for box in mine], [box.width for box in mine], 0.95, [box.begin for box in mine],
                    color=colour, edgecolor="white", linewidth=0.3, label=owner,
                )  # fmt: skip
            for box in boxes:
                text = ".".join(box.frame.split(".")[-2:])[: int(box.width * _LETTERS)]
                if len(text) > 2:
                    axes.annotate(text, (box.begin + 0.001, box.depth), va="center", fontsize=5)
            axes.set_xlim(0, 1)
            axes.set_axis_off()
            axes.set_title(self._title)
            axes.legend(fontsize=8, loc="upper left")

    def save(self):
        if pyplot is None:
            return
        self._figure.tight_layout()
        self._figure.savefig(self._folder / self._name, metadata={"Date": None})
        pyplot.close(self._figure)
        self._section.picture(self._name, self._title)
