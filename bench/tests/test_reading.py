"""What the bench reads from other programs' output, with output as they really print it."""

import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

from lrwpbench import (  # noqa: E402
    apachebench,
    cachelines,
    downloads,
    flame,
    java_heap,
    loads,
    osplog,
    ospparts,
    peermodules,
    publish,
    report,
    rounds,
    spread,
)
from lrwpbench.parts import seed  # noqa: E402

AB = """
Time taken for tests:   2.912 seconds
Complete requests:      900
Failed requests:        0
Keep-Alive requests:    900
Percentage of the requests served within a certain time (ms)
  50%     29
  66%     40
  99%    300
 100%    412 (longest request)
"""


STACKS = """
java.lang.Thread.run;org.glassfish.grizzly.Runner.run;org.lrwp.webapp.Front.serve;java.lang.String.equals 6
java.lang.Thread.run;org.glassfish.grizzly.Runner.run;sun.nio.ch.SocketDispatcher.read0 3
java.lang.Thread.run;org.glassfish.grizzly.Runner.run;org.apache.catalina.Pipeline.invoke 1
? 5
"""


class FlameTest(unittest.TestCase):
    def test_gives_the_jdks_time_to_its_caller_and_the_kernels_to_none(self):
        shares = flame.shares(flame.read(STACKS.strip()))
        self.assertEqual(
            {name: share for name, share in shares.items() if share},
            {flame.SYSTEM_CALLS: 0.3, "the proxy": 0.6, "Catalina and GlassFish": 0.1},
        )

    def test_leaves_out_what_all_stacks_share_and_calls_too_narrow_to_see(self):
        boxes = flame.boxes(flame.read(STACKS.strip()), 0.2)
        self.assertEqual(
            [(box.frame.rsplit(".", 2)[1], box.depth, round(box.width, 3)) for box in boxes],
            [("Runner", 0, 1.0), ("Front", 1, 0.6), ("String", 2, 0.6), ("SocketDispatcher", 1, 0.3)],
        )
        self.assertAlmostEqual(boxes[-1].begin, 0.7)


class ApacheBenchTest(unittest.TestCase):
    def test_reads_a_report(self):
        self.assertEqual(apachebench.read(AB), apachebench.AbRun(900, 0, 2.912, 29, 300))

    def test_answers_that_are_no_2xx_are_failed(self):
        text = AB.replace("Keep-Alive requests", "Non-2xx responses:      12\nKeep-Alive requests")
        self.assertEqual(apachebench.read(text).failed, 12)

    def test_other_output_is_an_error(self):
        with self.assertRaises(ValueError):
            apachebench.read("apr_socket_recv: Connection refused (111)")


class OspLogTest(unittest.TestCase):
    TEXT = "\n".join(
        f"INFO: calls cpm={cpm} authorisations={n} source-usages={n} destination-usages={3 * n} refused=0"
        for cpm, n in ((600, 10), (6000, 100), (6600, 110), (60, 1))
    )

    def test_the_rate_is_all_calls_over_the_time_of_all_spans(self):
        self.assertAlmostEqual(osplog.calls_per_minute(osplog.spans(self.TEXT), 1), 221 * 60 / 4)

    def test_all_spans_count_for_the_totals(self):
        self.assertEqual(osplog.totals(osplog.spans(self.TEXT)), (221, 221, 663))

    def test_the_totals_at_the_end_are_no_span(self):
        line = "calls-total calls=221 authorisations=221 source-usages=221 destination-usages=663 refused=0 seconds=9"
        self.assertEqual(osplog.spans(line), [])


class PeerModulesTest(unittest.TestCase):
    def test_reads_the_last_line_of_a_kind(self):
        text = "flows=1 errors=3\nwindow\nflows=2 errors=0 least=19999.5 fairness=0.9871\nended=2\n"
        self.assertEqual(
            peermodules.numbers(peermodules.line(text, "flows=")),
            {"flows": 2, "errors": 0, "least": 19999.5, "fairness": 0.9871},
        )

    def test_a_goal_is_met_at_its_limit_and_missed_beyond(self):
        self.assertEqual(
            [peermodules.met("<= 2", 2.0), peermodules.met("<= 2", 2.01), peermodules.met(">= 0.9", 0.89)],
            ["met", "missed", "missed"],
        )

    def test_a_goal_without_a_limit_is_an_error(self):
        with self.assertRaises(ValueError):
            peermodules.met("about 2", 2.0)

    def test_figures_have_the_digits_that_count(self):
        self.assertEqual([peermodules.shown(value) for value in (0.01234, 1.2345, 123.45)], ["0.0123", "1.23", "123"])


class DownloadsTest(unittest.TestCase):
    def test_downloads_are_together_from_the_first_byte_to_the_last(self):
        found = downloads.Article([0.0, 1.0, 2.0], [0.5, 0.5, 3.0], [2.0, 2.0, 4.0], 0, 6.0, 1.0, 10)
        self.assertEqual(found.together(), 2)

    def test_the_farthest_rate_counts_whether_it_is_below_or_above(self):
        flows = downloads.Flows({"least": 19_000.0, "most": 20_100.0}, 1.0, 0.0, 1.0, 0.0, "")
        self.assertAlmostEqual(flows.within(20_000), 5.0)


