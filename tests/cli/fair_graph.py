# SPDX-License-Identifier: MIT
"""Graphs of states whose steps have doers: which executions are weakly fair, and some formulas, decided by paths and
strongly connected components."""


class FairGraph:
    """`steps(state)` gives (doer, state) for each step. Without a step, the state repeats."""

    def __init__(self, first):
        self.first = first
        self.edges = {}  # by state
        todo = [first]
        while todo:
            state = todo.pop()
            if state in self.edges:
                continue
            self.edges[state] = list(self.steps(state))
            todo += [target for _, target in self.edges[state]]

    def steps(self, state):
        raise NotImplementedError

    def reachable(self, start, allowed=lambda _: True):
        seen, todo = set(), [state for state in start if allowed(state)]
        while todo:
            state = todo.pop()
            if state in seen:
                continue
            seen.add(state)
            todo += [target for _, target in self.edges[state] if allowed(target)]
        return seen

    def components(self, states):
        """Of these states, with whether a fair execution can stay in it forever by steps."""
        left = set(states)
        while left:
            root = next(iter(left))
            forward = self.reachable([root], lambda s: s in left)
            component = {s for s in forward if root in self.reachable([s], lambda t: t in forward)}
            left -= component
            inner = [(doer, t) for s in component for doer, t in self.edges[s] if t in component]
            doers = {doer for s in component for doer, _ in self.edges[s]}
            fair = all(any(all(each != doer for each, _ in self.edges[s]) for s in component) or
                       any(each == doer for each, _ in inner) for doer in doers)
            yield component, bool(inner) and fair

    def lasting_components(self, states):
        """The sets of states of these in which a fair execution can stay forever, by steps or because it has ended."""
        for component, is_endless in self.components(states):
            if is_endless or any(not self.edges[s] for s in component):
                yield component

    def is_endless(self):
        """Whether a fair execution makes steps forever."""
        return any(is_endless for _, is_endless in self.components(self.reachable([self.first])))

    def may_stay(self, start, allowed):
        """Whether a fair execution from one of these states always stays in allowed states."""
        return any(True for _ in self.lasting_components(self.reachable(start, allowed)))

    def violates(self, kind, p, q):
        all_states = self.reachable([self.first])
        if kind == "G p":
            return any(not p(s) for s in all_states)
        if kind == "F p":
            return self.may_stay([self.first], lambda s: not p(s))
        if kind == "G F p":
            return self.may_stay(all_states, lambda s: not p(s))
        if kind == "F G p":
            return any(any(not p(s) for s in component) for component in self.lasting_components(all_states))
        if kind == "G (p -> F q)":
            return self.may_stay([s for s in all_states if p(s)], lambda s: not q(s))
        if kind == "p U q":
            before = self.reachable([self.first], lambda s: p(s) and not q(s))
            edge = [self.first] if not p(self.first) and not q(self.first) else []
            edge += [t for s in before for _, t in self.edges[s] if not p(t) and not q(t)]
            return bool(edge) or self.may_stay([self.first], lambda s: not q(s))
        raise ValueError(kind)
