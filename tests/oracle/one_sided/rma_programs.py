# SPDX-License-Identifier: MIT
"""One-sided programs in the language of rma_oracle.py: their text, the rules about single calls, random programs, and
their translation to C."""
import random

ATOMIC = ("acc", "fop", "cas", "await", "acquire")
REMOTE = ("put", "putr", "get", "rput", "rget") + ATOMIC
FETCHING = ("get", "rget", "fop", "cas", "await", "acquire")
OPERATORS = ("sum", "max", "replace", "noop")
ARITY = {"put": 3, "putr": 3, "get": 3, "acc": 4, "fop": 5, "cas": 5, "rput": 4, "rget": 4, "waitreq": 1, "await": 3,
         "acquire": 2, "load": 2, "store": 2, "use": 1, "set": 2, "post": 1, "start": 1, "complete": 0, "wait": 0,
         "lock": 2, "unlock": 1, "lockall": 0, "unlockall": 0, "flush": 1, "flushall": 0, "flushlocal": 1,
         "flushlocalall": 0, "sync": 0, "barrier": 0, "send": 1, "recv": 1}


# ---------------------------------------------------------------- program text
class Op:
    """One operation: its kind, and what applies of target, cell, operator, value, old, reg, request, group, mode."""

    def __init__(self, kind, **fields):
        self.kind, self.guard = kind, None
        self.target = self.cell = self.operator = self.value = self.old = self.reg = self.request = self.mode = None
        self.group, self.flags = (), ()
        self.__dict__.update(fields)

    def access(self):
        """What the conflict table calls it: load, store, get, put, or the operator of an atomic."""
        k = self.kind
        if k in ("load", "store"):
            return k
        if k in ("put", "putr", "rput"):
            return "put"
        if k in ("get", "rget"):
            return "get"
        if k in ("acc", "fop"):
            return self.operator
        return "noop" if k == "await" else "cas"

    def text(self):
        k, a = self.kind, [self.kind]
        if k in REMOTE:
            a += [self.target, self.cell]
        if k in ("acc", "fop"):
            a.append(self.operator)
        if k == "load":
            a += [self.cell, self.reg]
        elif k == "store":
            a += [self.cell, self.value]
        elif k in ("use", "set"):
            a += [self.reg] + ([self.value] if k == "set" else [])
        elif k == "cas":
            a += [self.old, self.value, self.reg]
        elif k in ("put", "rput", "acc", "fop", "await"):
            a.append(self.value)
        if k in ("putr", "get", "rget", "fop"):
            a.append(self.reg)
        if k in ("rput", "rget", "waitreq"):
            a.append(self.request)
        if k in ("post", "start"):
            a.append(",".join(map(str, self.group)))
        if k in ("lock", "unlock", "flush", "flushlocal", "send", "recv"):
            a.append(self.target)
        if k == "lock":
            a.append(self.mode)
        a += list(self.flags)
        body = " ".join(map(str, a))
        return f"when {self.guard[0]} {self.guard[1]} {body}" if self.guard else body


def parse_op(words):
    kind, a = words[0], words[1:]
    if kind == "when":
        op = parse_op(words[3:])
        if op.kind not in REMOTE[:-2] + ("load", "store") or op.request:
            raise SystemExit(f"rma_oracle: '{op.kind}' cannot be conditional")
        op.guard = (a[0], int(a[1]))
        return op
    if kind == "fence":
        return Op("fence", flags=tuple(a))
    if kind not in ARITY or len(a) != ARITY[kind]:
        raise SystemExit(f"rma_oracle: cannot read '{' '.join(words)}'")
    op = Op(kind)
    if kind == "lockall":
        op.mode = "s"
    if kind in REMOTE:
        op.target, op.cell = int(a[0]), int(a[1])
        a = a[2:]
    if kind in ("acc", "fop"):
        op.operator, a = a[0], a[1:]
        if op.operator not in OPERATORS:
            raise SystemExit(f"rma_oracle: unknown operator '{op.operator}'")
    if kind == "load":
        op.cell, op.reg = int(a[0]), a[1]
    elif kind == "store":
        op.cell, op.value = int(a[0]), int(a[1])
    elif kind == "use":
        op.reg = a[0]
    elif kind == "set":
        op.reg, op.value = a[0], int(a[1])
    elif kind == "cas":
        op.old, op.value, op.reg = int(a[0]), int(a[1]), a[2]
    elif kind == "acquire":
        op.old, op.value = 0, 1
    elif kind in ("put", "rput", "acc", "fop", "await"):
        op.value = int(a[0])
        op.reg = a[1] if kind == "fop" else None
        op.request = a[1] if kind == "rput" else None
    elif kind in ("putr", "get", "rget"):
        op.reg = a[0]
        op.request = a[1] if kind == "rget" else None
    elif kind == "waitreq":
        op.request = a[0]
    elif kind in ("post", "start"):
        op.group = tuple(int(x) for x in a[0].split(","))
    elif a:
        op.target = int(a[0])
        op.mode = a[1] if kind == "lock" else None
    return op


