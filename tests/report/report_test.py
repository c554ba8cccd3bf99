#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The HTML report in a headless Chromium: it opens in time, says no error, asks the net for nothing, and answers keys,
mouse and buttons.

Times: pages must be there within 3 s, that of a million events within 8 s, on a machine that does nothing else. Other
       tests may run at the same time: what is judged is the processor time of all the browser's processes together,
       which work side by side and get a third more.
"""
import shutil
import sys
import time
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "cli"))
from browser import CHROMIUM, Browser  # noqa: E402
from checking import EXAMPLES, WithPrograms  # noqa: E402

import closing_line  # noqa: E402

WIDTHS = (1280, 800)
COLOURS = """(() => {{ const c = document.getElementById("{0}");
    const d = c.getContext("2d").getImageData(0, 0, c.width, c.height);
    return new Set(new Uint32Array(d.data.buffer)).size; }})()"""


@unittest.skipUnless(CHROMIUM, "chromium is not installed")
class Reports(WithPrograms):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.browser = Browser()
        cls.addClassCleanup(cls.browser.close)

    def open(self, file, width=1280, dark=False, seconds=4):
        """The state of the page, which opened without errors and requests, and in time."""
        browser = self.browser
        browser.size(width, 900, dark)
        before = browser.processor_seconds()
        browser.open(self.folder / file, seconds=120)
        used = browser.processor_seconds() - before
        state = browser.state()
        self.assertEqual(browser.problems, [])
        self.assertEqual([url for url in browser.requests if not url.startswith(("file:", "data:"))], [])
        self.assertLess(used, seconds)
        self.assertLessEqual(browser.evaluate("document.documentElement.scrollWidth"), width)
        return state

    def counterexample(self, example, ranks):
        self.check(self.compile(EXAMPLES / example), ranks, status=1)
        self.rehearse("replay", "--compute", "none", "--quiet", "--report", "report.html",
                      "rehearse-counterexample.json", status=1)

    def test_tables_of_an_analysis_are_above_the_timeline(self):
        trace = self.folder / "late.ti"
        trace.write_text("0 compute 3e7\n0 send 1 0 1000\n1 compute 1e7\n1 recv 0 0 1000\n")
        for verb, tables in (("efficiency", 4), ("profile", 7)):
            ladder = ["--ladder"] if verb == "efficiency" else []
            self.rehearse("trace", verb, "--quiet", *ladder, "--report", "report.html", trace)
            for width in WIDTHS:
                state = self.open("report.html", width)
                self.assertEqual(state["sections"][:2], ["tables", "timeline"])
                self.assertEqual(state["axis"], "time")
                self.assertEqual(self.browser.evaluate("document.querySelectorAll('#tables table').length"), tables)
            text = self.browser.evaluate("document.getElementById('tables').textContent")
            self.assertIn("late sender" if verb == "profile" else "no contention", text)

    def test_the_study_of_a_benchmark_shows_what_if_and_the_alternation_of_its_ranks(self):
        program = self.compile(EXAMPLES / "traces/ft.c", "ft")
        self.rehearse("run", "-n", 8, "--on", "cluster:8", "--quiet", "--trace", "ft.rtrace", program, "S")
        self.rehearse("trace", "efficiency", "--on", "cluster:8", "--quiet", "--ladder", "--report", "study.html",
                      "ft.rtrace")
        for width in WIDTHS:
            state = self.open("study.html", width)
            self.assertEqual((state["sections"][:2], state["axis"]), (["tables", "timeline"], "time"))
            tables = self.browser.evaluate("document.getElementById('tables').textContent")
            self.assertTrue("no latency" in tables and "infinite bandwidth" in tables, tables)
            calls = self.browser.evaluate("document.getElementById('calls').textContent")
            self.assertTrue("MPI_Alltoall" in calls and "computation" in calls, calls)
            self.assertGreater(self.browser.evaluate(COLOURS.format("diagram")), 10)

    def test_statistics_of_a_network_show_times_queues_windows_and_links(self):
        flows = "".join(f"{i * 1e-5} node-{i} node-0 {30000 * i}\n" for i in range(1, 17))
        (self.folder / "incast.txt").write_text(flows)
        self.rehearse("flows", "--on", "crossbar:17", "--network", "packet", "--packet", "queue=64KiB", "--quiet",
                      "--statistics", "network.html", "incast.txt")
        for width in WIDTHS:
            for dark in (False, True):
                state = self.open("network.html", width, dark)
                self.assertEqual(state["sections"], ["times", "queues", "windows", "network", "tables"])
                self.assertEqual((state["dots"], state["queues"], state["windows"]), (16, 1, 10))
                for canvas in ("time-dots", "queue-curves", "window-curves", "topology"):
                    self.assertGreater(self.browser.evaluate(COLOURS.format(canvas)), 4, (canvas, width, dark))
            self.assertEqual(len(state["notes"]), 1)  # of timers
            self.assertGreater(len(state["names"]), 5)
            tables = self.browser.evaluate("document.querySelectorAll('#tables table').length")
            rows = self.browser.evaluate("document.querySelectorAll('#tables table:last-of-type tr').length")
            self.assertEqual(tables, 3)
            self.assertGreater(rows, 30)  # ten, and one that reports the number of all
            text = self.browser.evaluate("document.getElementById('tables').textContent")
            self.assertRegex(text, r"10 of \d+ rows are shown")
            self.assertRegex(text, "node-2 -> node-0")
        for quantity in ("threshold", "flight", "round_trip"):
            self.browser.evaluate(f"""(() => {{ const s = document.getElementById("connection-quantity");
                s.value = "{quantity}"; s.dispatchEvent(new Event("change")); }})()""")
            self.assertGreater(self.browser.state()["windows"], 0, quantity)
        self.assertEqual(self.browser.problems, [])
        twice = (self.folder / "network.html").read_bytes()
        self.rehearse("flows", "--on", "crossbar:17", "--network", "packet", "--packet", "queue=64KiB", "--quiet",
                      "--statistics", "network.html", "incast.txt")
        self.assertEqual((self.folder / "network.html").read_bytes(), twice)

    def test_names_in_the_network_do_not_overlap_and_tables_say_of_how_many(self):
        ring = """MPI_Sendrecv(&rank, 1, MPI_INT, (rank + 1) % size, 0, &data, 1, MPI_INT, MPI_ANY_SOURCE, 0,
                                MPI_COMM_WORLD, MPI_STATUS_IGNORE);"""
        program = self.compile(ring)
        for hosts in (4, 16, 48):
            self.rehearse("run", "-n", hosts, "--on", f"cluster:{hosts}", "--report", "report.html", program)
            for width in WIDTHS:
                names = self.open("report.html", width)["names"]
                self.assertGreaterEqual(len(names), 8, (hosts, width))
                for i, a in enumerate(names):
                    self.assertGreaterEqual(a["left"], 0)
                    self.assertLessEqual(a["right"], width)
                    for b in names[i + 1:]:
                        self.assertTrue(a["right"] <= b["left"] or b["right"] <= a["left"] or a["bottom"] <= b["top"] or
                                        b["bottom"] <= a["top"], (hosts, width, a["text"], b["text"]))
                links = self.browser.evaluate("document.getElementById('link-table').textContent")
                self.assertRegex(links, r"10 of \d+ links are shown" if hosts > 4 else "link")

    def test_a_calibration_shows_its_points_residuals_and_tables(self):
        self.rehearse("calibrate", "--program", ".")
        program = self.compile(self.folder / "calibrate.c", "calibrate")
        done = self.rehearse("run", "-n", "4", "--on", "cluster:4", "--compute", "none", "--quiet", program,
                             "--repetitions", "2", "--compute")
        self.write("measured.csv", done.stdout)
        self.rehearse("calibrate", "measured.csv", "--verify", program, "--html", "report.html", "--quiet")
        for width in WIDTHS:
            for dark in (False, True):
                state = self.open("report.html", width, dark)
                self.assertGreater(state["dots"], 50)
                self.assertEqual(state["residuals"], 2 * state["dots"])
                self.assertGreaterEqual(state["breakpoints"], 1)
                for canvas in ("fit-dots", "residual-dots"):
                    self.assertGreater(self.browser.evaluate(COLOURS.format(canvas)), 3)
                for title in ("Factors", "Errors of half round trips", "Errors of the simulated program", "Computation",
                              "Flows on one link", "Measured sizes"):
                    self.assertIn(title, state["tables"])

    def test_a_last_mile_fit_shows_predictions_errors_and_hosts(self):
        hosts = [(1e6 * 1.3 ** i, 5e5 * 1.4 ** (i * 7 % 20), 1e-4 * (1 + i)) for i in range(20)]
        both = ["from,to,latency,bandwidth"]
        for i, (up, _, near) in enumerate(hosts):
            for j, (_, down, far) in enumerate(hosts):
                if i != j and (3 * i + 5 * j) % 4:
                    noise = 1 + 0.02 * ((7 * i + 11 * j) % 9 - 4)
                    both.append(f"host-{i},host-{j},{(near + far) * noise},{min(up, down) * noise}")
        pairs = len(both) - 1
        one = [",".join(line.split(",")[:3]) for line in both] + ["host-0,alone,1e-3"]
        for name, lines, pictures in (("both.csv", both, ("latency", "bandwidth")), ("one.csv", one, ("latency",))):
            csv = self.write(name, "\n".join(lines) + "\n")
            self.rehearse("calibrate", "--pairs", csv, "--html", "report.html", "--quiet")
            for width in WIDTHS:
                for dark in (False, True):
                    state = self.open("report.html", width, dark)
                    for picture in pictures:
                        self.assertGreaterEqual(state[picture + "_dots"], pairs)
                        self.assertGreaterEqual(state[picture + "_cells"], pairs)
                        self.assertGreater(self.browser.evaluate(COLOURS.format(picture + "-dots")), 3)
                        self.assertGreater(self.browser.evaluate(COLOURS.format(picture + "-map")), 8)
                    self.assertEqual(state["tables"][-1], "Hosts")
                    self.assertEqual(len(state["tables"]), len(pictures) + 1)
                    hidden = self.browser.evaluate("document.getElementById('bandwidths').hidden")
                    self.assertEqual(hidden, "bandwidth" not in pictures)
            text = self.browser.evaluate("document.body.textContent")
            self.assertIn("means of hosts", text)
        self.assertIn("no bandwidth was measured", self.browser.evaluate("document.getElementById('top').textContent"))

    def test_a_profile_shows_clusters_distributions_tails_and_orders(self):
        rows = ["rank,marker,iteration,seconds"]
        for rank in range(9):
            for i in range(120):
                noise = 1 + 0.1 * ((37 * i + 101 * rank) % 97 / 97) ** 4
                rows.append(f"{rank},steps,{i},{(1e-3, 1e-3, 3e-3)[i % 3] * noise}")
                if rank % 4 == 0:
                    rows.append(f"{rank},{'lead' * 20},{i},{2e-3 * noise}")
        samples = self.write("samples.csv", "\n".join(rows) + "\n")
        self.rehearse("profile", "analyse", samples, "--report", "report.html", "--quiet")
        for width in WIDTHS:
            for dark in (False, True):
                state = self.open("report.html", width, dark)
                self.assertEqual(state["clusters"], 9)  # cells
                self.assertEqual(state["markers"], 3)   # one of them in both clusters
                steps = [at for at in range(3) if f"pattern_{at}" in state]
                self.assertEqual([state[f"pattern_{at}"] for at in steps], [9, 9])  # three periods of three
                for at in range(3):
                    self.assertGreater(state[f"distribution_{at}"], 100)
                    self.assertGreaterEqual(state[f"tail_{at}"], 1)
                    self.assertGreater(self.browser.evaluate(COLOURS.format(f"tail-{at}")), 3)
                self.assertIn("Computations", state["headings"])

    def test_a_sweep_is_drawn_without_a_script_in_both_colours(self):
        rows = "".join(f"{r},update,{i},{1e-3 * (1 + (i * 37 % 101) / 101) ** 2}\n" for r in range(4)
                       for i in range(200))
        samples = self.write("samples.csv", "rank,marker,iteration,seconds\n" + rows)
        self.rehearse("profile", "analyse", samples, "-o", "app.profile.json", "--quiet")
        self.rehearse("sweep", EXAMPLES / "skeletons/stencil.json", "--profile", "app.profile.json", "--ranks", "8,64",
                      "--vary", "bandwidth=1,2", "--variability", "full,mean", "--replicas", 2, "--report",
                      "report.html", "--quiet")
        browser = self.browser
        for width in WIDTHS:
            for dark in (False, True):
                browser.size(width, 900, dark)
                browser.problems.clear()
                browser.requests.clear()
                browser.call("Page.navigate", url=(self.folder / "report.html").resolve().as_uri())
                closing = time.monotonic() + 60
                is_there = "document.readyState === 'complete' && document.querySelector('h1') !== null"
                while not browser.evaluate(is_there):
                    self.assertLess(time.monotonic(), closing)
                    time.sleep(0.05)
                self.assertEqual(browser.problems, [])
                self.assertEqual([url for url in browser.requests if not url.startswith("file:")], [])
                self.assertLessEqual(browser.evaluate("document.documentElement.scrollWidth"), width)
                boxes = browser.evaluate("""[...document.querySelectorAll("svg.timeline, svg.draws")].map((one) =>
                    one.getBoundingClientRect()).map((box) => [box.width, box.height])""")
                self.assertEqual(len(boxes), 3)
                for box in boxes:
                    self.assertGreater(box[0], 600)
                    self.assertGreater(box[1], 80)
                outside = browser.evaluate("""[...document.querySelectorAll("svg")].filter((one) => { const box =
                    one.getBoundingClientRect(); return [...one.querySelectorAll("text, rect, circle")].some((part) => {
                    const own = part.getBoundingClientRect(); return own.left < box.left - 2 ||
                    own.right > box.right + 2 || own.top < box.top - 4 || own.bottom > box.bottom + 4;
                    }); }).length""")
                self.assertEqual(outside, 0)

    def test_a_deadlock_shows_both_sources_and_who_waits_for_whom(self):
        self.counterexample("1_head_to_head.c", 2)
        for width in WIDTHS:
            state = self.open("report.html", width)
            self.assertEqual((state["verdict"], state["findings"], state["axis"]), ("violation", 1, "order"))
            self.assertTrue({"findings", "timeline", "waits", "traffic"} <= set(state["sections"]), state["sections"])
            guilty = self.browser.evaluate(
                "[...document.querySelectorAll('#findings .guilty')].map((line) => line.textContent)")
            self.assertTrue(guilty and all("MPI_Send(&rank" in line for line in guilty), guilty)
            arrows = self.browser.evaluate("document.querySelectorAll('#wait-graph path[marker-end]').length")
            self.assertEqual(arrows, 2)
            text = self.browser.evaluate("document.getElementById('findings').textContent")
            for words in ("deadlock.cycle", "What to do:", "MPI 4.1, section 3.5", "rank 1 waits for rank 0"):
                self.assertIn(words, text)
            self.assertIn("never received", self.browser.evaluate("document.getElementById('legend').textContent"))

    def test_a_race_is_stepped_through_with_the_keyboard(self):
        self.counterexample("2_stolen_message.c", 3)
        for width in WIDTHS:
            self.assertEqual(self.open("report.html", width)["step"], -1)
            seen = []
            for _ in range(3):
                self.browser.key("ArrowRight")
                seen.append(self.browser.state())
            self.assertEqual([state["step"] for state in seen], [0, 1, 2])
            self.assertEqual(len({state["selected"] for state in seen}), 3)
            self.assertTrue(all(any("MPI_" in line for line in state["guilty"]) for state in seen), seen)
            self.browser.key("ArrowLeft")
            self.assertEqual(self.browser.state()["step"], 1)
            self.browser.click("#diagram")  # keys go to the diagram now
            self.browser.key("End")
            last = self.browser.state()
            self.assertTrue(any("MPI_Recv(&result" in line for line in last["guilty"]), last["guilty"])
            self.browser.key("Home")
            self.assertEqual(self.browser.state()["step"], 0)

    def test_a_check_shows_each_of_its_findings(self):
        program = self.compile("""
          int other = rank ^ 1;
          if (size == 2) {
            MPI_Send(&rank, 1, MPI_INT, other, 5, MPI_COMM_WORLD);
            MPI_Recv(&other, 1, MPI_INT, other, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            if (rank == 0) MPI_Send(&rank, 1, MPI_INT, 1, 6, MPI_COMM_WORLD);
          }""")
        self.rehearse("check", "-n", 2, "--all", "--quiet", "--report", "report.html", program, status=1)
        state = self.open("report.html")
        self.assertEqual(state["verdict"], "violation")
        self.assertGreaterEqual(state["findings"], 2)
        choices = self.browser.evaluate("[...document.querySelectorAll('#recording option')].map((o) => o.textContent)")
        self.assertTrue(any("deadlock.cycle" in choice for choice in choices), choices)
        self.assertTrue(any("message.lost" in choice for choice in choices), choices)
        self.browser.evaluate("[...document.querySelectorAll('#findings button')].at(-1).click()")
        self.assertEqual(self.browser.state()["recordings"], len(choices))
        self.assertEqual(self.browser.problems, [])

    def test_a_check_that_finds_nothing_says_so(self):
        self.rehearse("check", "-n", 2, "--quiet", "--report", "report.html", self.compile(""))
        state = self.open("report.html")
        self.assertEqual((state["verdict"], state["findings"], state["sections"]), ("verified", 0, []))

    def stencil(self, steps):
        program = self.compile(EXAMPLES / "5_stencil.c")
        # Under lv08, calls take most of the time, so that they are what a pointer meets.
        words = ("run", "-n", 64, "--quiet", "--network", "lv08", "--report", "report.html", program, 10000, steps)
        self.rehearse(*words[:4], *(("--compute", "none") if steps > 1000 else ()), *words[4:])

    def test_a_timed_run_of_64_ranks_answers_keys_mouse_and_search(self):
        self.stencil(100)
        browser = self.browser
        for width in WIDTHS:
            state = self.open("report.html", width)
            self.assertTrue({"timeline", "calls", "traffic", "network"} <= set(state["sections"]), state["sections"])
            self.assertEqual((state["verdict"], state["axis"]), ("completed", "time"))
            for canvas in ("diagram", "profile", "matrix", "topology"):
                self.assertGreater(browser.evaluate(COLOURS.format(canvas)), 5, canvas)
            whole = state["to"] - state["from"]
            browser.key("+")
            browser.key("+")
            closer = browser.state()
            self.assertAlmostEqual((closer["to"] - closer["from"]) * 1.6 ** 2 / whole, 1, delta=0.01)
            browser.wheel("#diagram", -300)
            self.assertLess(browser.state()["to"] - browser.state()["from"], (closer["to"] - closer["from"]) / 2)
            browser.click("#zoom-all")
            self.assertAlmostEqual((browser.state()["to"] - browser.state()["from"]) / whole, 1, delta=0.01)
            browser.click("#diagram")
            browser.key("/")
            browser.write("allreduce")
            self.assertEqual(browser.state()["hits"], 6400)
            browser.key("Enter")
            selected = browser.state()["selected"]
            browser.key("Enter")
            self.assertNotEqual(browser.state()["selected"], selected)
            browser.click("#axis-order")
            self.assertEqual(browser.state()["axis"], "order")
            self.assertEqual(browser.problems, [])

    def test_dragging_moves_and_hovering_shows_details(self):
        self.stencil(20)
        self.open("report.html")
        browser = self.browser
        browser.click("#zoom-in")
        before = browser.state()
        x, y = browser.place("#diagram")
        browser.call("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)
        self.assertFalse(browser.evaluate("document.getElementById('tip').hidden"))
        self.assertIn("MPI_", browser.evaluate("document.getElementById('tip').textContent"))
        for kind, shift in (("mousePressed", 0), ("mouseMoved", -60), ("mouseReleased", -60)):
            browser.call("Input.dispatchMouseEvent", type=kind, x=x + shift, y=y, button="left", buttons=1,
                         clickCount=1)
        after = browser.state()
        self.assertGreater(after["from"], before["from"])
        self.assertAlmostEqual((after["to"] - after["from"]) / (before["to"] - before["from"]), 1, delta=0.001)

    def test_dark_is_dark_and_sliders_choose_a_slice(self):
        self.stencil(20)
        paper = {}
        for dark in (False, True):
            self.open("report.html", dark=dark)
            paper[dark] = self.browser.evaluate("getComputedStyle(document.body).backgroundColor")
        self.assertEqual(paper[False], "rgb(255, 255, 255)")
        self.assertNotEqual(paper[True], paper[False])
        text = "document.getElementById('slice-text').textContent"
        before = self.browser.evaluate(text)
        self.browser.evaluate("(() => { const s = document.getElementById('slice-from'); s.value = s.max / 2;"
                              "s.dispatchEvent(new Event('input')); })()")
        self.assertNotEqual(self.browser.evaluate(text), before)

    def test_messages_inside_of_collectives_are_drawn_when_they_are_few(self):
        self.stencil(20)
        state, browser = self.open("report.html"), self.browser
        note = "document.getElementById('diagram-note').textContent"
        self.assertEqual(state["inner"], 0)
        self.assertIn("messages inside collectives are drawn when you zoom in", browser.evaluate(note))
        browser.evaluate("rehearse.diagram.zoom(20); 1")
        self.assertGreater(browser.state()["inner"], 60)
        self.assertNotIn("inside collectives", browser.evaluate(note))
        self.assertIn("inside a collective", browser.evaluate("document.getElementById('legend').textContent"))
        browser.click("#axis-order")
        self.assertEqual(browser.state()["inner"], 0)  # they have dates only

    def test_paper_is_white_and_shows_everything_that_the_screen_does(self):
        self.stencil(20)
        self.open("report.html", dark=True)
        browser = self.browser
        corner = "[...document.getElementById('diagram').getContext('2d').getImageData(0, 0, 1, 1).data].join()"
        dark = browser.evaluate(corner)
        self.assertNotEqual(dark, "255,255,255,255")
        browser.evaluate("window.dispatchEvent(new Event('beforeprint'))")
        self.assertEqual(browser.evaluate(corner), "255,255,255,255")
        browser.evaluate("window.dispatchEvent(new Event('afterprint'))")
        self.assertEqual(browser.evaluate(corner), dark)

    def test_a_million_events_open_and_zoom(self):
        self.stencil(5200)
        state = self.open("report.html", seconds=11)
        self.assertGreater(state["intervals"], 990_000)
        self.assertGreater(state["binned"], 990_000)
        self.assertGreater(state["messages"], 600_000)
        self.assertLess(state["arrows"], 3000)
        self.browser.evaluate("rehearse.diagram.zoom(1000); 1")
        close = self.browser.state()
        self.assertEqual(close["binned"], 0)
        self.assertGreater(close["bars"], 100)
        self.browser.key("ArrowRight")
        self.assertEqual(self.browser.state()["step"], 0)

    def test_texts_of_the_program_are_never_markup(self):
        shutil.copy(EXAMPLES / "1_head_to_head.c", self.folder / "a<b>&.c")
        source = self.folder / "a<b>&.c"
        source.write_text(source.read_text() + "\n// </script><script>throw 1</script> <!-- <img src=x>\n")
        self.check(self.compile(source), 2, status=1)
        self.rehearse("replay", "--quiet", "--report", "report.html", "rehearse-counterexample.json", status=1)
        self.open("report.html")
        self.assertEqual(self.browser.evaluate("document.querySelectorAll('img').length"), 0)
        self.assertIn("a<b>&.c", self.browser.evaluate("document.getElementById('findings').textContent"))


if __name__ == "__main__":
    closing_line.main()
