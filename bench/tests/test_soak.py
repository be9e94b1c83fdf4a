"""How the soak judges what it has sampled."""

import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

from lrwpbench.parts.soak import flat, growth  # noqa: E402


class Growth(unittest.TestCase):
    """Values of a hundred samples."""

    def test_a_rise_in_the_first_fifth_is_warm_up(self):
        values = [float(i) for i in range(20)] + [20.0] * 80
        self.assertEqual((20.0, 20.0), growth(values))
        self.assertTrue(flat(values, 0.05, 1))

    def test_a_steady_rise_is_seen(self):
        values = [100.0 + i for i in range(100)]
        self.assertFalse(flat(values, 0.05, 5))

    def test_a_single_peak_is_no_rise(self):
        values = [100.0] * 100
        values[95] = 1000.0
        self.assertTrue(flat(values, 0.05, 5))

    def test_a_small_rise_counts_only_above_its_margin(self):
        values = [10.0] * 50 + [14.0] * 50
        self.assertTrue(flat(values, 0.05, 5))
        self.assertFalse(flat(values, 0.05, 3))

    def test_few_samples_are_compared_all_the_same(self):
        self.assertEqual((1.0, 2.0), growth([1.0, 1.0, 2.0]))


if __name__ == "__main__":
    unittest.main()
