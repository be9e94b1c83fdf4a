"""How the ratios to nginx + FastCGI are formed, and judged by what is asked."""

import contextlib
import io
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

from lrwpbench import cli, goals, java_heap, loads, rounds, varied  # noqa: E402
from lrwpbench.scale import FULL, LOADS, QUICK  # noqa: E402


def sample(rate, cpu=10.0, p99=1.0, disturbed=False):
    return rounds.Sample(rounds.Load(1000, 0, rate, 0.5, p99, 3.0, 4.0), cpu, 100.0, 0.0, disturbed)


class AimTest(unittest.TestCase):
    def test_100_connections_have_what_the_table_says(self):
        self.assertEqual(
            goals.aim(goals.DIRECT, "varied", 100), goals.Aim(goals.Limits(1.9, 0.52, 1.0), goals.Limits(1.65, 0.65, 1.0))
        )

    def test_10_and_500_connections_are_asked_for_a_part_of_it_and_for_no_p99(self):
        for connections in (10, 500):
            asked = goals.aim(goals.LRWP3, "varied", connections)
            self.assertAlmostEqual(asked.goal.rate, 0.9 * 0.85)
            self.assertAlmostEqual(asked.floor.cpu, 1.6 * 1.18)
            self.assertIsNone(asked.floor.p99)

    def test_a_floor_of_its_own_replaces_the_one_that_follows_from_100(self):
        asked = goals.aim(goals.DIRECT, goals.REPEATED, 500)
        self.assertEqual(asked.floor, goals.Limits(1.7, 0.6, 1.0))
        self.assertAlmostEqual(asked.goal.rate, 2.1 * 0.85)

    def test_a_floor_may_stand_alone(self):
        self.assertEqual(goals.aim(goals.LRWP3, goals.REPEATED, 100), goals.Aim(None, goals.Limits(0.9, 1.4, 1.5)))

    def test_nothing_is_asked_of_other_cases(self):
        for case in ((goals.LRWP1, "varied", 100), (goals.DIRECT, "mixed-files", 100), (goals.DIRECT, "varied", 50)):
            self.assertIsNone(goals.aim(*case))


class RatiosTest(unittest.TestCase):
    def test_each_round_is_compared_with_the_same_round(self):
        found = goals.Ratios.of([sample(200.0, 5.0), sample(300.0, 30.0)], [sample(100.0, 10.0), sample(300.0, 10.0, 2.0)])
        self.assertEqual(found, goals.Ratios([2.0, 1.0], [0.5, 3.0], [1.0, 0.5]))

    def test_a_round_that_was_disturbed_on_either_side_counts_for_cpu_only(self):
        found = goals.Ratios.of([sample(200.0, disturbed=True), sample(300.0)], [sample(100.0), sample(100.0, disturbed=True)])
        self.assertEqual((found.rate, found.cpu, found.p99), ([], [1.0, 1.0], []))

    def test_rounds_that_are_missing_are_an_error(self):
        with self.assertRaises(ValueError):
            goals.Ratios.of([sample(1.0)], [])

    def test_only_what_is_compared_has_ratios_and_none_without_a_base(self):
        named = {goals.FASTCGI: [sample(100.0)], goals.LRWP3: [sample(90.0)], "Jetty, HTTP": [sample(1.0)]}
        self.assertEqual(list(varied.ratios(named)), [goals.LRWP3])
        self.assertEqual(varied.ratios(named, goals.HAPROXY), {})


