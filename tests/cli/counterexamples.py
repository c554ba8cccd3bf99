# SPDX-License-Identifier: MIT
"""What a counter-example must be like, whatever the program: as few decisions as exhaustive search finds, small, the
same finding again in time on two machines, with the same bytes twice, messages that take their time and go where the
decisions say, and the critical decision by name where one can be had: had it gone the other way, the run ends well.
"""
import json
import os
import pathlib
import subprocess
import tempfile
from dataclasses import dataclass, field

from checking import REHEARSE

FILE = "rehearse-counterexample.json"
BYTES_MAX = 100_000
PATIENCE = 30  # seconds, for machines with other work: explanations must be complete
# By platform: what a message takes at least, between ranks of different hosts, in microseconds. Two links of 5 us and a
# backbone of 1 us, by the factor of the network model, lv08; all ranks of the laptop are on one host.
LATENCY = {"cluster:8": 13.01 * (5 + 1 + 5), "laptop": None}
LOOPBACK = 0.5


@dataclass
class Case:
    """A wrong program, and the words with which it is checked."""
    name: str
    sources: list
    ranks: int
    compile: list = field(default_factory=list)
    options: list = field(default_factory=list)
    arguments: list = field(default_factory=list)


def finish(words, folder):
    return subprocess.run([str(word) for word in words], cwd=folder, text=True, errors="replace", capture_output=True,
                          check=False, timeout=300)


def is_same(a, b):
    places = [sorted((at["rank"], at["call"], at["line"]) for at in finding["locations"]) for finding in (a, b)]
    return a["id"] == b["id"] and a["ranks"] == b["ranks"] and places[0] == places[1]


def errors_within(case, turns, program, folder, *options):
    """The errors of all executions with at most so many decisions that are not the first alternative."""
    done = finish([REHEARSE, "check", "-n", case.ranks, "--search", f"bounded:{turns}", "--all", "--minimise", 0,
                   "--counterexample", os.devnull, "--quiet", "--json", "-", *case.options, *options, program,
                   *case.arguments], folder)
    return [finding for finding in json.loads(done.stdout)["findings"] if finding["severity"] == "error"]


def fewest(case, document, program, folder):
    """The fewest decisions of all executions with the finding; those of the document if fewer are not enough."""
    most = len(document["explanation"]["decisions"])
    return next((turns for turns in range(most)
                 if any(is_same(found, document["finding"]) for found in errors_within(case, turns, program, folder))),
                most)


def has_critical(case, document, program, folder):
    """Whether a decision must have been critical: with none out of the usual the program ends well."""
    buffering, _, collectives = document["policy"].partition("+")
    policy = ("--buffering", buffering, "--collectives", collectives or "relaxed")
    return bool(document["explanation"]["decisions"]) and not errors_within(case, 0, program, folder, *policy)


def faults_of_critical(document, folder):
    """The errors in the reported critical decision."""
    reported, faults = document["explanation"], []
    taken, instead = reported["critical"]["taken"], reported["critical"]["instead"]
    if taken["at"] != instead["at"]:
        faults.append("the critical decision and its alternative are at two places")
    site = taken["matches"][0]["receive"] if taken["matches"] and "answer" not in taken else taken["at"]
    place = f"{pathlib.Path(site['file']).name}:{site['line']} on rank {site['rank']}"
    if site["line"] and place not in reported["critical"]["text"]:  # the server of published names has no place
        faults.append(f"{place} is not named in: {reported['critical']['text']}")
    passing = {**document, "finding": {**document["finding"], "schedule": reported["passing"]["schedule"]}}
    del passing["explanation"]
    (pathlib.Path(folder) / "passing.json").write_text(json.dumps(passing))
    done = finish([REHEARSE, "replay", "--json", "-", "passing.json"], folder)
    reported_findings = [each for each in json.loads(done.stdout)["findings"] if each["severity"] != "note"]
    if done.returncode != 3 or reported_findings:
        faults.append(f"the execution that is to end well does not: {done.stdout} {done.stderr}")
    return faults


def messages_of(trace):
    """Of a timeline for Chrome: pairs of where a message was sent and where it was received."""
    events = trace["traceEvents"]
    received = {event["id"]: event for event in events if event["ph"] == "f"}
    return [(event, received[event["id"]]) for event in events if event["ph"] == "s"]


