#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""rehearse run --usage FILE.json and rehearse usage: sums by zone, link, slice and category, and clear errors."""
import json
import re
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from checking import EXAMPLES, WithPrograms  # noqa: E402
from installation import BUILD  # noqa: E402

import closing_line  # noqa: E402

PROJECTS = BUILD / "bin" / "example_17_competing_projects"
BACKBONE = BUILD / "bin" / "example_18_saturated_backbone"
REGIONS = """
  #include <rehearse.h>
  static char big[4000000], small[1000000];
"""
REGIONS_MAIN = """
int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  rehearse_begin("big");
  if (rank == 0) MPI_Send(big, sizeof big, MPI_CHAR, 1, 0, MPI_COMM_WORLD);
  else MPI_Recv(big, sizeof big, MPI_CHAR, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  rehearse_begin("small");
  if (rank == 0) MPI_Send(small, sizeof small, MPI_CHAR, 1, 0, MPI_COMM_WORLD);
  else MPI_Recv(small, sizeof small, MPI_CHAR, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  rehearse_end();
  if (rank == 0) MPI_Send(small, sizeof small, MPI_CHAR, 1, 0, MPI_COMM_WORLD);
  else MPI_Recv(small, sizeof small, MPI_CHAR, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  rehearse_end();
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
"""