class ReachedTest(unittest.TestCase):
    ASKED = goals.Aim(goals.Limits(1.9, 0.52, 1.0), goals.Limits(1.65, 0.65, 1.0))

    def word(self, rate, cpu, p99, asked=ASKED):
        return goals.reached(goals.Ratios([rate], [cpu], [p99]), asked)

    def test_each_of_the_three_has_to_be_within_its_limit(self):
        self.assertEqual(
            [
                self.word(1.9, 0.52, 1.0),
                self.word(1.89, 0.52, 1.0),
                self.word(1.9, 0.53, 1.0),
                self.word(1.64, 0.5, 0.5),
                self.word(2.0, 0.66, 0.5),
                self.word(2.0, 0.5, 1.01),
            ],
            ["goal", "floor", "floor", "below the floor", "below the floor", "below the floor"],
        )

    def test_a_p99_that_is_not_asked_for_may_be_any(self):
        limits = goals.Limits(1.0, 1.0, None)
        self.assertEqual(self.word(1.0, 1.0, 9.0, goals.Aim(limits, limits)), "goal")

    def test_without_a_goal_the_floor_is_all_that_can_be_reached(self):
        self.assertEqual(self.word(9.0, 0.1, 0.1, goals.Aim(None, self.ASKED.floor)), "floor")

    def test_nothing_is_said_where_nothing_is_asked_or_all_was_disturbed(self):
        self.assertEqual(self.word(1.0, 1.0, 1.0, None), "-")
        self.assertEqual(goals.reached(goals.Ratios([], [0.1], []), self.ASKED), "disturbed *")

    def test_a_row_has_goal_and_floor_beside_what_was_measured(self):
        row = goals.cells("a", "varied", goals.Ratios([1.0, 1.8, 2.0], [0.6], [1.0]), self.ASKED)
        self.assertEqual(row, ["a", "varied", "1.80 (1.00 to 2.00)", "1.90, 1.65", "0.60", "0.52, 0.65", "1.00", "1.00", "floor"])
        self.assertEqual(len(row), len(goals.HEADER))

    def test_a_row_without_anything_asked_has_dashes(self):
        row = goals.cells("a", "b", goals.Ratios([], [0.6], []), None)
        self.assertEqual(row, ["a", "b", "disturbed *", "-", "0.60", "-", "disturbed *", "-", "-"])

    def test_bytes_that_are_allocated_have_a_goal_and_a_floor(self):
        self.assertEqual([goals.allocation(bytes) for bytes in (1500, 1501, 3000, 3001)], ["goal", "floor", "floor", "below the floor"])


class AllocationTest(unittest.TestCase):
    def test_is_what_the_heap_took_between_two_moments_for_each_request(self):
        amounts = iter((100.0, 300.0))
        original, java_heap.allocated_kib = java_heap.allocated_kib, lambda jdk, pid: next(amounts)
        try:
            proxy = type("Proxy", (), {"process": type("Process", (), {"pid": 1})})
            self.assertEqual(java_heap.allocated_per_request("jdk", proxy, lambda: 100), 2048.0)
        finally:
            java_heap.allocated_kib = original


class OptionsTest(unittest.TestCase):
    def scale(self, *arguments):
        return cli._scale(cli._parser().parse_args(arguments))

    def refused(self, *arguments):
        with contextlib.redirect_stderr(io.StringIO()) as text, self.assertRaises(SystemExit):
            self.scale(*arguments)
        return text.getvalue()

    def test_all_loads_run_unless_some_are_chosen(self):
        self.assertEqual(self.scale("beside").loads, LOADS)
        self.assertEqual(self.scale("beside", "--loads", "mixed,varied").loads, ("mixed", "varied"))

    def test_a_quick_run_has_all_loads(self):
        self.assertEqual(QUICK.loads, LOADS)
        self.assertTrue(set(loads.VARIED) <= set(LOADS))

    def test_connections_are_of_every_load(self):
        chosen = self.scale("--connections", "10,500")
        self.assertEqual((chosen.connections, chosen.varied_connections), ((10, 500), (10, 500)))
        self.assertEqual(self.scale().varied_connections, FULL.varied_connections)

    def test_wrong_values_are_told(self):
        self.assertIn("numbers above 0", self.refused("--connections", "10,0"))
        self.assertIn("numbers above 0", self.refused("--connections", "many"))
        self.assertIn("mixed-files", self.refused("--loads", "other"))


if __name__ == "__main__":
    unittest.main()