class SeedTest(unittest.TestCase):
    def bench(self, **data):
        sections = {part: report.Section(part, part, [], found) for part, found in data.items()}
        return type("Bench", (), {"sections": sections})

    def test_clients_served_at_once_are_those_of_the_blocking_servlet_and_ours(self):
        rows = seed.downloads(
            self.bench(download={"article blocking servlet": {"together": 10}, "article LRWP proxy, local": {"together": 95}})
        )
        self.assertEqual([row[1:4] for row in rows], [("10.0", "9.5", "0.95")])

    def test_repeats_count_for_the_articles_servlets_and_not_for_ours(self):
        found = {"answers": 20_000.0, "seconds": 10.0, "repeats": 5000.0, "empty": 5000.0}
        rows = seed.events(self.bench(events={"article asynchronous servlet": found, "article LRWP proxy, local": found}))
        self.assertEqual([row[1:4] for row in rows], [("1,965", "2,000", "1.02"), ("1,000", "1,000", "1.00")])

    def test_parts_that_were_not_run_have_no_rows(self):
        self.assertEqual(seed.downloads(self.bench()) + seed.events(self.bench()), [])


class CacheLinesTest(unittest.TestCase):
    TEXT = (
        "cache cache-map heap=2\n"
        "operation cache-map get threads=2 cpu-nanos=512.3 rate=3900000 hits=0.6210 wrong=0 p50=480 p999=9000\n"
        "content cache-map wrong=3\n"
        "ratio zipf-0.9 map-ghost hits=0.6970 entries=20000\n"
        "ratio zipf-0.9 lru hits=0.6370 entries=-1\n"
        "opened millis=183.2 entries=1300000 outcome=REOPENED\n"
        "kill: 50 rounds, 61 segments in a put\n"
    )

    def test_reads_each_line(self):
        figures = cachelines.operations(self.TEXT)["get", 2]
        self.assertEqual(figures["cpu-nanos"], 512.3)
        self.assertEqual(figures["hits"], 0.621)
        self.assertEqual(cachelines.heap(self.TEXT), 2)
        self.assertEqual(cachelines.wrong(self.TEXT), 3)
        self.assertEqual(cachelines.ratios(self.TEXT), {"zipf-0.9": {"map-ghost": 0.697, "lru": 0.637}})
        self.assertEqual(cachelines.opened(self.TEXT), (183.2, 1300000, "REOPENED"))
        self.assertEqual(cachelines.kills(self.TEXT), (50, 61))


class OspPartsTest(unittest.TestCase):
    def test_reads_the_line_of_what_was_measured_not_of_its_warm_up(self):
        text = (
            "bench warm-up count=5 cpu-micros=97.822 seconds=1.500\n"
            "bench usages count=1000 cpu-micros=58.124 seconds=2.000\n"
        )
        self.assertEqual(ospparts.read(text, "usages"), ospparts.Part(1000, 58.124, 500.0))

    def test_a_measurement_that_said_nothing_is_an_error(self):
        with self.assertRaises(ValueError):
            ospparts.read("Exception in thread main", "usages")

    def test_signatures_of_openssl_are_the_first_line_of_the_key(self):
        text = "+DTP:2048:private:rsa:1\n+R1:658:2048:0.26\n+R2:12930:2048:0.25\n+F2:2:2048:2530.7:51720.0\n"
        self.assertAlmostEqual(ospparts.openssl_micros(text), 395.137, 3)


class LoadTest(unittest.TestCase):
    def test_reads_the_line_of_wrk_and_paced_in_milliseconds(self):
        text = "Running 1s test\nbench requests=100 errors=2 rate=50.5 p50=1500 p90=2 p99=3000 p999=4000 max=5000\n"
        self.assertEqual(loads.read_load(text), rounds.Load(100, 2, 50.5, 1.5, 3.0, 4.0, 5.0))


class HeapTest(unittest.TestCase):
    def test_adds_the_spaces_of_a_heap_without_metaspace(self):
        text = (
            "DefNew total 9216K, used 1024K [0x0, 0x1)\nTenured total 10M, used 3M [0x0, 0x1)\n"
            "Metaspace used 50000K, committed 60000K\n"
        )
        self.assertEqual(java_heap.used_mib(text), 4.0)

    def test_reads_the_pauses_of_a_safepoint_log(self):
        text = (
            'Safepoint "G1CollectForAllocation", Time since last: 1 ns, Reaching safepoint: 2 ns, At safepoint: 3 ns, '
            "Leaving safepoint: 1 ns, Total: 2500000 ns, Threads: 1 runnable, 2 total\n"
        )
        self.assertEqual(java_heap.pauses_ms(text), [2.5])

    def test_what_was_allocated_is_every_eden_that_was_collected_and_what_is_in_the_present_one(self):
        collections = (
            "    S0C     S1C     S0U     S1U      EC       EU        OC         OU       MC     MU    CCSC   CCSU    YGC   YGCT\n"
            "  6144.0  6144.0   0.0    96.0   49152.0     0.0   458752.0   9000.0   90112.0 88000.0 10000.0 9000.0     3   0.010\n"
        )
        heap = (
            "PSYoungGen      total 59392K, used 27139K [0x00000000fc000000, 0x0000000100000000, 0x0000000100000000)\n"
            " eden space 49152K, 45% used [0x00000000fc000000,0x00000000fc100200,0x00000000ff000000)\n"
            " from space 6144K, 48% used [0x00000000ffa00000,0x00000000ffcec060,0x0000000100000000)\n"
        )
        self.assertEqual(java_heap.young_kib(collections, heap), 3 * 49152.0 + 1024.5)


