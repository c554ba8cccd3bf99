#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What other programs read: JSON by docs/schemas, SARIF, JUnit XML and annotations of GitHub."""
import json
import re
import urllib.parse
import xml.etree.ElementTree as xml
from pathlib import Path

from checking import BEGIN, END, EXAMPLES, ROOT, WithPrograms

import closing_line
import json_schema

HERE = Path(__file__).resolve().parent
LEAK = """
  MPI_Comm copy;
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);"""
# A condition with what XML, JSON and annotations must escape, and with bytes that are no text.
ODD = BEGIN + '  assert(strcmp("]]> 100% a:b, <&> \\\\ \x02 \xff \xc3", argv[0]) == 0);' + END
MANY = """
  if (rank == 0) for (int i = 1; i < size; ++i)
    MPI_Recv(&data, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  else MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);"""


def schema(name):
    return json_schema.Schema(json.loads((ROOT / "docs" / "schemas" / f"{name}.schema.json").read_text()))


SARIF = json_schema.Schema(json.loads((HERE / "sarif_part.schema.json").read_text()))

# As Jenkins, GitLab and Surefire read it: element -> (attributes that must be there, children that may).
JUNIT = {
    "testsuites": ({"name", "tests", "failures", "errors", "time"}, {"testsuite"}),
    "testsuite": ({"name", "tests", "failures", "errors", "time"}, {"testcase"}),
    "testcase": ({"name", "classname", "time"}, {"failure", "error"}),
    "failure": ({"type", "message"}, set()),
    "error": ({"type", "message"}, set()),
}


def junit_errors(element):
    """What is wrong with an element of JUnit XML and all below it."""
    attributes, children = JUNIT[element.tag]
    if set(element.attrib) != attributes:
        yield f"{element.tag} has {set(element.attrib)}"
    if "time" in attributes and not re.fullmatch(r"\d+\.\d+", element.get("time", "")):
        yield f"{element.tag}: time {element.get('time')}"
    for count, tag in (("tests", "testcase"), ("failures", "failure"), ("errors", "error")):
        if count in attributes and element.get(count) != str(len(list(element.iter(tag)))):
            yield f"{element.tag}: {count} {element.get(count)}"
    if len(element) > 1 and element.tag == "testcase":
        yield "testcase: more than one result"
    for child in element:
        if child.tag not in children:
            yield f"{child.tag} in {element.tag}"
        else:
            yield from junit_errors(child)


class Formats(WithPrograms):
    def setUp(self):
        super().setUp()
        self.stuck = self.compile(EXAMPLES / "1_head_to_head.c", "stuck")

    def odd(self):
        (self.folder / "odd.c").write_bytes(ODD.encode("latin-1"))
        return self.compile(self.folder / "odd.c", "odd")

    def assert_fits(self, name_or_schema, document):
        checker = schema(name_or_schema) if isinstance(name_or_schema, str) else name_or_schema
        self.assertEqual(checker.errors(document), [])


class Json(Formats):
    def test_reports_of_check_fit_their_schema(self):
        many = self.compile(MANY, "many")
        for program, ranks, options, status in ((self.stuck, 2, [], 1), (many, 3, [], 0),
                                                (many, 4, ["--max-executions", 2], 3),
                                                (many, 3, ["--on", "cluster:4"], 0),
                                                (self.compile(LEAK, "leak"), 2, ["--without", "crash"], 0)):
            report = self.check(program, ranks, *options, status=status)
            self.assert_fits("check", report)

    def test_reports_of_run_and_replay_fit_their_schemas(self):
        for program, status in ((self.stuck, 0), (self.compile("abort();", "abort"), 1)):
            done = self.rehearse("run", "-n", 2, "--quiet", "--json", "run.json", program, status=status)
            self.assert_fits("run", json.loads((self.folder / "run.json").read_text()))
        self.check(self.stuck, 2, status=1)
        done = self.rehearse("replay", "rehearse-counterexample.json", "--json", "-", status=1)
        self.assert_fits("replay", json.loads(done.stdout))

    def test_grades_fit_their_schema(self):
        done = self.rehearse("grade", EXAMPLES / "classroom" / "1_ring", "--json", "-", status=1)
        self.assert_fits("grade", json.loads(done.stdout))

    def test_a_schema_notices_what_does_not_fit(self):
        report = self.check(self.stuck, 2, status=1)
        for change in ({"verdict": "good"}, {"executions": -1}, {"ranks": "2"}, {"more": 1}, {"findings": [{}]},
                       {"reasons": [1]}, {"exhaustive": None}, {"seconds": True}):
            self.assertNotEqual(schema("check").errors({**report, **change}), [], change)
        del report["verdict"]
        self.assertNotEqual(schema("check").errors(report), [])