class Program:
    def __init__(self, ranks, cells):
        self.ranks, self.cells = ranks, cells
        self.regs = [sorted({op.reg for op in ops if op.reg} | {op.guard[0] for op in ops if op.guard})
                     for ops in ranks]
        self.annotate()

    def text(self):
        return f"cells {self.cells}\n" + "".join(
            f"{r}: " + " ; ".join(op.text() for op in ops) + "\n" for r, ops in enumerate(self.ranks))

    def annotate(self):
        """Static facts: the epoch of each operation, which fences end epochs, who matches whom."""
        starts = {}  # (origin, target) -> the start operations that name the target, in order
        posts = {}   # (target, origin) -> likewise
        for r, ops in enumerate(self.ranks):
            fences, succeeded, current, access = 0, False, None, None
            for i, op in enumerate(ops):
                op.rank, op.index, op.id = r, i, (r, i)
                op.epoch = None
                if op.kind == "fence":
                    op.ordinal = fences
                    op.ends = succeeded and "np" not in op.flags  # it may end an epoch, so it makes everybody wait
                    fences += 1
                    succeeded = "ns" not in op.flags
                    current = ("fence", op.ordinal) if succeeded else None
                elif op.kind == "start":
                    access = op
                    op.complete = None
                    for t in op.group:
                        starts.setdefault((r, t), []).append(op)
                elif op.kind == "complete":
                    op.start = access
                    if access is not None:
                        access.complete = op
                    access = None
                elif op.kind == "post":
                    for o in op.group:
                        posts.setdefault((r, o), []).append(op)
                elif op.kind in REMOTE:
                    if access is not None and op.target in access.group:
                        op.epoch = ("start", access)
                    elif self.lock_before(r, i, op.target) is not None:
                        op.epoch = ("lock", self.lock_before(r, i, op.target))
                    else:
                        op.epoch = current
            last = None
            for op in ops:
                if op.kind == "post":
                    last = op
                if op.kind == "wait":
                    op.post, last = last, None
        for ops in self.ranks:
            for op in ops:
                if op.kind == "start":  # the post that answers it, by target
                    op.posts = {}
                    for t in op.group:
                        n = starts[(op.rank, t)].index(op)
                        known = posts.get((t, op.rank), [])
                        op.posts[t] = known[n] if n < len(known) else None
                if op.kind == "post":
                    op.starts = {}
                    for o in op.group:
                        n = posts[(op.rank, o)].index(op)
                        known = starts.get((o, op.rank), [])
                        op.starts[o] = known[n] if n < len(known) else None

    def lock_before(self, rank, index, target):
        """The lock or lockall whose section at the target an operation at this place is in."""
        for op in reversed(self.ranks[rank][:index]):
            if op.kind == "unlockall" or (op.kind == "unlock" and op.target == target):
                return None
            if op.kind == "lockall" or (op.kind == "lock" and op.target == target):
                return op
        return None


def parse(text):
    ranks, cells = {}, 1
    for line in text.splitlines():
        line = line.split("#")[0].strip()
        if line.startswith("cells"):
            cells = int(line.split()[1])
        elif line:
            rank, _, body = line.partition(":")
            ranks[int(rank)] = [parse_op(part.split()) for part in body.split(";") if part.split()]
    return Program([ranks.get(i, []) for i in range(max(ranks) + 1)], cells)


# ---------------------------------------------------------------- the rules that both methods share
def conflict(a, b):
    """May these two kinds of access to one cell not happen at once? (loads and stores: of the owner)"""
    if a in ("load", "get", "noop") and b in ("load", "get", "noop"):
        return False
    atomic = OPERATORS + ("cas",)
    if a in atomic and b in atomic:
        return not (a == b or "noop" in (a, b) or {a, b} == {"replace", "cas"})
    return True


