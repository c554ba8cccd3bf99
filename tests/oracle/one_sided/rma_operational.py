# SPDX-License-Identifier: MIT
"""One-sided programs by brute force: all interleavings of calls and effects (rma_oracle.py), and a second search for
deadlocks."""
import itertools
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from reachable import reachable  # noqa: E402
from rma_programs import ATOMIC, FETCHING, REMOTE, conflict, reads_register, updated, writes_register  # noqa: E402


def contended_targets(program):
    """The targets for whose lock a rank may wait."""
    def meet(a, b, target):
        return a.rank < b.rank and "x" in (a.mode, b.mode) and {a.target, b.target} <= {None, target}
    locks = [op for ops in program.ranks for op in ops if op.kind in ("lock", "lockall")]
    return {t for t in range(len(program.ranks)) if any(meet(a, b, t) for a in locks for b in locks)}


# ---------------------------------------------------------------- operational
# state: (position and phase of each rank, registers, memory, pending effects, buffers not yet free, locks held)
#   phase 1: the rank has entered a call that waits; pending: ids of operations that were issued and had no effect yet;
#   buffers: (rank, register, "r" or "w", id) until the operation is complete at its origin;
#   held: (id of the lock or lockall, target)
class Operational:
    def __init__(self, program, policy="free", limit=400000):
        self.p, self.policy, self.limit = program, policy, limit
        self.n = len(program.ranks)
        self.by_id = {op.id: op for ops in program.ranks for op in ops}
        self.races, self.local_races, self.outcomes, self.deadlocks = set(), set(), set(), set()
        self.unseen = self.find_unseen()
        self.contended = contended_targets(program)

    def entered(self, state, op):
        """Has its rank come as far as into this call?"""
        pos, phase = state[0][op.rank]
        return pos > op.index or (pos == op.index and phase == 1)

    def passed(self, state, op):
        return state[0][op.rank][0] > op.index

    def is_free(self, state, lock, target):
        """Can this lock or lockall be taken at the target now?"""
        for held, at in state[5]:
            if at == target and held[0] != lock.rank and not lock.mode == self.by_id[held].mode == "s":
                return False
        return True

    def can_take_effect(self, state, op):
        kind, of = op.epoch
        if kind == "fence":
            fences = [f for f in self.p.ranks[op.target] if f.kind == "fence"]
            if len(fences) <= of or not self.entered(state, fences[of]):
                return False
        if kind == "start":
            post = of.posts[op.target]
            if post is None or not self.passed(state, post):
                return False
        if kind == "lock" and (of.id, op.target) not in state[5]:
            return False
        if op.kind in ATOMIC:  # those of one origin on one cell take effect in program order
            for other in state[3]:
                o = self.by_id[other[:2]]
                if o.rank == op.rank and o.index < op.index and o.kind in ATOMIC and (o.target, o.cell) == (op.target,
                                                        op.cell):
                    return False
        return True

    def run(self):
        start = (tuple((0, 0) for _ in range(self.n)), tuple(tuple(0 for _ in regs) for regs in self.p.regs),
                 tuple((0,) * self.p.cells for _ in range(self.n)), frozenset(), frozenset(), frozenset())
        for state, successors in reachable(start, self.needed_successors, self.limit):
            self.look(state)
            if not successors:
                if all(pos == len(ops) for (pos, _), ops in zip(state[0], self.p.ranks)):
                    self.outcomes.add((state[1], state[2]))
                else:
                    self.deadlocks.add(tuple(pos for pos, _ in state[0]))
        return self

    def look(self, state):
        """Races in this state."""
        now = [self.by_id[i[:2]] for i in state[3] if self.can_take_effect(state, self.by_id[i[:2]])]
        accesses = [(op.target, op.cell, op) for op in now]
        for r, (pos, _) in enumerate(state[0]):
            if pos == len(self.p.ranks[r]):
                continue
            op = self.p.ranks[r][pos]
            if op.guard and state[1][r][self.p.regs[r].index(op.guard[0])] != op.guard[1]:
                self.touch(state, op, guard_only=True)
                continue
            if op.kind in ("load", "store"):
                accesses.append((r, op.cell, op))
            if op.kind in ("await", "acquire") and (op.epoch[1].id, op.target) in state[5]:
                accesses.append((op.target, op.cell, op))
            self.touch(state, op)
        for (t, c, a), (u, d, b) in itertools.combinations(accesses, 2):
            if (t, c) == (u, d) and not (a.rank == b.rank and {a.kind, b.kind} <= {"load", "store"}) \
                    and conflict(a.access(), b.access()):
                self.races.add(tuple(sorted((a.id, b.id))))

    def touch(self, state, op, guard_only=False):
        reads = [op.guard[0]] if guard_only else reads_register(op)
        writes = None if guard_only else writes_register(op)
        for rank, reg, mode, by in state[4]:
            if rank == op.rank and (reg == writes or (reg in reads and mode == "w")):
                self.local_races.add((by, op.id))

    def successors(self, state):
        places, regs, mem, pending, buffers, held = state
        if self.policy == "lazy":  # of the others it does not matter when
            for r, ops in enumerate(self.p.ranks):
                for t in range(self.n):
                    lock = self.p.lock_before(r, places[r][0], t)
                    leaving = places[r][1] == 1 and ops[places[r][0]].kind == "unlockall" and not any(
                        i[0] == r and self.by_id[i[:2]].target == t for i in pending)
                    if lock is not None and not leaving and (lock.id, t) not in held and self.is_free(state, lock, t):
                        yield (places, regs, mem, pending, buffers, held | {(lock.id, t)})
        for i in pending:
            op = self.by_id[i[:2]]
            if self.can_take_effect(state, op):
                yield self.effect(state, i)
        for r in range(self.n):
            pos, phase = places[r]
            if pos < len(self.p.ranks[r]):
                yield from self.step(state, r, self.p.ranks[r][pos], phase)

    def effect(self, state, i):
        places, regs, mem, pending, buffers, held = state
        op = self.by_id[i[:2]]
        old = mem[op.target][op.cell]
        new_regs = self.with_reg(regs, op.rank, op.reg, old) if op.kind in FETCHING and op.reg else regs
        new = i[2] if op.kind == "putr" else updated(op, old)
        return places, new_regs, self.with_cell(mem, op.target, op.cell, new), pending - {i}, buffers, held

    # A step is enough alone if it can be taken until it is taken, enables others only, and is no access that others can
    # see: each execution has it at some moment, and is the same with the step at once. Then all that can happen at any
    # moment before, races among it, can also happen behind it.
    def needed_successors(self, state):
        places, pending = state[0], state[3]
        if self.policy == "lazy":
            for r in range(self.n):
                for t in set(range(self.n)) - self.contended:
                    lock = self.p.lock_before(r, places[r][0], t)
                    if lock is not None and (lock.id, t) not in state[5] and places[r][1] == 0:
                        return [state[:5] + (state[5] | {(lock.id, t)},)]
        for i in pending:
            op = self.by_id[i[:2]]
            if op.id in self.unseen and self.can_take_effect(state, op):
                return [self.effect(state, i)]
        for r in range(self.n):
            pos, phase = places[r]
            if pos < len(self.p.ranks[r]) and self.is_enough_alone(state, self.p.ranks[r][pos]):
                steps = list(self.step(state, r, self.p.ranks[r][pos], phase))
                if steps:
                    return steps
        return list(self.successors(state))

    def is_enough_alone(self, state, op):
        if op.kind in ("await", "acquire"):
            return False
        if op.kind in ("lock", "lockall", "unlockall") and self.contended.intersection(
                range(self.n) if op.target is None else (op.target,)):
            return False
        if op.kind in ("load", "store"):
            return op.id in self.unseen
        if op.kind == "unlock" and self.policy == "lazy" and op.target in self.contended:
            # It may also be taken now, and before.
            return any(held[0] == op.rank and at == op.target for held, at in state[5])
        return True

    def find_unseen(self):
        """The operations that commute with all others on their cell."""
        on_cell = {}
        for ops in self.p.ranks:
            for op in ops:
                if op.cell is not None:
                    on_cell.setdefault((op.rank if op.kind in ("load", "store") else op.target, op.cell), []).append(op)
        reads = ("load", "get", "rget")

        def commute(a, b):
            both = {a.kind, b.kind}
            sums = both == {"acc"} and a.operator == b.operator and a.operator in ("sum", "max", "noop")
            return sums or all(o.kind in reads or o.operator == "noop" for o in (a, b))
        return {a.id for ops in on_cell.values() for a in ops if a.kind not in ("await", "acquire")
                and all(b is a or commute(a, b) for b in ops)}

    def with_reg(self, regs, rank, reg, value):
        k = self.p.regs[rank].index(reg)
        row = regs[rank][:k] + (value,) + regs[rank][k + 1:]
        return regs[:rank] + (row,) + regs[rank + 1:]

    @staticmethod
    def with_cell(mem, rank, cell, value):
        row = mem[rank][:cell] + (value,) + mem[rank][cell + 1:]
        return mem[:rank] + (row,) + mem[rank + 1:]

    def step(self, state, r, op, phase):
        places, regs, mem, pending, buffers, held = state
        k = op.kind

        def go(regs=regs, mem=mem, pending=pending, buffers=buffers, held=held):
            return (places[:r] + ((op.index + 1, 0),) + places[r + 1:], regs, mem, pending, buffers, held)

        def enter():
            return (places[:r] + ((op.index, 1),) + places[r + 1:], regs, mem, pending, buffers, held)

        def mine(test):
            return [i for i in pending if i[0] == r and test(self.by_id[i[:2]])]

        def passive(test):  # flush and unlock are about operations of lock epochs only
            return mine(lambda o: o.epoch[0] == "lock" and test(o))

        def free(test):
            return frozenset(b for b in buffers if not (b[0] == r and test(self.by_id[b[3]])))
        if op.guard and regs[r][self.p.regs[r].index(op.guard[0])] != op.guard[1]:
            yield go()
        elif k in ("await", "acquire"):
            wanted = op.value if k == "await" else op.old
            clear = not passive(lambda o: o.target == op.target)  # its flush completes the others, too
            if clear and (op.epoch[1].id, op.target) in held and mem[op.target][op.cell] == wanted:
                yield go(mem=self.with_cell(mem, op.target, op.cell, op.value) if k == "acquire" else mem,
                         buffers=free(lambda o: o.target == op.target))
        elif k in REMOTE:
            new = buffers
            if op.reg:
                new = buffers | {(r, op.reg, "w" if k in FETCHING else "r", op.id)}
            carried = (regs[r][self.p.regs[r].index(op.reg)],) if k == "putr" else ()  # the value of its buffer, now
            yield go(pending=pending | {op.id + carried}, buffers=new)
        elif k == "load":
            yield go(regs=self.with_reg(regs, r, op.reg, mem[r][op.cell]))
        elif k == "store":
            yield go(mem=self.with_cell(mem, r, op.cell, op.value))
        elif k == "set":
            yield go(regs=self.with_reg(regs, r, op.reg, op.value))
        elif k in ("use", "send", "post", "sync"):
            yield go()
        elif k == "recv":
            sent = sum(self.passed(state, o) for o in self.p.ranks[op.target] if o.kind == "send" and o.target == r)
            had = sum(self.passed(state, o) for o in self.p.ranks[r] if o.kind == "recv" and o.target == op.target)
            if sent > had:
                yield go()
        elif k in ("lock", "lockall"):
            targets = range(self.n) if k == "lockall" else (op.target,)
            now = [t for t in targets if self.policy != "lazy" or t == r]  # one's own is held when the call returns
            if all(self.is_free(state, op, t) for t in now):
                yield go(held=held | {(op.id, t) for t in now})
        elif k in ("unlock", "flush"):
            if not passive(lambda o: o.target == op.target):
                left = held if k == "flush" else {h for h in held if not (h[0][0] == r and h[1] == op.target)}
                yield go(buffers=free(lambda o: o.target == op.target), held=frozenset(left))
        elif k == "flushall":
            if not passive(lambda o: True):
                yield go(buffers=free(lambda o: True))
        elif k == "unlockall" and phase == 1:  # gives back each target's lock once all is done there
            for h in held:
                if h[0][0] == r and not passive(lambda o, t=h[1]: o.target == t):
                    yield places, regs, mem, pending, buffers, held - {h}
            if not passive(lambda o: True):
                yield go(buffers=free(lambda o: True), held=frozenset(h for h in held if h[0][0] != r))
        elif k in ("flushlocal", "flushlocalall"):
            here = (lambda o: True) if k == "flushlocalall" else (lambda o: o.target == op.target)
            if not passive(lambda o: here(o) and o.kind in FETCHING):
                yield go(buffers=free(here))
        elif k == "waitreq":
            if not mine(lambda o: o.request == op.request and o.kind in FETCHING):
                yield go(buffers=free(lambda o: o.request == op.request))
        elif k == "start":
            if self.policy != "waiting" or all(p is not None and self.passed(state, p) for p in op.posts.values()):
                yield go()
        elif phase == 0:  # fence, barrier, complete, wait, unlockall: entering them is visible to others
            yield enter()
        elif k == "barrier":
            number = [o for o in self.p.ranks[r] if o.kind == "barrier"].index(op)
            if self.all_entered(state, "barrier", number):
                yield go()
        elif k == "fence":
            if not op.ends and self.policy != "waiting":
                yield go()
            elif self.all_entered(state, "fence", op.ordinal) and \
                    not any(self.by_id[i[:2]].epoch[0] == "fence" and self.by_id[i[:2]].epoch[1] < op.ordinal
                            for i in pending):
                yield go(buffers=free(lambda o: o.epoch and o.epoch[0] == "fence"))
        elif k == "complete":
            of = op.start
            posted = all(p is not None and self.passed(state, p) for p in of.posts.values())
            if not mine(lambda o: o.epoch[1] is of and o.kind in FETCHING) and (posted or self.policy != "waiting"):
                yield go(buffers=free(lambda o: o.epoch and o.epoch[1] is of))
        elif k == "wait":
            done = True
            for s in op.post.starts.values():
                done = done and s is not None and s.complete is not None and self.entered(state,
                                                        s.complete) and not any(
                    self.by_id[i[:2]].epoch[1] is s and self.by_id[i[:2]].target == r for i in pending)
            if done:
                yield go()

    def all_entered(self, state, kind, number):
        for ops in self.p.ranks:
            calls = [o for o in ops if o.kind == kind]
            if len(calls) <= number or not self.entered(state, calls[number]):
                return False
        return True


