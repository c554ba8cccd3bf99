# SPDX-License-Identifier: MIT
"""A restatement of the flow models raw, CM02, LV08 and SMPI in a page, and random cases for them.

Slow and plain, to compare with: every rate is computed again at every event. Flows share links by weighted max-min
fairness with bounds; there are no fatpipe links and no routes without latency, where simulators differ on purpose.
Without a weight of bytes, all flows weigh the same here.

Source: Velho, Schnorr, Casanova, Legrand, On the validity of flow-level TCP network models for grid and cloud
simulations, TOMACS 2013, and the documentation of SimGrid.
"""
import dataclasses
import math
import random

SMPI_BANDWIDTH = [(0, 0.812084), (257, 0.338112), (732, 0.341987), (1426, 0.608902), (3484, 0.77493), (5776, 1.08739),
                  (9376, 0.58729), (15424, 0.697866), (65472, 0.940694)]
SMPI_LATENCY = [(0, 2.01467), (257, 1.95341), (732, 1.9503), (1426, 1.61075), (3484, 1.88101), (5776, 2.18796),
                (9376, 2.59299), (15424, 3.48845), (65472, 11.6436)]
CROSS_TRAFFIC = 0.05


@dataclasses.dataclass
class Link:
    bandwidth: float
    latency: float


@dataclasses.dataclass
class Flow:
    source: str
    destination: str
    start: float
    size: int
    rate: float | None


@dataclasses.dataclass
class Case:
    links: dict
    routes: dict  # by (source, destination): names of links
    flows: list


@dataclasses.dataclass(frozen=True)
class Model:
    weight_bytes: float
    window_bytes: float
    latency_pieces: list
    bandwidth_pieces: list


MODELS = {"raw": Model(0, 0, [(-1, 1)], [(-1, 1)]),
          "cm02": Model(0, 4194304, [(-1, 1)], [(-1, 1)]),
          "lv08": Model(20537, 4194304, [(-1, 13.01)], [(-1, 0.97)]),
          "smpi": Model(8775, 4194304, SMPI_LATENCY, SMPI_BANDWIDTH)}


def factor(pieces, size):
    """That of the greatest bound strictly below the size."""
    return next((value for bound, value in reversed(pieces) if bound < size), 1.0)


class Active:
    """A flow while it lasts."""

    def __init__(self, flow, case, model, cross_traffic, latency_weights):
        route = case.routes[flow.source, flow.destination]
        latency = sum(case.links[name].latency for name in route)
        self.payload = factor(model.bandwidth_pieces, flow.size)
        self.ready = flow.start + latency * factor(model.latency_pieces, flow.size)
        self.weight = latency + sum(model.weight_bytes / case.links[name].bandwidth for name in route)
        if model.weight_bytes == 0 and not latency_weights:
            self.weight = 1
        self.bound = math.inf if flow.rate is None else flow.rate / self.payload
        if model.window_bytes > 0:
            self.bound = min(self.bound, model.window_bytes / (2 * latency))
        self.use = dict.fromkeys(route, 1.0)
        if cross_traffic:
            for name in case.routes[flow.destination, flow.source]:
                self.use[name] = self.use.get(name, 0) + CROSS_TRAFFIC
        self.size = self.left = flow.size


def share(flows, links):
    """Rates by progressive filling: all grow, inversely to their weights, until a link or bound stops them."""
    rates = {}
    room = {name: link.bandwidth for name, link in links.items()}
    growing = list(range(len(flows)))
    while growing:
        level, stopped = math.inf, None
        for name, left in room.items():
            load = sum(flows[i].use.get(name, 0) / flows[i].weight for i in growing)
            if load > 0 and left / load < level:
                level, stopped = left / load, [i for i in growing if name in flows[i].use]
        for i in growing:
            if flows[i].bound * flows[i].weight < level:
                level, stopped = flows[i].bound * flows[i].weight, [i]
        for i in stopped:
            rates[i] = level / flows[i].weight
            growing.remove(i)
            for name, coefficient in flows[i].use.items():
                room[name] = max(0.0, room[name] - coefficient * rates[i])
    return rates


def ends(case, model, cross_traffic, latency_weights=False):
    """The end of each flow. With latency_weights, flows weigh their latency where a model has no weight of bytes."""
    todo = [Active(flow, case, MODELS[model], cross_traffic, latency_weights) for flow in case.flows]
    result, now = {}, 0.0
    while len(result) < len(todo):
        active = [i for i, flow in enumerate(todo) if i not in result and flow.ready <= now + 1e-12]
        rates = share([todo[i] for i in active], case.links)
        speed = {i: rates[place] * todo[i].payload for place, i in enumerate(active)}
        dates = [now + todo[i].left / speed[i] for i in active]
        dates += [flow.ready for i, flow in enumerate(todo) if i not in result and i not in speed]
        then = min(dates)
        for i in active:
            todo[i].left -= speed[i] * (then - now)
            # The remaining work is zero, or takes less time than a number of this size can express.
            if todo[i].left <= 1e-9 * max(1, todo[i].size) or then + todo[i].left / speed[i] == then:
                result[i] = then
        now = then
    return [result[i] for i in range(len(todo))]


def random_case(seed):
    chance = random.Random(seed)
    hosts = [f"h{i}" for i in range(chance.randint(3, 6))]
    links = {f"l{i}": Link(chance.choice([1e5, 1e6, 1.25e7, 1.25e8]) * chance.uniform(0.5, 2),
                           chance.choice([1e-6, 1e-5, 1e-4, 1e-3, 2e-2]) * chance.uniform(0.5, 2))
             for i in range(chance.randint(3, 8))}
    routes = {(a, b): chance.sample(sorted(links), chance.randint(1, min(4, len(links))))
              for a in hosts for b in hosts if a != b}
    flows = []
    for _ in range(chance.randint(2, 14)):
        source, destination = chance.sample(hosts, 2)
        flows.append(Flow(source, destination, chance.choice([0, 0, chance.uniform(0, 2)]),
                          int(10 ** chance.uniform(1, 7.3)),
                          10 ** chance.uniform(4, 6) if chance.random() < 0.2 else None))
    return Case(links, routes, flows)


def platform_of(case):
    hosts = sorted({host for pair in case.routes for host in pair})
    lines = ['<platform version="4.1"><zone id="z" routing="Full">']
    lines += [f'<host id="{host}" speed="1Gf"/>' for host in hosts]
    lines += [f'<link id="{name}" bandwidth="{link.bandwidth!r}Bps" latency="{link.latency!r}s"/>'
              for name, link in case.links.items()]
    lines += [f'<route src="{a}" dst="{b}" symmetrical="NO">' + "".join(f'<link_ctn id="{name}"/>' for name in route) +
              "</route>" for (a, b), route in case.routes.items()]
    return "\n".join(lines + ["</zone></platform>", ""])


def flows_of(case):
    return "".join(f"{flow.start!r} {flow.source} {flow.destination} {flow.size}" +
                   ("" if flow.rate is None else f" {flow.rate!r}") + "\n" for flow in case.flows)
