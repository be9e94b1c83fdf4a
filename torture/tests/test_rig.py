"""The rig finds what it is there to find, and does the same for the same seed."""

import asyncio
import sys
import unittest
from pathlib import Path
from types import SimpleNamespace
from unittest import mock

sys.path.insert(0, str(Path(__file__).parents[1]))

from rig import http1
from rig.clients import outcome_of
from rig.http1 import Answer, Cut, Malformed
from rig.ledger import ABSENT, ANYTHING, Ledger
from rig.main import options_of
from rig.peers import LOAD, SHAKEN, STEADY
from rig.overload import LEAST_SHARE, Overload
from rig.plan import GREAT, plan
from rig.stage import Stage


class Plan(unittest.TestCase):
    def test_a_seed_always_makes_the_same_faults(self):
        self.assertEqual(plan(7, 60), plan(7, 60))
        self.assertNotEqual(plan(7, 60), plan(8, 60))

    def test_a_longer_run_has_all_great_faults_one_after_the_other(self):
        great = [fault for fault in plan(7, 120) if fault.kind in {kind.name for kind in GREAT}]
        self.assertEqual({fault.kind for fault in great}, {kind.name for kind in GREAT})
        seconds = {kind.name: kind.seconds for kind in GREAT}
        for one, next_one in zip(great, great[1:]):
            self.assertGreater(next_one.at, one.at + seconds[one.kind])


class Judgement(unittest.TestCase):
    def found(self, method, context, outcome, executed, excused=False, outcomes=ANYTHING):
        ledger = Ledger()
        ledger.begin("a", method, context)
        if excused:
            ledger.excuse("a fault", outcomes)
        ledger.end("a", outcome)
        ledger.judge({"a": executed})
        return [finding.kind for finding in ledger.findings]

    def test_a_right_answer_is_no_finding(self):
        self.assertEqual(self.found("POST", SHAKEN, "right", 1), [])
        self.assertEqual(self.found("GET", SHAKEN, "right", 2), [])

    def test_an_answer_that_no_peer_has_given_is_wrong(self):
        self.assertEqual(self.found("GET", SHAKEN, "right", 0), ["wrong"])

    def test_a_post_that_is_executed_twice_is_doubled_whatever_its_client_got(self):
        self.assertEqual(self.found("POST", SHAKEN, "502 peer-gone", 2), ["doubled"])
        self.assertEqual(self.found("POST", SHAKEN, "gone", 2, excused=True), ["doubled"])
        self.assertEqual(self.found("PUT", SHAKEN, "right", 3), ["doubled"])

    def test_a_post_that_was_executed_and_may_come_again_is_lost(self):
        self.assertEqual(self.found("POST", SHAKEN, "503 no-peer", 1), ["lost"])
        self.assertEqual(self.found("PUT", SHAKEN, "503 no-peer", 1), [])

    def test_an_error_is_right_only_where_peers_are_shaken(self):
        self.assertEqual(self.found("GET", SHAKEN, "502 peer-gone", 1), [])
        self.assertEqual(self.found("GET", STEADY, "502 peer-gone", 1), ["unanswered"])
        self.assertEqual(self.found("GET", STEADY, "502 peer-gone", 1, excused=True), [])
        self.assertEqual(self.found("GET", LOAD, "503 queue-full", 0), [])
        self.assertEqual(self.found("GET", LOAD, "504 peer-timeout", 1), ["unanswered"])

    def test_silence_and_cuts_need_a_cause(self):
        self.assertEqual(self.found("GET", SHAKEN, "none", 1), ["unanswered"])
        self.assertEqual(self.found("GET", SHAKEN, "cut", 1), [])
        self.assertEqual(self.found("GET", SHAKEN, "cut", 0), ["unanswered"])
        self.assertEqual(self.found("GET", SHAKEN, "cut", 0, excused=True), [])

    def test_a_container_without_its_application_needs_a_cause(self):
        self.assertEqual(self.found("GET", SHAKEN, "absent", 0), ["wrong"])
        self.assertEqual(self.found("GET", SHAKEN, "absent", 0, excused=True), ["wrong"])
        self.assertEqual(self.found("GET", SHAKEN, "absent", 0, excused=True, outcomes=ABSENT), [])
        self.assertEqual(self.found("GET", SHAKEN, "absent", 1, excused=True, outcomes=ABSENT), ["wrong"])

    def test_to_hang_is_only_excused_where_there_is_no_application(self):
        self.assertEqual(self.found("GET", SHAKEN, "hung", 0, excused=True), ["hung"])
        self.assertEqual(self.found("PUT", SHAKEN, "hung", 0, excused=True, outcomes=ABSENT), [])
        self.assertEqual(self.found("PUT", SHAKEN, "hung", 1, excused=True, outcomes=ABSENT), ["hung"])

    def test_the_answer_to_another_request_is_wrong(self):
        right = Answer(200, {}, b"POST /a\nbody")
        self.assertEqual(outcome_of("POST", "a", b"body", right)[0], "right")
        self.assertEqual(outcome_of("POST", "b", b"body", right)[0], "wrong")

    def test_what_a_container_says_by_itself_is_no_answer_of_the_proxy(self):
        for status in (403, 404, 500, 503):
            page = b"<html><h1>HTTP Status %d - Something</h1>" % status
            self.assertEqual(outcome_of("PUT", "a", b"body", Answer(status, {}, page))[0], "absent")
            self.assertEqual(outcome_of("HEAD", "a", b"", Answer(status))[0], "absent")
            self.assertEqual(outcome_of("PUT", "a", b"body", Answer(status, {}, b"words"))[0], "wrong")
        ours = Answer(503, {"retry-after": "1"}, b"503 no-peer: x")
        self.assertEqual(outcome_of("PUT", "a", b"body", ours)[0], "503 no-peer")
        self.assertEqual(outcome_of("PUT", "a", b"body", Answer(400))[0], "wrong")


