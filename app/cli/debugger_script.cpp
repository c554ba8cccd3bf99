// SPDX-License-Identifier: MIT
//
// The script. To show a rank, it sets the registers of the only thread to the values that the rank left on its stack.
// It restores them before the program continues.
#include "app/cli/debugger_script.hpp"

namespace rehearse::cli {

const char* const debugger_script = R"gdb(
set pagination off
set confirm off
set breakpoint pending on
set print thread-events off
handle SIGSEGV SIGBUS SIGFPE SIGILL SIGABRT SIGPROF SIGALRM SIGVTALRM nostop noprint pass
python
import gdb

# What Boost's jump_fcontext leaves on x86-64, by its distance from the context; the stack goes on behind it.
SAVED = {"r12": 0x08, "r13": 0x10, "r14": 0x18, "r15": 0x20, "rbx": 0x28, "rbp": 0x30, "rip": 0x38}
BEHIND = 0x40
CRASHED = ("rsp", "rip", "rbp", "rbx", "r12", "r13", "r14", "r15")  # InterruptedAt
WORDS = 1 + len(CRASHED)  # of a RankPosition


def register(name):
    return int(gdb.parse_and_eval("(unsigned long)$" + name))


class Ranks:
    stands, own = [], None  # words of each; the registers that were changed

    def word(self, address):
        memory = gdb.selected_inferior().read_memory(address, 8)
        return int.from_bytes(memory.tobytes(), "little")

    def read(self):
        first, count = register("rdi"), register("rsi")
        self.stands = [[self.word(first + 8 * (rank * WORDS + i)) for i in range(WORDS)] for rank in range(count)]

    def put(self, registers):
        gdb.newest_frame().select()
        for name, value in registers.items():
            gdb.execute(f"set ${name} = {value}", to_string=True)
            gdb.newest_frame().select()

    def leave(self):
        if self.own is not None:
            self.put(self.own)
            self.own = None

    def enter(self, rank):
        """The level of the first frame in the rank's application code; None: it has ended."""
        context, *crashed = self.stands[rank]
        if context == 0:
            return None
        if self.own is None:
            self.own = {name: register(name) for name in CRASHED}
        if any(crashed):
            self.put(dict(zip(CRASHED, crashed)))
        else:
            self.put({"rsp": context + BEHIND, **{name: self.word(context + at) for name, at in SAVED.items()}})
        frame, level = gdb.newest_frame(), 0
        while frame is not None and gdb.solib_name(frame.pc()) is None:
            frame, level = frame.older(), level + 1
        return level if frame is not None else 0

    def show(self, rank):
        level = self.enter(rank)
        if level is None:
            print(f"rank {rank} has ended")
            return
        print(f"rank {rank}:")
        for line in gdb.execute("backtrace", to_string=True).splitlines():
            number = line[1:].split(maxsplit=1)[0] if line.startswith("#") else None
            if number is None or not number.isdigit() or int(number) >= level:
                print("  " + line)
            if " in main (" in line:
                break
        gdb.execute(f"frame {level}", to_string=True)


RANKS = Ranks()


class Rehearse(gdb.Command):
    """Ranks of a replayed counter-example: rank R, backtraces, leave."""

    def __init__(self):
        super().__init__("rehearse", gdb.COMMAND_STACK)

    def invoke(self, text, from_tty):
        words = text.split()
        last = len(RANKS.stands) - 1
        if last < 0:
            raise gdb.GdbError("the replay did not end")
        if words == ["backtraces"]:
            for rank in range(last + 1):
                RANKS.show(rank)
        elif words == ["leave"]:
            RANKS.leave()
        elif len(words) == 2 and words[0] == "rank" and words[1].isdigit() and int(words[1]) <= last:
            RANKS.show(int(words[1]))
        else:
            raise gdb.GdbError(f"rehearse rank R (0 to {last}), rehearse backtraces, rehearse leave")


Rehearse()
end
define hook-continue
  rehearse leave
end
define hook-step
  rehearse leave
end
define hook-next
  rehearse leave
end
define hook-finish
  rehearse leave
end
break *rehearse_ranks_stand
run
python RANKS.read()
echo the replay has ended; rehearse rank R goes to a rank, rehearse backtraces shows all\n
)gdb";

}  // namespace rehearse::cli