def explore(program, policy="free", limit=400000):
    return Operational(program, policy, limit).run()


# ---------------------------------------------------------------- deadlocks, a second time
def greedy_deadlock(program, policy):
    """Can it stop for good? Runs all that can run; only who gets a lock next is a choice. No await, acquire."""
    ranks, n = program.ranks, len(program.ranks)
    seen, found = set(), False

    def can_pass(pos, r):
        op = ranks[r][pos[r]]
        k = op.kind

        def there(o):  # that rank stands at this call or behind it; a call that waits is entered at once
            return o is not None and pos[o.rank] >= o.index

        def over(o):
            return o is not None and pos[o.rank] > o.index
        if k == "barrier":
            number = sum(o.kind == k for o in ranks[r][:op.index])
            return all(len(c) > number and there(c[number]) for c in ([o for o in ops if o.kind == k] for ops in ranks))
        if k == "fence":
            if policy == "free" and not op.ends:
                return True
            return all(len(c) > op.ordinal and there(c[op.ordinal]) for c in ([o for o in ops if o.kind == k]
                                                    for ops in ranks))
        if k == "recv":
            had = sum(o.kind == k and o.target == op.target for o in ranks[r][:op.index])
            return sum(o.kind == "send" and o.target == r for o in ranks[op.target][:pos[op.target]]) > had
        if k == "start":
            return policy == "free" or all(over(p) for p in op.posts.values())
        if k == "complete":
            needed = op.start.posts if policy == "waiting" else {
                t: p for t, p in op.start.posts.items()
                if any(o.target == t and o.kind in FETCHING for o in ranks[r][op.start.index:op.index])}
            return all(over(p) for p in needed.values())
        if k == "wait":
            return all(s is not None and s.complete is not None and there(s.complete) for s in op.post.starts.values())
        return True

    def held(pos, t, r):
        sections = [program.lock_before(q, pos[q], t) for q in range(n) if q != r]
        return ["s" if s.kind == "lockall" else s.mode for s in sections if s is not None]

    def settle(pos):
        moved = True
        while moved:
            moved = False
            for r in range(n):
                while pos[r] < len(ranks[r]) and ranks[r][pos[r]].kind not in ("lock", "lockall") and can_pass(pos, r):
                    pos[r] += 1
                    moved = True
        return pos

    def visit(pos):
        nonlocal found
        key = tuple(pos)
        if key in seen:
            return
        seen.add(key)
        moves = 0
        for r in range(n):  # one step at a time, so that every order of acquisitions is reached
            if pos[r] == len(ranks[r]):
                continue
            op = ranks[r][pos[r]]
            if op.kind == "lock":
                fine = all(m == "s" and op.mode == "s" for m in held(pos, op.target, r))
            elif op.kind == "lockall":
                fine = all(m == "s" for t in range(n) for m in held(pos, t, r))
            else:
                fine = can_pass(pos, r)
            if fine:
                moves += 1
                visit(pos[:r] + [pos[r] + 1] + pos[r + 1:])
        if not moves and any(pos[r] < len(ranks[r]) for r in range(n)):
            found = True

    if any(op.kind in ("lock", "lockall") for ops in ranks for op in ops):
        visit([0] * n)
    else:
        pos = settle([0] * n)
        found = any(pos[r] < len(ranks[r]) for r in range(n))
    return found
