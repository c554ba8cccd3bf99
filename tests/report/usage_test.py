#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The page of a platform's usage in a headless Chromium: what it draws are the figures of the JSON file, it answers
keys, mouse and buttons, and 5,000 hosts in 1,000 slices open in time and slide without stutter.

Times: as in report_test.py, the processor time of the browser is judged, and for the frames the time of the page's own
       code in the fastest tenth of them. Other tests may run at the same time and interrupt most frames.
       `./dev bench --section usage` judges the median, and the time between frames.
"""
import json
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "cli"))
from browser import CHROMIUM, Browser  # noqa: E402
from checking import WithPrograms  # noqa: E402
from frames import FRAMES  # noqa: E402
from installation import BUILD  # noqa: E402

import closing_line  # noqa: E402

PROJECTS = BUILD / "bin" / "example_17_competing_projects"
BACKBONE = BUILD / "bin" / "example_18_saturated_backbone"
# Of the present window: the cells of hosts as [host, zone, area].
CELLS = """(() => { const p = rehearse.page.pictures[0]; return { cells: p.treemap.cells.filter((c) => c[0] === "host")
    .map(([, host, , , w, h]) => [p.usage.hosts[host], p.usage.host_zone[host], w * h]) }; })()"""


def figures(usage, begin, end):
    """Work by host and bytes by link, by category, of the slices from `begin` to before `end`."""
    result = {}
    for kind in ("hosts", "links"):
        result[kind] = {}
        for each in usage[kind]:
            sums = result[kind].setdefault(each["name"], {})
            for row in each["use"]:
                part = row["slices"][max(begin - row["first"], 0):max(end - row["first"], 0)]
                sums[usage["categories"][row["category"]]] = sum(part)
    return result


@unittest.skipUnless(CHROMIUM, "chromium is not installed")
class UsagePages(WithPrograms):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.browser = Browser()
        cls.addClassCleanup(cls.browser.close)

    def make(self, *words, name="usage"):
        """The figures of a run; its page is NAME.html."""
        self.rehearse("run", "--quiet", "--usage", name + ".html", *words)
        self.rehearse("run", "--quiet", "--usage", name + ".json", *words)
        return json.loads((self.folder / (name + ".json")).read_text())

    def open(self, file, width=1280, dark=False, seconds=4):
        browser = self.browser
        browser.size(width, 900, dark)
        before = browser.processor_seconds()
        browser.open(self.folder / file, seconds=120)
        used = browser.processor_seconds() - before
        state = browser.state()
        self.assert_quiet()
        self.assertLess(used, seconds)
        self.assertLessEqual(browser.evaluate("document.documentElement.scrollWidth"), width)
        return state

    def assert_quiet(self):
        self.assertEqual(self.browser.problems, [])
        self.assertEqual([url for url in self.browser.requests if not url.startswith(("file:", "data:"))], [])

    def page(self, script):
        self.browser.evaluate(f"(() => {{ const page = rehearse.page; {script}; }})()")
        return self.browser.state()

    def assert_window(self, usage, begin, end):
        """The page has the sums of these slices, and the treemap draws them."""
        state = self.page(f"page.set_width({end - begin}); page.go({begin}); page.show('treemap')")
        self.assertEqual((state["position"], state["width"]), (begin, end - begin))
        wanted = figures(usage, begin, end)
        categories = state["categories"]
        for name, kind in (("host", "hosts"), ("link", "links")):
            found = self.browser.evaluate(f"""(() => {{ const p = rehearse.page.pictures[0];
                return [p.usage.{kind}, [...p.frame.{kind}]]; }})()""")
            whole = sum(sum(sums.values()) for sums in figures(usage, 0, usage["slices"])[kind].values())
            for i, each in enumerate(found[0]):
                for c, category in enumerate(categories):
                    self.assertAlmostEqual(found[1][i * len(categories) + c], wanted[kind][each].get(category, 0),
                                           delta=1e-8 * whole, msg=f"{name} {each}, {category}")
        work = {host: sum(sums.values()) for host, sums in wanted["hosts"].items()}
        drawn = self.browser.evaluate(CELLS)
        self.assertEqual({host for host, _, _ in drawn["cells"]}, {host for host in work if work[host] > 0})
        by_zone = {}
        for host, zone, area in drawn["cells"]:
            by_zone.setdefault(zone, []).append((work[host], area))
        for hosts in by_zone.values():
            all_work, all_area = (sum(column) for column in zip(*hosts))
            for amount, area in hosts:
                self.assertAlmostEqual(area / all_area, amount / all_work, delta=1e-5)
        return state

    def test_the_drawn_sums_of_competing_projects_are_the_figures_of_the_file(self):
        usage = self.make(PROJECTS)
        self.open("usage.html")
        slices = usage["slices"]
        for begin, end in ((0, slices), (0, 1), (slices // 2, slices // 2 + 20), (slices - 1, slices)):
            self.assert_window(usage, begin, end)
        # Before its start, proteins has no work anywhere; in America it never has any.
        early = int(8 * 3600 / usage["slice_seconds"])
        state = self.page(f"page.set_width({early}); page.go(0)")
        proteins = state["categories"].index("proteins")
        zones = {zone["path"]: zone["by"] for zone in state["runs"][0]["zones"]}
        self.assertEqual(zones["internet"][proteins], 0)
        state = self.page(f"page.set_width({slices}); page.go(0)")
        zones = {zone["path"]: zone["by"] for zone in state["runs"][0]["zones"]}
        self.assertEqual(zones["internet/america"][proteins], 0)
        self.assertGreater(zones["internet/asia"][proteins], 0)
        self.assertAlmostEqual(sum(zones["internet"]) / sum(sum(zones["internet/" + region])
                                                            for region in ("america", "asia", "europe")), 1, delta=1e-9)
        areas = state["runs"][0]["areas"]  # between the cells are gaps
        part = zones["internet"][proteins] / sum(zones["internet"])
        self.assertAlmostEqual(areas[proteins] / sum(areas), part, delta=0.02)

    def test_a_saturated_backbone_is_full_and_shared(self):
        usage = self.make(BACKBONE)
        self.open("usage.html")
        self.assert_window(usage, 0, usage["slices"])
        share = """(() => { const p = rehearse.page.pictures[0], f = p.frame, link = p.usage.links.indexOf("backbone");
            const count = f.categories.length;
            return [f.link_share(link), ...f.links.slice(link * count, (link + 1) * count)]; })()"""
        self.page("page.show('topology'); page.set_width(1)")
        full = shared = 0
        for slice_ in range(0, usage["slices"], 7):
            self.page(f"page.go({slice_})")
            used = self.browser.evaluate(share)
            names = dict(zip(self.browser.state()["categories"], used[1:]))
            full += used[0] >= 0.95
            shared += used[0] >= 0.95 and names["sort"] > 0 and names["backup"] > 0
            self.assertEqual(names["render"], 0)
        self.assertGreater(full, 5)
        self.assertGreater(shared, 3)
        # Squares of hosts are filled by their use.
        state = self.page("page.set_width(20); page.go(100)")
        run = state["runs"][0]
        wanted = figures(usage, 100, 120)["hosts"]
        speeds = {host["name"]: host["flops_per_second"] for host in usage["hosts"]}
        filled = sum(sum(sums.values()) / (speeds[host] * 20 * usage["slice_seconds"]) for host, sums in wanted.items())
        self.assertEqual(run["hosts_drawn"], 24)
        self.assertAlmostEqual(sum(run["host_areas"]) / run["scale"] ** 2, filled, delta=1e-6)

    def test_keys_mouse_and_buttons(self):
        usage = self.make(PROJECTS)
        state = self.open("usage.html")
        self.assertEqual((state["kind"], state["position"], state["width"]), ("treemap", 0, usage["slices"]))
        browser = self.browser
        state = self.page("page.set_width(50)")
        for key, position in (("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1), ("End", usage["slices"] - 50),
                              ("Home", 0)):
            browser.key(key)
            self.assertEqual(browser.state()["position"], position)
        browser.key("-")
        self.assertEqual(browser.state()["width"], 20)
        browser.key("+")
        self.assertEqual(browser.state()["width"], 50)
        browser.key(" ")
        self.assertTrue(browser.state()["playing"])
        browser.evaluate("new Promise((done) => setTimeout(done, 700))")
        browser.key(" ")
        state = browser.state()
        self.assertFalse(state["playing"])
        self.assertGreater(state["position"], 3)
        browser.click("#pictures canvas")  # into the zone below the mouse, and up again
        inside = browser.state()
        self.assertNotEqual(inside["zone"], state["zone"])
        self.assertLess(inside["runs"][0]["cells"], state["runs"][0]["cells"])
        browser.click("#path button")
        self.assertEqual(browser.state()["zone"], state["zone"])
        browser.key("g")
        state = browser.state()
        run = state["runs"][0]
        self.assertEqual((state["kind"], run["hosts_drawn"], run["discs"]), ("topology", 174, 0))
        browser.click("#zones-closed")
        state = browser.state()
        self.assertEqual((state["runs"][0]["discs"], state["runs"][0]["hosts_drawn"]), (3, 2))
        browser.click("#zones-auto")
        before = state["runs"][0]["scale"]
        browser.wheel("#pictures canvas", -200)
        self.assertGreater(browser.state()["runs"][0]["scale"], before)
        browser.click("#zoom-all")
        self.assertEqual(browser.state()["runs"][0]["scale"], before)
        with_all = browser.state()["runs"][0]["host_sum"]
        browser.click("#category-" + str(state["categories"].index("climate")))
        self.assertLess(browser.state()["runs"][0]["host_sum"], with_all)
        self.assert_quiet()

    def test_two_runs_are_side_by_side_and_as_a_difference(self):
        spread = self.make(BACKBONE, name="spread")
        local = self.make(BACKBONE, "local", name="local")
        self.rehearse("usage", "--quiet", "--report", "compared.html", "spread.json", "local.json")
        for width, dark in ((1280, False), (800, True)):
            state = self.open("compared.html", width, dark)
            for run, usage in zip(state["runs"], (spread, local)):
                wanted = sum(row["sum"] for host in usage["hosts"] for row in host["use"])
                self.assertAlmostEqual(run["host_sum"] / wanted, 1, delta=1e-6)
        self.browser.click("#show-difference")
        state = self.browser.state()
        self.assertTrue(state["is_difference"])
        self.assertTrue(self.browser.evaluate("rehearse.page.pictures[1].box.hidden"))
        table = self.browser.evaluate("document.getElementById('sums').textContent")
        self.assertIn("+800 Gflop", table)
        self.assertIn("−800 Gflop", table)
        self.assert_quiet()

    def test_names_of_programs_hosts_and_categories_are_no_markup(self):
        program = self.write("a.c", "#include <mpi.h>\n#include <rehearse.h>\n"
                                    "int main(int c, char** v) { MPI_Init(&c, &v);"
                                    "rehearse_begin(\"</script><b>\"); MPI_Barrier(MPI_COMM_WORLD); rehearse_end();"
                                    "MPI_Finalize(); return 0; }\n")
        self.compile(program, "a")
        self.make("-n", 2, "--compute", "none", self.folder / "a")
        state = self.open("usage.html")
        self.assertEqual(state["categories"], ["", "</script><b>"])
        self.assertIn("</script><b>", self.browser.evaluate("document.getElementById('categories').textContent"))

    def test_five_thousand_hosts_in_a_thousand_slices_open_in_time_and_slide(self):
        self.rehearse("run", "--quiet", "--usage", "large.html", PROJECTS, 30, 38.17)
        # The bench judges the time on a quiet machine; a busy one without FSGSBASE took 4.8 s of processor time here.
        state = self.open("large.html", seconds=8)
        self.assertEqual((state["steps"], state["runs"][0]["hosts"]), (1000, 5162))
        for kind in ("treemap", "topology"):
            for width in (1, 20):
                found = self.browser.evaluate(FRAMES % {"kind": kind, "width": width, "frames": 120})
                self.assertGreater(found["drawn"], 30)
                work = sorted(found["work"])
                self.assertLess(work[len(work) // 10], 1000 / 60, f"{kind}, {width}: ms of a frame {work}")
        state = self.browser.state()
        self.assertGreater(state["runs"][0]["hosts_drawn"], 5000)
        self.assert_quiet()


if __name__ == "__main__":
    closing_line.main()
