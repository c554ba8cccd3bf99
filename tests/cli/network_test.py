#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The network model mpi as users meet it: settings of files and options, their origins, networks by name, warnings."""
import json

from checking import WithPrograms

import closing_line

EXCHANGE = """
  static char in[1 << 20], out[1 << 20];
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 1 && argc > 1) usleep(2000);
  double seconds = MPI_Wtime();
  MPI_Request requests[2];
  MPI_Irecv(in, sizeof in, MPI_CHAR, 1 - rank, 0, MPI_COMM_WORLD, &requests[0]);
  MPI_Isend(out, sizeof out, MPI_CHAR, 1 - rank, 0, MPI_COMM_WORLD, &requests[1]);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  if (rank == 0) printf("%.6f", MPI_Wtime() - seconds);"""
FAN_IN = """
  static char buffer[1000000];
  if (rank > 0) MPI_Send(buffer, sizeof buffer, MPI_CHAR, 0, 0, MPI_COMM_WORLD);
  for (int i = 1; rank == 0 && i < 3; ++i)
    MPI_Recv(buffer, sizeof buffer, MPI_CHAR, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);"""
PING = """
  char buffer[1000] = {0};
  if (rank == 0) MPI_Send(buffer, sizeof buffer, MPI_CHAR, 1, 0, MPI_COMM_WORLD);
  if (rank == 1) MPI_Recv(buffer, sizeof buffer, MPI_CHAR, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);"""
STAR = """<platform version="4.1"><config>{}</config><zone id="z" routing="Full">
<cluster id="c" prefix="h" suffix="" radical="0-3" speed="10Gf" bw="100Mbps" lat="100us"/></zone></platform>"""