class Usage(WithPrograms):
    def usage(self, *words, status=0):
        self.rehearse("run", "--quiet", "--usage", "usage.json", *words, status=status)
        return json.loads((self.folder / "usage.json").read_text())

    def regions(self):
        source = self.write("regions.c", "#include <mpi.h>\n" + REGIONS + REGIONS_MAIN)
        return self.compile(source, "regions")

    def packets(self):
        """A program of actors with the model of packets."""
        source = self.write("packets.cpp", '#include "simcore/actor_api.hpp"\nint main() {'
                                           'auto platform = rehearse::make_platform("cluster:2");'
                                           'rehearse::sim::SimulationOptions options;'
                                           'options.models.network = "packet";'
                                           'rehearse::sim::Simulation s(platform.value(), options); s.run(); }\n')
        self.rehearse("c++", "--actors", source, "-o", "packets")
        return self.folder / "packets"

    def trace(self):
        return self.write("short.ti", "0 compute 1e6\n1 compute 1e6\n")

    def of_link(self, usage, name):
        """Bytes by category."""
        link = next(link for link in usage["links"] if link["name"] == name)
        return {usage["categories"][row["category"]]: row["sum"] for row in link["use"]}

    def assert_consistent(self, usage):
        for kind in ("hosts", "links"):
            for each in usage[kind]:
                for row in each["use"]:
                    self.assertAlmostEqual(sum(row["slices"]) / row["sum"], 1, delta=1e-9)
                    self.assertLessEqual(row["first"] + len(row["slices"]), usage["slices"])
                    speed = each["flops_per_second" if kind == "hosts" else "bytes_per_second"]
                    self.assertLessEqual(max(row["slices"]), speed * usage["slice_seconds"] * (1 + 1e-6))
        self.assertLessEqual(usage["slices"], 1000)
        self.assertGreaterEqual(usage["slices"] * usage["slice_seconds"], usage["simulated_seconds"] * (1 - 1e-12))

    def test_the_work_of_a_backbone_is_that_of_its_applications(self):
        usage = self.usage(BACKBONE)
        self.assert_consistent(usage)
        work = dict.fromkeys(usage["categories"], 0)
        for host in usage["hosts"]:
            for row in host["use"]:
                work[usage["categories"][row["category"]]] += row["sum"]
        # 8 actors in 20 rounds of 10 Gflop; 6 actors with 40 frames of 18 Gflop.
        self.assertAlmostEqual(work["sort"] / (8 * 20 * 10e9), 1, delta=1e-9)
        self.assertAlmostEqual(work["render"] / (6 * 40 * 18e9), 1, delta=1e-9)
        self.assertEqual(work["backup"], 0)
        # lv08 carries 97 % of payload. Half of the pairs of sort are in different clusters: 2 * 16 messages in a round.
        backbone = self.of_link(usage, "backbone")
        self.assertAlmostEqual(backbone["backup"] / (2 * 40 * 50e6 / 0.97), 1, delta=0.06)
        self.assertAlmostEqual(backbone["sort"] / (20 * 32 * 8e6 / 0.97), 1, delta=0.06)
        self.assertNotIn("render", backbone)
        local = self.usage(BACKBONE, "local")
        self.assertEqual(set(self.of_link(local, "backbone")), {"backup"})

    def test_dates_are_the_same_with_and_without_it(self):
        for words in ([BACKBONE], [PROJECTS], [PROJECTS, "2", "7"]):
            program = self.run_program(*words).stdout
            self.assertEqual(self.rehearse("run", "--quiet", "--usage", "usage.json", *words).stdout, program)
        program = self.regions()
        lines = [self.rehearse("run", "-n", 2, "--compute", "none", *usage, program).stderr
                 for usage in ([], ["--usage", "usage.json"])]
        self.assertRegex(lines[0], r"took [\d.]+ s on")
        self.assertEqual(lines[0], lines[1])

    def test_regions_are_the_categories_of_mpi_programs(self):
        usage = self.usage("-n", 2, "--compute", "none", "--network", "lv08", self.regions())
        self.assert_consistent(usage)
        self.assertEqual(usage["categories"], ["", "big", "small"])
        sums = dict.fromkeys(usage["categories"], 0)
        for link in usage["links"]:
            for row in link["use"]:
                sums[usage["categories"][row["category"]]] += row["sum"]
        # The last message is in the outer region again.
        self.assertAlmostEqual(sums["big"] / sums["small"], 5, delta=0.01)
        self.assertLess(sums[""], sums["small"] / 1000)  # the barrier

    def test_a_replayed_trace_has_the_traffic_of_the_run(self):
        program = self.compile(EXAMPLES / "5_stencil.c", "stencil")
        words = ["-n", 4, "--on", "cluster:4"]
        run = self.usage(*words, "--compute", "none", program, 1000, 10)
        self.rehearse("run", *words, "--compute", "none", "--quiet", "--trace", "run.rtrace", program, 1000, 10)
        self.rehearse("trace", "replay", "--on", "cluster:4", "--quiet", "--usage", "replay.json", "run.rtrace")
        replay = json.loads((self.folder / "replay.json").read_text())
        self.assertEqual([link["use"] for link in replay["links"]], [link["use"] for link in run["links"]])
        self.assertGreater(sum(len(link["use"]) for link in run["links"]), 4)

    def test_computation_is_flops_of_the_host(self):
        self.write("work.ti", "0 compute 3e9\n0 send 1 0 1000\n1 recv 0 0 1000\n1 compute 1e9\n")
        self.rehearse("trace", "replay", "--quiet", "--usage", "usage.json", "work.ti")
        usage = json.loads((self.folder / "usage.json").read_text())
        work = sorted(row["sum"] for host in usage["hosts"] for row in host["use"])
        self.assertEqual([round(value) for value in work], [1_000_000_000, 3_000_000_000])

    def test_the_text_has_the_sums_of_the_file(self):
        usage = self.usage(PROJECTS)
        text = self.rehearse("usage", "usage.json").stdout
        row = re.search(r"^internet +(.*)$", text, re.M).group(1).split()
        sums = [sum(row["sum"] for host in usage["hosts"] for row in host["use"] if row["category"] == category)
                for category in (1, 2)]
        self.assertEqual(row[:3], [f"{value:.6g}" for value in (*sums, sum(sums))])
        for zone in ("internet/america ", "internet/asia/asia 2 "):
            self.assertIn(zone, text)

    def test_the_difference_of_two_runs(self):
        for name, words in (("spread.json", []), ("local.json", ["local"])):
            self.rehearse("run", "--quiet", "--usage", name, BACKBONE, *words)
        text = self.rehearse("usage", "spread.json", "local.json", "--report", "compared.html").stdout
        self.assertRegex(text, r"(?m)^grid/adonis +sort +8e\+11 +1\.6e\+12 +\+8e\+11$")
        self.assertRegex(text, r"(?m)^grid/griffon +sort +8e\+11 +0 +-8e\+11$")
        self.assertRegex(text, r"(?m)^grid/griffon +render +4\.32e\+12 +4\.32e\+12 +0$")
        self.assertTrue((self.folder / "compared.html").stat().st_size > 50_000)
        self.assertEqual(self.rehearse("usage", "--quiet", "spread.json").stdout, "")

    def test_runs_that_are_cut_or_repeated(self):
        program = self.regions()
        words = ["-n", 2, "--compute", "none", "--network", "lv08"]
        whole = self.usage(*words, program)
        cut = whole["simulated_seconds"] / 2
        part = self.usage(*words, "--max-time", f"{cut:.9f}", program, status=3)
        self.assertAlmostEqual(part["simulated_seconds"], cut, delta=1e-8)

        def traffic(usage):
            return sum(row["sum"] for link in usage["links"] for row in link["use"])

        self.assertTrue(0 < traffic(part) < 0.9 * traffic(whole))
        self.assertEqual(self.usage(*words, "--repeat", 2, program)["links"], whole["links"])

    def test_errors_name_the_option_and_what_is_accepted(self):
        program = self.compile("MPI_Barrier(MPI_COMM_WORLD);")
        run = ["run", "-n", 2]
        for words, named in (
                ([*run, "--usage", "usage.txt", program], ["--usage", "FILE.html", "FILE.json"]),
                ([*run, "--usage", "usage.json", "--network", "packet", program], ["--usage", "packet"]),
                ([*run, "--usage", "usage.json", "--trace", "run.rtrace", program], ["--usage", "--trace"]),
                ([*run, "--usage", "no/usage.json", program], ["--usage", "no/usage.json"]),
                (["run", "--usage", "no/usage.json", BACKBONE], ["--usage", "no/usage.json"]),
                (["run", "--usage", "usage.json", self.packets()], ["map", "packets"]),
                (["trace", "replay", "--network", "loggops", "--usage", "usage.json", self.trace()], ["--usage"]),
                (["trace", "replay", "--sweep", "scale-latency=1,2", "--usage", "usage.json", self.trace()],
                 ["--usage"]),
                (["usage", "missing.json"], ["missing.json", "accepted"]),
                (["usage", program], ["accepted"])):
            done = self.rehearse(*words, status=2)
            for word in named:
                self.assertIn(word, done.stderr)
            self.assertFalse((self.folder / "usage.json").exists())

    def test_files_that_are_no_usage_are_refused(self):
        good = self.usage("-n", 2, "--compute", "none", self.regions())
        first_link = next(i for i, link in enumerate(good["links"]) if link["use"])

        def change(function):
            changed = json.loads(json.dumps(good))
            function(changed)
            self.write("changed.json", json.dumps(changed))
            done = self.rehearse("usage", "changed.json", status=2)
            self.assertIn("changed.json: ", done.stderr)

        change(lambda usage: usage.pop("report"))
        change(lambda usage: usage.pop("zones"))
        change(lambda usage: usage.update(slices=0))
        change(lambda usage: usage.update(slice_seconds="1"))
        change(lambda usage: usage["zones"][-1].update(parent=99))
        change(lambda usage: usage["hosts"][0].update(zone=99))
        change(lambda usage: usage["hosts"][0].update(flops_per_second=-1))
        change(lambda usage: usage["links"][first_link]["use"][0].update(category=7))
        change(lambda usage: usage["links"][first_link]["use"][0].update(first=10**6))
        change(lambda usage: usage["links"][first_link]["use"][0]["slices"].append(None))
        change(lambda usage: usage["wires"][0].update(to=10**6))
        change(lambda usage: usage["categories"].append(4))


if __name__ == "__main__":
    closing_line.main()
