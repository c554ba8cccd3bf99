#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Formulas of linear temporal logic, and endless executions, of programs of the actor API: known answers."""
import json
import unittest

from checking import EXAMPLES, WithPrograms

MUTEX, GRANT, LEADER = "12_mutual_exclusion", "13_request_grant", "14_leader_and_followers"
BITS = "19_alternating_bit"
EXCLUSION = "G !(busy@0 && busy@1)"
ENTERS = "G (waits@0 -> F busy@0)"
ANSWERED = "G (requested@1 -> F granted@1)"
NO_COPY = "G (sent@0 && received@1 -> (received@1 W !sent@0))"
NO_LOSS = "G (sent@0 && !received@1 -> (sent@0 W received@1))"

# Program with its arguments, formula, fairness, and whether the formula holds. Each answer has its reason.
PAIRS = [
    # ---- mutual exclusion
    ((MUTEX, "lock", "0"), EXCLUSION, "weak", True),  # a mutex has one owner
    ((MUTEX, "none", "0"), EXCLUSION, "weak", False),  # nothing keeps the other one out
    ((MUTEX, "turns", "0"), EXCLUSION, "weak", True),  # it is the turn of one actor
    ((MUTEX, "lock", "0"), ENTERS, "weak", False),  # the other one may take the mutex each time
    ((MUTEX, "none", "0"), ENTERS, "weak", True),  # nobody keeps it out, and it acts at last
    ((MUTEX, "none", "0"), ENTERS, "none", False),  # unless only the other one acts
    ((MUTEX, "turns", "0"), ENTERS, "weak", True),  # the turn comes back
    ((MUTEX, "turns", "0"), ENTERS, "none", False),  # the other one spins and nobody else acts
    ((MUTEX, "lock", "0"), "G F (busy@0 || busy@1)", "weak", True),  # one of them gets the mutex
    ((MUTEX, "lock", "0"), "F G !(busy@0)", "weak", False),  # actor 0 may get it again and again
    ((MUTEX, "turns", "0"), "G (busy@0 -> (busy@0 W (!(busy@0) W busy@1)))", "weak", True),  # in turns
    ((MUTEX, "lock", "0"), "G (busy@0 -> (busy@0 W (!(busy@0) W busy@1)))", "weak", False),  # twice in a row
    ((MUTEX, "lock", "1"), "F (!(waits@0) && !(waits@1) && G !(busy@0 || busy@1))", "weak", True),  # both end
    # ---- request and grant
    ((GRANT, "fair", "1", "0"), ANSWERED, "weak", True),  # the server answers each request
    ((GRANT, "fair", "1", "0"), ANSWERED, "none", True),  # nobody else could act: client and server take turns
    ((GRANT, "forgetful", "1", "1"), ANSWERED, "weak", True),  # it forgets the second request, which never comes
    ((GRANT, "forgetful", "1", "2"), ANSWERED, "weak", False),  # here it comes
    ((GRANT, "fair", "1", "0"), "G (granted@1 -> requested@1)", "weak", False),  # granted stays for a moment longer
    ((GRANT, "fair", "1", "1"), "(!granted@1) U grants == 1", "weak", True),  # no grant without the server
    ((GRANT, "eager", "1", "1"), "(!grants) U requested@1", "weak", False),  # it grants at the beginning
    # ---- leader election
    ((LEADER, "2"), "F G (sum(leader) == 1)", "weak", True),
    ((LEADER, "2"), "F leader@1", "weak", True),  # the largest number wins
    ((LEADER, "2"), "F leader@0", "weak", False),
    ((LEADER, "2"), "G (sum(leader) <= 1)", "weak", True),
    ((LEADER, "2"), "(!knows@0) U leader@1", "weak", False),  # the largest number comes by before it wins
    ((LEADER, "2"), "F knows@0", "weak", True),
    # ---- alternating bit over a lossy channel
    ((BITS, "bit", "noisy", "0"), NO_COPY, "weak", True),  # a copy has the old bit
    ((BITS, "plain", "quiet", "0"), NO_COPY, "weak", False),  # the receiver takes a copy for a new message
    ((BITS, "bit", "quiet", "0"), NO_LOSS, "weak", True),  # no other answer has the bit
    ((BITS, "plain", "quiet", "0"), NO_LOSS, "weak", False),  # the answer to the message before
    ((BITS, "bit", "noisy", "0"), "G F received@1", "weak", False),  # each message may be lost
    ((BITS, "bit", "quiet", "0"), "G F received@1", "weak", True),
    ((BITS, "bit", "quiet", "0"), "G F received@1", "none", False),  # only the sender acts
    # ---- more of mutual exclusion
    ((MUTEX, "flags", "0"), EXCLUSION, "weak", True),  # each looks at the other's flag after it has set its own
    ((MUTEX, "flags", "0"), "G F (busy@0 || busy@1)", "weak", False),  # both have set their flags and spin
    ((MUTEX, "none", "0"), "G F busy@1", "weak", True),
    ((MUTEX, "turns", "0"), "G F busy@1", "weak", True),
]