class Network(WithPrograms):
    def star(self, **settings):
        return self.write("star.xml", STAR.format("".join(
            f'<prop id="{name.replace("__", "/").replace("_", "-")}" value="{value}"/>'
            for name, value in settings.items())))

    def report(self, *words, ranks=2):
        self.rehearse("run", "-n", ranks, "--compute", "none", "--json", "report.json", *words)
        return json.loads((self.folder / "report.json").read_text())

    def settings(self, *words):
        return {each["name"]: (each["value"], each["origin"])
                for each in self.report(*words)["network_model"]["settings"]}

    def test_an_exchange_serialises_if_one_rank_is_late(self):
        source = self.write("exchange.c", "#define _GNU_SOURCE\n#include <unistd.h>\n" + self.body(EXCHANGE))
        program = self.compile(source, "exchange")
        options = ("run", "-n", 2, "--on", self.star(), "--network", "mpi", "--compute", "none", "--no-summary")
        together = float(self.rehearse(*options, program).stdout)
        late = float(self.rehearse(*options, program, "late").stdout)
        self.assertAlmostEqual(together, 0.093, delta=0.002)  # Open MPI: 88 ms
        self.assertAlmostEqual(late, 0.181, delta=0.003)      # Open MPI: 175 ms

    def body(self, statements):
        return ("#include <mpi.h>\n#include <stdio.h>\nint main(int argc, char** argv) {\n  int rank;\n"
                "  MPI_Init(&argc, &argv);\n  MPI_Comm_rank(MPI_COMM_WORLD, &rank);\n" + statements +
                "\n  MPI_Finalize();\n  return 0;\n}\n")

    def test_another_network_is_a_question(self):
        """100 Mbit/s, 200 us: a route without factors takes 80 ms and 0.2 ms for 1 MB."""
        program = self.compile(FAN_IN)
        def seconds(*words):
            return self.report("--on", self.star(), "--network", "raw", "--eager", "2000000", *words,
                               program, ranks=3)["simulated_seconds"]
        latency = 2e-4
        self.assertAlmostEqual(seconds(), 0.16 + latency, delta=3e-3)
        self.assertAlmostEqual(seconds("--contention", "no"), 0.08 + latency, delta=3e-3)
        self.assertAlmostEqual(seconds("--scale-bandwidth", "2"), 0.08 + latency, delta=3e-3)
        self.assertGreater(seconds("--scale-latency", "500"), 0.16 + 500 * latency - 3e-3)
        self.assertLess(seconds("--scale-bandwidth", "inf"), 0.01)
        refused = self.rehearse("run", "-n", 2, "--contention", "maybe", program, status=2)
        self.assert_one_error(refused, "--contention", "maybe", "yes", "no")

    def test_is_the_default_of_programs_and_traces_unless_something_names_another_model(self):
        program = self.compile(PING)
        model = lambda *words: self.report(*words, program)["network_model"]
        default = model("--on", "cluster:2")
        self.assertEqual((default["name"], default["origin"]), ("mpi", "default"))
        self.assertEqual(model("--on", self.star())["name"], "mpi")
        self.assertEqual(model("--on", self.star(network__model="CM02"))["name"], "cm02")
        self.assertEqual(model("--on", self.star(host__model="ptask_L07"))["name"], "ptask")
        self.assertEqual(model("--on", "cluster:2", "--compat", "simgrid")["name"], "lv08")
        self.assertEqual(model("--on", "cluster:2", "--network", "lv08")["name"], "lv08")
        file = self.write("numbers", "network raw\n")
        self.assertEqual(model("--on", "cluster:2", "--network-file", file)["name"], "raw")
        self.rehearse("trace", "record", "-n", 2, "-o", "ping.rtrace", program)
        self.assertIn("network mpi uncalibrated", self.rehearse("trace", "replay", "ping.rtrace").stderr)
        flows = self.write("flows.txt", "0 node-0 node-1 1e6\n")
        self.rehearse("flows", "--on", "cluster:2", "--json", "flows.json", flows)
        self.assertEqual(json.loads((self.folder / "flows.json").read_text())["network"], "lv08")
        marks = [line for line in self.rehearse("list", "models").stdout.splitlines() if "default of" in line]
        self.assertEqual([line.split()[0] for line in marks], ["mpi", "lv08"])

    def test_options_of_flow_models_change_its_time_or_are_refused(self):
        program = self.compile(PING)
        seconds = lambda *words: self.report("--on", self.star(), *words, program)["simulated_seconds"]
        plain = seconds()
        for option, value in (("--latency-factor", 2), ("--bandwidth-factor", 0.5), ("--tcp-window", 100),
                              ("--envelope", 5000), ("--store-and-forward", 0), ("--os", "0:1e-3:0")):
            self.assertNotEqual(seconds(option, value), plain, option)
        self.assert_one_error(self.rehearse("run", "-n", 2, "--packet", "queue=1MiB", program, status=2), "'mpi'",
                              "accepted: packet, ns3")
        self.assert_one_error(self.rehearse("run", "-n", 2, "--pcap", "none", program, status=2), "'mpi'", "packet")

    def test_sends_cost_nothing_on_a_single_host(self):
        program = self.compile(PING)
        self.assertEqual(self.settings("--on", "laptop", program)["os"], ("0:0:0", "default"))
        self.assertEqual(self.settings("--on", "laptop", "--os", "0:1e-3:0", program)["os"], ("0:0.001:0", "option"))
        self.assertNotEqual(self.settings("--on", "cluster:2", program)["os"], ("0:0:0", "default"))

    def test_options_win_over_the_file_and_the_file_over_defaults(self):
        program = self.compile(PING)
        file = self.star(network__model="mpi", rehearse__envelope=10, smpi__os="0:1e-3:0",
                         smpi__send_is_detached_thresh=100, rehearse__handshake="announced")
        found = self.settings("--on", file, "--eager", 5000, program)
        self.assertEqual(found["envelope"], ("10", "platform"))
        self.assertEqual(found["os"], ("0:0.001:0", "platform"))
        self.assertEqual(found["eager"], ("5000", "option"))
        self.assertEqual(found["handshake"], ("announced", "platform"))
        self.assertEqual(found["store-and-forward"], ("1538", "default"))
        self.assertEqual(found["transmit-queue"], ("65536", "default"))

    def test_a_network_file_sets_numbers_of_the_model(self):
        file = self.write("numbers", "network mpi\nenvelope 7\ncontention-factor 2:0.5\n")
        found = self.settings("--network-file", file, self.compile(PING))
        self.assertEqual((found["envelope"], found["contention-factor"]), (("7", "option"), ("2:0.5", "option")))

    def test_each_setting_changes_the_time(self):
        program = self.compile(PING)
        plain = self.report("--on", self.star(network__model="mpi"), program)["simulated_seconds"]
        for settings in ({"rehearse__envelope": 5000}, {"rehearse__store_and_forward": 0},
                         {"smpi__os": "0:1e-3:0"},
                         {"smpi__or": "0:1e-3:0"}, {"smpi__send_is_detached_thresh": 10},
                         {"network__latency_factor": "0:2"}, {"network__bandwidth_factor": "0:0.5"}):
            changed = self.report("--on", self.star(network__model="mpi", **settings), program)["simulated_seconds"]
            self.assertNotEqual(changed, plain, settings)

    def test_bad_settings_are_one_error(self):
        program = self.compile(PING)
        for name, value, word in (("smpi__os", "1", "BYTES:SECONDS"), ("rehearse__contention", "2:2", "FLOWS:FACTOR"),
                                  ("rehearse__handshake", "x", "announced"), ("rehearse__envelope", "-1", "negative"),
                                  ("smpi__send_is_detached_thresh", "many", "whole number"),
                                  ("rehearse__collectives", "best", "rehearse/collectives")):
            done = self.rehearse("run", "-n", 2, "--on", self.star(**{name: value}), program, status=2)
            self.assert_one_error(done, word)
        for option, value in (("--envelope", "x"), ("--contention-factor", "1:2"), ("--store-and-forward", "-1"),
                              ("--transmit-queue", "-1")):
            self.assert_one_error(self.rehearse("run", "-n", 2, option, value, program, status=2), option, value)
        self.assert_one_error(self.rehearse("run", "-n", 2, "--network", "lv08", "--envelope", 1, program, status=2),
                              "envelope", "lv08", "mpi")

    def test_networks_have_names_values_and_sources(self):
        networks = json.loads(self.rehearse("list", "networks", "--json", "-").stdout)["networks"]
        self.assertEqual(len(networks), 9)
        program = self.compile(PING)
        for network in networks:
            self.assertTrue(network["values"]["source"])
            model = self.report("--on", "crossbar:2@" + network["name"], program)["network_model"]
            self.assertEqual((model["name"], model["preset"]), ("mpi", network["name"]))
        self.assert_one_error(self.rehearse("run", "-n", 2, "--on", "cluster:2@fast", program, status=2),
                              "fast", "ethernet-10g")

    def test_says_where_numbers_come_from(self):
        done = self.rehearse("run", "-n", 2, "--on", self.star(rehearse__calibrated="today, 2 % error"), "--network",
                             "mpi", "--verbose", "--compute", "none", self.compile(PING))
        self.assertIn("rehearse: network mpi (option), calibrated: today, 2 % error\n", done.stderr)
        self.assertIn("rehearse:   eager 65480 (default)\n", done.stderr)
        self.assertNotIn("uncalibrated", done.stderr)

    def test_warns_of_uncalibrated_numbers_and_shared_hosts(self):
        program = self.compile(PING)
        ids = lambda report: [warning["id"] for warning in report["warnings"]]
        file = self.star(network__model="mpi", rehearse__calibrated="today")
        self.assertEqual(ids(self.report("--on", file, program)), [])
        self.assertEqual(ids(self.report("--on", "cluster:2", program)), ["network.uncalibrated"])
        self.assertEqual(ids(self.report("--on", file, program, ranks=5)), ["hosts.shared"])
        done = self.rehearse("run", "-n", 3, "--on", "cluster:2", "--network", "mpi", "--compute", "none", program)
        self.assertIn("note: 3 ranks share 2 hosts (2 on node-0)", done.stderr)
        self.assertIn("network mpi uncalibrated,", done.stderr)
        done = self.rehearse("run", "-n", 2, "--on", file, "--compute", "none", program)
        self.assertNotIn("note:", done.stderr)
        self.assertNotIn("uncalibrated", done.stderr)

    def test_a_sweep_that_changes_nothing_says_so(self):
        self.rehearse("trace", "record", "-n", 2, "-o", "ping.rtrace", "--compute", "none", self.compile(PING))
        replay = ("trace", "replay", "--on", "cluster:2", "--network", "mpi", "ping.rtrace", "--sweep")
        none = self.rehearse(*replay, "eager=2000,4000")
        self.assertIn("note: the simulated time does not depend on eager", none.stderr)
        some = self.rehearse(*replay, "scale-latency=1,10")
        self.assertNotIn("note:", some.stderr)
        two = self.rehearse(*replay, "scale-latency=1,10", "--sweep", "eager=2000,4000", "--json", "sweep.json")
        self.assertIn("depend on eager", two.stderr)
        warnings = json.loads((self.folder / "sweep.json").read_text())["warnings"]
        self.assertEqual([warning["id"] for warning in warnings], ["sweep.insensitive"])


if __name__ == "__main__":
    closing_line.main()