class DisturbedTest(unittest.TestCase):
    LOAD = rounds.Load(1000, 0, 100.0, 1.0, 2.0, 3.0, 4.0)

    def sample(self, disturbed):
        return rounds.Sample(self.LOAD, 20.0, 300.0, 0.2 if disturbed else 0.0, disturbed)

    def test_only_the_cpu_of_a_disturbed_case_is_quoted_and_marked(self):
        cells = rounds.cells([self.sample(True)])
        self.assertEqual(cells[0], "disturbed *")
        self.assertEqual(cells[1], "20.0 *")
        self.assertEqual(cells[4], "disturbed *")

    def test_quiet_rounds_count_when_another_was_disturbed(self):
        cells = rounds.cells([self.sample(True), self.sample(False)])
        self.assertEqual(cells[0], "100")
        self.assertTrue(cells[1].endswith(" *"))

    def test_a_disturbed_round_is_repeated_until_one_is_quiet(self):
        shares = iter((0.5, 0.3, 0.01, 0.9))
        runs = []

        class Proxy:
            cpu_seconds = staticmethod(lambda: 0.0)
            resident_mib = staticmethod(lambda: 1.0)

        class Meter:
            def __init__(self, *_):
                pass

            def read(self):
                return 0.02, next(shares), 1.0

        original, rounds.Meter = rounds.Meter, Meter
        try:
            case = rounds.Case("a", Proxy, lambda seconds: runs.append(seconds) or self.LOAD)
            scale = type("Scale", (), {"tries": 5, "seconds": 6, "judged": True})
            sample = rounds.measure(None, scale, case)
        finally:
            rounds.Meter = original
        self.assertEqual((len(runs), sample.disturbed, sample.cpu), (3, False, 20.0))


class WarmUpTest(unittest.TestCase):
    LOAD = rounds.Load(1000, 0, 100.0, 1.0, 2.0, 3.0, 4.0)
    SCALE = type("Scale", (), {"rounds": 0, "seconds": 2, "warm_seconds": 30, "quick": False})

    def warmed(self, costs, warm=False):
        """How long each load is of a proxy whose requests cost that much in turn, and the last for ever."""
        spent, left, steps = [0.0], list(costs), []

        class Proxy:
            cpu_seconds = staticmethod(lambda: spent[0])

        Proxy.warm = warm

        def load(seconds):
            steps.append(seconds)
            spent[0] += left.pop(0) if len(left) > 1 else left[0]
            return self.LOAD

        rounds.interleaved(None, self.SCALE, [rounds.Case("a", Proxy, load)], None)
        return steps

    def test_goes_on_while_requests_get_cheaper(self):
        self.assertEqual(self.warmed([9, 8, 7, 6, 5, 4, 3, 2, 2]), [6.0] * 9)

    def test_lasts_as_long_as_it_says_though_the_cost_stays(self):
        self.assertEqual(self.warmed([2]), [6.0] * 6)

    def test_ends_though_requests_get_cheaper_for_ever(self):
        self.assertEqual(len(self.warmed([0.5**i for i in range(40)])), 15)

    def test_is_rounds_of_the_new_load_for_a_proxy_that_has_had_one(self):
        self.assertEqual(self.warmed([3, 2, 2], warm=True), [2] * 3)


class SpreadTest(unittest.TestCase):
    def test_shows_the_median_with_least_and_most(self):
        self.assertEqual(spread.shown([3, 1, 2]), "2 (1 to 3)")


class PublishTest(unittest.TestCase):
    def test_fills_what_is_between_the_marks_only(self):
        text = "before\n<!-- bench cpm: begin -->\nold\n<!-- bench cpm: end -->\nafter\n"
        expected = "before\n<!-- bench cpm: begin -->\nnew\n<!-- bench cpm: end -->\nafter\n"
        self.assertEqual(publish.filled(text, "cpm", "new"), expected)

    def test_the_readme_gets_the_short_table_and_the_first_picture_where_it_is_published(self):
        section = report.Section("beside", "Beside", ["text", "![A](a.svg)", "![B](b.svg)"], {"summary": "| 1 |"})
        self.assertEqual(publish.summary(section, "docs/pictures"), "| 1 |\n\n![A](docs/pictures/a.svg)")

    def test_a_part_without_marks_changes_nothing(self):
        self.assertEqual(publish.filled("text\n", "cpm", "new"), "text\n")


if __name__ == "__main__":
    unittest.main()
