"""Results as TAP (version 13) and as JUnit XML."""

import xml.etree.ElementTree as xml


class Result:
    """How one case went."""

    def __init__(self, case, seconds=0.0, skipped=None, failure=None, diary=(), lines=()):
        self.case, self.seconds, self.skipped, self.failure = case, seconds, skipped, failure
        self.diary, self.lines = list(diary), list(lines)

    def explanation(self):
        expected, came = self.failure.expected, self.failure.came
        text = [f"section {self.failure.section or self.case.section} of docs/protocol.md", f"expected: {expected}",
                f"came: {came}", "on the connection, the newest last:"]
        text += ["  " + entry for entry in self.diary[-25:]] or ["  nothing"]
        text += ["the program said:"] + (["  " + line for line in self.lines[-8:]] or ["  nothing"])
        return text


def tap(result, at):
    line = f"{'not ' if result.failure else ''}ok {at} - {result.case}".replace("#", "")
    if result.skipped:
        return [f"{line} # SKIP {result.skipped}"]
    return [line] + (["# " + text for text in result.explanation()] if result.failure else [])


def _printable(text):
    return "".join(c if c == "\n" or " " <= c < "\x7f" or "\xa0" <= c < "\ud800" else "?" for c in text)


def junit(results, name, file):
    suite = xml.Element("testsuite", name=name, tests=str(len(results)),
                        failures=str(sum(1 for result in results if result.failure)),
                        skipped=str(sum(1 for result in results if result.skipped)), errors="0",
                        time=f"{sum(result.seconds for result in results):.3f}")
    for result in results:
        entry = xml.SubElement(suite, "testcase", classname=f"{name}.section-{result.case.section}",
                               name=f"{result.case.name}: {result.case.title}", time=f"{result.seconds:.3f}")
        if result.skipped:
            xml.SubElement(entry, "skipped", message=_printable(result.skipped))
        if result.failure:
            message = _printable(f"expected: {result.failure.expected}; came: {result.failure.came}")
            xml.SubElement(entry, "failure", message=message).text = _printable("\n".join(result.explanation()))
    xml.ElementTree(suite).write(file, encoding="utf-8", xml_declaration=True)