class Sarif(Formats):
    def sarif(self, program, ranks, *options, status):
        self.rehearse("check", "-n", ranks, *options, "--sarif", "log.sarif", program, status=status)
        log = json.loads((self.folder / "log.sarif").read_text())
        self.assert_fits(SARIF, log)
        run = log["runs"][0]
        self.assertEqual((len(log["runs"]), run["invocations"][0]["exitCode"]), (1, status))
        for result in run["results"]:
            self.assertEqual(run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"], result["ruleId"])
        return run

    def test_a_finding_is_a_result_with_its_rule_and_all_its_places(self):
        self.write("sub folder/mein & programm.c", (EXAMPLES / "1_head_to_head.c").read_text())
        self.run_program("mpicc", "sub folder/mein & programm.c", "-o", "local")
        run = self.sarif(self.folder / "local", 2, status=1)
        result, = run["results"]
        self.assertEqual((result["ruleId"], result["level"]), ("deadlock.cycle", "error"))
        place = result["locations"][0]["physicalLocation"]
        self.assertEqual(place, {"artifactLocation": {"uri": "sub%20folder/mein%20%26%20programm.c",
                                                      "uriBaseId": "SRCROOT"}, "region": {"startLine": 15}})
        base = urllib.parse.unquote(run["originalUriBaseIds"]["SRCROOT"]["uri"])
        self.assertEqual(base, f"file://{self.folder}/")
        self.assertIn("rank 0 in MPI_Send", result["locations"][0]["message"]["text"])
        self.assertEqual([r["id"] for r in result["relatedLocations"]], [1])
        self.assertIn("rank 1 in MPI_Send", result["relatedLocations"][0]["message"]["text"])
        self.assertEqual([t["id"] for t in result["codeFlows"][0]["threadFlows"]], ["rank 0", "rank 1"])
        rule = run["tool"]["driver"]["rules"][result["ruleIndex"]]
        self.assertIn("MPI_Sendrecv", rule["help"]["text"])
        self.assertIn("3.5", rule["properties"]["clause"])

    def test_a_file_elsewhere_has_its_whole_path(self):
        run = self.sarif(self.stuck, 2, status=1)
        place = run["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]
        self.assertEqual(place, {"uri": f"file://{EXAMPLES / '1_head_to_head.c'}"})

    def test_a_fingerprint_does_not_depend_on_lines_but_on_calls(self):
        prints = []
        for change in (("", ""), ("#include <stdio.h>", "#include <stdio.h>\n\n\n"), ("rank, 1, MPI", "rank, 0, MPI")):
            source = (EXAMPLES / "1_head_to_head.c").read_text().replace(*change) if change[0] else \
                (EXAMPLES / "1_head_to_head.c").read_text()
            program = self.compile(self.write("same.c", source), "same")
            prints.append(self.sarif(program, 2, status=1)["results"][0]["partialFingerprints"])
        self.assertEqual(prints[0], prints[1])
        self.assertNotEqual(prints[0], prints[2])

    def test_warnings_and_answers_without_findings(self):
        run = self.sarif(self.compile(LEAK, "leak"), 2, status=0)
        self.assertEqual([r["level"] for r in run["results"]], ["warning"] * len(run["results"]))
        self.assertTrue(run["results"])
        many = self.compile(MANY, "many")
        run = self.sarif(many, 3, status=0)
        self.assertEqual(([(r["ruleId"], r["level"]) for r in run["results"]], run["properties"]["verdict"]),
                         ([("race.wildcard", "note")], "verified"))
        run = self.sarif(many, 3, "--without", "race", status=0)
        self.assertEqual((run["results"], run["properties"]["verdict"]), ([], "verified"))
        run = self.sarif(many, 4, "--max-executions", 1, status=3)
        self.assertIn("--max-executions", run["invocations"][0]["toolExecutionNotifications"][0]["message"]["text"])

    def test_any_bytes_are_a_valid_log(self):
        for result in self.sarif(self.odd(), 2, "--quiet", status=1)["results"]:
            self.assertIn("]]> 100% a:b, <&>", result["message"]["text"])
            self.assertIn("\ufffd", result["message"]["text"])


class JUnit(Formats):
    def junit(self, program, ranks, *options, status):
        self.rehearse("check", "-n", ranks, *options, "--junit", "check.xml", program, status=status)
        root = xml.parse(self.folder / "check.xml").getroot()
        self.assertEqual((root.tag, list(junit_errors(root))), ("testsuites", []))
        return next(root.iter("testcase"))

    def test_a_violation_is_a_failure(self):
        case = self.junit(self.stuck, 2, status=1)
        self.assertIn("stuck on 2 ranks", case.get("name"))
        self.assertEqual(case[0].get("type"), "deadlock.cycle")
        self.assertIn("1_head_to_head.c:15", case[0].text)

    def test_verified_passes_and_inconclusive_is_an_error(self):
        many = self.compile(MANY, "many")
        self.assertEqual(len(self.junit(many, 3, status=0)), 0)
        error, = self.junit(many, 4, "--max-executions", 1, status=3)
        self.assertEqual((error.tag, error.get("type")), ("error", "inconclusive"))
        self.assertIn("--max-executions", error.text)

    def test_any_bytes_are_valid_xml(self):
        case = self.junit(self.odd(), 2, "--quiet", status=1)
        self.assertIn("]]> 100% a:b, <&> \\\\ ? \ufffd", case[0].text)

    def test_grades_are_valid(self):
        self.rehearse("grade", EXAMPLES / "classroom" / "1_ring", "--quiet", "--junit", "grade.xml", status=1)
        self.assertEqual(list(junit_errors(xml.parse(self.folder / "grade.xml").getroot())), [])

    def test_the_checker_notices_what_does_not_fit(self):
        good = '<testsuite name="a" tests="1" failures="0" errors="0" time="0.1"><testcase name="a" classname="b" ' \
               'time="0.1"/></testsuite>'
        self.assertEqual(list(junit_errors(xml.fromstring(good))), [])
        for change in (('tests="1"', 'tests="2"'), ('time="0.1">', 'time="fast">'), (' classname="b"', ""),
                       ("/></", "><failure/></testcase></"), ("/></", '><skip/></testcase></')):
            self.assertNotEqual(list(junit_errors(xml.fromstring(good.replace(*change)))), [], change)


class GitHub(Formats):
    def annotations(self, program, ranks, *options, status):
        done = self.rehearse("check", "-n", ranks, "--format", "github", *options, program, status=status)
        lines = done.stdout.splitlines()
        commands = []
        for line in lines:
            name, properties, message = re.fullmatch(r"::(error|warning|notice) ([^:]*)::(.*)", line).groups()
            pairs = dict(pair.split("=", 1) for pair in properties.split(","))
            commands.append((name, {k: self.unescape(v) for k, v in pairs.items()}, self.unescape(message)))
        return commands

    def unescape(self, text):
        for code, char in (("%0A", "\n"), ("%0D", "\r"), ("%3A", ":"), ("%2C", ","), ("%25", "%")):
            text = text.replace(code, char)
        return text

    def test_a_finding_is_an_annotation_of_its_line(self):
        self.write("src/a,b:c%.c", (EXAMPLES / "1_head_to_head.c").read_text())
        self.run_program("mpicc", "src/a,b:c%.c", "-o", "local")
        (name, where, message), = self.annotations("local", 2, status=1)
        self.assertEqual((name, where), ("error", {"file": "src/a,b:c%.c", "line": "15", "title": "deadlock.cycle"}))
        self.assertIn("what to do: Let one of them receive first", message)
        self.assertIn("\n", message)

    def test_warnings_and_answers(self):
        commands = self.annotations(self.compile(LEAK, "leak"), 2, status=0)
        self.assertEqual([c[0] for c in commands], ["warning"] * (len(commands) - 1) + ["notice"])
        self.assertGreater(len(commands), 1)
        many = self.compile(MANY, "many")
        (name, _, message), = self.annotations(many, 4, "--max-executions", 1, status=3)
        self.assertEqual((name, message[:13]), ("warning", "inconclusive:"))

    def test_quiet_says_nothing(self):
        self.assertEqual(self.annotations(self.stuck, 2, "--quiet", status=1), [])


class Options(Formats):
    def test_one_thing_is_written_to_standard_output(self):
        for options in (("--json", "-", "--sarif", "-"), ("--format", "github", "--junit", "-"),
                        ("--sarif", "-", "--junit", "-")):
            self.assert_one_error(self.rehearse("check", "-n", 2, *options, self.stuck, status=2), "standard output")
        done = self.rehearse("check", "-n", 2, "--quiet", "--sarif", "-", self.stuck, status=1)
        self.assert_fits(SARIF, json.loads(done.stdout))

    def test_what_cannot_be_written_or_is_not_known_is_an_error(self):
        for option in ("--sarif", "--junit"):
            done = self.rehearse("check", "-n", 2, "--quiet", option, "none/x", self.stuck, status=2)
            self.assert_one_error(done, option, "none/x")
        self.assert_one_error(self.rehearse("check", "-n", 2, "--format", "html", self.stuck, status=2), "--format",
                              "html", "text, github")


if __name__ == "__main__":
    closing_line.main()