def updated(op, value):
    """The cell after the atomic or put."""
    if op.kind in ("put", "rput"):
        return op.value
    if op.kind in ("cas", "acquire"):
        return op.value if value == op.old else value
    if op.kind in ("acc", "fop"):
        return {"sum": value + op.value, "max": max(value, op.value), "replace": op.value, "noop": value}[op.operator]
    return value


def reads_register(op):
    return ([op.guard[0]] if op.guard else []) + ([op.reg] if op.kind in ("use", "putr") else [])


def writes_register(op):
    return op.reg if op.kind in ("load", "set", "get", "rget", "fop", "cas") else None


def epoch_errors(program):
    """What MPI forbids whatever the other ranks do: (rank, index, word)."""
    errors = []
    n = len(program.ranks)
    for r, ops in enumerate(program.ranks):
        fence_open = fence_used = False
        access = post = None
        locks, everywhere, requests = {}, False, {}
        for i, op in enumerate(ops):
            k = op.kind

            def error(word):
                errors.append((r, i, word))
            if op.target is not None and not 0 <= op.target < n:
                error("rank")
                continue
            if k in REMOTE:
                if access is not None:
                    if op.target not in access.group:
                        error("not_in_group")
                elif not (everywhere or op.target in locks or fence_open):
                    error("no_epoch")
                elif not (everywhere or op.target in locks):
                    fence_used = True
                if k in ("await", "acquire", "rput", "rget") and not (everywhere or op.target in locks):
                    error("passive_only")
            if op.cell is not None and not 0 <= op.cell < program.cells:
                error("range")
            if op.request and k != "waitreq":
                requests[op.request] = True
            if k == "waitreq" and not requests.pop(op.request, False):
                error("no_request")
            elif k == "fence":
                if access is not None or post is not None or locks or everywhere:
                    error("fence_in_epoch")
                if "np" in op.flags and fence_used:
                    error("fence_assert")
                fence_open, fence_used = "ns" not in op.flags, False
            elif k == "start":
                if access is not None or locks or everywhere or fence_used:
                    error("nested_epoch")
                access = op
            elif k == "complete":
                if access is None:
                    error("no_start")
                access = None
            elif k == "post":
                if post is not None:
                    error("nested_exposure")
                post = op
            elif k == "wait":
                if post is None:
                    error("no_post")
                post = None
            elif k == "lock":
                if op.target in locks or everywhere:
                    error("double_lock")
                elif access is not None or fence_used:
                    error("nested_epoch")
                if op.target == r and post is not None:
                    error("locked_while_exposed")
                locks[op.target] = op
                fence_open = False
            elif k == "lockall":
                if locks or everywhere:
                    error("double_lock")
                elif access is not None or fence_used:
                    error("nested_epoch")
                everywhere, fence_open = True, False
            elif k == "unlock":
                if op.target not in locks:
                    error("no_lock")
                locks.pop(op.target, None)
            elif k == "unlockall":
                if not everywhere:
                    error("no_lock")
                everywhere = False
            elif k in ("flush", "flushlocal"):
                if not (everywhere or op.target in locks):
                    error("no_passive_epoch")
            elif k in ("flushall", "flushlocalall") and not (everywhere or locks):
                error("no_passive_epoch")
        if access is not None or post is not None or locks or everywhere or fence_used:
            errors.append((r, len(ops), "open_at_free"))
        if requests:
            errors.append((r, len(ops), "open_request"))
    counts = {sum(op.kind == "fence" for op in ops) for ops in program.ranks}
    if len(counts) > 1:
        errors.append((-1, -1, "fence_count"))
    for k in range(min(counts)):
        kth = [[op for op in ops if op.kind == "fence"][k] for ops in program.ranks]
        if len({frozenset(op.flags) for op in kth}) > 1:  # NOPRECEDE and NOSUCCEED: all or none
            errors.append((-1, -1, "fence_assert"))
    return errors


# ---------------------------------------------------------------- random programs
STYLES = ("fence", "pscw", "lock", "flush", "atomic", "mixed")