def calls_at(trace, event):
    """What the rank of this event is doing then."""
    return [each for each in trace["traceEvents"] if each["ph"] == "X" and each["tid"] == event["tid"] and
            each["ts"] <= event["ts"] <= each["ts"] + each["dur"] + 1e-6]


def is_never_completed(trace, received, can_fail):
    """Of a receive that nobody waited for the arrow ends where it was posted; likewise if a failure ended the call."""
    posting = ("MPI_Irecv", "MPI_Start", "MPI_Startall", "MPI_Win_post")
    return any(call["name"] in posting or (can_fail and call["name"] == "MPI_Recv" and call["ts"] == received["ts"])
               for call in calls_at(trace, received))


def faults_of_timeline(document, trace, latency):
    """Messages that are faster than light, and decisions of the counter-example that it does not show."""
    faults, messages, can_fail = [], messages_of(trace), "failures" in document["options"]
    for sent, received in messages:
        least = LOOPBACK if latency is None or sent["pid"] == received["pid"] else latency
        if received["ts"] - sent["ts"] < least - 1e-3 and not is_never_completed(trace, received, can_fail):
            faults.append(f"a message takes {received['ts'] - sent['ts']} us, less than {least}")
    for decision in document["explanation"]["decisions"]:
        for match in decision["matches"]:
            receive, message = match["receive"], match["message"]
            ends = [received for sent, received in messages
                    if (sent["tid"], received["tid"]) == (message["rank"], receive["rank"])]
            if not receive["line"]:
                continue
            line = f":{receive['line']}" if receive["call"] == "MPI_Recv" else ""
            if not any(line in call["args"].get("place", "") for end in ends for call in calls_at(trace, end)):
                faults.append(f"not in the timeline: {decision['text']}")
    return faults


def faults_of_replays(document, folder):
    faults = []
    for platform, latency in LATENCY.items():
        replays = []
        for _ in range(2):
            done = finish([REHEARSE, "replay", "--on", platform, "--network", "lv08", "--compute", "none", "--json",
                           "-", "--timeline", "trace.json", FILE], folder)
            replays.append((done.stdout, (pathlib.Path(folder) / "trace.json").read_text()))
        if done.returncode != 1 or not json.loads(done.stdout)["reproduced"]:
            faults.append(f"it does not happen again on {platform}: {done.stderr}")
        if replays[0] != replays[1]:
            faults.append(f"two replays on {platform} differ")
        faults += [f"{platform}: {fault}" for fault in faults_of_timeline(document, json.loads(replays[0][1]), latency)]
    return faults


def look_at(case):
    """The counter-example of the program, or nothing; what is wrong with it."""
    with tempfile.TemporaryDirectory() as folder:
        program = pathlib.Path(folder) / case.sources[0].stem
        compiler = "c++" if any(source.suffix == ".cpp" for source in case.sources) else "cc"
        built = finish([REHEARSE, compiler, "-g", *case.compile, *case.sources, "-o", program, "-lm"], folder)
        if built.returncode != 0:
            return None, [built.stderr]
        done = finish([REHEARSE, "check", "-n", case.ranks, "--quiet", "--minimise", PATIENCE, *case.options, program,
                       *case.arguments], folder)
        if done.returncode != 1:
            return None, [f"check ended with {done.returncode}: {done.stderr}"]
        text = (pathlib.Path(folder) / FILE).read_text()
        document = json.loads(text)
        if "explanation" not in document:
            return document, ["nothing is reported of it"]
        reported, faults = document["explanation"], []
        if fewest(case, document, program, folder) != len(reported["decisions"]):
            faults.append(f"fewer decisions than {len(reported['decisions'])} are enough")
        if len(text) > BYTES_MAX:
            faults.append(f"the file has {len(text)} bytes")
        if "critical" in reported:
            faults += faults_of_critical(document, folder)
        elif has_critical(case, document, program, folder):
            faults.append("no decision is reported to be critical")
        document["explained"] = finish([REHEARSE, "explain", FILE], folder).stdout
        return document, faults + faults_of_replays(document, folder)