COUNTING = """#include <sys/mman.h>

#include "simcore/actor_api.hpp"
namespace sim = rehearse::sim;
int main(int argc, char** argv) {
  (void)argc; (void)argv;
  auto platform = rehearse::make_platform("cluster:2");
  sim::Simulation simulation(platform.value());
  const auto hosts = simulation.hosts();
  sim::SharedVariable<int> flag{0};
  %s
  simulation.run();
}
"""


class Ltl(WithPrograms):
    def example(self, name):
        if not (self.folder / name).exists():
            self.rehearse("c++", "--actors", EXAMPLES / "actors" / (name + ".cpp"), "-o", name)
        return self.folder / name

    def compile_statements(self, statements, name="program"):
        source = self.write(name + ".cpp", COUNTING % statements)
        self.rehearse("c++", "--actors", source, "-o", name)
        return self.folder / name

    def check_states(self, program, *options, status=0):
        return json.loads(self.rehearse("check", *options, "--json", "-", *program, status=status).stdout)

    def assert_replayed(self, id):
        self.rehearse("replay", "--quiet", "--json", "report.json", "rehearse-counterexample.json", status=1)
        replay = json.loads((self.folder / "report.json").read_text())
        self.assertTrue(replay["reproduced"])
        self.assertEqual(replay["findings"][0]["id"], id)

    # ---- known answers

    def test_formulas_have_their_known_answers(self):
        self.assertEqual(len(PAIRS), len(set(PAIRS)))
        for (name, *arguments), formula, fairness, holds in PAIRS:
            with self.subTest(program=name, arguments=arguments, formula=formula, fairness=fairness):
                report = self.check_states((self.example(name), *arguments), "--only", "property.ltl", "--ltl", formula,
                                           "--fair", fairness, status=0 if holds else 1)
                self.assertEqual(report["verdict"], "verified" if holds else "violation")
                if not holds:
                    self.assertEqual([each["id"] for each in report["findings"]], ["property.ltl"])
                    self.assert_replayed("property.ltl")

    # ---- counter-examples

    def test_a_counter_example_has_a_stem_and_a_loop(self):
        self.check_states((self.example(MUTEX), "lock", "0"), "--ltl", ENTERS, status=1)
        content = json.loads((self.folder / "rehearse-counterexample.json").read_text())
        loop = content["actors"]["loop"]
        self.assertGreater(loop, 0)
        steps = content["actors"]["steps"][-loop:]
        self.assertTrue(any("busy@1 = 1" in step.get("publishes", "") for step in steps))
        self.assertFalse(any("busy@0 = 1" in step.get("publishes", "") for step in steps))
        self.assertTrue(any("12_mutual_exclusion.cpp:" in step.get("at", "") for step in steps))
        explained = self.rehearse("explain", "rehearse-counterexample.json").stdout
        self.assertIn("Then forever:", explained)
        self.assertIn("After the last step the program is in the same state as before step", explained)

    def test_an_end_repeats_its_last_state(self):
        program = self.compile_statements(
            'simulation.add_actor("a", hosts[0], [] { sim::this_actor::publish("x", 1); });')
        self.check_states((program,), "--ltl", "F G x == 1")
        report = self.check_states((program,), "--ltl", "G F x == 0", status=1)
        self.assertIn("the execution ends", report["findings"][0]["message"])
        self.assert_replayed("property.ltl")

    # ---- executions that never end

    def test_an_endless_exchange_is_found(self):
        program = self.compile_statements("""
  sim::Mailbox& there = simulation.mailbox("there");
  sim::Mailbox& back = simulation.mailbox("back");
  simulation.add_actor("ping", hosts[0], [&] { while (true) { there.put(1, 100); back.get<int>(); } });
  simulation.add_actor("pong", hosts[1], [&] { while (true) back.put(there.get<int>(), 100); });
""")
        report = self.check_states((program,), "--max-steps", "200", status=1)
        self.assertEqual([each["id"] for each in report["findings"]], ["progress.cycle"])
        self.assertTrue(any(place["file"].endswith("program.cpp") for place in report["findings"][0]["locations"]))
        self.assert_replayed("progress.cycle")

    def test_a_spin_that_ends_under_fairness_is_verified(self):
        program = self.compile_statements("""
  simulation.add_actor("waits", hosts[0], [&] { while (flag.load() == 0) sim::this_actor::yield(); });
  simulation.add_actor("sets", hosts[1], [&] { flag.store(1); });
""")
        report = self.check_states((program,), "--max-steps", "200")
        self.assertEqual(report["verdict"], "verified")
        report = self.check_states((program,), "--max-steps", "200", "--fair", "none", status=1)
        self.assertEqual(report["findings"][0]["id"], "progress.cycle")

    # ---- what is not decided

    def test_endless_many_states_are_inconclusive(self):
        program = self.compile_statements("""
  simulation.add_actor("a", hosts[0], [&] {
    for (int i = 1;; ++i) {
      flag.store(i);
      sim::this_actor::publish("x", 1);
    }
  });
""")
        report = self.check_states((program,), "--ltl", "F x == 1", "--max-states", "100", status=3)
        self.assertIn("--max-states 100 reached", report["reasons"])

    def test_a_loop_that_reads_the_date_is_inconclusive(self):
        program = self.compile_statements("""
  simulation.add_actor("a", hosts[0], [&] { while (sim::this_actor::now() < 10) sim::this_actor::sleep_for(1); });
""")
        report = self.check_states((program,), "--fair", "weak", "--ltl", "true", "--max-states", "500")
        self.assertIn("no decision of an actor depends on the simulated date", report["assumptions"])
        report = self.check_states((program,), "--max-steps", "20", status=3)
        self.assertIn("simulated date", report["reasons"][0])

    def test_what_states_cannot_show_is_named(self):
        program = self.compile_statements("""
  simulation.add_actor("a", hosts[0], [&] { flag.write(1); });
  simulation.add_actor("b", hosts[1], [&] { flag.write(2); });
""")
        report = self.check_states((program,), "--ltl", "true", status=3)
        self.assertIn("races of plain accesses to a SharedVariable", report["reasons"][0])
        program = self.compile_statements("""
  static volatile int* shared = static_cast<int*>(mmap(nullptr, 4096, PROT_READ | PROT_WRITE,
                                                       MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  simulation.add_actor("a", hosts[0], [&] { while (*shared < 9) { *shared = *shared + 1; flag.store(1); } });
""")
        report = self.check_states((program,), "--ltl", "true", status=3)
        self.assertIn("maps memory as shared", report["reasons"][0])

    def test_values_that_nobody_or_several_publish(self):
        program = self.compile_statements("""
  for (int i = 0; i < 2; ++i) simulation.add_actor("a", hosts[0], [] { sim::this_actor::publish("x", 1); });
""")
        report = self.check_states((program,), "--ltl", "F y == 1", status=1)
        self.assertEqual(report["findings"][0]["id"], "property.value")
        self.assertIn("several actors publish 'x'", self.rehearse("check", "--ltl", "F x", program, status=2).stderr)
        self.check_states((program,), "--ltl", "F sum(x) == 2 && F x@1 == 1")

    def test_errors_of_formulas_name_the_place(self):
        program = self.compile_statements('simulation.add_actor("a", hosts[0], [] {});')
        self.assertIn("check: --ltl 'G (a -> F': character 10: the end, expected a predicate",
                      self.rehearse("check", "--ltl", "G (a -> F", program, status=2).stderr)

    def test_errors_on_the_way_are_findings(self):
        program = self.compile_statements("""
  simulation.add_actor("a", hosts[0], [&] { sim::this_actor::publish("x", 1); if (flag.load() == 1) throw 1; });
  simulation.add_actor("b", hosts[1], [&] { flag.store(1); });
""")
        report = self.check_states((program,), "--ltl", "F x == 1", status=1)
        self.assertEqual([each["id"] for each in report["findings"]], ["crash.exception"])
        self.assert_replayed("crash.exception")


if __name__ == "__main__":
    unittest.main()