class Maker:
    def __init__(self, seed, style):
        self.rng = random.Random(f"{style}-{seed}")
        self.style = style
        self.n = self.rng.choice((2, 2, 3))
        self.cells = self.rng.choice((1, 2, 2))
        self.lines = [[] for _ in range(self.n)]
        self.value = 0
        self.regs = [0] * self.n
        self.budget = self.rng.choice((5, 6, 7))
        self.operators = self.rng.choice((("sum",), ("sum", "noop"), ("replace", "noop"), ("sum", "sum", "replace",
                                                "noop", "max")))
        self.owned = self.rng.random() < 0.5  # each cell has one writer, so that many programs have no race

    def fresh(self, rank):
        self.regs[rank] += 1
        return "abcdefgh"[self.regs[rank] - 1] if self.regs[rank] <= 8 else "z"

    def operation(self, rank, target, passive=False):
        rng = self.rng
        self.value += 1
        cell = rng.randrange(self.cells)
        if self.owned:
            cell = (rank + target) % self.cells
        t = rng.random()
        if self.style == "atomic":
            t = 0.62 + 0.38 * t
        op = rng.choice(self.operators)
        if t >= 0.93 and self.operators != ("replace", "noop") and rng.random() < 0.8:
            t = 0.9  # a compare-and-swap would mostly race with the others
        if t < 0.3:
            return f"put {target} {cell} {self.value}"
        if t < 0.36 and self.regs[rank]:
            return f"putr {target} {cell} a"
        if t < 0.6:
            return f"get {target} {cell} {self.fresh(rank)}"
        if t < 0.78:
            return f"acc {target} {cell} {op} {rng.choice((1, 2))}"
        if t < 0.93:
            return f"fop {target} {cell} {op} {rng.choice((1, 2))} {self.fresh(rank)}"
        return f"cas {target} {cell} {rng.choice((0, 1))} {self.value} {self.fresh(rank)}"

    def local(self, rank):
        cell = self.rng.randrange(self.cells)
        if self.rng.random() < 0.5:
            return f"load {cell} {self.fresh(rank)}"
        self.value += 1
        return f"store {cell} {self.value}"

    def some(self, rank, targets, locals_too=True):
        """Up to two operations of an epoch."""
        body = []
        for _ in range(self.rng.choice((0, 1, 1, 2))):
            if self.budget <= 0:
                break
            self.budget -= 1
            if locals_too and self.rng.random() < 0.2:
                body.append(self.local(rank))
            else:
                body.append(self.operation(rank, self.rng.choice(targets)))
                if self.rng.random() < 0.08 and body[-1].split()[0] == "get":
                    body.append(f"use {body[-1].split()[3]}")
        return body

    def phase(self, style):
        rng, n = self.rng, self.n
        others = {r: [t for t in range(n) if t != r] for r in range(n)}
        if style == "fence":
            precede, succeed = rng.random() < 0.2, rng.random() < 0.2
            for r in range(n):
                if not (self.lines[r] and self.lines[r][-1] == "fence"):
                    self.lines[r].append("fence np" if precede else "fence")
                self.lines[r] += self.some(r, others[r] + [r] * (rng.random() < 0.1))
                self.lines[r].append("fence ns" if succeed else "fence")
        elif style == "pscw":
            target = rng.randrange(n)
            origins = rng.sample(others[target], rng.randint(1, n - 1))
            self.lines[target].append("post " + ",".join(map(str, sorted(origins))))
            self.lines[target] += [self.local(target)] * (rng.random() < 0.15)
            told = rng.random() < 0.3  # a message that comes after complete, but says nothing of the target
            if told:
                self.lines[target] += [f"recv {origins[0]}", self.local(target)]
            self.lines[target].append("wait")
            if rng.random() < 0.5:
                self.lines[target].append(self.local(target))
            for o in origins:
                self.lines[o] += [f"start {target}"] + self.some(o, [target], False) + ["complete"]
            if told:
                self.lines[origins[0]].append(f"send {target}")
        elif style == "lock":
            for r in rng.sample(range(n), rng.randint(1, n)):
                target = rng.randrange(n)
                mode = rng.choice("xxs")
                self.lines[r] += [f"lock {target} {mode}"] + self.some(r, [target], target == r)
                if rng.random() < 0.25:
                    self.lines[r].append(f"flush {target}")
                    self.lines[r] += self.some(r, [target], target == r)
                self.lines[r].append(f"unlock {target}")
        else:
            for r in rng.sample(range(n), rng.randint(1, n)):
                target = rng.choice(others[r])
                self.lines[r] += ["lockall"] + self.some(r, others[r], False)
                if rng.random() < 0.6:
                    self.lines[r].append(rng.choice((f"flush {target}", "flushall", f"flushlocal {target}")))
                    self.lines[r] += self.some(r, [target], False)
                if rng.random() < 0.15:
                    self.request(r, target)
                self.lines[r].append("unlockall")
            if rng.random() < 0.3:
                self.signal()

    def request(self, rank, target):
        """A request-based operation, mostly waited for before its buffer is used."""
        self.value += 1
        reg, cell = self.fresh(rank), self.rng.randrange(self.cells)
        call = self.rng.choice((f"rget {target} {cell} {reg} q", f"rput {target} {cell} {self.value} q"))
        body = [call, "waitreq q"] + [f"use {reg}"] * (call[1] == "g")
        if self.rng.random() < 0.2:
            body[1:] = body[:0:-1]
        self.lines[rank] += body

    def signal(self):
        """One rank puts, flushes (mostly) and raises a flag; another waits for the flag and gets."""
        rng = self.rng
        a, b = rng.sample(range(self.n), 2)
        t = rng.randrange(self.n)
        u = (t + 1) % self.n
        self.value += 1
        body = [f"put {u} 0 {self.value}", f"flush {u}", f"acc {t} {self.cells - 1} replace 9"]
        if rng.random() < 0.25:
            del body[1]
        self.lines[a] += ["lockall"] + body + ["unlockall"]
        self.lines[b] += ["lockall", f"await {t} {self.cells - 1} 9", f"get {u} 0 {self.fresh(b)}", "unlockall"]

    def tie(self):
        """Something between phases that orders ranks, or not."""
        rng, n = self.rng, self.n
        t = rng.random()
        if t < 0.5:
            for r in range(n):
                self.lines[r].append("barrier")
        elif t < 0.8:
            a, b = rng.sample(range(n), 2)
            self.lines[a].append(f"send {b}")
            self.lines[b].append(f"recv {a}")

    def guard(self):
        """Make some operation depend on what an atomic or get returned."""
        r = self.rng.randrange(self.n)
        line = self.lines[r]
        sources = [i for i, t in enumerate(line) if t.split()[0] in ("fop", "cas")]
        if not sources:
            return
        i = self.rng.choice(sources)
        later = [k for k in range(i + 2, len(line)) if line[k].split()[0] in ("put", "get", "acc", "load", "store")]
        if later:
            k = self.rng.choice(later)
            line[k] = f"when {line[i].split()[-1]} {self.rng.choice((0, 0, 1, 2))} {line[k]}"

    def spoil(self):
        """One synchronisation less, or moved."""
        r = self.rng.randrange(self.n)
        sync = [i for i, t in enumerate(self.lines[r]) if t.split()[0] in
                ("fence", "barrier", "send", "recv", "flush", "flushall", "wait", "complete", "post", "unlock",
                 "start")]
        if sync:
            i = self.rng.choice(sync)
            if self.rng.random() < 0.5:
                del self.lines[r][i]
            elif i + 1 < len(self.lines[r]):
                self.lines[r][i], self.lines[r][i + 1] = self.lines[r][i + 1], self.lines[r][i]

    def make(self):
        rng = self.rng
        styles = {"fence": ("fence",), "pscw": ("pscw",), "lock": ("lock",), "flush": ("flush",),
                  "atomic": ("flush", "lock"), "mixed": ("fence", "pscw", "lock", "flush")}[self.style]
        for k in range(rng.choice((1, 2, 2))):
            if k:
                self.tie()
            self.phase(rng.choice(styles))
        if rng.random() < 0.3:
            self.tie()
            self.lines[rng.randrange(self.n)].append(self.local(0))
        if rng.random() < 0.4:
            self.guard()
        if rng.random() < 0.2:
            self.spoil()
        return f"cells {self.cells}\n" + "".join(f"{r}: {' ; '.join(x)}\n" for r, x in enumerate(self.lines))


