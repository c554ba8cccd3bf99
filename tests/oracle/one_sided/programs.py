# SPDX-License-Identifier: MIT
"""Tiny one-sided programs (litmus/*.txt) as C programs.

Text: a comment line, `cells N`, then a line for each rank with operations separated by ';'. Cells of the window and
registers are 0 at first. Operations (T target, C cell, V number, R register, Q request, OP one of sum, max, replace,
noop):

    put T C V | putr T C R | get T C R | acc T C OP V | fop T C OP V R | cas T C OLD NEW R
    rput T C V Q | rget T C R Q | waitreq Q
    await T C V     polls with an atomic read until the cell holds V
    acquire T C     compare-and-swap of 0 to 1 until it succeeds
    load C R | store C V | use R | set R V
    fence [np] [ns] | post A,B | start A,B | complete | wait
    lock T x|s | unlock T | lockall | unlockall | flush T | flushall | flushlocal T | flushlocalall | sync
    barrier | send D | recv S
    when R V OPERATION

The program prints "outcome" and, for each rank, its cells / its registers.
"""
from pathlib import Path

LITMUS = Path(__file__).resolve().parent / "litmus"
REGISTER_AT = {"putr": 2, "get": 2, "rget": 2, "fop": 4, "cas": 4, "load": 1, "use": 0, "set": 0}
PLAIN = {"complete": "MPI_Win_complete(win);", "wait": "MPI_Win_wait(win);", "lockall": "MPI_Win_lock_all(0, win);",
         "unlockall": "MPI_Win_unlock_all(win);", "flushall": "MPI_Win_flush_all(win);",
         "flushlocalall": "MPI_Win_flush_local_all(win);", "sync": "MPI_Win_sync(win);",
         "barrier": "MPI_Barrier(MPI_COMM_WORLD);"}
WITH_RANK = {"unlock": "MPI_Win_unlock(%s, win);", "flush": "MPI_Win_flush(%s, win);",
             "flushlocal": "MPI_Win_flush_local(%s, win);",
             "send": "MPI_Send(NULL, 0, MPI_INT, %s, 0, MPI_COMM_WORLD);",
             "recv": "MPI_Recv(NULL, 0, MPI_INT, %s, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);",
             "waitreq": "MPI_Wait(&%s, MPI_STATUS_IGNORE);"}
OPERATORS = {"sum": "MPI_SUM", "max": "MPI_MAX", "replace": "MPI_REPLACE", "noop": "MPI_NO_OP"}
FLAGS = {"np": "MPI_MODE_NOPRECEDE", "ns": "MPI_MODE_NOSUCCEED"}


def without_guard(words):
    return words[3:] if words[0] == "when" else words


def register_of(words):
    words = without_guard(words)
    at = REGISTER_AT.get(words[0])
    return None if at is None else words[1 + at]


class Program:
    def __init__(self, text):
        lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
        self.cells = int(lines[0].split()[1])
        self.ranks = [[operation.split() for operation in line.split(":", 1)[1].split(";") if operation.strip()]
                      for line in lines[1:]]
        self.registers = []
        for operations in self.ranks:
            named = []
            for words in operations:
                for name in [register_of(words)] + ([words[1]] if words[0] == "when" else []):
                    if name is not None and name not in named:
                        named.append(name)
            self.registers.append(sorted(named))

    @property
    def is_active(self):
        """Whether it has no lock epochs."""
        kinds = {without_guard(words)[0] for operations in self.ranks for words in operations}
        return not kinds & {"lock", "lockall", "flush", "flushall", "flushlocal", "flushlocalall"}


