#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Reference enumerator of MPI point-to-point matchings (brute force, no reduction).

It answers, for a tiny abstract MPI program, the question a model checker must get exactly right:
which maximal executions exist that differ in *what happened* (who matched whom, what each
Waitany/Test/Probe returned), and which of them are deadlocks.  The semantics is the MPI standard's
non-overtaking rule and nothing stronger: messages of different (source, destination, communicator)
channels are unordered, whatever the causal order of their sends (see docs/soundness.md).

Program text, one line a rank, operations separated by ';':
    0: recv * 0 ; onsrc 1: recv 2 0 | 2: recv 1 0
    1: send 0 0
    2: isend 0 0 a ; wait a
Operations
    send D T | ssend D T             blocking standard / synchronous send to rank D with tag T
    isend D T R | issend D T R       nonblocking, request name R
    recv S T | irecv S T R           S and T may be '*' (MPI_ANY_SOURCE / MPI_ANY_TAG)
    wait R | waitall R.. | waitany R.. | test R
    probe S T | iprobe S T
    barrier
    xbarrier F | xbcast F ROOT | xreduce F ROOT   between ranks 0 to F-1 and the others (an intercommunicator)
    onsrc A: ops | B: ops            branch on the source that the last recv, probe or wait here gave
                                     (a wait for a receive; not waitall, waitany or test); a source that
                                     is not listed takes no branch; onsrc must end the line

Commands
    matching_oracle.py enumerate FILE [--buffering zero|infinite] [--list]
    matching_oracle.py random --seed N [--ranks N] [--messages N] [--features recv,irecv,...]
    matching_oracle.py to-c FILE          an MPI C program that does the same
