"""What was done and what was found: a few lines for the terminal, and a page that stands for itself."""

import html
import platform
import sys
from collections import Counter
from pathlib import Path

from rig.ledger import CLASSES, kind_of
from rig.plan import KINDS

COLOURS = (("right", "right answers"), ("error", "errors (502, 503, 504)"), ("gone", "clients that left"),
           ("away", "no answer while the proxy was away"), ("other", "cut, silent, wrong, hung"))
MOST_FINDINGS = 200
WIDTH, HEIGHT, TOP = 1000, 180, 26


def command_of(run):
    words = ["./lrwp torture", f"--seconds {run.seconds}", f"--seed {run.seed}"]
    if not run.own:
        words += ["--http %s:%d" % run.http, "--lrwp %s:%d" % run.lrwp]
    if run.glassfish:
        words += [f"--glassfish {run.glassfish}"]
    return " ".join(words)


def counts_of(run):
    return Counter(finding.kind for finding in run.ledger.findings)


def print_summary(run, page, logs):
    outcomes = Counter(kind_of(entry.outcome) for entry in run.ledger.entries.values() if entry.outcome)
    done = Counter(kind for _, _, kind, _ in run.stage.done)
    counts = counts_of(run)
    say = lambda line: print(line, flush=True)
    say(f"{sum(outcomes.values())} requests: " + ", ".join(f"{count} {word}" for word, count in outcomes.most_common()))
    say(f"{sum(done.values())} faults: " + ", ".join(f"{count} {kind}" for kind, count in sorted(done.items())))
    for kind, why in sorted(run.stage.left_out.items()):
        say(f"left out: {kind}: {why}")
    for words in run.missing:
        say(f"left out: {words}")
    for words in run.ledger.notes:
        say(f"note: {words}")
    for finding in run.ledger.findings[:20]:
        say(f"{finding.kind} at {finding.at:.1f} s: {finding.words}")
    say("found: " + ", ".join(f"{counts[kind]} {kind}" for kind in CLASSES))
    say(f"report: {page}" + (f"; logs: {logs}" if logs else ""))
    if run.ledger.findings:
        say(f"again: {command_of(run)}")


def write(run, page):
    page.write_text(Page(run).text(), encoding="utf-8")


def table(head, rows):
    def row(cells, tag):
        return "<tr>" + "".join(f"<{tag}>{html.escape(str(cell))}</{tag}>" for cell in cells) + "</tr>"
    return f"<div class=scroll><table>{row(head, 'th')}{''.join(row(cells, 'td') for cells in rows)}</table></div>"


def box(name, x, y, wide, high, title=""):
    words = f"<title>{html.escape(title)}</title>" if title else ""
    return f'<rect class={name} x={x:.1f} y={y:.1f} width={wide:.1f} height={high:.1f}>{words}</rect>'