def statement(program, rank, number, words):
    kind, rest = words[0], words[1:]
    if kind == "when":
        register = program.registers[rank].index(rest[0])
        return f"if (r[{register}] == {rest[1]}) {{ {statement(program, rank, number, rest[2:])} }}"
    name = register_of(words)
    reg = None if name is None else f"r[{program.registers[rank].index(name)}]"
    temp, target = f"temp[{number}]", ", ".join(rest[:2])
    there = f"1, MPI_INT, {target}, 1, MPI_INT"
    if kind in PLAIN:
        return PLAIN[kind]
    if kind in WITH_RANK:
        return WITH_RANK[kind] % rest[0]
    if kind == "fence":
        return f"MPI_Win_fence({' | '.join(FLAGS[flag] for flag in rest) or '0'}, win);"
    if kind in ("post", "start"):
        count = rest[0].count(",") + 1
        return (f"{{ int list[] = {{ {rest[0]} }}; MPI_Group_incl(world, {count}, list, &group); "
                f"MPI_Win_{kind}(group, 0, win); MPI_Group_free(&group); }}")
    if kind == "lock":
        return f"MPI_Win_lock(MPI_LOCK_{'EXCLUSIVE' if rest[1] == 'x' else 'SHARED'}, {rest[0]}, 0, win);"
    if kind == "await":
        return (f"do {{ MPI_Fetch_and_op(NULL, &{temp}, MPI_INT, {target}, MPI_NO_OP, win); "
                f"MPI_Win_flush({rest[0]}, win); }} while ({temp} != {rest[2]});")
    if kind == "acquire":
        return (f"{{ int one = 1, none = 0; do {{ MPI_Compare_and_swap(&one, &none, &{temp}, MPI_INT, {target}, win); "
                f"MPI_Win_flush({rest[0]}, win); }} while ({temp} != 0); }}")
    if kind == "cas":
        return (f"{temp} = {rest[3]}; temp[{number + 32}] = {rest[2]}; "
                f"MPI_Compare_and_swap(&{temp}, &temp[{number + 32}], &{reg}, MPI_INT, {target}, win);")
    return {
        "put": lambda: f"{temp} = {rest[2]}; MPI_Put(&{temp}, {there}, win);",
        "rput": lambda: f"{temp} = {rest[2]}; MPI_Rput(&{temp}, {there}, win, &{rest[3]});",
        "putr": lambda: f"MPI_Put(&{reg}, {there}, win);",
        "get": lambda: f"MPI_Get(&{reg}, {there}, win);",
        "rget": lambda: f"MPI_Rget(&{reg}, {there}, win, &{rest[3]});",
        "acc": lambda: f"{temp} = {rest[3]}; MPI_Accumulate(&{temp}, {there}, {OPERATORS[rest[2]]}, win);",
        "fop": lambda: (f"{temp} = {rest[3]}; "
                        f"MPI_Fetch_and_op(&{temp}, &{reg}, MPI_INT, {target}, {OPERATORS[rest[2]]}, win);"),
        "load": lambda: f"{reg} = cell[{rest[0]}];",
        "store": lambda: f"cell[{rest[0]}] = {rest[1]};",
        "use": lambda: f"flag |= {reg} == 12345;",
        "set": lambda: f"{reg} = {rest[1]};",
    }[kind]()


BEGIN = """#include <mpi.h>
#include <stdio.h>
#include <string.h>

enum { RANKS = %d, CELLS = %d, REGS = %d, WIDTH = CELLS + REGS };

int main(int argc, char** argv) {
  int rank, *cell, r[REGS], temp[64], all[RANKS * WIDTH], mine[WIDTH], flag = 0;
  MPI_Win win;
  MPI_Group world, group;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  MPI_Win_allocate(CELLS * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &cell, &win);
  memset(r, 0, sizeof r);
  memset(temp, 0, sizeof temp);
  memset(cell, 0, CELLS * sizeof(int));
  (void)group;
  (void)flag;
  MPI_Barrier(MPI_COMM_WORLD);
"""
END = """  MPI_Barrier(MPI_COMM_WORLD);
  memcpy(mine, cell, CELLS * sizeof(int));
  memcpy(mine + CELLS, r, sizeof r);
  MPI_Gather(mine, WIDTH, MPI_INT, all, WIDTH, MPI_INT, 0, MPI_COMM_WORLD);
  if (rank == 0) {
    static const int registers[RANKS] = {%s};
    printf("outcome ");
    for (int q = 0; q < RANKS; ++q)
      for (int k = 0; k < CELLS + registers[q]; ++k)
        printf("%%s%%d", k == 0 ? (q ? " | " : "") : k == CELLS ? " / " : " ", all[q * WIDTH + k]);
    printf("\\n");
  }
  MPI_Win_free(&win);
  MPI_Group_free(&world);
  MPI_Finalize();
  return 0;
}
"""


def to_c(program):
    """Line numbers of operations differ for each operation, so that findings can be compared with them."""
    width = max([len(names) for names in program.registers] + [1])
    out = [BEGIN % (len(program.ranks), program.cells, width)]
    for rank, operations in enumerate(program.ranks):
        out.append(f"  if (rank == {rank}) {{\n")
        requests = sorted({without_guard(words)[-1] for words in operations
                           if without_guard(words)[0] in ("rput", "rget")})
        out += [f"    MPI_Request {request} = MPI_REQUEST_NULL;\n" for request in requests]
        out += [f"    {statement(program, rank, i, words)}\n" for i, words in enumerate(operations)]
        out.append("  }\n")
    out.append(END % ", ".join(str(len(names)) for names in program.registers))
    return "".join(out)