`enumerate` prints one JSON object. executions: classes of maximal executions that differ in what some
rank observed; deadlocks: how many of them are deadlocks; executions_by_match, deadlocks_by_match: the
same when receives count whose completion nobody observed (only blocked or unfinished programs have
them). An exact explorer visits at least `executions` and at most `executions_by_match`, no class twice.
"""
import argparse
import json
import random
import sys

from reachable import reachable

ANY = "*"


# ---------------------------------------------------------------- program text
def parse_ops(text):
    text = text.strip()
    ops = []
    while text:
        if text.startswith("onsrc"):
            cases = []
            for part in text[len("onsrc"):].split("|"):
                src, _, body = part.partition(":")
                cases.append((int(src), parse_ops(body)))
            ops.append(("onsrc", tuple(cases)))
            return tuple(ops)
        head, _, text = text.partition(";")
        text = text.strip()
        words = head.split()
        if not words:
            continue
        ops.append(parse_op(words))
    return tuple(ops)


def num(word):
    return ANY if word == ANY else int(word)


def parse_op(words):
    name, args = words[0], words[1:]
    if name in ("send", "ssend"):
        return (name, int(args[0]), int(args[1]))
    if name in ("isend", "issend"):
        return (name, int(args[0]), int(args[1]), args[2])
    if name in ("recv", "probe", "iprobe"):
        return (name, num(args[0]), num(args[1]))
    if name == "irecv":
        return (name, num(args[0]), num(args[1]), args[2])
    if name in ("wait", "test"):
        return (name, args[0])
    if name in ("waitall", "waitany"):
        return (name, tuple(args))
    if name == "barrier":
        return (name,)
    if name == "xbarrier":
        return (name, int(args[0]))
    if name in ("xbcast", "xreduce"):
        return (name, int(args[0]), int(args[1]))
    raise SystemExit(f"matching_oracle: unknown operation '{' '.join(words)}'")


def parse(text):
    ranks = {}
    for line in text.splitlines():
        line = line.split("#")[0].strip()
        if not line:
            continue
        rank, _, body = line.partition(":")
        ranks[int(rank)] = parse_ops(body)
    return [ranks.get(i, ()) for i in range(max(ranks) + 1)]


# ---------------------------------------------------------------- semantics
# state = (ranks, messages, receives, matches, choices, arrived)
#   ranks     : per rank (remaining ops, counter of posted operations, requests, last source, blocked-on)
#               requests: tuple of (name, operation id); blocked-on: operation id or None
#   messages  : unmatched messages (operation id, src, dst, tag), in posting order
#   receives  : unmatched receives (operation id, dst, source, tag), in posting order
#   matches   : frozenset of (receive id, send id);  an operation id is (rank, n)
#   choices   : frozenset of (rank, n, outcome)
#   arrived   : frozenset of ranks waiting in the barrier, and of ("x", rank, n) for each collective between groups that
#               a rank has entered
def compatible(message, receive):
    _, src, dst, tag = message
    _, rdst, rsrc, rtag = receive
    return dst == rdst and rsrc in (ANY, src) and rtag in (ANY, tag)


def allowed_matches(messages, receives):
    """(message, receive) pairs that the non-overtaking rule allows right now."""
    for m in messages:
        first_receive = next((r for r in receives if compatible(m, r)), None)
        if first_receive is None:
            continue
        for other in messages:  # an earlier message of the same channel that this receive could take
            if other is m:
                yield m, first_receive
                break
            if other[1] == m[1] and compatible(other, first_receive):
                break


def visible(messages, receives, dst, src, tag):
    """Messages a probe at dst may report: the first compatible one of each channel, unless a receive
    that is already posted will take it."""
    seen = set()
    for m in messages:
        if m[2] == dst and src in (ANY, m[1]) and tag in (ANY, m[3]) and m[1] not in seen:
            seen.add(m[1])
            if not any(compatible(m, r) for r in receives):
                yield m


def needed_between(op, me, ranks):
    """Whose arrival a rank needs in a collective between two groups."""
    opposite = {other for other in range(ranks) if (other < op[1]) != (me < op[1])}
    if op[0] == "xbarrier":
        return opposite
    if op[0] == "xbcast":
        return opposite & {op[2]}
    return opposite if me == op[2] else set()


class Enumerator:
    def __init__(self, program, buffering):
        self.program = program
        self.eager = buffering == "infinite"
        self.outcomes = {}  # maximal executions that differ in any match
        self.states = 0
        self.observed = {}  # ... in what some rank observed: a receive that no call saw complete shows nothing

    def complete(self, op_id, state):
        """Has the operation behind this id completed in this state?"""
        _, messages, receives, _, _, _ = state
        if any(r[0] == op_id for r in receives):
            return False
        if any(m[0] == op_id for m in messages):
            return self.eager and op_id not in self.synchronous(state)
        return True

    @staticmethod
    def synchronous(state):
        return {c[:2] for c in state[4] if c[2] == "sync"}

    def source_of(self, op_id, state):
        for receive, send in state[3]:
            if receive == op_id:
                return send[0]
        return None

    def run(self):
        n = len(self.program)
        start = (tuple((ops, 0, (), None, None) for ops in self.program), (), (),
                 frozenset(), frozenset(), frozenset())
        for state, successors in reachable(start, self.successors):
            self.states += 1
            if not successors:
                done = all(not r[0] and r[4] is None for r in state[0])
                choices = frozenset(c for c in state[4] if c[2] != "sync")
                where = None if done else tuple(len(r[0]) for r in state[0])
                self.outcomes[(state[3], choices, where)] = done
                pending = {q[1] for r in state[0] for q in r[2]}
                observed = frozenset(m for m in state[3] if m[0] not in pending)
                self.observed[(observed, choices, where)] = done
        return n

    @staticmethod
    def has_met(op, me, count, state):
        """Whether all that the rank needs have entered the same collective between groups: the k-th of each is one."""
        entered = [[] for _ in state[0]]
        for who in state[5]:
            if not isinstance(who, int):
                entered[who[1]].append(who[2])
        number = sorted(entered[me]).index(count)
        return all(len(entered[other]) > number for other in needed_between(op, me, len(state[0])))

    def successors(self, state):
        ranks, messages, receives, matches, choices, arrived = state
        for m, r in allowed_matches(messages, receives):
            yield (ranks, tuple(x for x in messages if x is not m), tuple(x for x in receives if x is not r),
                   matches | {(r[0], m[0])}, choices, arrived)
        in_barrier = {who for who in arrived if isinstance(who, int)}
        if len(in_barrier) == len(ranks):
            yield (tuple((ops[1:], c, q, s, b) for ops, c, q, s, b in ranks), messages, receives, matches,
                   choices, arrived - in_barrier)
            return
        for i, rank in enumerate(ranks):
            yield from self.step(i, rank, state)

    def step(self, i, rank, state):
        ranks, messages, receives, matches, choices, arrived = state
        ops, count, requests, last, blocked = rank

        def put(new_rank, m=messages, r=receives, c=choices, a=arrived):
            return (ranks[:i] + (new_rank,) + ranks[i + 1:], m, r, matches, c, a)

        if blocked is not None:
            if self.complete(blocked, state):
                source = self.source_of(blocked, state)
                yield put((ops, count, requests, last if source is None else source, None))
            return
        if not ops:
            return
        op, rest = ops[0], ops[1:]
        name = op[0]
        op_id = (i, count)
        if name in ("send", "ssend", "isend", "issend"):
            message = (op_id, i, op[1], op[2])
            new_choices = choices | {(i, count, "sync")} if name in ("ssend", "issend") else choices
            if name in ("isend", "issend"):
                yield put((rest, count + 1, requests + ((op[3], op_id),), last, None), m=messages + (message,),
                          c=new_choices)
            else:
                yield put((rest, count + 1, requests, last, op_id), m=messages + (message,), c=new_choices)
        elif name in ("recv", "irecv"):
            receive = (op_id, i, op[1], op[2])
            if name == "irecv":
                yield put((rest, count + 1, requests + ((op[3], op_id),), last, None), r=receives + (receive,))
            else:
                yield put((rest, count + 1, requests, last, op_id), r=receives + (receive,))
        elif name in ("wait", "waitall"):
            names = (op[1],) if name == "wait" else op[1]
            ids = [q for q in requests if q[0] in names]
            if all(self.complete(q[1], state) for q in ids):
                source = self.source_of(ids[-1][1], state) if ids and name == "wait" else None
                yield put((rest, count + 1, tuple(q for q in requests if q not in ids),
                           last if source is None else source, None))
        elif name == "waitany":
            ids = [q for q in requests if q[0] in op[1]]
            if not ids:
                yield put((rest, count + 1, requests, last, None))
            for q in ids:
                if self.complete(q[1], state):
                    yield put((rest, count + 1, tuple(x for x in requests if x is not q), last, None),
                              c=choices | {(i, count, q[0])})
        elif name == "test":
            ids = [q for q in requests if q[0] == op[1]]
            yield put((rest, count + 1, requests, last, None), c=choices | {(i, count, "no")})
            if ids and self.complete(ids[0][1], state):
                yield put((rest, count + 1, tuple(q for q in requests if q is not ids[0]), last, None),
                          c=choices | {(i, count, "yes")})
        elif name in ("probe", "iprobe"):
            there = list(visible(messages, receives, i, op[1], op[2]))
            for m in there:
                yield put((rest, count + 1, requests, m[1], None), c=choices | {(i, count, ("saw", m[0], m[3]))})
            known = {c[2][1] for c in choices if c[0] == i and c[2][0] == "saw"}
            if name == "iprobe" and not any(m[0] in known for m in there):  # what was reported once stays visible
                yield put((rest, count + 1, requests, last, None), c=choices | {(i, count, "no")})
        elif name == "barrier":
            if i not in arrived:
                yield put(rank, a=arrived | {i})
        elif name in ("xbarrier", "xbcast", "xreduce"):
            if ("x", i, count) not in arrived:
                yield put(rank, a=arrived | {("x", i, count)})
            elif self.has_met(op, i, count, state):
                yield put((rest, count + 1, requests, last, None))
        elif name == "onsrc":
            body = next((b for s, b in op[1] if s == last), ())
            yield put((body, count, requests, last, None))


def enumerate_program(program, buffering):
    e = Enumerator(program, buffering)
    e.run()
    return {"executions": len(e.observed), "deadlocks": sum(1 for done in e.observed.values() if not done),
            "executions_by_match": len(e.outcomes),
            "deadlocks_by_match": sum(1 for done in e.outcomes.values() if not done), "states": e.states}, e


# ---------------------------------------------------------------- random programs
FEATURES = ("recv", "irecv", "tags", "ssend", "waitany", "onsrc", "barrier", "probe", "test", "iprobe",
            "between")


def random_program(seed, ranks, messages, features):
    """A program whose messages all have a receive, so that most classes run to the end."""
    rng = random.Random(seed)
    todo = [[] for _ in range(ranks)]
    for _ in range(messages):
        src, dst = rng.sample(range(ranks), 2)
        tag = rng.choice((0, 1)) if "tags" in features else 0
        todo[src].append(("send", dst, tag))
        todo[dst].append(("recv", src, tag))
    lines = []
    for rank in range(ranks):
        rng.shuffle(todo[rank])
        if rng.random() < 0.7:  # mostly send early, so that few programs stop at once
            todo[rank].sort(key=lambda op: op[0] == "recv" and rng.random() < 0.8)
        body, open_requests, receiving, fresh = [], [], set(), 0
        for kind, other, tag in todo[rank]:
            nonblocking = "irecv" in features and rng.random() < 0.4
            if kind == "send":
                call = ("ssend" if "ssend" in features and rng.random() < 0.2 else "send") + f" {other} {tag}"
            else:
                source = "*" if rng.random() < 0.65 else str(other)
                rtag = "*" if "tags" in features and rng.random() < 0.3 else str(tag)
                if "probe" in features and rng.random() < 0.15:
                    body.append(f"probe {source} {rtag}")
                if "iprobe" in features and rng.random() < 0.25:
                    body.append(f"iprobe {source} {rtag}")
                call = f"recv {source} {rtag}"
            if nonblocking:
                body.append(f"i{call} r{fresh}")
                open_requests.append(f"r{fresh}")
                if kind == "recv":
                    receiving.add(f"r{fresh}")
                fresh += 1
            else:
                body.append(call)
            testable = [r for r in open_requests if r in receiving]
            if testable and "test" in features and rng.random() < 0.25:
                body.append(f"test {rng.choice(testable)}")
            if open_requests and rng.random() < 0.35:
                if "waitany" in features and len(open_requests) > 1 and rng.random() < 0.5:
                    body.append("waitany " + " ".join(open_requests))
                    body.append("waitall " + " ".join(open_requests))
                    open_requests = []
                else:
                    body.append("wait " + open_requests.pop(rng.randrange(len(open_requests))))
        if open_requests:
            body.append("waitall " + " ".join(open_requests))
        lines.append(body)
    if "barrier" in features and rng.random() < 0.3:
        for body in lines:
            body.append("barrier")
    if "between" in features:
        for _ in range(rng.randint(1, 2)):
            first, root = rng.randint(1, ranks - 1), rng.randrange(ranks)
            call = rng.choice((f"xbarrier {first}", f"xbcast {first} {root}", f"xreduce {first} {root}"))
            for body in lines:
                at = rng.randint(max((i + 1 for i, op in enumerate(body) if op.startswith("x")), default=0), len(body))
                body.insert(at, call)
    if "onsrc" in features:
        for rank, body in enumerate(lines):  # a rank that reacts to who came last asks for one message more
            if rng.random() < 0.3 and any(op.startswith("recv") for op in body):
                others = [r for r in range(ranks) if r != rank]
                body.append("onsrc " + " | ".join(f"{r}: recv {rng.choice(others)} 0" for r in rng.sample(others, 1)))
    return "\n".join(f"{rank}: " + " ; ".join(body) for rank, body in enumerate(lines)) + "\n"


# ---------------------------------------------------------------- C source
ROOT_OF = """static int root_of(int rank, int first, int root)
{
  if ((rank < first) == (root < first)) return rank == root ? MPI_ROOT : MPI_PROC_NULL;
  return root < first ? root : root - first;
}"""


def to_c(program):
    groups = sorted({op[1] for ops in program for op in all_ops(ops) if op[0][0] == "x"})
    out = ["#include <mpi.h>", "#include <stddef.h>"] + [ROOT_OF] * bool(groups) + [
           "int main(int argc, char **argv)", "{",
           "  int rank, data = 0, flag = 0, last = -1;", "  MPI_Status status;",
           "  (void)flag; (void)last; (void)status;",
           "  MPI_Init(&argc, &argv);", "  MPI_Comm_rank(MPI_COMM_WORLD, &rank);"]
    for first in groups:
        out += [f"  MPI_Comm half{first}, between{first};",
                f"  MPI_Comm_split(MPI_COMM_WORLD, rank < {first}, rank, &half{first});",
                f"  MPI_Intercomm_create(half{first}, 0, MPI_COMM_WORLD, rank < {first} ? {first} : 0, {first},"
                f" &between{first});"]
    for rank, ops in enumerate(program):
        out.append(f"  if (rank == {rank}) {{")
        names = sorted(request_names(ops))
        for n in names:
            out.append(f"    MPI_Request {n} = MPI_REQUEST_NULL; int buf_{n} = {rank}; (void)buf_{n};")
        emit(ops, out, "    ")
        out.append("  }")
    for first in groups:
        out.append(f"  MPI_Comm_free(&between{first}); MPI_Comm_free(&half{first});")
    out += ["  MPI_Finalize();", "  return 0;", "}"]
    return "\n".join(out) + "\n"


def all_ops(ops):
    for op in ops:
        yield op
        if op[0] == "onsrc":
            for _, body in op[1]:
                yield from all_ops(body)


def request_names(ops):
    for op in ops:
        if op[0] in ("isend", "issend", "irecv"):
            yield op[3]
        if op[0] == "onsrc":
            for _, body in op[1]:
                yield from request_names(body)


def c_source(s):
    return "MPI_ANY_SOURCE" if s == ANY else str(s)


def c_tag(t):
    return "MPI_ANY_TAG" if t == ANY else str(t)


def emit(ops, out, pad, receives=None):
    comm = "MPI_COMM_WORLD"
    receives = set() if receives is None else receives
    for op in ops:
        name = op[0]
        if name == "irecv":
            receives.add(op[3])
        if name in ("send", "ssend"):
            fn = "MPI_Send" if name == "send" else "MPI_Ssend"
            out.append(f"{pad}{fn}(&rank, 1, MPI_INT, {op[1]}, {op[2]}, {comm});")
        elif name in ("isend", "issend"):
            fn = "MPI_Isend" if name == "isend" else "MPI_Issend"
            out.append(f"{pad}{fn}(&rank, 1, MPI_INT, {op[1]}, {op[2]}, {comm}, &{op[3]});")
        elif name == "recv":
            out.append(f"{pad}MPI_Recv(&data, 1, MPI_INT, {c_source(op[1])}, {c_tag(op[2])}, {comm}, &status);"
                       " last = status.MPI_SOURCE;")
        elif name == "irecv":
            out.append(f"{pad}MPI_Irecv(&buf_{op[3]}, 1, MPI_INT, {c_source(op[1])}, {c_tag(op[2])}, {comm},"
                       f" &{op[3]});")
        elif name == "wait":
            of_receive = op[1] in receives
            out.append(f"{pad}MPI_Wait(&{op[1]}, &status);" + (" last = status.MPI_SOURCE;" if of_receive else ""))
        elif name == "waitall":
            for r in op[1]:
                out.append(f"{pad}MPI_Wait(&{r}, &status);")
        elif name == "waitany":
            refs = ", ".join(op[1])
            out.append(f"{pad}{{ MPI_Request rs[] = {{{refs}}}; int idx; MPI_Waitany({len(op[1])}, rs, &idx, &status);")
            for k, r in enumerate(op[1]):
                out.append(f"{pad}  {r} = rs[{k}];")
            out.append(f"{pad}}}")
        elif name == "test":
            out.append(f"{pad}MPI_Test(&{op[1]}, &flag, &status);")
        elif name == "probe":
            out.append(f"{pad}MPI_Probe({c_source(op[1])}, {c_tag(op[2])}, {comm}, &status); last = status.MPI_SOURCE;")
        elif name == "iprobe":
            out.append(f"{pad}MPI_Iprobe({c_source(op[1])}, {c_tag(op[2])}, {comm}, &flag, &status);")
        elif name == "barrier":
            out.append(f"{pad}MPI_Barrier({comm});")
        elif name == "xbarrier":
            out.append(f"{pad}MPI_Barrier(between{op[1]});")
        elif name == "xbcast":
            out.append(f"{pad}{{ int all = rank; MPI_Bcast(&all, 1, MPI_INT, root_of(rank, {op[1]}, {op[2]}),"
                       f" between{op[1]}); }}")
        elif name == "xreduce":
            out.append(f"{pad}{{ int sum; MPI_Reduce(&rank, &sum, 1, MPI_INT, MPI_SUM,"
                       f" root_of(rank, {op[1]}, {op[2]}), between{op[1]}); }}")
        elif name == "onsrc":
            for k, (src, body) in enumerate(op[1]):
                out.append(f"{pad}{'else ' if k else ''}if (last == {src}) {{")
                emit(body, out, pad + "  ", receives)
                out.append(f"{pad}}}")


# ---------------------------------------------------------------- command line
def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    p = commands.add_parser("enumerate")
    p.add_argument("file")
    p.add_argument("--buffering", choices=("zero", "infinite"), default="infinite")
    p.add_argument("--list", action="store_true", help="print every class: its matches, choices, and where it stuck")
    p = commands.add_parser("random")
    p.add_argument("--seed", type=int, required=True)
    p.add_argument("--ranks", type=int, default=3)
    p.add_argument("--messages", type=int, default=5)
    p.add_argument("--features", default="recv,irecv,tags,onsrc")
    p = commands.add_parser("to-c")
    p.add_argument("file")
    args = parser.parse_args()
    if args.command == "random":
        sys.stdout.write(random_program(args.seed, args.ranks, args.messages, args.features.split(",")))
        return
    with (sys.stdin if args.file == "-" else open(args.file, encoding="utf-8")) as f:
        program = parse(f.read())
    if args.command == "to-c":
        sys.stdout.write(to_c(program))
        return
    summary, e = enumerate_program(program, args.buffering)
    if args.list:
        for (matches, choices, where), done in sorted(e.outcomes.items(), key=str):
            print("done    " if done else "deadlock", sorted(matches), sorted(choices, key=str), where or "")
    print(json.dumps(summary))


if __name__ == "__main__":
    main()
