#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""rehearse sweep: closed forms, the same bytes for any number of jobs, files, and clear errors."""
import json
import math
import random
import statistics
import unittest

from checking import WithPrograms


def skeleton(body, markers=None, **more):
    law = {"law": "exponential", "mean": 0.001, "shift": 0.004}
    return json.dumps({"rehearse_skeleton": 1, "name": "test", "clusters": [{"id": 0, "ranks": "all"}],
                       "markers": markers or {"m": [{"cluster": 0, "law": law}]}, "body": body, **more})


BULK = [{"loop": "20", "body": [{"compute": "m"}, {"collective": "allreduce", "bytes": "8"}]}]
FREE = ["--network", "constant", "--delay", "0"]


def harmonic(count, power=1):
    return sum(1 / k ** power for k in range(1, count + 1))


def without_wall(points):
    return [{key: value for key, value in point.items() if key != "wall_seconds"} for point in points]


class Sweep(WithPrograms):
    def setUp(self):
        super().setUp()
        self.bulk = self.write("bulk.json", skeleton(BULK))

    def points(self, path, *options, status=0):
        return json.loads(self.rehearse("sweep", path, *options, "--json", "-", status=status).stdout)["points"]

    def refused(self, body, *words, options=("--ranks", "4"), **more):
        text = body if isinstance(body, str) else skeleton(body, **more)
        path = self.write("bad.json", text)
        self.assert_one_error(self.rehearse("sweep", path, *options, status=2), *words)

    def test_iterations_take_the_slowest_of_all_ranks(self):
        for ranks in (1, 16, 256):
            full, mean = self.points(self.bulk, "--ranks", ranks, *FREE, "--replicas", 100,
                                     "--variability", "full,mean")
            truth = 20 * (4e-3 + 1e-3 * harmonic(ranks))
            deviation = math.sqrt(20 * 1e-6 * harmonic(ranks, 2))
            self.assertLess(abs(full["mean"] - truth), 4 * deviation / 10)
            self.assertLess(abs(full["sd"] / deviation - 1), 0.3)
            self.assertAlmostEqual(mean["mean"], 0.1, delta=1e-9)
            self.assertEqual(mean["replicas"], 1)
            self.assertAlmostEqual(statistics.fmean(full["makespans"]), full["mean"], delta=1e-12)
            self.assertAlmostEqual(full["compute_seconds"] + full["communication_seconds"] + full["waiting_seconds"],
                                   full["mean"], delta=1e-9)

    def test_points_do_not_depend_on_jobs_or_on_other_points(self):
        options = [*FREE, "--replicas", 20, "--seed", 7]
        one = self.points(self.bulk, "--ranks", "8,32", *options)
        parallel = self.points(self.bulk, "--ranks", "8,32", *options, "--jobs", 3)
        self.assertEqual(without_wall(parallel), without_wall(one))
        self.assertEqual(without_wall(self.points(self.bulk, "--ranks", "32", *options)), without_wall(one[1:]))
        other = self.points(self.bulk, "--ranks", "8,32", *FREE, "--replicas", 20, "--seed", 8)
        self.assertNotEqual(other[0]["mean"], one[0]["mean"])

    def test_two_networks_have_the_same_draws(self):
        near, far = (self.points(self.bulk, "--ranks", 16, "--network", "constant", "--delay", delay)[0]
                     for delay in (0, 1e-3))
        shifts = [b - a for a, b in zip(near["makespans"], far["makespans"])]
        self.assertAlmostEqual(min(shifts), max(shifts), delta=1e-9)
        self.assertAlmostEqual(shifts[0], 20 * 4 * 1e-3, delta=1e-9)  # 4 rounds for 16 ranks

    def test_a_half_width_decides_on_the_number_of_replicas(self):
        narrow = self.points(self.bulk, "--ranks", 16, *FREE, "--half-width", "0.5%")[0]
        wide = self.points(self.bulk, "--ranks", 16, *FREE, "--half-width", "3%")[0]
        low, high = narrow["ci95"]
        self.assertLessEqual((high - low) / 2, 0.005 * narrow["mean"])
        self.assertLess(wide["replicas"], narrow["replicas"])
        self.assertGreaterEqual(wide["replicas"], 5)
        again = self.points(self.bulk, "--ranks", 16, *FREE, "--half-width", "0.5%", "--jobs", 2)[0]
        self.assertEqual(again["makespans"], narrow["makespans"])

    def test_parameters_change_what_they_name(self):
        points = self.points(self.bulk, "--ranks", 8, *FREE, "--replicas", 5, "--vary", "speed=1,2",
                             "--vary", "noise=0,1")
        self.assertEqual([point["parameters"] for point in points],
                         [{"speed": speed, "noise": noise} for speed in "12" for noise in "01"])
        means = [point["mean"] for point in points]
        self.assertAlmostEqual(means[0], 0.1, delta=1e-9)
        self.assertAlmostEqual(means[2], 0.05, delta=1e-9)
        self.assertAlmostEqual(means[3], means[1] / 2, delta=1e-9)
        self.assertGreater(means[1], 0.12)

    def test_a_slower_network_is_slower(self):
        body = [{"loop": "3", "body": [{"compute": "m"}, {"collective": "alltoall", "bytes": "1e5"}]}]
        path = self.write("alltoall.json", skeleton(body))
        slow, fast = self.points(path, "--ranks", 8, "--replicas", 5, "--vary", "bandwidth=1Gbps,10Gbps")
        self.assertGreater(slow["mean"], fast["mean"])
        self.assertGreater(slow["communication_seconds"], 5 * fast["communication_seconds"])

    def test_the_software_of_calls_takes_its_time(self):
        there, back = {"send": "1 - r", "bytes": "100"}, {"recv": "1 - r", "bytes": "100"}
        body = [{"loop": "10", "body": [{"if": "r == 0", "body": [there, back], "else": [back, there]}]}]
        path = self.write("pair.json", skeleton(body))
        options = ["--ranks", 2, "--network", "raw"]
        alone = self.points(path, *options)[0]["mean"]
        # A send of 100 bytes takes 1 us + 100 x 10 ns.
        for software, seconds in ((["--os", "0:1e-6:1e-8"], 2e-6), (["--or", "0:5e-6:0"], 5e-6)):
            with self.subTest(software=software):
                slower = self.points(path, *options, *software)[0]["mean"]
                self.assertAlmostEqual(slower - alone, 20 * seconds, delta=1e-9)
        cluster = '<cluster id="c" prefix="h" suffix="" radical="0-1" speed="1Gf" bw="1GBps" lat="1us"/>'
        config = '<config id="General"><prop id="smpi/os" value="0:1e-6:1e-8"/></config>'
        without, calibrated = (
            self.points(path, *options, "--on", self.write(name, f'<platform version="4.1">{text}{cluster}</platform>'))
            for name, text in (("plain.xml", ""), ("calibrated.xml", config)))
        self.assertAlmostEqual(calibrated[0]["mean"] - without[0]["mean"], 20 * 2e-6, delta=1e-9)

    def test_collectives_alone_are_near_those_with_messages(self):
        messages = self.points(self.bulk, "--ranks", 16, "--replicas", 10)[0]
        alone = self.points(self.bulk, "--ranks", 16, "--replicas", 10, "--collective-times", "alone")[0]
        self.assertLess(abs(alone["mean"] / messages["mean"] - 1), 0.01)

    def test_an_interrupted_sweep_continues(self):
        options = ["--ranks", "4,8", *FREE, "--replicas", 6]
        self.rehearse("sweep", self.bulk, *options, "--csv", "all.csv", "--quiet")
        lines = (self.folder / "all.csv").read_text().splitlines(keepends=True)
        self.assertEqual(len(lines), 4)
        self.write("part.csv", "".join(lines[:3]) + lines[3][:30])  # the last line was not complete
        other = self.rehearse("sweep", self.bulk, *options, "--seed", 2, "--resume", "part.csv", status=2)
        self.assert_one_error(other, "part.csv", "not of this sweep")
        resumed = self.points(self.bulk, *options, "--resume", "part.csv")
        self.assertEqual(without_wall(resumed), without_wall(self.points(self.bulk, *options)))
        again = [line.rsplit(",", 2)[0] for line in (self.folder / "part.csv").read_text().splitlines()]
        self.assertEqual(again, [line.strip().rsplit(",", 2)[0] for line in lines])

    def test_the_page_has_curves_stacks_and_numbers(self):
        self.rehearse("sweep", self.bulk, "--ranks", "4..16:x2", *FREE, "--variability", "full,mean", "--replicas", 5,
                      "--vary", "noise=1,2", "--report", "page.html", "--quiet")
        page = (self.folder / "page.html").read_text()
        for words in ("<h2>Time over ranks</h2>", "<h2>Means</h2>", "waiting", "noise 2", "<polyline",
                      "stroke-dasharray"):
            self.assertIn(words, page)
        self.assertNotIn("<script", page)
        self.assertEqual(page.count("<tr>"), 1 + 12)

    def test_recorded_times_are_repeated(self):
        rows = "".join(f"{rank},m,{i},{0.001 * (i + 1)}\n" for rank in range(2) for i in range(3))
        self.write("samples.csv", "rank,marker,iteration,seconds\n" + rows)
        point = self.points(self.bulk, "--ranks", 4, *FREE, "--variability", "trace", "--samples", "samples.csv")[0]
        self.assertAlmostEqual(point["mean"], 0.001 * (6 * 6 + 1 + 2), delta=1e-9)
        without = self.rehearse("sweep", self.bulk, "--ranks", 4, "--variability", "trace", status=2)
        self.assert_one_error(without, "--samples")

    def samples(self, ranks, seconds):
        rows = "".join(f"{rank},m,{i},{seconds:.9f}\n" for rank in range(ranks) for i in range(60))
        return self.write(f"{ranks}.csv", "rank,marker,iteration,seconds\n" + rows)

    def profile(self, ranks, seconds, *options):
        name = f"{ranks}.profile.json"
        self.rehearse("profile", "analyse", self.samples(ranks, seconds), *options, "--quiet", "-o", name)
        return name

    def test_strong_scaling_interpolates_between_profiles(self):
        path = self.write("one.json", skeleton([{"compute": "m"}]))
        profiles = ",".join(self.profile(ranks, 0.032 / ranks) for ranks in (4, 16))
        options = [*FREE, "--scaling", "strong", "--profile", profiles, "--variability", "mean"]
        self.assertAlmostEqual(self.points(path, "--ranks", 8, *options)[0]["mean"], 0.004, delta=1e-9)
        refused = self.rehearse("sweep", path, "--ranks", 32, *options, status=2)
        self.assert_one_error(refused, "32 ranks are outside of the profiles", "--extrapolate")
        beyond = self.points(path, "--ranks", 32, *options, "--extrapolate")[0]
        self.assertAlmostEqual(beyond["mean"], 0.001, delta=1e-9)
        one = profiles.split(",")[0]
        alone = self.rehearse("sweep", path, "--ranks", 8, *FREE, "--scaling", "strong", "--profile", one, status=2)
        self.assert_one_error(alone, "at least two")
        several = self.rehearse("sweep", path, "--ranks", 8, "--profile", profiles, status=2)
        self.assert_one_error(several, "--scaling strong")

    def test_weak_scaling_follows_the_fit_of_the_profile(self):
        path = self.write("one.json", skeleton([{"compute": "m"}]))
        runs = []
        for ranks in (4, 8):
            runs += ["--run", f"{ranks}={self.samples(ranks, 1e-3 * (2 + ranks / 4))}"]
        profile = self.profile(16, 6e-3, *runs)
        options = [*FREE, "--profile", profile, "--variability", "mean"]
        self.assertAlmostEqual(self.points(path, "--ranks", 64, *options)[0]["mean"], 0.018, delta=1e-6)
        refused = self.rehearse("sweep", path, "--ranks", 1024, *options, status=2)
        self.assert_one_error(refused, "1024 ranks", "'m'", "512", "--extrapolate")
        done = self.rehearse("sweep", path, "--ranks", 1024, *options, "--extrapolate")
        self.assertIn("warning: 1024 ranks", done.stderr)

    def test_draws_far_beyond_the_samples_are_told_with_the_error_of_their_tail(self):
        path = self.write("bulk.json", skeleton(BULK))
        draw = random.Random(8)
        rows = "".join(f"{r},m,{i},{1e-3 * (1 - draw.random()) ** -0.2:.9g}\n" for r in range(4) for i in range(25))
        samples = self.write("samples.csv", "rank,marker,iteration,seconds\n" + rows)
        self.rehearse("profile", "analyse", samples, "-o", "app.profile.json", "--quiet")
        done = self.rehearse("sweep", path, "--ranks", "4,1024", *FREE, "--profile", "app.profile.json", "--replicas",
                             1, "--json", "points.json")
        self.assertIn("marker 'm' of cluster 0: 20480 draws of 1024 ranks from 100 samples, more than 100 times as",
                      done.stderr)
        with open(self.folder / "points.json", encoding="utf-8") as file:
            few, many = json.load(file)["support"]
        self.assertEqual((few["ranks"], few["draws"], few["samples"], few["of_ranks"]), (4, 80, 100, 4))
        with open(self.folder / "app.profile.json", encoding="utf-8") as file:
            tail = json.load(file)["markers"][0]["modes"][0]["tail"]
        left = 1 - 0.5 ** (1 / 1024)
        slowest = sorted(start + scale / shape * ((left / tail["share"]) ** -shape - 1)
                         for start, shape, scale in tail["resampled"])
        low, high = many["slowest_band95"]
        self.assertAlmostEqual(low, slowest[2], delta=1e-9)
        self.assertAlmostEqual(high, slowest[96], delta=1e-9)
        self.assertTrue(low < many["slowest"] < high)
        greatest = max(float(row.rsplit(",", 1)[1]) for row in rows.split())
        self.assertLessEqual(many["slowest_measured"], greatest)
        self.assertGreater(many["slowest"], few["slowest"])

    def test_ranks_of_a_host_share_its_memory(self):
        path = self.write("one.json", skeleton([{"compute": "m"}]))
        nodes = []
        for ranks, factor in ((1, 1), (2, 1), (4, 1.5), (8, 2.5)):  # half of the time, from 2 ranks on
            nodes += ["--node", f"{ranks}=" + self.write(
                f"k{ranks}.csv", "rank,marker,iteration,seconds\n" + f"0,m,0,{1e-3 * factor}\n").name]
        platform = self.write("nodes.xml", '<?xml version="1.0"?><!DOCTYPE platform SYSTEM "x"><platform version="4.1">'
                              '<cluster id="c" prefix="n" suffix="" radical="0-3" speed="10Gf" core="8" bw="1GBps" '
                              'lat="1us"/></platform>')
        for samples, alone in (("k1.csv", 1), ("k4.csv", 1)):  # the reference is what the samples were measured with
            self.rehearse("profile", "analyse", samples, *nodes, "-o", "app.profile.json", "--quiet")
            for ranks, factor in ((4, alone), (16, 1.5), (32, 2.5)):
                point = self.points(path, "--ranks", ranks, "--on", platform, *FREE, "--profile", "app.profile.json",
                                    "--variability", "mean")[0]
                self.assertAlmostEqual(point["mean"], 1e-3 * factor, delta=3e-5)

    def test_the_page_shows_ranks_over_time_distributions_orders_and_clusters(self):
        path = self.write("two.json", skeleton(BULK, markers={"m": [{"cluster": 0, "law": {"law": "constant",
                                                                                           "value": 0}}]}))
        draw = random.Random(9)
        rows = "".join(f"{r},m,{i},{(1e-3, 3e-3, 9e-3)[i % 3] * math.exp(draw.gauss(0, 0.02)) * (1 + (r == 0)):.9g}\n"
                       for r in range(8) for i in range(120))
        samples = self.write("samples.csv", "rank,marker,iteration,seconds\n" + rows)
        counters = self.write("counters.csv", "rank,work\n" + "".join(f"{r},{1 + (r == 0)}\n" for r in range(8)))
        self.rehearse("profile", "analyse", samples, "--counters", counters, "-o", "app.profile.json", "--quiet")
        self.rehearse("sweep", path, "--ranks", "8,64", *FREE, "--profile", "app.profile.json", "--replicas", 2,
                      "--report", "page.html", "--quiet")
        page = (self.folder / "page.html").read_text()
        for heading in ("The first ranks over time", "Draws", "Clusters of ranks", "Draws and samples"):
            self.assertIn(f"<h2>{heading}</h2>", page)
        self.assertEqual(page.count('<svg class="timeline"'), 2)
        self.assertEqual(page.count('<svg class="draws"'), 2)  # a picture for each cluster
        self.assertEqual(page.count('<svg class="strip"'), 2)
        self.assertEqual(page.count('class="reach"'), 4)
        self.assertIn("8 of 8 ranks, drawn times", page)
        self.assertIn("a period of 3 behind 0", page)

    def test_platforms_cross(self):
        body = [{"compute": "m"}, {"collective": "alltoall", "bytes": "1e4"}]
        path = self.write("cross.json", skeleton(body))
        done = self.rehearse("sweep", path, "--ranks", "2,16", "--on", "cluster:16,crossbar:16", "--replicas", 6)
        self.assertIn("cluster:16", done.stdout)
        self.assertEqual(done.stdout.count("full"), 4)

    def test_a_malformed_skeleton_has_one_error_with_its_place(self):
        self.refused("{", "bad.json")
        self.refused("[]", "rehearse_skeleton")
        self.refused([{"compute": "x"}], "body[0].compute", "'x' is not among the markers")
        self.refused([{"loop": "3", "body": [{"collective": "alltogether", "bytes": 8}]}], "body[0].body[0].collective",
                     "alltogether", "allreduce")
        self.refused([{"collective": "allreduce", "bytes": "8 *"}], "body[0].bytes", "the end at character 4")
        self.refused([{"collective": "allreduce"}], "body[0]", "no 'bytes'")
        self.refused([{"send": "r+1", "bytes": 8}], "body[0]: peer 'r+1' is 4 on rank 3 of 4")
        self.refused([{"recv": "0", "bytes": 8, "tga": 1}], "body[0]", "'tga'", "tag")
        self.refused([{"recv": "(r + 1) % P"}], "deadlock", "4 of 4 ranks")
        self.refused([{"neighbours": "torus:3x3", "bytes": 8}], "torus:3x3", "9 ranks, not 4")
        self.refused([{"neighbours": "mesh", "bytes": 8}], "mesh", "accepted: ring")
        self.refused([{"dance": 1}], "body[0]", "dance", "accepted: compute")
        self.refused([{"loop": "-1", "body": []}], "loop '-1' is -1")
        law = {"law": "exponential", "shift": 1}
        self.refused(BULK, "law exponential", markers={"m": [{"cluster": 0, "law": law}]})
        law = {"law": "constant", "value": 1}
        self.refused(BULK, "markers.m[0].cluster", "'7'", markers={"m": [{"cluster": 7, "law": law}]})
        self.refused(BULK, "none of them has rank 1", clusters=[{"id": 0, "ranks": "r == 0"}])

    def test_a_profile_that_does_not_fit_has_one_error(self):
        mode = {"weight": 1, "mean": 1, "sd": 0, "min": 1, "max": 1, "quantiles": [[0.5, 1]]}

        def profile(**more):
            marker = {"id": "m", "cluster": 0, "samples": 5, "modes": [mode], **more}
            return {"rehearse_profile": 1, "ranks": 8, "clusters": [{"id": 0, "ranks": [0], "rule": "all"}],
                    "markers": [marker]}
        fitting = self.write("fitting.json", json.dumps(profile()))
        self.assertEqual(self.points(self.bulk, "--ranks", 4, *FREE, "--profile", fitting, "--replicas", 1)[0]["mean"],
                         20)
        for document, *words in [
                ({}, "no 'rehearse_profile'"), ({"rehearse_profile": 2}, "rehearse_profile: 2, expected 1"),
                ({"rehearse_profile": 1}, "no 'clusters'"),
                ({"rehearse_profile": 1, "clusters": [], "markers": []}, "none of the markers of the skeleton, 'm'",
                 "it has no markers"),
                (profile(id="n"), "none of the markers of the skeleton, 'm'", "it has 'n'"),
                (profile(cluster=3), "marker 'm': cluster 3 is not among 'clusters'"),
                (profile(modes=[{**mode, "weight": 0.5}]), "weights of modes add up to 0.5, expected 1"),
                (profile(modes=[{**mode, "quantiles": [[0.5, 2], [0.4, 3]]}]), "rising probabilities"),
                (profile(memory={"part": 2, "ranks_at_bandwidth": 1}), "part 2, expected 0 to 1"),
                (profile(modes=None, law={"law": "constant", "value": -1}), "value must not be negative")]:
            if document.get("markers") and document["markers"][0].get("modes") is None:
                document["markers"][0].pop("modes")
            path = self.write("bad.profile.json", json.dumps(document))
            with self.subTest(words=words):
                self.assert_one_error(self.rehearse("sweep", self.bulk, "--ranks", 4, "--profile", path, status=2),
                                      *words)

    def test_a_bad_option_has_one_error(self):
        for options, words in [(["--ranks", "0"], ["--ranks", "'0'"]), (["--ranks", "4,4"], ["4 is there twice"]),
                               (["--ranks", "64..16:x2"], ["64..16:x2"]),
                               (["--ranks", "4", "--vary", "x=1"], ["'x'", "bandwidth"]),
                               (["--ranks", "4", "--vary", "speed=fast"], ["speed", "'fast'"]),
                               (["--ranks", "4", "--vary", "bandwidth=3parsecs"], ["3parsecs", "Gbps"]),
                               (["--ranks", "4", "--half-width", "200%"], ["200%"]),
                               (["--ranks", "4", "--variability", "wild"], ["wild", "independent"]),
                               (["--ranks", "4", "--on", "nowhere.xml"], ["nowhere.xml"])]:
            self.assert_one_error(self.rehearse("sweep", self.bulk, *options, status=2), *words)


if __name__ == "__main__":
    unittest.main()