class Capacity(unittest.TestCase):
    def found(self, factor, rate):
        run = SimpleNamespace(ledger=Ledger())
        Overload(run, 1, factor).judge(60, rate)
        self.assertEqual(len(run.ledger.notes), 1)
        return [finding.kind for finding in run.ledger.findings]

    def test_fewer_good_answers_than_the_least_share_are_a_finding(self):
        for factor, least in LEAST_SHARE.items():
            self.assertEqual(self.found(factor, 60 * least + 1), [])
            self.assertEqual(self.found(factor, 60 * least - 1), ["unanswered"])


class Listener(unittest.TestCase):
    """Restarted, with the counts of restarts that the proxy tells one after the other; None is no answer."""

    def found(self, counts):
        told = iter(counts)

        async def status():
            count = next(told, counts[-1])
            return None if count is None else {"transport": {"restarts": count}}

        own = SimpleNamespace(restart_listener=mock.Mock())
        run = SimpleNamespace(
            ledger=Ledger(), peers=[], own=own, abilities=set(), health=SimpleNamespace(status=status),
            why_not=lambda missing: "")
        stage = Stage(run)
        stage.probe = mock.AsyncMock(return_value=True)
        with mock.patch("rig.stage.RECOVERY", 1):
            asyncio.run(stage.listener_restart(None))
        own.restart_listener.assert_called_once_with()
        self.assertLess(run.ledger.excuses[0].ended, float("inf"))
        return [finding.kind for finding in run.ledger.findings]

    def test_ports_that_come_back_are_no_finding(self):
        self.assertEqual(self.found([0, None, 1]), [])
        self.assertEqual(self.found([4, 4, None, 5]), [])

    def test_a_port_that_stays_closed_is_found(self):
        self.assertEqual(self.found([0]), ["not recovered"])
        self.assertEqual(self.found([4, None]), ["not recovered"])


class Answers(unittest.TestCase):
    def read(self, data, method="GET"):
        async def body():
            reader = asyncio.StreamReader()
            reader.feed_data(data)
            reader.feed_eof()
            return await http1.read_answer(reader, method)
        return asyncio.run(body())

    def test_an_answer_is_read_by_length_and_by_chunks(self):
        head = b"HTTP/1.1 200 OK\r\n"
        self.assertEqual(self.read(head + b"Content-Length: 2\r\n\r\nok").body, b"ok")
        self.assertEqual(self.read(head + b"Transfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n").body, b"ok")
        interim = b"HTTP/1.1 100 Continue\r\n\r\n"
        self.assertEqual(self.read(interim + head + b"Content-Length: 9\r\n\r\n", "HEAD").status, 200)

    def test_a_cut_is_seen(self):
        head = b"HTTP/1.1 200 OK\r\n"
        for data, begun in ((b"", False), (head, True), (head + b"Content-Length: 3\r\n\r\nok", True),
                            (head + b"Transfer-Encoding: chunked\r\n\r\n2\r\nok\r\n", True)):
            with self.assertRaises(Cut) as seen:
                self.read(data)
            self.assertEqual(seen.exception.begun, begun, data)

    def test_what_is_no_answer_is_seen(self):
        for data in (b"200 OK\r\n\r\n", b"HTTP/1.1 2x0 OK\r\n\r\n", b"HTTP/1.1 200 OK\r\nbroken\r\n\r\n",
                     b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"):
            with self.assertRaises(Malformed):
                self.read(data)


class Options(unittest.TestCase):
    def test_wrong_use_ends_with_2(self):
        for words in (["--seconds", "4"], ["--http", "a:1"], ["--http", "a", "--lrwp", "a:2"], ["x"],
                      ["--http", "a:1", "--lrwp", "a:2", "--glassfish", "."]):
            with self.assertRaises(SystemExit) as end:
                options_of(words)
            self.assertEqual(end.exception.code, 2)


if __name__ == "__main__":
    unittest.main()
