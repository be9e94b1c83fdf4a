"""Programs do what peers/work.h says, and what is asked of our adapters is judged by the median."""

import pathlib
import sys
import unittest

_BENCH = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(_BENCH), str(_BENCH / "adapters")]

import work  # noqa: E402
from lrwpbench.parts.adapters import reached  # noqa: E402

ID = b"0123456789abcdef"


class WorkTest(unittest.TestCase):
    BODY = b'{"id":"' + ID + b'","text":"' + 300 * b"x" + b'"}'

    def answer(self, method="POST", path="/a/" + ID.decode(), query=b"rid=" + ID + b"&n=1", cookie=b"sid=" + ID, body=BODY):
        return work.answer(method, path, query, cookie, body)

    def test_an_answer_has_1024_bytes_and_begins_with_id_and_length(self):
        begin = b'<?xml version="1.0"?>\n<answer id="%s" length="%04d">' % (ID, len(self.BODY))
        self.assertTrue(self.answer().startswith(begin))
        self.assertTrue(self.answer().endswith(b"</answer>\n"))
        self.assertEqual(len(self.answer()), 1024)
        self.assertEqual(len(self.answer("GET", body=b"")), 1024)

    def test_a_request_that_was_mixed_from_two_has_none(self):
        other = b"f" * 16
        for wrong in (
            {"path": "/a/" + other.decode()}, {"query": b"rid=" + other}, {"cookie": b"sid=" + other},
            {"body": self.BODY.replace(ID, other)}, {"body": self.BODY[:100]}, {"method": "GET"}, {"method": "PUT"},
        ):  # fmt: skip
            self.assertIsNone(self.answer(**wrong), wrong)


class ReachedTest(unittest.TestCase):
    def test_the_median_of_the_ratios_counts(self):
        self.assertEqual(reached("WSGI", [0.5, 1.0, 1.1]), "goal")
        self.assertEqual(reached("WSGI", [0.95, 0.9, 2.0]), "floor")
        self.assertEqual(reached("WSGI", [0.89]), "below the floor")
        self.assertEqual(reached("Node", [0.8]), "floor")

    def test_disturbed_rounds_leave_it_open(self):
        self.assertEqual(reached("PHP", []), "disturbed *")


if __name__ == "__main__":
    unittest.main()
