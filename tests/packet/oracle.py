#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs the 108 cases of cases.json through `rehearse flows --network packet` and counts those that hold.

usage: oracle.py --rehearse PATH [--network packet|ns3] [--only KIND,KIND] [--keys KEY=VALUE,...] [--must-fail]
                 [--verbose]
Kinds:  exact: closed forms, to 1e-9. last: the latest end exactly, each within a tolerance. drops: the number of drops.
        reference: another simulator's ends. tcp, band, loss: ns-3 3.37 and that simulator.
Shape:  a case has links, flows with their paths and back, and the keys of --packet. The platform is made from these.
Output: a line FAIL for each case that does not hold, then the counts; exit status 1 if there is one. With --must-fail
        a case passes if it does not hold: this shows that the judges find wrong answers.
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))


def platform_of(case):
    """A platform file with one full-duplex link for each pair NAME_up, NAME_down, and the routes of the flows."""
    hosts = sorted({flow[end] for flow in case["flows"] for end in ("source", "destination")})
    cables = {link["name"].rsplit("_", 1)[0]: link for link in case["links"]}
    lines = ['<platform version="4.1"><zone id="net" routing="Full">']
    lines += ['<host id="%s" speed="1Gf"/>' % host for host in hosts]
    lines += ['<link id="%s" bandwidth="%.17gBps" latency="%.17gs" sharing_policy="SPLITDUPLEX"/>'
              % (name, link["rate"], link["latency"]) for name, link in cables.items()]
    routes = {}
    for flow in case["flows"]:
        routes[flow["source"], flow["destination"]] = flow["path"]
        routes[flow["destination"], flow["source"]] = flow["back"]
    for (source, destination), path in routes.items():
        uses = "".join('<link_ctn id="%s" direction="%s"/>' % (name.rsplit("_", 1)[0], name.rsplit("_", 1)[1].upper())
                       for name in path)
        lines.append('<route src="%s" dst="%s" symmetrical="NO">%s</route>' % (source, destination, uses))
    return "\n".join(lines + ["</zone></platform>", ""])


def ask(options, case):
    keys = dict(case["packet"])
    keys.setdefault("queue", 0)
    if case.get("loss"):
        keys["loss"] = case["loss"]
    keys.update(item.split("=") for item in options.keys.split(",") if item)
    with tempfile.TemporaryDirectory() as folder:
        platform, flows = os.path.join(folder, "net.xml"), os.path.join(folder, "flows.txt")
        with open(platform, "w") as out:
            out.write(platform_of(case))
        with open(flows, "w") as out:
            out.writelines("%.17g %s %s %d\n" % (f["start"], f["source"], f["destination"], f["bytes"])
                           for f in case["flows"])
        run = subprocess.run([options.rehearse, "flows", "--on", platform, flows, "--network", options.network,
                              "--packet", ",".join("%s=%s" % item for item in keys.items()), "--json", "-"],
                             capture_output=True, text=True, timeout=60)
    if run.returncode != 0:
        raise ValueError("exit status %d: %s" % (run.returncode, run.stderr.strip()[:200]))
    answer = json.loads(run.stdout)
    links = {link["name"].lower(): link for link in answer["links"]}
    return {"ends": [flow["end"] if flow["status"] == "done" else None for flow in answer["flows"]], "links": links,
            "drops": sum(link["drops"] for link in links.values())}


def judge_exact(case, answer):
    bad = [(end, want) for end, want in zip(answer["ends"], case["expected"]) if abs(end - want) > 1e-9 * want + 2e-10]
    return "ends %.12g, not %.12g" % bad[0] if bad else None


