#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""commands.py notices what it is there to notice."""
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))
import closing_line  # noqa: E402
import commands  # noqa: E402


def failures(page):
    with tempfile.TemporaryDirectory() as folder:
        root, build = Path(folder, "root"), Path(folder, "build")
        root.mkdir()
        build.mkdir()
        path = root / "page.md"
        path.write_text(page)
        return commands.check_page(path, root, build)[1]


class Pages(unittest.TestCase):
    def test_a_failing_script_is_a_failure(self):
        self.assertTrue(failures("```sh\nfalse\ntrue\n```\n"))
        self.assertFalse(failures("```sh\ntrue\n```\n"))

    def test_output_that_is_shown_is_compared(self):
        self.assertTrue(failures("```console\n$ echo a\nb\n```\n"))
        self.assertFalse(failures("```console\n$ echo a; echo b\na\nb\n$ echo c\n```\n"))

    def test_an_ellipsis_stands_for_anything(self):
        self.assertFalse(failures("```console\n$ seq 9; echo took 3 s\n1\n…\n9\ntook … s\n```\n"))
        self.assertTrue(failures("```console\n$ seq 9\n1\n…\n8\n```\n"))

    def test_notes_on_load_do_not_count(self):
        note = "note: this process had a core in 84 % of the 0.49 s of the run: repeat the run"
        self.assertFalse(failures(f"```console\n$ echo a; echo '{note}'; echo b\na\nb\n```\n"))
        self.assertTrue(failures("```console\n$ echo a; echo 'note: another'; echo b\na\nb\n```\n"))

    def test_an_exit_status_is_expected_where_the_page_says_so(self):
        self.assertFalse(failures("```console\n$ exit 3  # exit status 3\n```\n"))
        self.assertTrue(failures("```console\n$ exit 3\n```\n"))

    def test_no_command_of_ours_hides_in_another_language(self):
        self.assertTrue(failures("```text\nrehearse check -n 2 ./a\n```\n"))
        self.assertTrue(failures("```\nanything\n```\n"))
        self.assertFalse(failures("```text\nverified: nothing can go wrong\n```\n"))

    def test_commands_of_a_workflow_are_run(self):
        self.assertTrue(failures("```yaml\nscript:\n  - rehearse-that-is-none\n  - rehearse nothing\n```\n"))
        self.assertTrue(failures("```yaml\n- run: |\n    rehearse nothing\n```\n"))
        self.assertFalse(failures("```yaml\n- run: something else\n```\n"))

    def test_links_lead_somewhere(self):
        self.assertTrue(failures("see [that](nowhere.md)\n"))
        self.assertFalse(failures("see [this](page.md#part) and [the net](https://example.org)\n"))

    def test_what_another_test_covers_is_not_run(self):
        self.assertFalse(failures("```sh\n./dev demo\n```\n"))


if __name__ == "__main__":
    closing_line.main()
