# SPDX-License-Identifier: MIT
"""Small strict readers of the formats that --timeline and --sequence write. Each raises ValueError where a viewer would
stumble, and returns what the tests ask about."""
import json
import re
import shlex


def read_trace_events(text):
    """The events of a Chrome trace, by phase; flows are closed, and begin and end inside a call of their thread."""
    trace = json.loads(text)
    by_phase = {}
    for event in trace["traceEvents"]:
        if not isinstance(event.get("pid"), int) or not isinstance(event.get("tid"), int) or event["ts"] < 0:
            raise ValueError(f"no place or date: {event}")
        if not isinstance(event["name"], str) or event["ph"] not in "XMsfiC":
            raise ValueError(f"unknown event: {event}")
        by_phase.setdefault(event["ph"], []).append(event)
    flows = {}
    for phase in "sf":
        for event in by_phase.get(phase, []):
            if (phase, event["id"]) in flows:
                raise ValueError(f"two ends of one flow: {event}")
            flows[phase, event["id"]] = event
            if not any(call["tid"] == event["tid"] and -1e-6 <= event["ts"] - call["ts"] <= call["dur"] + 1e-6
                       for call in by_phase["X"]):
                raise ValueError(f"a flow outside of calls: {event}")
    for phase, number in list(flows):
        if ("f" if phase == "s" else "s", number) not in flows:
            raise ValueError(f"a flow with one end: {number}")
    return by_phase


def read_paje(text):
    """The events of a Paje trace as dictionaries, checked against its header: fields, containers, order, nesting."""
    definitions, events, containers, depth, keys, last = {}, [], {"0"}, {}, set(), 0.0
    name = None
    for line in text.splitlines():
        if line.startswith("%"):
            words = line[1:].split()
            if words[0] == "EventDef":
                name, number, fields = words[1], words[2], []
                definitions[number] = (name, fields)
            elif words[0] != "EndEventDef":
                fields.append((words[0], words[1]))
            continue
        words = shlex.split(line)
        name, fields = definitions[words[0]]
        if len(words) != len(fields) + 1:
            raise ValueError(f"{name} has {len(fields)} fields: {line}")
        event = {"event": name}
        for (field, kind), word in zip(fields, words[1:]):
            event[field] = float(word) if kind in ("date", "double") else word
        events.append(event)
        if "Time" not in event:
            continue
        if event["Time"] < last:
            raise ValueError(f"back in time: {line}")
        last = event["Time"]
        if name == "PajeCreateContainer":
            containers.add(event["Alias"])
        for field in ("Container", "StartContainer", "EndContainer"):
            if field in event and event[field] not in containers:
                raise ValueError(f"no container {event[field]}: {line}")
        container = event.get("Container")
        if name == "PajePushState":
            depth[container] = depth.get(container, 0) + 1
        if name == "PajePopState":
            depth[container] -= 1
        if depth.get(container, 0) not in (0, 1):
            raise ValueError(f"states that are not one after the other: {line}")
        if name == "PajeStartLink":
            keys.add(event["Key"])
        if name == "PajeEndLink":
            keys.remove(event["Key"])
    if keys or any(depth.values()):
        raise ValueError("links or states that never end")
    return events


def read_dot(text):
    """(nodes with their labels, edges with their attributes) of a chart."""
    if not re.fullmatch(r'digraph "(\\.|[^"\\])*" \{\n.*\}\n', text, re.DOTALL):
        raise ValueError("not a digraph")
    nodes, edges, level = {}, [], 0
    for line in text.splitlines()[1:-1]:
        line = line.strip()
        if line in ("}",) or re.fullmatch(r"subgraph \w+ \{", line):
            level += 1 if line.endswith("{") else -1
            continue
        found = re.fullmatch(r'([\w >-]+?) \[((?:\w+=(?:"(?:\\.|[^"\\])*"|[\w.]+)(?:, )?)*)\];', line)
        if not found:
            raise ValueError(f"neither node nor edge: {line}")
        attributes = dict(re.findall(r'(\w+)=("(?:\\.|[^"\\])*"|[\w.]+)', found[2]))
        ends = found[1].split(" -> ")
        if len(ends) > 1:
            edges += [(one, other, attributes) for one, other in zip(ends, ends[1:])]
        elif ends[0] not in ("node", "edge"):
            nodes[ends[0]] = attributes.get("label", "").strip('"')
    if level != 0:
        raise ValueError("braces that do not close")
    for one, other, _ in edges:
        if one not in nodes or other not in nodes:
            raise ValueError(f"an edge between unknown nodes: {one} -> {other}")
    return nodes, edges


def read_mermaid(text):
    """(participants, lines that are messages, lines that are notes) of a sequence diagram."""
    lines = text.splitlines()
    if lines[0] != "sequenceDiagram":
        raise ValueError("not a sequence diagram")
    participants, messages, notes = [], [], []
    for line in lines[1:]:
        if participant := re.fullmatch(r"  participant (\w+) as (.+)", line):
            participants.append(participant[1])
        elif message := re.fullmatch(r"  (\w+)(->>|-x)(\w+): ([^;]|#\d+;)+", line):
            messages.append((message[1], message[2], message[3], line))
        elif note := re.fullmatch(r"  Note over (\w+)(,\w+)?: ([^;]|#\d+;)+", line):
            notes.append((note[1], line))
        elif not line.startswith("  %% "):
            raise ValueError(f"not understood: {line}")
    for one, _, other, _ in messages:
        if one not in participants or other not in participants:
            raise ValueError(f"no participants: {one}, {other}")
    return participants, messages, notes