def random_text(seed, style):
    return Maker(seed, style).make()


# ---------------------------------------------------------------- C source
PASSIVE = ("lock", "lockall", "flush", "flushall", "flushlocal", "flushlocalall", "rput", "rget", "await", "acquire")


ALLOCATIONS = {"private": "MPI_Win_allocate", "shared": "MPI_Win_allocate_shared"}


def to_c(program, expect=None, bare=False, memory="private"):
    """The ranks of the text wait for nobody in a send, and their barriers match no barrier behind the text: so sends
    are freed at once, and the end has a communicator of its own. bare: a program without locks gets none."""
    locks = not bare or any(op.kind in PASSIVE for ops in program.ranks for op in ops)
    n, cells = len(program.ranks), program.cells
    width = max([len(r) for r in program.regs] + [1])
    out = ["#include <mpi.h>", "#include <stdio.h>", "#include <string.h>", "", "int main(int argc, char **argv)", "{",
           f"  enum {{ RANKS = {n}, CELLS = {cells}, REGS = {width}, WIDTH = CELLS + REGS }};",
           "  int rank, *cell, r[REGS], temp[64], all[RANKS * WIDTH], mine[WIDTH], flag = 0;",
           "  static const char *const allowed[] = {" if expect is not None else None]
    if expect is not None:
        out += [f'    "{line}",' for line in expect] + ["  };"]
    out += ["  MPI_Win win;", "  MPI_Comm end;", "  MPI_Group world, group;", "  char text[1024], piece[32];", "",
            "  MPI_Init(&argc, &argv);", "  MPI_Comm_rank(MPI_COMM_WORLD, &rank);",
            "  MPI_Comm_group(MPI_COMM_WORLD, &world);",
            f"  {ALLOCATIONS[memory]}(CELLS * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &cell, &win);",
            "  memset(r, 0, sizeof r);", "  memset(temp, 0, sizeof temp);", "  (void)temp; (void)group; (void)flag;",
            "  MPI_Win_lock(MPI_LOCK_EXCLUSIVE, rank, 0, win);" if locks else None,
            "  memset(cell, 0, CELLS * sizeof(int));", "  MPI_Win_unlock(rank, win);" if locks else None,
            "  MPI_Comm_dup(MPI_COMM_WORLD, &end);",
           "  MPI_Barrier(MPI_COMM_WORLD);"]
    for rank, ops in enumerate(program.ranks):
        out.append(f"  if (rank == {rank}) {{")
        requests = sorted({op.request for op in ops if op.request})
        out += [f"    MPI_Request {q} = MPI_REQUEST_NULL;" for q in requests]
        for i, op in enumerate(ops):
            out += ["    " + line for line in c_lines(program, op, i)]
        out.append("  }")
    out += ["  MPI_Barrier(end);", "  MPI_Win_lock(MPI_LOCK_EXCLUSIVE, rank, 0, win);" if locks else None,
            "  memcpy(mine, cell, CELLS * sizeof(int));", "  MPI_Win_unlock(rank, win);" if locks else None,
            "  memcpy(mine + CELLS, r, sizeof r);",
            "  MPI_Gather(mine, WIDTH, MPI_INT, all, WIDTH, MPI_INT, 0, end);",
            "  if (rank == 0) {", "    static const int registers[RANKS] = { " + ", ".join(str(len(x))
                                                    for x in program.regs) + " };",
            "    text[0] = 0;", "    for (int q = 0; q < RANKS; ++q)",
            "      for (int k = 0; k < CELLS + registers[q]; ++k) {",
            '        snprintf(piece, sizeof piece, "%s%d", k == 0 ? (q ? " | " : "") : k == CELLS ? " / " : " ",'
            ' all[q * WIDTH + k]);',
            "        strcat(text, piece);", "      }", '    printf("outcome %s\\n", text);']
    if expect is not None:
        out += ["    for (unsigned k = 0; k < sizeof allowed / sizeof *allowed; ++k)",
                "      flag |= strcmp(text, allowed[k]) == 0;",
                "    if (!flag) MPI_Abort(MPI_COMM_WORLD, 3);"]
    out += ["  }", "  MPI_Win_free(&win);", "  MPI_Comm_free(&end);", "  MPI_Group_free(&world);",
            "  MPI_Finalize();", "  return 0;", "}"]
    return "\n".join(line for line in out if line is not None) + "\n"