class Page:
    def __init__(self, run):
        self.run = run
        self.ledger = run.ledger
        self.counts = counts_of(run)

    def text(self):
        style = (Path(__file__).with_name("report.css")).read_text()
        found = sum(self.counts.values())
        verdict = "Nothing was found" if not found else f"{found} findings"
        return f"""<!doctype html>
<html lang=en><meta charset=utf-8><meta name=viewport content="width=device-width, initial-scale=1">
<title>Torture, seed {self.run.seed}: {verdict}</title><style>{style}</style>
<main><h1>Torture of {self.target()}</h1>
<p class="verdict {'bad' if found else 'good'}">{verdict}</p>
<p>{self.run.seconds} seconds, seed {self.run.seed}, {len(self.ledger.entries):,} requests,
{len(self.run.stage.done)} faults. Once more: <code>{html.escape(command_of(self.run))}</code></p>
{self.classes()}{self.findings()}{self.picture()}{self.outcomes()}{self.faults()}{self.left_out()}{self.notes()}
{self.figures()}{self.about()}</main></html>
"""

    def target(self):
        return "a proxy of its own" if self.run.own else html.escape("%s:%d" % self.run.http)

    def classes(self):
        cards = "".join(
            f'<li class="{"bad" if self.counts[kind] else "good"}"><b>{self.counts[kind]}</b> {kind}<br>'
            f"<small>{words}</small></li>"
            for kind, words in CLASSES.items())
        return f"<ul class=cards>{cards}</ul>"

    def findings(self):
        rows = [(f"{finding.at:.2f}", finding.kind, finding.words) for finding in self.ledger.findings[:MOST_FINDINGS]]
        if not rows:
            return ""
        more = len(self.ledger.findings) - len(rows)
        found = table(("second", "class", "what"), rows)
        return f"<h2>Findings</h2>{found}" + (f"<p>and {more} more</p>" if more else "")

    def picture(self):
        """Requests of each second by outcome, and the faults above them."""
        seconds = max([second for second, _ in self.ledger.timeline] + [self.run.seconds]) + 1
        most = max([sum(self.ledger.timeline[second, name] for name, _ in COLOURS) for second in range(seconds)] + [1])
        step = WIDTH / seconds
        bars = []
        for second in range(seconds):
            base = TOP + HEIGHT
            for name, _ in COLOURS:
                high = HEIGHT * self.ledger.timeline[second, name] / most
                base -= high
                if high:
                    bars.append(box(name, second * step, base, max(step - 1, 0.5), high))
        marks = []
        for begun, ended, kind, words in self.run.stage.done:
            great = KINDS[kind].seconds
            y, high = (0, 12) if great else (14, 8)
            title = f"{begun:.1f} to {ended:.1f} s: {kind} {words}"
            wide = max((ended - begun) * step, 2)
            marks.append(box("great" if great else "small", begun * step, y, wide, high, title))
        legend = "".join(f"<span><i class={name}></i>{words}</span>" for name, words in COLOURS)
        legend += "<span><i class=great></i>faults of the whole proxy</span>"
        legend += "<span><i class=small></i>other faults</span>"
        low = HEIGHT + TOP + 14
        return (f"<h2>Each second</h2><svg viewBox='0 0 {WIDTH} {low + 4}' role=img aria-label='requests by outcome'>"
                f"{''.join(marks)}{''.join(bars)}<text x=0 y={low}>0 s</text><text x={WIDTH} y={low} text-anchor=end>"
                f"{seconds} s; highest: {most} requests</text></svg><p class=legend>{legend}</p>")

    def outcomes(self):
        counts = Counter((entry.context, entry.outcome) for entry in self.ledger.entries.values() if entry.outcome)
        rows = [(context, outcome, f"{count:,}") for (context, outcome), count in sorted(counts.items())]
        return "<h2>Outcomes</h2>" + table(("context", "outcome", "requests"), rows)

    def faults(self):
        done = Counter(kind for _, _, kind, _ in self.run.stage.done)
        rows = [(kind, count, KINDS[kind].words) for kind, count in sorted(done.items())]
        return "<h2>What was done</h2>" + table(("fault", "times", "what"), rows)

    def left_out(self):
        rows = [*sorted(self.run.stage.left_out.items()), *(words.split(": ", 1) for words in self.run.missing)]
        if not rows:
            return ""
        return "<h2>What was left out</h2>" + table(("what", "why"), rows)

    def notes(self):
        if not self.ledger.notes:
            return ""
        return "<h2>Notes</h2><ul>" + "".join(f"<li>{html.escape(words)}</li>" for words in self.ledger.notes) + "</ul>"

    def figures(self):
        before, after = self.run.health.before, self.run.health.after
        if not after:
            return ""
        rows = [(name, before[name], after[name]) for name in after]
        return "<h2>The process</h2>" + table(("", "before", "after"), rows)

    def about(self):
        peers = Counter((peer.sort.context, peer.sort.name) for peer in self.run.peers)
        rows = [(context, name, count) for (context, name), count in sorted(peers.items())]
        front = f", front = {self.run.own.front}" if self.run.own else ""
        return ("<h2>Who took part</h2>" + table(("context", "peers", "how many"), rows)
                + f"<p><small>{html.escape(platform.platform())}, Python {sys.version.split()[0]}{front}</small></p>")
