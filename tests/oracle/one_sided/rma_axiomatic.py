# SPDX-License-Identifier: MIT
"""One-sided programs by axioms: all orders of lock sections and of atomic operations on a cell, each with its graph of
happens-before (rma_oracle.py)."""
import itertools
import math

from rma_programs import ATOMIC, FETCHING, REMOTE, conflict, reads_register, updated, writes_register


def interleavings(ops):
    """The orders of operations in which those of one rank keep their order."""
    if not ops:
        yield ()
    for first in ops:
        if all(op.rank != first.rank or op.index >= first.index for op in ops):
            for rest in interleavings([op for op in ops if op is not first]):
                yield (first,) + rest


# ---------------------------------------------------------------- axiomatic
class Axiomatic:
    def __init__(self, program, model="unified", limit=30000):
        self.p, self.model, self.limit = program, model, limit
        self.n = len(program.ranks)
        self.by_id = {op.id: op for ops in program.ranks for op in ops}
        self.races, self.local_races, self.outcomes, self.executions = set(), set(), set(), set()
        self.orders = set()  # executions, with the order of all reading and replacing atomics on each cell
        self.tried = 0

    def run(self):
        guards = [op for ops in self.p.ranks for op in ops if op.guard]
        for taken in itertools.product((True, False), repeat=len(guards)):
            skipped = {op.id for op, yes in zip(guards, taken) if not yes}
            live = [[op for op in ops if op.id not in skipped] for ops in self.p.ranks]
            per_target, (keys, per_cell) = self.lock_orders(live), self.atomic_orders(live)
            self.tried += math.prod(len(choices) for choices in per_target + per_cell)
            if self.tried > self.limit:
                raise MemoryError("too many candidates")
            for sections in itertools.product(*per_target):
                for orders in itertools.product(*per_cell):
                    self.candidate(live, skipped, frozenset().union(*sections), dict(zip(keys, orders)))
        return self

    def sections(self, live, target):
        return [op for ops in live for op in ops
                if op.kind == "lockall" or (op.kind == "lock" and op.target == target)]

    def lock_orders(self, live):
        """For each target the choices: sets of (earlier, later, target), the pairs of conflicting sections."""
        per_target = []
        for t in range(self.n):
            choices = set()
            for order in interleavings(self.sections(live, t)):
                choices.add(frozenset((a.id, b.id, t) for a, b in itertools.combinations(order, 2)
                                      if a.rank != b.rank and "x" in (a.mode, b.mode)))
            per_target.append(sorted(choices, key=sorted))
        return per_target

    def atomic_orders(self, live):
        """The cells, and for each of them the orders of its atomics."""
        cells = {}
        for ops in live:
            for op in ops:
                if op.kind in ATOMIC:
                    cells.setdefault((op.target, op.cell), []).append(op)
        keys = sorted(cells)
        choices = []
        for key in keys:
            choices.append(list(interleavings(cells[key])))
        return keys, choices

    def edges(self, live, sections):
        """Happens-before without values. A node is (id, part): i(n), o(ut), e(ffect), l(ocal effect)."""
        out = []
        arrivals = {}
        for ops in live:
            before = None
            for op in ops:
                if before is not None:
                    out.append(((before.id, "o"), (op.id, "i")))
                out.append(((op.id, "i"), (op.id, "o")))
                before = op
                if op.kind in REMOTE:
                    out += [((op.id, "i"), (op.id, "e")), ((op.id, "i"), (op.id, "l"))]
                    if op.kind in FETCHING:
                        out.append(((op.id, "e"), (op.id, "l")))
                    out += self.completion(live, op)
                if op.kind in ("await", "acquire"):
                    out.append(((op.id, "l"), (op.id, "o")))
                if op.kind in ("barrier", "send", "recv"):
                    number = sum(o.kind == op.kind and o.target == op.target for o in ops[:ops.index(op)])
                    arrivals.setdefault((op.kind, op.rank, op.target), []).append(op)
                    op.number = number
        for ops in live:
            for op in ops:
                if op.kind == "barrier":
                    for other in (o for x in live for o in x if o.kind == "barrier" and o.number == op.number):
                        out.append(((op.id, "i"), (other.id, "o")))
                if op.kind == "recv":
                    sends = arrivals.get(("send", op.target, op.rank), [])
                    if op.number < len(sends):
                        out.append(((sends[op.number].id, "o"), (op.id, "o")))
                if op.kind == "fence" and op.ends:
                    for other in (o for x in live for o in x if o.kind == "fence" and o.ordinal == op.ordinal):
                        out.append(((op.id, "i"), (other.id, "o")))
                if op.kind == "wait":
                    for s in op.post.starts.values():
                        out.append(((s.complete.id, "i"), (op.id, "o")))
        for a, b, t in sections:
            first, second = self.by_id[a], self.by_id[b]
            end = next(o for o in live[first.rank] if o.index > first.index
                       and (o.kind == "unlockall" or (o.kind == "unlock" and o.target == t)))
            out.append(((end.id, "i"), (second.id, "o")))
            for o in live[first.rank]:
                if o.kind in REMOTE and o.target == t and first.index < o.index < end.index:
                    out.append(((o.id, "e"), (second.id, "o")))
        return out

    def completion(self, live, op):
        """Where the operation is complete, here and there; from when on it can take effect."""
        kind, of = op.epoch
        here, there = None, None
        out = []
        for o in live[op.rank]:
            if o.index <= op.index:
                continue
            k = o.kind
            same = o.target == op.target
            if kind == "fence":
                if k == "fence" and here is None:
                    here = o
                    for other in (x for ops in live for x in ops if x.kind == "fence" and x.ordinal == o.ordinal):
                        out.append(((op.id, "e"), (other.id, "o")))
            elif kind == "start":
                if k == "complete" and here is None:
                    here = o
            else:
                full = k in ("unlockall", "flushall") or (k in ("unlock", "flush", "await", "acquire") and same)
                if full or k == "flushlocalall" or (k == "flushlocal" and same) or \
                        (k == "waitreq" and op.request is not None and o.request == op.request):
                    here = here or o
                if full:
                    there = there or o
                    # what is complete there is so for good, and a later lock of the origin's cannot undo it
        if kind == "fence":
            fences = [f for f in live[op.target] if f.kind == "fence"]
            out.append(((fences[of].id, "i"), (op.id, "e")))
        if kind == "start":
            post = of.posts[op.target]
            out.append(((post.id, "i"), (op.id, "e")))
            wait = next(o for o in live[op.target] if o.kind == "wait" and o.post is post)
            out.append(((op.id, "e"), (wait.id, "o")))
        if here is not None:
            out.append(((op.id, "l"), (here.id, "o")))
        if there is not None:
            out.append(((op.id, "e"), (there.id, "o")))
        return out

    def candidate(self, live, skipped, sections, atomics):
        edges = self.edges(live, sections)
        full = list(edges)
        for order in atomics.values():
            for k, op in enumerate(order):
                for earlier in order[:k]:
                    full.append(((earlier.id, "e"), (op.id, "e")))
                    if earlier.rank == op.rank:
                        edges.append(((earlier.id, "e"), (op.id, "e")))
        topological = self.sort(full)
        if topological is None:
            return
        # which atomics update what they find? those that fail their comparison do not; needs values, so in this order
        values, regs, mem, seen = self.evaluate(live, topological, atomics)
        for op_id, sources in seen.items():
            # Its origin knows; the effects themselves stay unordered.
            edges += [((s, "e"), (op_id, "l")) for s in sources]
        after = self.closure(edges)
        races, local = self.find_races(live, after)
        if not self.consistent(skipped, values, races, after):
            return
        self.races |= races
        self.local_races |= local
        if not races and not local:
            outcome = (tuple(tuple(regs[r].get(x, 0) for x in self.p.regs[r]) for r in range(self.n)),
                       tuple(tuple(mem[r]) for r in range(self.n)))
            self.outcomes.add(outcome)
            execution = (sections, frozenset((k, frozenset(v)) for k, v in seen.items()), outcome)
            self.executions.add(execution)
            requests = {cell: tuple(op.id for op in order if op.kind != "acc" or op.operator == "replace")
                        for cell, order in atomics.items()}
            self.orders.add(execution + (frozenset(requests.items()),))

    @staticmethod
    def sort(edges):
        following, waiting = {}, {}
        for a, b in set(edges):
            following.setdefault(a, []).append(b)
            waiting[b] = waiting.get(b, 0) + 1
            waiting.setdefault(a, 0)
        ready = sorted((x for x in waiting if waiting[x] == 0), reverse=True)
        order = []
        while ready:
            x = ready.pop()
            order.append(x)
            for y in following.get(x, []):
                waiting[y] -= 1
                if waiting[y] == 0:
                    ready.append(y)
        return order if len(order) == len(waiting) else None

    @staticmethod
    def closure(edges):
        """node -> bit set of the nodes after it"""
        order = Axiomatic.sort(edges)
        number = {x: k for k, x in enumerate(order)}
        following = {}
        for a, b in edges:
            following.setdefault(a, []).append(b)
        after = {}
        for x in reversed(order):
            bits = 0
            for y in following.get(x, []):
                bits |= after[y] | 1 << number[y]
            after[x] = bits
        return lambda a, b: bool(after[a] >> number[b] & 1)

    def evaluate(self, live, topological, atomics):
        ops = self.by_id
        alive = {op.id for x in live for op in x}
        mem = [[0] * self.p.cells for _ in range(self.n)]
        regs = [dict.fromkeys(r, 0) for r in self.p.regs]
        values, history, seen = {}, {}, {}
        for node in topological:
            op_id, part = node
            op = ops[op_id]
            if op_id not in alive:
                continue
            if part == "i" and op.guard:
                values[(op_id, "guard")] = regs[op.rank][op.guard[0]]
            if part == "i" and op.kind == "set":
                regs[op.rank][op.reg] = op.value
            if part == "i" and op.kind == "load":
                regs[op.rank][op.reg] = mem[op.rank][op.cell]
            if part == "i" and op.kind == "store":
                mem[op.rank][op.cell] = op.value
            if part == "i" and op.kind == "putr":
                values[(op_id, "put")] = regs[op.rank][op.reg]
            if part == "o":  # guards of skipped operations that follow directly
                k = op.index + 1
                while k < len(self.p.ranks[op.rank]) and self.p.ranks[op.rank][k].id not in alive:
                    g = self.p.ranks[op.rank][k]
                    values[(g.id, "guard")] = regs[g.rank][g.guard[0]]
                    k += 1
            if part == "e":
                cell = (op.target, op.cell)
                old = mem[op.target][op.cell]
                values[op_id] = old
                new = values[(op_id, "put")] if op.kind == "putr" else updated(op, old)
                mem[op.target][op.cell] = new
                if op.kind in ("fop", "cas", "await", "acquire"):
                    seen[op_id] = tuple(history.get(cell, ()))
                if op.kind in ATOMIC:
                    replaces = op.kind == "acc" and op.operator == "replace"
                    changes = op.kind in ("cas", "acquire") and old == op.old or \
                        op.kind in ("acc", "fop") and op.operator != "noop"
                    if changes:
                        history[cell] = ((),  history.get(cell, ()))[not replaces] + (op_id,)
                if op.kind in FETCHING and op.reg:
                    regs[op.rank][op.reg] = old
        for r, ops_of in enumerate(self.p.ranks):  # guards of skipped operations at the very beginning
            for g in ops_of:
                if g.id in alive:
                    break
                values[(g.id, "guard")] = 0
        return values, regs, mem, seen

    def accesses(self, live):
        for ops in live:
            for op in ops:
                if op.kind in REMOTE:
                    yield op.target, op.cell, op, (op.id, "e")
                    if op.kind in ("await", "acquire"):
                        yield op.target, op.cell, op, (op.id, "i")  # its polls that fail
                elif op.kind in ("load", "store"):
                    yield op.rank, op.cell, op, (op.id, "i")

    def find_races(self, live, after):
        races, local = set(), set()
        for (t, c, a, x), (u, d, b, y) in itertools.combinations(list(self.accesses(live)), 2):
            if t != u or a is b or not (self.whole_window(a, b) if c != d else conflict(a.access(), b.access())):
                continue
            if a.rank == b.rank and {a.kind, b.kind} <= {"load", "store"}:
                continue
            if not self.ordered(after, a, x, b, y):
                races.add(tuple(sorted((a.id, b.id))))
        for ops in live:
            for a in ops:
                if a.kind not in REMOTE or not a.reg:
                    continue
                for b in ops:
                    if b.index > a.index and not after((a.id, "l"), (b.id, "i")) and \
                            (writes_register(b) == a.reg or (a.kind in FETCHING and a.reg in reads_register(b))):
                        local.add((a.id, b.id))
        for g in (op for ops in self.p.ranks for op in ops if op.guard):  # a guard that is not taken is read, too
            alive = [op for op in live[g.rank]]
            if g in alive:
                continue
            before = [op for op in alive if op.index < g.index]
            for a in before:
                if a.kind in FETCHING and a.reg == g.guard[0] and not (
                        before[-1] is not a and after((a.id, "l"), (before[-1].id, "o"))):
                    local.add((a.id, g.id))
        return races, local

    def whole_window(self, a, b):
        """Separate model: a store and a remote update conflict wherever in the window they are."""
        return self.model == "separate" and ((a.kind == "store" and b.kind in REMOTE and b.access() not in ("get",
                                                "noop")) or
                                             (b.kind == "store" and a.kind in REMOTE and a.access() not in ("get",
                                                                                     "noop")))

    def ordered(self, after, a, x, b, y):
        if self.model == "unified":
            return after(x, y) or after(y, x)
        return self.visible(after, a, x, b, y) or self.visible(after, b, y, a, x)

    def visible(self, after, a, x, b, y):
        """Separate model: a before b, and in between the owner's call that carries what a wrote to where b looks."""
        if not after(x, y):
            return False
        a_local, b_local = a.kind in ("load", "store"), b.kind in ("load", "store")
        if a_local == b_local or a.kind == "load" or a.access() in ("get", "noop"):
            return True
        owner = a.rank if a_local else b.rank
        calls = ("post", "fence", "unlock", "unlockall", "sync") if a_local else ("wait", "fence", "lock", "lockall",
                                                "sync")
        for o in self.p.ranks[owner]:
            if o.kind in calls and (o.kind not in ("lock", "unlock") or o.target == owner):
                if after(x, (o.id, "o")) and (after((o.id, "o"), y) or (a_local and after((o.id, "i"), y))):
                    return True
        return False

    def consistent(self, skipped, values, races, after):
        """Awaits succeed and guards are as assumed, unless what they read was spoilt by a race."""
        for ops in self.p.ranks:
            for op in ops:
                if op.kind in ("await", "acquire") and not self.spoilt(op, races, after):
                    if values.get(op.id) != (op.value if op.kind == "await" else 0):
                        return False
                if op.guard:
                    source = self.source(op, skipped)
                    if source is not None and source.kind != "set" and self.spoilt(source, races, after):
                        continue
                    if (values.get((op.id, "guard"), 0) == op.guard[1]) != (op.id not in skipped):
                        return False
        return True

    def spoilt(self, op, races, after):
        """Is there a race on the cell that it reads, before it or with it?"""
        part = "i" if op.kind == "load" else "e"
        for pair in races:
            a, b = (self.by_id[i] for i in pair)
            if self.cell_of(a) == self.cell_of(op) and not any(
                    x is not op and after((op.id, part), (x.id, "e" if x.kind in REMOTE else "i")) for x in (a, b)):
                return True
        return False

    def source(self, op, skipped):
        """The operation whose register a guard reads."""
        found = None
        for o in self.p.ranks[op.rank][:op.index]:
            if writes_register(o) == op.guard[0] and o.id not in skipped:
                found = o
        return found

    @staticmethod
    def cell_of(op):
        return (op.rank if op.kind in ("load", "store") else op.target, op.cell)
