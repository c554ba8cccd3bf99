#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Programs of the actor API under check, explain, replay and run."""
import json
import time
import unittest

from checking import EXAMPLES, REHEARSE, WithPrograms

import closing_line

BEGIN = """#include <cassert>
#include <csignal>
#include <cstdlib>
#include <iostream>
#include <thread>
#include <unistd.h>
#include "simcore/actor_api.hpp"
namespace sim = rehearse::sim;
namespace this_actor = rehearse::sim::this_actor;
int main(int argc, char** argv) {
  (void)argc; (void)argv;
  auto platform = rehearse::make_platform("cluster:3");
  sim::Simulation simulation(platform.value());
  const auto hosts = simulation.hosts();
  sim::Mailbox& box = simulation.mailbox("box");
  (void)box;
"""
END = """
  simulation.run();
}
"""
# Two actors, of which the second one does something wrong if it is first.
TURNS = """
  sim::SharedVariable<int> turn{0};
  simulation.add_actor("first", hosts[0], [&] { turn.store(1); });
  simulation.add_actor("second", hosts[1], [&] {
    if (turn.load() == 0) %s
  });
"""


class Actors(WithPrograms):
    def compile_actors(self, source, name="program", end=END):
        """`source` is a file, or the statements of main() before run()."""
        if not hasattr(source, "suffix"):
            source = self.write(name + ".cpp", BEGIN + source + end)
        self.rehearse("c++", "--actors", source, "-o", name)
        return self.folder / name

    def example(self, name):
        return self.compile_actors(EXAMPLES / "actors" / (name + ".cpp"), name)

    def check_actors(self, program, *arguments, options=(), status=0):
        return json.loads(self.rehearse("check", *options, "--json", "-", program, *arguments, status=status).stdout)

    def finding(self, statements, **kwargs):
        """The only finding of a program whose second actor does this if it is first."""
        report = self.check_actors(self.compile_actors(TURNS % statements, **kwargs), status=1)
        self.assertEqual(report["verdict"], "violation")
        self.assertEqual(len(report["findings"]), 1)
        return report["findings"][0]

    def assert_reproduced(self, id):
        self.rehearse("replay", "--quiet", "--json", "report.json", "rehearse-counterexample.json", status=1)
        replay = json.loads((self.folder / "report.json").read_text())
        self.assertTrue(replay["reproduced"])
        self.assertEqual(replay["findings"][0]["id"], id)
        return replay

    # ---- the last step

    def test_a_last_step_that_strays_is_seen(self):
        late = """
  simulation.add_actor("late", hosts[0], [&] {
    try { box.get<int>(1.0); } catch (const sim::TimeoutError&) {}
  });"""
        program = self.compile_actors(late)
        report = self.check_actors(program, status=3)
        self.assertEqual(report["verdict"], "inconclusive")
        self.assertIn("timeout of a message", report["reasons"][0])
        self.assertEqual(self.check_actors(program, options=("--reduction", "none"))["verdict"], "verified")

    def test_a_date_that_the_last_step_reads_is_an_assumption(self):
        read = """
  simulation.add_actor("reader", hosts[0], [&] {
    this_actor::sleep_for(1);
    if (this_actor::now() > 5) std::abort();
  });"""
        assumptions = self.check_actors(self.compile_actors(read))["assumptions"]
        self.assertIn("no decision of an actor depends on the simulated date", assumptions)

    # ---- the examples

    def test_greedy_philosophers_starve(self):
        program = self.example("8_philosophers")
        report = self.check_actors(program, "3", "greedy", options=["--minimise", "60"], status=1)
        self.assertEqual([each["id"] for each in report["findings"]], ["deadlock.actors"])
        places = report["findings"][0]["locations"]
        self.assertEqual(len(places), 3)
        for number, place in enumerate(places):
            self.assertIn(f"actor 'philosopher {number}' on 'node-{number}' waits for a mutex held by", place["what"])
            self.assertTrue(place["file"].endswith("8_philosophers.cpp"))
            self.assertGreater(place["line"], 0)
            self.assertEqual(place["function"], "dine")
        explained = self.rehearse("explain", "rehearse-counterexample.json").stdout
        self.assertIn("Needs 2 unusual decisions. No execution with fewer ends this way", explained)
        self.assertIn("actor 'philosopher 1' wakes up", explained)
        replay = self.assert_reproduced("deadlock.actors")
        self.assertEqual(replay["platform"], "cluster:3")
        self.assertEqual(replay["simulated_seconds"], 4)  # the last one gets hungry
        dates = [step["seconds"] for step in replay["steps"]]
        self.assertEqual(dates, sorted(dates))
        self.assertEqual(self.check_actors(program, "3")["verdict"], "verified")

    def test_a_hasty_election_has_two_leaders(self):
        program = self.example("9_election")
        report = self.check_actors(program, "3", "hasty", status=1)
        finding = report["findings"][0]
        self.assertEqual(finding["id"], "assertion.failed")
        self.assertIn("Assertion `others == 0' failed at", finding["message"])
        self.assertEqual(finding["locations"][0]["function"], "lead")
        self.assert_reproduced("assertion.failed")
        self.assertEqual(self.check_actors(program, "3")["verdict"], "verified")

    def test_an_optimistic_commit_is_found(self):
        program = self.example("10_two_phase_commit")
        report = self.check_actors(program, "2", "0", "optimistic", status=1)
        self.assertEqual(report["findings"][0]["id"], "assertion.failed")
        self.assert_reproduced("assertion.failed")
        self.assertEqual(self.check_actors(program)["verdict"], "verified")

    def test_a_ring_of_chord_that_is_not_stable_is_found_within_seconds(self):
        program = self.example("11_chord_join")
        begin = time.monotonic()
        report = self.check_actors(program, "3", "once", status=1)
        self.assertLess(time.monotonic() - begin, 60)  # of a machine with much other work; about a second alone
        self.assertEqual(report["findings"][0]["id"], "assertion.failed")
        self.assertIn("actor 'manager'", report["findings"][0]["message"])
        self.assertIn("assertion.failed", self.rehearse("explain", "rehearse-counterexample.json").stdout)
        self.assert_reproduced("assertion.failed")
        self.assertEqual(self.check_actors(program, "3")["verdict"], "verified")

    # ---- kinds of ends

    def test_a_race_on_a_variable_has_both_lines(self):
        program = self.example("15_shared_counter")
        self.assertEqual(self.rehearse("run", program).stdout, "3 visitors\n")
        self.assertEqual(self.check_actors(program)["verdict"], "verified")
        report = self.check_actors(program, "2", "early", status=1)
        self.assertEqual({each["id"] for each in report["findings"]}, {"race.variable"})
        places = report["findings"][0]["locations"]
        self.assertEqual(len(places), 2)
        self.assertLessEqual({place["line"] for place in places}, {23, 25})
        self.assertEqual({place["function"] for place in places}, {"count_one"})
        self.assert_reproduced("race.variable")

    def test_exceptions(self):
        finding = self.finding('throw std::runtime_error("too early");')
        self.assertEqual(finding["id"], "crash.exception")
        self.assertIn("actor 'second' on 'node-1': an exception left its function: too early", finding["message"])
        self.assert_reproduced("crash.exception")

    def test_signals(self):
        finding = self.finding("*static_cast<volatile int*>(nullptr) = 1;")
        self.assertEqual(finding["id"], "crash.segfault")
        self.assertIn("actor 'second' on 'node-1'", finding["message"])
        self.assertIn("(null pointer)", finding["message"])
        self.assertTrue(finding["locations"][0]["file"].endswith("program.cpp"))
        self.assert_reproduced("crash.segfault")

    def test_abort_and_exit(self):
        finding = self.finding("{ std::cerr << \"out of patience\\n\"; std::abort(); }")
        self.assertEqual(finding["id"], "crash.abort")
        self.assertIn("out of patience", finding["message"])
        finding = self.finding("std::exit(7);")
        self.assertEqual(finding["id"], "crash.exit_status")
        self.assertIn("exit status 7", finding["message"])

    def test_what_main_does_after_run_counts(self):
        program = self.compile_actors("""
  std::string order;
  for (const char* name : {"a", "b"})
    simulation.add_actor(name, hosts[0], [&box, name] { box.put_detached(std::string(name), 1); });
  simulation.add_actor("receiver", hosts[1], [&] { for (int i = 0; i < 2; ++i) order += box.get<std::string>(); });
""", end="""
  simulation.run();
  return order == "ab" ? 0 : 3;
}
""")
        self.run_program(program)
        report = self.check_actors(program, status=1)
        self.assertEqual(report["findings"][0]["id"], "crash.exit_status")
        self.assert_reproduced("crash.exit_status")

    def test_a_step_that_takes_too_long(self):
        program = self.compile_actors(TURNS % "for (volatile bool goes_on = true; goes_on;) {}")
        report = self.check_actors(program, options=("--max-step-seconds", "1"), status=1)
        self.assertEqual(report["findings"][0]["id"], "progress.step")

    def test_waits_for_all_kinds_of_objects(self):
        waits = {"a message in mailbox 'box'": "box.get<int>();", "a semaphore": "sim::Semaphore(0).acquire();",
                 "the others at a barrier": "sim::Barrier(2).wait();",
                 "a message in queue 'queue'": "simulation.message_queue(\"queue\").get<int>();",
                 "somebody to resume it": "this_actor::suspend();"}
        actors = "".join(f'simulation.add_actor("waits", hosts[0], [&] {{ {code} }});\n' for code in waits.values())
        report = self.check_actors(self.compile_actors(actors), options=("--max-executions", "50"), status=1)
        for what in waits:
            self.assertIn(what, report["findings"][0]["message"])
        for place in report["findings"][0]["locations"]:
            self.assertTrue(place["file"].endswith("program.cpp"), place)

    # ---- limits and errors

    def test_unsupported_features_are_named(self):
        program = self.compile_actors(TURNS % "return;", end="simulation.run_until(1);\n}\n")
        done = self.rehearse("check", program, status=3)
        self.assertIn("run_until() (dates are not explored) is not supported yet", done.stderr)
        program = self.compile_actors("std::thread other([] { for (;;) std::this_thread::yield(); });\n",
                                      end="simulation.run();\n std::_Exit(0);\n}\n")
        done = self.rehearse("check", program, status=3)
        self.assertIn("several threads", done.stderr)

    def test_programs_that_depend_on_something_else_are_inconclusive(self):
        program = self.compile_actors("""
  for (int i = 0; i < 3; ++i)
    simulation.add_actor("actor", hosts[0], [&] {
      sim::SharedVariable<int> own{0};
      for (int j = 0; j < 1 + getpid() % 3; ++j) box.put_detached(j, 1);
    });
""")
        done = self.rehearse("check", program, status=3)
        self.assertIn("not deterministic", done.stderr)

    def test_a_program_without_a_run_is_an_error(self):
        source = self.write("none.cpp", '#include "simcore/actor_api.hpp"\nint main(int, char** argv) {\n'
                            'auto p = rehearse::make_platform("cluster:1");\n'
                            'if (argv[1]) { rehearse::sim::Simulation s(p.value()); return 4; }\nreturn 5; }\n')
        self.rehearse("c++", "--actors", source, "-o", "none")
        self.assert_one_error(self.rehearse("check", "./none", status=2), "exit status 5", "Simulation")
        self.assert_one_error(self.rehearse("check", "./none", "x", status=2), "exit status 4", "Simulation::run()")

    def test_options_for_mpi_programs_are_refused_by_name(self):
        program = self.compile_actors(TURNS % "return;")
        for options in (["-n", "2"], ["-np", "2"], ["--np", "2"], ["--buffering", "zero"], ["--on", "cluster:2"],
                        ["--save", "x"], ["--failures", "1"], ["--time-bound", "1"]):
            self.assert_one_error(self.rehearse("check", *options, program, status=2), options[0], "MPI programs")
        for options in (["-n", "2"], ["--on", "cluster:2"], ["--trace", "x"], ["--repeat", "3"]):
            self.assert_one_error(self.rehearse("run", *options, program, status=2), options[0], "MPI programs")
        self.assert_one_error(self.rehearse("check", "--reduction", "flow", program, status=2), "flow", "odpor")
        self.assert_one_error(self.rehearse("check", "--jobs", "2", program, status=2), "--jobs")
        self.assert_one_error(self.rehearse("run", "--timeline", "x.prv", program, status=2), "--timeline", "paje")
        self.assert_one_error(self.rehearse("run", "--sequence", "x.dot", program, status=2), "--sequence")

    def test_a_changed_program_must_be_checked_again(self):
        self.finding("std::exit(7);")
        self.compile_actors(TURNS % "std::exit(8);")
        self.assert_one_error(self.rehearse("replay", "rehearse-counterexample.json", status=2), "has changed since",
                              "check it again")
        self.assertIn("the program has changed", self.rehearse("explain", "rehearse-counterexample.json").stdout)

    def test_selections_of_findings(self):
        program = self.compile_actors(TURNS % "std::exit(7);")
        report = self.check_actors(program, options=("--without", "crash.exit_status"))
        self.assertEqual(report["verdict"], "verified")
        self.assertTrue(any("crash.exit_status" in assumption for assumption in report["assumptions"]))

    def test_both_reductions_find_the_same(self):
        program = self.example("10_two_phase_commit")
        one_per_class = self.check_actors(program, "1")
        every = self.check_actors(program, "1", options=("--reduction", "none"))
        self.assertLess(one_per_class["executions"], every["executions"])
        self.assertEqual({one_per_class["verdict"], every["verdict"]}, {"verified"})

    def test_random_walks_find_errors_and_say_what_they_leave_out(self):
        program = self.example("8_philosophers")
        report = self.check_actors(program, "3", "greedy", options=("--search", "random:50", "--minimise", "60"),
                                    status=1)
        self.assertEqual([each["id"] for each in report["findings"]], ["deadlock.actors"])
        self.assertIn("Needs 2 unusual decisions", self.rehearse("explain", "rehearse-counterexample.json").stdout)
        self.assertIn("violation: reproduced", self.rehearse("replay", "rehearse-counterexample.json", status=1).stderr)
        report = self.check_actors(program, "3", options=("--search", "random:5"), status=3)
        self.assertEqual((report["verdict"], report["walks"], report["reasons"]),
                         ("inconclusive", 5, ["a random search leaves executions out (--search)"]))

    def test_the_seed_selects_the_walks(self):
        program = self.example("8_philosophers")
        rounds = [[self.rehearse("check", "--search", "random:1", "--seed", seed, "--quiet", program, "3", "greedy",
                                 status=None).returncode for seed in range(1, 9)] for _ in range(2)]
        self.assertEqual(rounds[0], rounds[1])
        self.assertEqual(set(rounds[0]), {1, 3})

    def test_a_bounded_search_with_enough_deviations_explores_all(self):
        program = self.example("8_philosophers")
        all_of_them = self.check_actors(program, "2", options=("--reduction", "none"))
        bounded = self.check_actors(program, "2", options=("--search", "bounded:30"))
        self.assertEqual((bounded["verdict"], bounded["executions"]), ("verified", all_of_them["executions"]))
        part = self.check_actors(program, "2", options=("--search", "bounded:1"), status=3)
        self.assertLess(part["executions"], bounded["executions"])
        self.assertIn("at most 1 decision deviates", part["reasons"][0])
        report = self.check_actors(program, "3", "greedy", options=("--search", "bounded:2"), status=1)
        self.assertEqual([each["id"] for each in report["findings"]], ["deadlock.actors"])

    def test_searches_that_are_not_possible(self):
        program = self.compile_actors(TURNS % "return;")
        for options, words in ((["--search", "predict"], ["predict", "bounded:K"]),
                               (["--search", "random:0"], ["random:0", "1 or more"]),
                               (["--search", "random:3", "--reduction", "none"], ["--reduction"]),
                               (["--search", "bounded:1", "--ltl", "G true"], ["--ltl"]),
                               (["--seed", "3"], ["--seed", "random:N"])):
            self.assert_one_error(self.rehearse("check", *options, program, status=2), *words)

    # Each execution ends while another actor waits for the token, or could go on.
    def test_actors_that_wait_when_an_execution_ends_could_have_been_first(self):
        program = self.compile_actors("""
  sim::Semaphore semaphore{1};
  sim::Barrier barrier{2};
  const std::string how = argc > 1 ? argv[1] : "";
  simulation.add_actor("first", hosts[0], [&] {
    semaphore.acquire();
    if (how == "waits") barrier.wait();
    if (how == "exits") std::exit(0);
    if (how == "aborts") std::abort();
  });
  simulation.add_actor("second", hosts[1], [&] { semaphore.acquire(); assert(how == "second"); });
""")
        for how in ("waits", "exits", "aborts"):
            found = [{each["message"] for each in self.check_actors(
                program, how, options=("--all", "--reduction", reduction), status=1)["findings"]}
                for reduction in ("odpor", "none")]
            self.assertEqual(found[0], found[1], how)
            self.assertTrue(any("how == " in message for message in found[0]), how)

    # ---- runs and pictures

    def test_run_reports_findings_and_draws_lanes(self):
        program = self.example("8_philosophers")
        done = self.rehearse("run", "--timeline", "lanes.json", "--report", "report.html", program)
        self.assertEqual(done.stdout, self.run_program(program).stdout)
        self.assertEqual(done.stderr, "rehearse: the actors took 5.000000000 s on cluster:3\n")
        events = json.loads((self.folder / "lanes.json").read_text())["traceEvents"]
        names = [event["args"]["name"] for event in events if event["name"] == "thread_name"]
        self.assertEqual(names, [f"philosopher {i}" for i in range(3)])
        sleeps = [event for event in events if event["name"] == "sleep"]
        self.assertEqual(len(sleeps), 5)  # three meals, two pauses
        self.assertTrue(all("8_philosophers.cpp" in event["args"]["place"] for event in sleeps))
        self.assertIn("philosopher 2", (self.folder / "report.html").read_text())

    def test_a_run_is_cut_at_a_date(self):
        program = self.compile_actors("""
  const int rounds = argc > 1 ? std::atoi(argv[1]) : -1;
  simulation.add_actor("ticker", hosts[0], [=] {
    for (int i = 0; i != rounds; ++i) this_actor::sleep_for(2);
  });
""")
        done = self.rehearse("run", "--max-time", "7", "--json", "cut.json", "--report", "cut.html", "--timeline",
                             "cut.json.html", program, status=3)
        self.assertIn("inconclusive: cut after 7.000000000 s of simulated time (--max-time)", done.stderr)
        report = json.loads((self.folder / "cut.json").read_text())
        self.assertEqual((report["cut"], report["simulated_seconds"], report["findings"]), (True, 7, []))
        self.assertIn("Cut after 7.000000000 s", (self.folder / "cut.html").read_text())
        for limit in ("6", "100"):  # the last event may come at the date itself
            self.assertIn("took 6.000000000 s", self.rehearse("run", "--max-time", limit, program, "3").stderr)
        self.rehearse("run", "--max-time", "5.9", program, "3", status=3)
        program = self.example("8_philosophers")
        self.assertIn("cut after 2.5", self.rehearse("run", "--max-time", "2.5", program, "3", status=3).stderr)
        self.assert_one_error(self.rehearse("run", "--max-time", "0", program, status=2), "--max-time")

    def test_messages_and_computations_are_drawn(self):
        program = self.compile_actors("""
  simulation.add_actor("sender", hosts[0], [&] { this_actor::execute(1e9); box.put(1, 1e6); });
  simulation.add_actor("receiver", hosts[1], [&] { box.get<int>(); });
""")
        self.rehearse("run", "--timeline", "lanes.json", program)
        events = json.loads((self.folder / "lanes.json").read_text())["traceEvents"]
        names = {event["name"] for event in events if event["ph"] == "X"}
        self.assertEqual({name.strip() for name in names}, {"computation", "send", "receive"})
        self.assertEqual([event["ph"] for event in events if event["name"] == "message"], ["s", "f"])

    def test_the_page_of_a_check_shows_each_finding(self):
        program = self.example("8_philosophers")
        done = self.rehearse("check", "--report", "check.html", program, "3", "greedy", status=1)
        self.assertNotIn("has eaten", done.stdout)
        page = (self.folder / "check.html").read_text()
        for words in ("deadlock.actors", "philosopher 2", "8_philosophers.cpp", "second.lock();"):
            self.assertIn(words, page)
        self.rehearse("check", "--report", "right.html", program, "3")
        page = (self.folder / "right.html").read_text()
        self.assertIn("verified", page)
        self.assertNotIn("deadlock.actors", page)

    def test_replays_are_drawn_too(self):
        program = self.example("8_philosophers")
        self.check_actors(program, "3", "greedy", options=["--minimise", "60"], status=1)
        self.rehearse("replay", "--timeline", "lanes.json", "rehearse-counterexample.json", status=1)
        events = json.loads((self.folder / "lanes.json").read_text())["traceEvents"]
        endless = [event for event in events if event.get("args", {}).get("ends") == "never"]
        self.assertEqual(len(endless), 3)
        self.assertTrue(all("mutex" in event["args"]["call"] for event in endless))

    def test_a_deadlock_of_a_run_is_a_violation(self):
        program = self.compile_actors('simulation.add_actor("waits", hosts[0], [&] { box.get<int>(); });\n')
        done = self.rehearse("run", program, status=1)
        self.assertIn("violation: deadlock.actors: actor 'waits' on 'node-0' waits for a message in mailbox 'box'",
                      done.stderr)


if __name__ == "__main__":
    closing_line.main()
