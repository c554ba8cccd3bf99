#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""--energy: joules of hosts, links and ranks in runs, replays and replays of traces; what cannot be metered."""
import json

from checking import WithPrograms
from installation import ROOT

import closing_line

EXAMPLE = ROOT / "examples" / "energy"
HOSTS = EXAMPLE / "four_hosts.xml"
DEADLOCK = """#include <mpi.h>
#include <rehearse.h>
int main(int argc, char** argv) {
  int rank, value;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) rehearse_compute_flops(2e9);
  MPI_Recv(&value, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Finalize();
}
"""
BULK = """#include <mpi.h>
static char data[12500000];
int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) MPI_Send(data, sizeof data, MPI_CHAR, 1, 0, MPI_COMM_WORLD);
  if (rank == 1) MPI_Recv(data, sizeof data, MPI_CHAR, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Finalize();
}
"""
LINK = """<platform version="4.1"><zone id="z" routing="Full">
<host id="a" speed="1Gf"/><host id="b" speed="1Gf"/>
<link id="l" bandwidth="{}MBps" latency="1us" sharing_policy="SPLITDUPLEX"><prop id="wattage_range" value="1:3"/></link>
<route src="a" dst="b"><link_ctn id="l" direction="UP"/></route></zone></platform>"""


class Energy(WithPrograms):
    def imbalance(self):
        return self.compile(EXAMPLE / "imbalance.c", "imbalance")

    def energy(self, *words, verb=("run", "-n", 4), status=0):
        self.rehearse(*verb, "--energy", "--json", "report.json", *words, status=status)
        return json.loads((self.folder / "report.json").read_text())["energy"]

    def test_hosts_links_and_ranks_have_the_joules_of_their_load(self):
        energy = self.energy("--on", HOSTS, "--compute", "none", self.imbalance(), "2")
        # 10 steps of 0.8 s: the last host computes all the time, the others half of it. Barriers take microseconds.
        busy, half = 8 * 100, 4 * 100 + 4 * 40
        joules = [host["joules"] for host in energy["hosts"]]
        for measured, expected in zip(joules, (half, half, half, busy)):
            self.assertAlmostEqual(measured, expected, delta=0.1)
        self.assertEqual([host["ranks"] for host in energy["hosts"]], [1] * 4)
        self.assertAlmostEqual(energy["idle_joules"], 4 * 8 * 40, delta=0.1)
        self.assertEqual([link["link"] for link in energy["links"]], ["switch"])
        self.assertAlmostEqual(energy["links"][0]["joules"], 16, delta=0.1)
        self.assertAlmostEqual(energy["joules"], 3 * half + busy + 16, delta=0.3)
        self.assertAlmostEqual(energy["watts"], (3 * half + busy + 16) / 8, delta=0.1)
        self.assertEqual([rank["joules"] for rank in energy["ranks"]], joules)

    def test_ranks_of_one_host_divide_its_energy(self):
        hosts = self.write("hosts", "a:3\nd:1\n")
        energy = self.energy("--on", HOSTS, "--hostfile", hosts, "--compute", "none", self.imbalance(), "1")
        # Three ranks share the core of a: 1.5 s for each step, of which d computes 0.5 s.
        of_host = {host["host"]: host["joules"] for host in energy["hosts"]}
        self.assertAlmostEqual(of_host["a"], 15 * 100, delta=0.1)
        self.assertAlmostEqual(of_host["b"], 15 * 40, delta=0.1)
        ranks = [rank["joules"] for rank in energy["ranks"]]
        for rank in ranks[:3]:
            self.assertAlmostEqual(rank, 500, delta=0.1)
        self.assertAlmostEqual(ranks[3], 5 * 100 + 10 * 40, delta=0.1)
        self.assertAlmostEqual(sum(ranks), of_host["a"] + of_host["d"], delta=1e-6)

    def test_a_link_consumes_while_it_transfers(self):
        program = self.compile(self.write("bulk.c", BULK), "bulk")
        for network in ("cm02", "packet"):
            platform = self.write("link.xml", LINK.format("125"))
            energy = self.energy("--on", platform, "--network", network, "--compute", "none", program,
                                 verb=("run", "-n", 2))
            seconds = json.loads((self.folder / "report.json").read_text())["simulated_seconds"]
            up = next(link["joules"] for link in energy["links"] if "UP" in link["link"])
            # 12.5 MB at 125 MB/s: 0.1 s, and headers of packets.
            self.assertAlmostEqual(up, seconds * 1 + 0.1 * 2, delta=0.02, msg=network)
            self.assertEqual(energy["hosts"], [])
            self.assertEqual(energy["ranks"], [])

    def test_text_and_page_name_the_largest_consumers_first(self):
        done = self.rehearse("run", "-n", 4, "--energy", "--report", "page.html", "--on", HOSTS, "--compute", "none",
                             self.imbalance(), "2")
        self.assertIn("energy: 2.496 kJ", done.stderr)
        lines = done.stderr.splitlines()
        at = next(i for i, line in enumerate(lines) if line.startswith("host"))
        self.assertEqual(lines[at + 1].split()[0], "d")
        self.assertIn("Energy of hosts", (self.folder / "page.html").read_text())

    def test_a_trace_has_the_energy_of_its_run(self):
        program = self.imbalance()
        run = self.energy("--on", HOSTS, "--compute", "none", "--trace", "run.rtrace", program, "2")
        replayed = self.energy("--on", HOSTS, "run.rtrace", verb=("trace", "replay"))
        self.assertEqual(replayed, run)

    def test_a_replayed_counterexample_has_energy(self):
        program = self.compile(self.write("deadlock.c", DEADLOCK), "deadlock")
        self.rehearse("check", "-n", 2, program, status=1)
        energy = self.energy("--on", HOSTS, "--compute", "none", "rehearse-counterexample.json", verb=("replay",),
                             status=1)
        self.assertAlmostEqual(energy["hosts"][0]["joules"], 2 * 100, delta=0.1)
        self.assertAlmostEqual(energy["hosts"][1]["joules"], 2 * 40, delta=0.1)

    def test_what_cannot_be_metered_is_refused(self):
        program = self.imbalance()
        self.assert_one_error(self.rehearse("run", "-n", 2, "--energy", program, status=2), "cluster:2",
                              "wattage_per_state")
        wrong = self.write("wrong.xml", HOSTS.read_text().replace("40:100", "forty", 1))
        self.assert_one_error(self.rehearse("run", "-n", 2, "--energy", "--on", wrong, program, status=2), "'forty'",
                              "idle:max")
        self.assert_one_error(self.rehearse("run", "-n", 2, "--energy", "--network", "ns3", "--on", HOSTS, program,
                                            status=2), "ns3", "links")
        self.rehearse("run", "-n", 2, "--trace", "run.rtrace", "--on", HOSTS, program)
        for words in (("--sweep", "bandwidth=1"), ("--network", "loggops")):
            refused = self.rehearse("trace", "replay", "--energy", *words, "run.rtrace", status=2)
            self.assert_one_error(refused, "--energy")


if __name__ == "__main__":
    closing_line.main()