def judge_last(case, answer):
    ends, wants = sorted(answer["ends"]), sorted(case["expected"])
    if abs(ends[-1] - wants[-1]) > 1e-9 * wants[-1] + 2e-10:
        return "the last ends at %.12g, not %.12g" % (ends[-1], wants[-1])
    if any(abs(end - want) > case["tolerance_seconds"] * 1.001 for end, want in zip(ends, wants)):
        return "ends %s, not %s" % (ends, wants)
    queue = case.get("longest_queue")
    if queue:
        link = answer["links"].get(queue["link"], {"longest_queue_bytes": -1})
        if abs(link["longest_queue_bytes"] - queue["bytes"]) > queue["tolerance_bytes"]:
            return "longest queue of %s: %d, not %d" % (queue["link"], link["longest_queue_bytes"], queue["bytes"])
    return "drops of a lossless network" if "expected_drops" in case and answer["drops"] else None


def judge_drops(case, answer):
    if abs(answer["drops"] - case["expected_drops"]) <= case["tolerance_packets"]:
        return None
    return "drops %d, not %d" % (answer["drops"], case["expected_drops"])


def judge_reference(case, answer):
    bad = [(end, want) for end, want in zip(sorted(answer["ends"]), sorted(case["reference"]["ends"]))
           if abs(end - want) > case["tolerance"] * want + 2e-10]
    return "ends %.9g, not %.9g" % bad[0] if bad else None


def judge_tcp(case, answer):
    want, end = max(case["ns3"]["TcpLinuxReno"]["ends"]), max(answer["ends"])
    return None if abs(end - want) <= case["tolerance"] * want else "ends %.9g, ns-3 %.9g" % (end, want)


def judge_band(case, answer):
    ends = answer["ends"]
    for name, value in (("mean", sum(ends) / len(ends)), ("latest", max(ends))):
        least, greatest = case["band"][name]
        if not least * (1 - 1e-6) <= value <= greatest:
            return "%s end %.6g outside %.6g .. %.6g" % (name, value, least, greatest)
    return None


def judge_loss(case, answer):
    known = [max(other["ends"]) for other in [case["reference"], *case["ns3"].values()]]
    least, greatest, end = min(known) / case["factor"], max(known) * case["factor"], max(answer["ends"])
    return None if least <= end <= greatest else "ends %.6g, outside %.6g .. %.6g" % (end, least, greatest)


JUDGES = {"exact": judge_exact, "last": judge_last, "drops": judge_drops, "reference": judge_reference,
          "tcp": judge_tcp, "band": judge_band, "loss": judge_loss}


def check(options, case):
    """Why the case does not hold, or None."""
    try:
        answer = ask(options, case)
    except (ValueError, KeyError, OSError, subprocess.TimeoutExpired) as error:
        return "%s: %s" % (type(error).__name__, error)
    if len(answer["ends"]) != len(case["flows"]):
        return "%d ends of %d" % (len(answer["ends"]), len(case["flows"]))
    if case["kind"] != "drops" and None in answer["ends"]:
        return "a flow failed"
    return JUDGES[case["kind"]](case, answer)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rehearse", required=True)
    parser.add_argument("--network", default="packet", help="packet or ns3")
    parser.add_argument("--only", default="")
    parser.add_argument("--keys", default="", help="keys that override those of the cases, to see cases fail")
    parser.add_argument("--must-fail", action="store_true", help="a case passes if it does not hold")
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    passed, failed = {}, 0
    with open(os.path.join(HERE, "cases.json")) as file:
        cases = json.load(file)["cases"]
    for case in cases:
        kind = case["kind"]
        if options.only and kind not in options.only.split(","):
            continue
        why = check(options, case)
        if options.must_fail:
            why = None if why else "holds, but must not"
        good, total = passed.get(kind, (0, 0))
        passed[kind] = (good + (why is None), total + 1)
        failed += why is not None
        if why or options.verbose:
            print("%s %s: %s%s" % ("FAIL" if why else "ok", kind, case["name"], ": " + why if why else ""))
    print(", ".join("%s %d/%d" % (kind, *counts) for kind, counts in passed.items()))
    print("%d passed, %d failed" % (sum(good for good, _ in passed.values()), failed))
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
