#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""rehearse profile: samples of a run, and profiles of samples whose parameters are known.

The expected clusters, modes and orders are those of the reference algorithms in tests/manynode/many_node_reference.py,
which know nothing of this program; the samples are made here.
"""
import csv
import json
import math
import random
import sys

from checking import WithPrograms
from installation import ROOT

import closing_line

sys.path.insert(0, str(ROOT / "tests" / "manynode"))
import many_node_reference as reference  # noqa: E402

PROGRAM = """
#include <mpi.h>
#include <rehearse.h>
#include <time.h>

static volatile double result = 1;

/* Processor time of this thread, which no library replaces. */
static double processor_time(void) {
  struct timespec now;
  long ended;
  __asm__ volatile("syscall" : "=a"(ended) : "a"(228L), "D"(3L), "S"(&now) : "rcx", "r11", "memory");
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void work(double seconds) {
  const double end = processor_time() + seconds;
  while (processor_time() < end) result = result * 1.0000001;
}

int main(int argc, char** argv) {
  int rank;
  double sum, one = 1;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < 40; ++i) {
    rehearse_begin("step");
    work(rank == 0 ? 2e-3 : 3e-4);
    rehearse_begin("inner");
    work(1e-4);
    rehearse_end();
    MPI_Barrier(MPI_COMM_WORLD);
    work(2e-4);
    rehearse_end();
    MPI_Allreduce(&one, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
"""

HEAD = "rank,marker,iteration,seconds\n"


class Profile(WithPrograms):
    def analyse(self, *words):
        return json.loads(self.rehearse("profile", "analyse", *words, "--json", "-").stdout)

    def series(self, values, name="series.csv"):
        return self.write(name, HEAD + "".join(f"0,m,{i},{v:.9g}\n" for i, v in enumerate(values)))

    def recorded(self, *options):
        program = self.compile(self.write("steps.c", PROGRAM), "steps")
        done = self.rehearse("profile", "record", "-n", 4, "--on", "cluster:4", *options, "-o", "samples.csv", program)
        with open(self.folder / "samples.csv", newline="") as file:
            return list(csv.DictReader(file)), done.stderr

    def test_natural_markers_are_named_by_the_calls_around_them(self):
        rows, told = self.recorded()
        self.assertRegex(told, r"rehearse: 3\d\d intervals of 4 ranks in samples.csv; recording one took \d+ ns")
        means = {}
        for row in rows:
            if row["rank"] != "0":
                means.setdefault(row["marker"], []).append(float(row["seconds"]))
        loop = [(name, seconds) for name, seconds in means.items() if len(seconds) == 3 * 40]
        self.assertEqual(len(loop), 1)  # from the barrier to the reduction; the way back has 39, without the first
        self.assertRegex(loop[0][0], r"^MPI_Barrier@steps.c:\d+ > MPI_Allreduce@steps.c:\d+$")
        self.assertAlmostEqual(sorted(loop[0][1])[60], 2e-4, delta=4e-5)  # the median
        back = [seconds for name, seconds in means.items() if len(seconds) == 3 * 39]
        self.assertAlmostEqual(sorted(back[0])[58], 4e-4, delta=8e-5)

    def test_named_regions_are_markers_with_the_time_of_regions_inside(self):
        rows, _ = self.recorded("--markers", "user")
        seconds = {(name, rank): [float(r["seconds"]) for r in rows if (r["marker"], r["rank"]) == (name, rank)]
                   for name in ("step", "inner") for rank in ("0", "1")}
        self.assertEqual({len(each) for each in seconds.values()}, {40})
        self.assertEqual(len(rows), 4 * 80)
        for key, expected in {("step", "0"): 2.3e-3, ("step", "1"): 6e-4, ("inner", "1"): 1e-4}.items():
            self.assertAlmostEqual(sorted(seconds[key])[20], expected, delta=0.2 * expected)

    def test_ranks_of_a_run_are_clustered_and_its_recording_gives_the_same_markers(self):
        self.recorded("--markers", "auto")
        profile = self.analyse("samples.csv")
        self.assertEqual([c["ranks"] for c in profile["clusters"]], [[0], [1, 2, 3]])
        self.assertEqual([c["rule"] for c in profile["clusters"]], ["rank == 0", "otherwise"])
        self.rehearse("trace", "record", "-n", 4, "--on", "cluster:4", "--quiet", "-o", "steps.rtrace", "steps")
        other = self.analyse("steps.rtrace")
        self.assertEqual({m["id"] for m in other["markers"]}, {m["id"] for m in profile["markers"]})

    def test_recordings_of_two_real_libraries_have_the_same_markers(self):
        recordings = ROOT / "tests" / "realnet" / "recordings"
        profiles = [self.analyse(recordings / f"lu_4_{mpi}.rtrace") for mpi in ("openmpi", "mpich")]
        markers = [{m["id"] for m in p["markers"]} for p in profiles]
        self.assertEqual(markers[0], markers[1])
        self.assertIn("MPI_Recv@receive_edge > MPI_Send@send_edge", markers[0])  # it has no lines
        for profile in profiles:  # a sweep from one corner: each rank has a place of its own
            self.assertEqual([c["rule"] for c in profile["clusters"]],
                             [f"{row},{column} of 2x2" for row in ("first", "last") for column in ("first", "last")])
            self.assertTrue(any("a dimension without a middle" in each for each in profile["warnings"]))

    def test_modes_and_orders_are_those_of_the_reference(self):
        draw = random.Random(3)
        law = lambda mean: mean * math.exp(draw.gauss(0, 0.04))  # noqa: E731
        for word in ([0], [0, 1, 2, 2, 2, 1, 0], [0, 2, 1]):
            values = [law((1e-3, 2e-3, 5e-3)[k]) for k in word * 120]
            bounds = reference.modes(values)
            marker = self.analyse(self.series(values))["markers"][0]
            self.assertEqual(len(marker["modes"]), len(bounds) + 1)
            if len(word) > 1:
                prefix, period = reference.period(reference.labels(values, bounds))
                self.assertEqual((len(marker["order"]["prefix"]), marker["order"]["period"]), (prefix, period))

    def test_bins_keep_the_distribution_and_the_tail_is_that_of_the_reference(self):
        draw = random.Random(4)
        values = [5e-3 * (1 - draw.random()) ** -0.25 for _ in range(3000)]
        mode = self.analyse(self.series(values))["markers"][0]["modes"][0]
        ours = [tuple(point) for point in mode["quantiles"]]
        self.assertLess(reference.ks(values, reference.quantile_of(ours)), 0.02)
        for (p, value), (q, other) in zip(ours, reference.edges([float(f"{v:.9g}") for v in values])):
            self.assertAlmostEqual(p, q)
            self.assertAlmostEqual(value, other)
        tail, law = mode["tail"], reference.with_tail(values)
        for u in (0.95, 0.999, 0.999999):
            left = (1 - u) / tail["share"]
            value = tail["from"] + tail["scale"] / tail["shape"] * (left ** -tail["shape"] - 1)
            self.assertAlmostEqual(value / law(u), 1, places=5)
        self.assertEqual(len(tail["resampled"]), 100)

    def test_clusters_and_effects_are_those_of_the_reference(self):
        draw = random.Random(5)
        rows = {r: [v * draw.gauss(1, 0.01) for v in ((2e9, 1.4) if r % 8 else (3e9, 1.2))] for r in range(48)}
        text = "".join(f"{r},{a:.9g},{b:.9g}\n" for r, (a, b) in rows.items())
        profile = self.analyse("--counters", self.write("counters.csv", "rank,instructions,ipc\n" + text))
        self.assertEqual([c["ranks"] for c in profile["clusters"]], reference.clusters(rows))
        self.assertEqual([c["rule"] for c in profile["clusters"]], ["rank % 8 == 0", "otherwise"])
        turn = [draw.gauss(0, 0.1) for _ in range(60)]
        table = [[5e-3 * math.exp(t + draw.gauss(0, 0.03)) for t in turn] for _ in range(8)]
        lines = "".join(f"{r},m,{i},{v:.9g}\n" for r, line in enumerate(table) for i, v in enumerate(line))
        got = self.analyse(self.write("table.csv", HEAD + lines))["markers"][0]["effects"]
        for name, value in reference.effects(table).items():
            self.assertAlmostEqual(got[name], value, places=6)

    def test_a_law_of_scaling_is_evaluated_and_warns_beyond_its_support(self):
        lines = "".join(f"{p},{r},{2 + 0.3 * math.log2(p) + 0.001 * r}\n" for p in (8, 16, 32) for r in range(4))
        file = self.write("scaling.csv", "ranks,rank,value\n" + lines)
        done = self.rehearse("profile", "analyse", "--scaling", file, "--at", "1024,2048", "--json", "-")
        scaling = json.loads(done.stdout)["scaling"]
        self.assertEqual(scaling["term"], "log2(P)")
        self.assertAlmostEqual(scaling["at"]["1024"], 5.0015, places=3)
        self.assertEqual(done.stderr, "warning: scaling: 2048 ranks are outside 8 to 1024 (32 times the largest "
                                      "measured size), where the fit is not supported\n")

    def test_runs_of_several_sizes_give_laws_for_their_markers(self):
        for ranks in (4, 8, 16, 32):
            lines = "".join(f"{r},m,{i},{1e-3 * (1 + 0.1 * math.log2(ranks)) * (1 + 0.001 * (i % 3)):.9g}\n"
                            for r in range(ranks) for i in range(30))
            self.write(f"p{ranks}.csv", HEAD + lines)
        runs = [word for ranks in (4, 8, 16) for word in ("--run", f"{ranks}=p{ranks}.csv")]
        marker = self.analyse("p32.csv", *runs, "--at", 128)["markers"][0]
        self.assertEqual(marker["scaling"]["sizes"], [4, 32])
        self.assertAlmostEqual(marker["scaling"]["at"]["128"], 1.7e-3, delta=2e-5)

    def test_ranks_of_a_node_share_memory_bandwidth(self):
        for ranks, factor in ((1, 1), (2, 1), (4, 1.5), (8, 2.5)):  # half of the time, from 2 ranks on
            lines = "".join(f"0,m,{i},{1e-3 * factor:.9g}\n" for i in range(5))
            self.write(f"k{ranks}.csv", HEAD + lines)
        nodes = [word for ranks in (1, 2, 4, 8) for word in ("--node", f"{ranks}=k{ranks}.csv")]
        memory = self.analyse("k1.csv", *nodes)["markers"][0]["memory"]
        self.assertAlmostEqual(memory["part"], 0.5, delta=0.02)
        self.assertAlmostEqual(memory["ranks_at_bandwidth"], 2, delta=0.05)

    def test_the_same_samples_give_the_same_bytes_and_files(self):
        draw = random.Random(6)
        file = self.series([1e-3 * math.exp(draw.gauss(0, 0.2)) for _ in range(400)])
        words = ("profile", "analyse", file, "-o", "profile.json", "--report", "page.html", "--json", "-")
        first = self.rehearse(*words).stdout
        self.assertEqual((self.folder / "profile.json").read_text(), first)
        page = (self.folder / "page.html").read_text()
        self.assertEqual(self.rehearse(*words).stdout, first)
        self.assertEqual((self.folder / "page.html").read_text(), page)
        self.assertIn('"rehearse_profile"', page)
        self.assertNotIn("http://", page)

    def test_the_text_has_clusters_markers_and_warnings(self):
        done = self.rehearse("profile", "analyse", self.series([1e-3, 2e-3] * 30))
        self.assertRegex(done.stdout, r"1 rank in 1 cluster, by executions of each marker")
        self.assertRegex(done.stdout, r"m +0 +60 +\S+ \S+ +33.3 % +2 +period 0 1")
        self.assertIn("warning: 1 of 1 markers have fewer than 100 samples (the fewest: 60 of 'm' in cluster 0)",
                      done.stderr)

    def test_faults_are_one_line_each(self):
        good = self.series([1e-3] * 5, "good.csv")
        cases = [
            ([], "nothing to analyse, expected SAMPLES, --counters or --scaling"),
            (["none.csv"], "none.csv: cannot be read, expected samples (CSV) or a recording"),
            ([self.write("bad.csv", HEAD + "0,m,0,fast\n")], "bad.csv:2: seconds 'fast', expected a number"),
            ([good, "--at", "64"], "--at needs --scaling or --run"),
            ([good, "--run", "8"], "--run: '8', expected NUMBER=FILE with a number from 1 on"),
            ([good, "--node", "2=good.csv"], "--node: expected a run with 1 rank of a node, and at least one"),
            ([good, "--run", "8=good.csv"], "no marker has samples of at least 3 numbers of ranks"),
            ([good, "--counters", self.write("c.csv", "rank,a\n1,5\n")], "counters: no line of rank 0"),
            (["--scaling", self.write("s.csv", "ranks,value\n8,1\n")], "expected at least 3 for a law of scaling"),
            ([good, "--similar", "0"], "--similar"),
        ]
        for words, expected in cases:
            with self.subTest(words=words):
                self.assert_one_error(self.rehearse("profile", "analyse", *words, status=2), expected)

    def test_a_recording_needs_times_and_markers(self):
        program = self.compile("MPI_Barrier(MPI_COMM_WORLD);")
        done = self.rehearse("profile", "record", "-n", 2, "-o", "x.csv", "--compute", "none", program, status=2)
        self.assert_one_error(done, "--compute none has no times; accepted: measured, instructions")
        done = self.rehearse("profile", "record", "-n", 2, "-o", "x.csv", "--markers", "user", program, status=2)
        self.assert_one_error(done, "the program has no region")
        self.assertFalse((self.folder / "x.csv").exists())


if __name__ == "__main__":
    closing_line.main()