def outcome_text(outcome):
    regs, mem = outcome
    return " | ".join(" ".join(map(str, mem[r])) + (" / " + " ".join(map(str, regs[r])) if regs[r] else "")
                      for r in range(len(mem)))


def c_lines(program, op, i):
    k = op.kind
    reg = f"r[{program.regs[op.rank].index(op.reg)}]" if op.reg else None
    operator = {"sum": "MPI_SUM", "max": "MPI_MAX", "replace": "MPI_REPLACE", "noop": "MPI_NO_OP",
                None: ""}[op.operator]
    at = f"{op.target}, {op.cell}"
    tail = f"1, MPI_INT, {at}, 1, MPI_INT"
    start = f"temp[{i}] = {op.value};"
    if k in ("put", "rput", "acc", "fop") and op.value is not None:
        pre = start + " "
    else:
        pre = ""
    if op.kind == "fence":
        flags = " | ".join({"np": "MPI_MODE_NOPRECEDE", "ns": "MPI_MODE_NOSUCCEED"}[f] for f in op.flags) or "0"
        lines = [f"MPI_Win_fence({flags}, win);"]
    elif k in ("post", "start"):
        lines = [f"{{ int list[] = {{ {', '.join(map(str, op.group))} }}; "
                 f"MPI_Group_incl(world, {len(op.group)}, list, &group); "
                 f"MPI_Win_{k}(group, 0, win); MPI_Group_free(&group); }}"]
    elif k == "lock":
        lines = [f"MPI_Win_lock(MPI_LOCK_{'EXCLUSIVE' if op.mode == 'x' else 'SHARED'}, {op.target}, 0, win);"]
    elif k == "await":
        lines = [f"do {{ MPI_Fetch_and_op(NULL, &temp[{i}], MPI_INT, {at}, MPI_NO_OP, win); "
                 f"MPI_Win_flush({op.target}, win); }} "
                 f"while (temp[{i}] != {op.value});"]
    elif k == "acquire":
        lines = [f"{{ int one = 1, none = 0; do {{ MPI_Compare_and_swap(&one, &none, &temp[{i}], MPI_INT, {at}, win); "
                 f"MPI_Win_flush({op.target}, win); }} while (temp[{i}] != 0); }}"]
    elif k == "cas":
        lines = [f"temp[{i}] = {op.value}; temp[{i + 32}] = {op.old}; "
                 f"MPI_Compare_and_swap(&temp[{i}], &temp[{i + 32}], &{reg}, MPI_INT, {at}, win);"]
    else:
        source = reg if k in ("putr", "get", "rget") else f"temp[{i}]"
        table = {
            "put": f"{pre}MPI_Put(&{source}, {tail}, win);", "putr": f"MPI_Put(&{source}, {tail}, win);",
            "get": f"MPI_Get(&{source}, {tail}, win);",
                 "acc": f"{pre}MPI_Accumulate(&{source}, {tail}, {operator}, win);",
            "fop": f"{pre}MPI_Fetch_and_op(&temp[{i}], &{reg}, MPI_INT, {at}, {operator}, win);",
            "rput": f"{pre}MPI_Rput(&{source}, {tail}, win, &{op.request});",
                 "rget": f"MPI_Rget(&{source}, {tail}, win, &{op.request});",
            "waitreq": f"MPI_Wait(&{op.request}, MPI_STATUS_IGNORE);", "load": f"{reg} = cell[{op.cell}];",
            "store": f"cell[{op.cell}] = {op.value};", "use": f"flag |= {reg} == 12345;", "set": f"{reg} = {op.value};",
            "complete": "MPI_Win_complete(win);", "wait": "MPI_Win_wait(win);",
                 "unlock": f"MPI_Win_unlock({op.target}, win);",
            "lockall": "MPI_Win_lock_all(0, win);", "unlockall": "MPI_Win_unlock_all(win);",
            "flush": f"MPI_Win_flush({op.target}, win);", "flushall": "MPI_Win_flush_all(win);",
            "flushlocal": f"MPI_Win_flush_local({op.target}, win);", "flushlocalall": "MPI_Win_flush_local_all(win);",
            "sync": "MPI_Win_sync(win);", "barrier": "MPI_Barrier(MPI_COMM_WORLD);",
            "send": f"{{ MPI_Request sent; MPI_Isend(NULL, 0, MPI_INT, {op.target}, 0, MPI_COMM_WORLD, &sent); "
                    "MPI_Request_free(&sent); }",
            "recv": f"MPI_Recv(NULL, 0, MPI_INT, {op.target}, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);"}
        lines = [table[k]]
    if op.guard:
        lines = [f"if (r[{program.regs[op.rank].index(op.guard[0])}] == {op.guard[1]}) {{ {lines[0]} }}"]
    return lines
