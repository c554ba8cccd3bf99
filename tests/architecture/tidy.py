#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The rules of docs/style.md and of docs/architecture.md that a machine can check, on every source file and on the
pages of the documentation.

Usage:  tidy.py [ROOT]       prints `file:line: rule: message` for each violation; exit status 1 if there is one.
Shape:  a rule is a function from a Source to (line, message) pairs, registered in RULES under its name, or in
        PAGE_RULES if it is for README.md and docs/**/*.md. tidy_test.py shows for each rule that it can fail. The
        component list is read from CMakeLists.txt, not repeated here.
"""
import os
import re
import sys
from dataclasses import dataclass, field
from pathlib import Path

SOURCE_SUFFIXES = {".cpp", ".hpp", ".c", ".h"}
SCRIPT_SUFFIXES = {".py", ".sh", ".cmake"}
SKIPPED_FOLDERS = {".git", "__pycache__", "third_party"}

LINE_COLUMNS = 120
FUNCTION_LINES = 70
FILE_LINES, TEST_FILE_LINES, HEADER_LINES = 800, 1000, 250

# Each third-party header belongs to exactly one folder or source, but for readers of one format in two components.
THIRD_PARTY = {
    "boost/context/": "simcore/fiber",
    "boost/container/": "mc",
    "boost/asio/": "simcore/real",
    "pugixml.hpp": "simcore/platform",
    "fmt/": "simcore/support",
    "libunwind": "simcore/debug",
    "unwind.h": "simcore/debug",
    "libdwarf": "simcore/debug",
    "dwarf.h": "simcore/debug",
    "Zydis/": "simcore/footprint",
    "tsl/robin_set.h": "mc/history",
    "coin/": "mc/flow",
    "z3.h": "mc/predict",
    "xxhash.h": ("mc/history", "simcore/support", "smpi/buffers", "trace/rtrace"),
    "xxh_x86dispatch.h": "smpi/buffers",  # of the same library: uses the widest registers of the machine
    "zstd.h": "trace/rtrace",
    "otf2/": "trace/otf2",
    "ns3/": "ns3",
    # Of these two each source that includes them costs seconds, so the sources have names (docs/design/build.md).
    "CLI/": "app/cli/verb_options.cpp",
    "nlohmann/": ("app/report/json.cpp", "simcore/workflow/json_reader.cpp"),
    "catch2/": "tests",
    "mpi-ext.h": ("tests", "examples"),  # likewise
    "rehearse.h": ("tests", "examples", "smpi/user/smpi_compat.h"),  # ours, for programs
    "rapidcheck": "tests",
    "benchmark/": "tests",
    "simgrid/": "tests/bench",
    "hdf5.h": "tests/conformance/programs/hdf5",
    "pnetcdf.h": "tests/conformance/programs/pnetcdf",
}
SYSTEM_HEADERS = re.compile(
    r"^(sys|linux|bits|asm|net|netinet|arpa|sanitizer)/|^(aio|assert|cpuid|ctype|cxxabi|dirent|dlfcn|elf|endian|errno"
    r"|execinfo|fcntl|fenv|float|getopt|grp|iconv|ifaddrs|inttypes|libgen|libintl|limits|link|locale|malloc|math|mpi"
    r"|netdb|omp|poll|pthread|pwd|regex|sched|semaphore|setjmp|signal|spawn|stdarg|stdbool|stddef|stdint|stdio|stdlib"
    r"|string|strings|termios|threads|time|ucontext|unistd|utime|wchar|x86intrin|complex)\.h$"
)

# The program on ns-3 is under ns-3's licence. It may include the protocol, which is under ours; nothing includes it.
GPL_FOLDER = "ns3/"
GPL_MAY_INCLUDE = {"simcore/ns3/protocol.hpp", "simcore/ns3/protocol_answers.hpp", "simcore/ns3/wire_frame.hpp"}

# Generated headers that are not named from the root, and the component that may include them.
GENERATED = {"mpi.h": "smpi"}

# A sub-folder of these components has a namespace of its own: mc/graph is rehearse::mc::graph.
FOLDER_NAMESPACES = {"mc": "rehearse::mc", "simcore": "rehearse"}

# Folders of simcore with another namespace. Those in plain rehearse are libraries that all of simcore shares.
OTHER_NAMESPACES = {
    "simcore/actor_api": "rehearse::sim",  # as its interface, simcore/actor_api.hpp
    "simcore/workflow": "rehearse::sim",
    "simcore/kernel": "rehearse::sim::kernel",
    "simcore/support": "rehearse",
    "simcore/debug": "rehearse",
    "simcore/fiber": "rehearse",
    "simcore/memory": "rehearse",
    "simcore/profile": "rehearse",
}

# Where a rule does not hold, and why. Keys are (rule, file).
ALLOWED = {
    ("mutable-global", "simcore/fiber/actor_context.cpp"): "the current actor, which C signatures force on us",
    ("mutable-global", "simcore/footprint/machine.cpp"): "what a signal handler can reach",
    ("mutable-global", "simcore/kernel/scheduler.cpp"): "the running actor, which this_actor's functions refer to",
    ("mutable-global", "simcore/kernel/session.cpp"): "part of the user's program: its connection to who drives it",
    ("environment", "simcore/kernel/session.cpp"): "part of the user's program: the socket that its launcher left",
    ("process-exit", "simcore/kernel/session.cpp"): "part of the user's program: an execution that is over",
    ("process-exit", "simcore/kernel/state_server.cpp"): "part of the user's program: a copy that has shown its state",
    ("mutable-global", "simcore/kernel/crash_report.cpp"): "what a signal handler can reach",
    ("mutable-global", "simcore/real/real_session.cpp"): "part of the user's program: its connection to who drives it",
    ("environment", "simcore/real/real_session.cpp"): "part of the user's program: where its coordinator is, and ssh",
    ("process-exit", "simcore/real/program_streams.cpp"): "part of the user's program: a run that cannot go on",
    ("printing", "simcore/real/program_streams.cpp"): "part of the user's program: its own buffers",
    ("process-exit", "app/real/child_starter.cpp"): "a forked child must not come back into its parent's code",
    ("process-exit", "simcore/remote/driven_process.cpp"): "a forked child must not come back into its parent's code",
    ("folder-namespace", "simcore/remote/remote_actor_program.cpp"): "RemoteActorProgram, an interface",
    ("folder-namespace", "simcore/remote/is_actor_program.cpp"): "is_actor_program, an interface",
    ("folder-namespace", "simcore/remote/timed_actor_run.cpp"): "run_actor_program, an interface",
    ("mutable-global", "app/cli/interrupt.cpp"): "what a signal handler can reach",
    ("mutable-global", "app/isolation/supervisor.cpp"): "what a signal handler can reach",
    ("mutable-global", "smpi/process/rank_state.cpp"): "the running rank, for functions with libc's signatures",
    ("mutable-global", "smpi/abi/dead_stack.cpp"): "the running rank, for what each call of a program looks at",
    ("mutable-global", "smpi/process/heap.cpp"): "the running rank's heap, for functions with libc's signatures",
    ("mutable-global", "smpi/buffers/pending.cpp"): "what each access of the program is compared with",
    ("mutable-global", "smpi/process/crash.cpp"): "signal handlers and their stack belong to the process",
    ("printing", "smpi/process/interpose_getopt.cpp"): "getopt's complaints, to the rank's own error stream",
    ("mutable-global", "simcore/support/sanitizer.hpp"): "the sanitizer's own idea of the thread's stack",
    ("process-exit", "smpi/abi/stub.c"): "runs in the user's program when that was started without rehearse",
    ("process-exit", "simcore/actor_api/this_actor.hpp"): "ends an actor, not the process",
    ("printing", "smpi/user/rehearse.h"): "part of the user's program",
    ("process-exit", "smpi/user/rehearse.h"): "part of the user's program",
    ("feature-switch", "smpi/user/rehearse.h"): "an include guard that all compilers know",
    ("process-exit", "app/isolation/isolated.cpp"): "a forked child must not come back into its parent's code",
    ("process-exit", "app/isolation/isolated_lines.cpp"): "a forked child must not come back into its parent's code",
    ("process-exit", "app/isolation/isolated_pool.cpp"): "a forked child must not come back into its parent's code",
    ("process-exit", "app/isolation/supervisor.cpp"): "a forked child must not come back into its parent's code",
    ("process-exit", "app/attach/warden_process.cpp"): "a forked child must not come back into its parent's code",
    ("mutable-global", "app/attach/library/slowdown.c"): "part of the user's program: the account of each thread",
    ("mutable-global", "app/attach/library/transfers.c"): "part of the user's program: functions of libc behind ours",
    ("environment", "app/attach/library/slowdown.c"): "part of the user's program: the factor of its job",
    ("process-exit", "app/grading/bounded_process.cpp"): "a forked child must not come back into its parent's code",
    ("environment", "app/grading/bounded_process.cpp"): "what is handed on to compilers and programs",
    ("process-exit", "mc/parallel/channel.cpp"): "a forked child must not come back into its parent's code",
    ("process-exit", "trace/otf2/archive_process.cpp"): "a forked child must not come back into its parent's code",
    ("process-exit", "simcore/fiber/trial.cpp"): "a forked copy must not come back into its parent's code",
    ("folder-namespace", "simcore/engine/core.hpp"): "Engine::Core, a member of an interface",
    ("folder-namespace", "simcore/platform/builder_state.hpp"): "PlatformBuilder::State, a member of an interface",
    ("folder-namespace", "simcore/platform/tables.hpp"): "PlatformTables, which an interface names",
    ("process-exit", "simcore/support/assert.cpp"): "a broken invariant of ours ends the process",
    ("process-exit", "trace/pmpi/library/map.c"): "part of the user's program, without memory",
    ("mutable-global", "app/calibration/program/calibrate.c"): "a program of its own, which each rank of an MPI runs",
    ("process-exit", "app/calibration/program/calibrate.c"): "a program of its own",
    ("printing", "app/calibration/program/calibrate.c"): "a program of its own",
    ("printing", "trace/pmpi/library/stream.c"): "part of the user's program",
    ("environment", "trace/pmpi/library/session.c"): "part of the user's program: where its launcher says to record",
    ("printing", "simcore/support/assert.cpp"): "a broken invariant of ours says so",
}


@dataclass
class Component:
    name: str
    folder: str
    depends: list = field(default_factory=list)


@dataclass
class Source:
    path: str  # relative to the root, with '/'
    text: str
    components: list

    def __post_init__(self):
        self.lines = self.text.splitlines()
        self.suffix = Path(self.path).suffix
        self.is_header = self.suffix in (".hpp", ".h")
        self.is_cpp = self.suffix in SOURCE_SUFFIXES
        self.component = component_of(self.path, self.components)
        self._code = None

    @property
    def code(self):
        """The text with comments and literals blanked out, line breaks kept."""
        if self._code is None:
            self._code = blank(self.text)
        return self._code

    def find(self, pattern, text=None):
        text = self.code if text is None else text
        for match in re.finditer(pattern, text):
            yield text.count("\n", 0, match.start()) + 1, match


def parse_components(cmake):
    """The component list of CMakeLists.txt."""
    result = []
    for body in re.findall(r"^rehearse_component\(([^)]*)\)", cmake, re.MULTILINE):
        words = body.split()
        component = Component(words[0], words[words.index("FOLDER") + 1])
        if "DEPENDS" in words:
            for word in words[words.index("DEPENDS") + 1:]:
                if word.isupper():
                    break
                component.depends.append(word)
        result.append(component)
    return result


def component_of(path, components):
    """The component whose folder is the deepest that contains the path, or None."""
    inside = [c for c in components if path.startswith(c.folder + "/")]
    return max(inside, key=lambda c: len(c.folder), default=None)


def reachable(component, components):
    """The names of the components it may include: itself and, transitively, its dependencies."""
    by_name = {c.name: c for c in components}
    todo, found = [component.name], set()
    while todo:
        name = todo.pop()
        if name not in found:
            found.add(name)
            todo.extend(by_name[name].depends)
    return found


LITERAL_OR_COMMENT = re.compile(
    r'//[^\n]*|/\*.*?\*/|R"(?P<tag>[^(\s]*)\(.*?\)(?P=tag)"|"(?:\\.|[^"\\\n])*"|(?<![0-9a-fA-F])\'(?:\\.|[^\'\\\n])+\'',
    re.DOTALL)


def blank(text):
    def keep_lines(match):
        return re.sub(r"[^\n]", " ", match.group(0))

    return LITERAL_OR_COMMENT.sub(keep_lines, text)


# ---------------------------------------------------------------- rules
RULES = {}


def rule(name):
    def register(function):
        RULES[name] = function
        return function

    return register


@rule("spdx")
def spdx(source):
    if source.suffix == ".cmake" or source.path.endswith("CMakeLists.txt"):
        return
    first = 1 if source.lines and source.lines[0].startswith("#!") else 0
    mark = "// " if source.is_cpp else "# "
    licence = "GPL-2.0-only" if source.path.startswith(GPL_FOLDER) else "MIT"
    if source.lines[first:first + 1] != [f"{mark}SPDX-License-Identifier: {licence}"]:
        yield first + 1, f"expected '{mark}SPDX-License-Identifier: {licence}'"


@rule("licence-border")
def licence_border(source):
    """Sources under the MIT licence include none under the GPL, and those under the GPL include the protocol only."""
    if not source.is_cpp:
        return
    is_inside = source.path.startswith(GPL_FOLDER)
    for line, match in source.find(r'(?m)^\s*#\s*include\s+"([^"]+)"', source.text):
        path = match.group(1)
        if is_inside and not path.startswith(GPL_FOLDER) and path not in GPL_MAY_INCLUDE:
            yield line, f'"{path}" is not one of {", ".join(sorted(GPL_MAY_INCLUDE))}'
        elif not is_inside and path.startswith(GPL_FOLDER):
            yield line, f'"{path}" is under the GPL'


@rule("header-paragraph")
def header_paragraph(source):
    """What the file is: the comment behind the SPDX line (in Python: the docstring)."""
    head = "\n".join(source.lines[:6])
    expected = {".py": r'^r?"""\S|^#\n# \S', ".cmake": r"^# \S", ".sh": r"^#\n# \S"}.get(source.suffix, r"^//\n// \S")
    if not re.search(expected, head, re.MULTILINE):
        yield 1, "no paragraph that says what the file is"


@rule("include-order")
def includes(source):
    """A component includes itself and what it depends on, and of others only their public face."""
    if not source.is_cpp or source.component is None:
        return
    allowed = reachable(source.component, source.components)
    for line, match in source.find(r'(?m)^\s*#\s*include\s+"([^"]+)"', source.text):
        path = match.group(1)
        target = component_of(path, source.components)
        if path in GENERATED and source.component.name == GENERATED[path]:
            continue
        if target is None:
            yield line, f'"{path}" is not a path from the repository root'
        elif target.name not in allowed:
            yield line, f"component {source.component.name} does not depend on {target.name}"
        elif target is not source.component and "/" in path[len(target.folder) + 1:]:
            yield line, f'"{path}" is internal to component {target.name}'


@rule("third-party")
def third_party(source):
    if not source.is_cpp:
        return
    for line, match in source.find(r"(?m)^\s*#\s*include\s+<([^>]+)>", source.text):
        header = match.group(1)
        folder = next((f for prefix, f in THIRD_PARTY.items() if header.startswith(prefix)), None)
        if folder is not None:
            folders = (folder,) if isinstance(folder, str) else folder
            if not any(source.path == f or source.path.startswith(f + "/") for f in folders):
                yield line, f"<{header}> belongs to {' or '.join(folders)}"
        elif "." in header and not SYSTEM_HEADERS.match(header):
            yield line, f"<{header}> has no folder: give it one in tests/architecture/tidy.py"


@rule("layer-word")
def layer_word(source):
    """simcore and mc do not know what runs on them: not even their comments do. The quoted word is a user's name of a
    network model, in one place."""
    if source.component is None or source.component.name not in ("support", "simcore", "mc"):
        return
    for line, match in source.find(r"(?i)(?<![a-z])mpi(?![a-z])", source.text):
        is_model = source.text[match.start() - 1:match.end() + 1] == '"mpi"'
        if not (is_model and source.path == "simcore/message_protocol.hpp"):
            yield line, f"'{match.group(0)}' in component {source.component.name}"


@rule("mode-question")
def mode_question(source):
    """Nothing below a driver asks which driver runs."""
    names = (r"\b(is_?checking|is_?verifying|is_?simulated|is_?simulating|is_?replaying|in_check_mode"
             r"|check(ing)?_mode|mc_is_active)\b")
    if not source.path.startswith("tests/architecture/"):
        for line, match in source.find("(?i)" + names):
            yield line, f"'{match.group(0)}' asks for the mode"


@rule("unfinished")
def unfinished(source):
    if source.path.startswith("tests/architecture/"):
        return
    for line, _ in source.find(r"\bTODO\b(?!\(#\d+\))", source.text):
        yield line, "a TODO needs its issue: TODO(#123)"
    for line, _ in source.find(r"\bFIXME\b", source.text):
        yield line, "FIXME: fix it, or make it an issue"


@rule("line-length")
def line_length(source):
    for number, line in enumerate(source.lines, 1):
        if len(line) > LINE_COLUMNS:
            yield number, f"{len(line)} columns, at most {LINE_COLUMNS}"


@rule("whitespace")
def whitespace(source):
    for number, line in enumerate(source.text.split("\n"), 1):
        if line != line.rstrip() or "\t" in line:
            yield number, "tab, carriage return or blanks at the end"
    if not source.text.endswith("\n") or source.text.endswith("\n\n"):
        yield len(source.lines), "expected exactly one line break at the end"


@rule("file-length")
def file_length(source):
    limit = TEST_FILE_LINES if source.path.startswith("tests/") else FILE_LINES
    limit = HEADER_LINES if source.is_header else limit
    if len(source.lines) > limit:
        yield len(source.lines), f"{len(source.lines)} lines, at most {limit}"


@rule("header-guard")
def header_guard(source):
    if source.is_header and not re.search(r"(?m)^#pragma once$|^#ifndef REHEARSE_\w+$", source.text):
        yield 1, "no #pragma once"


@rule("header-using")
def header_using(source):
    if source.is_header:
        for line, _ in source.find(r"\busing\s+namespace\b"):
            yield line, "'using namespace' in a header"


@rule("folder-namespace")
def folder_namespace(source):
    """Files of a sub-folder open its namespace. Sources may open the component's: they may implement its interface."""
    parts = source.path.split("/")
    if not source.is_cpp or len(parts) < 3 or parts[0] not in FOLDER_NAMESPACES:
        return
    base = FOLDER_NAMESPACES[parts[0]]
    expected = OTHER_NAMESPACES.get("/".join(parts[:2]), f"{base}::{parts[1]}")
    opened = re.findall(r"(?m)^namespace\s+([\w:]+)\s*\{", source.code)
    allowed = {expected} if source.is_header else {expected, base}
    if opened and allowed.isdisjoint(opened):
        yield 1, f"expected 'namespace {expected}'"


@dataclass
class Scope:
    kind: str  # namespace, type, function, data
    line: int  # of the opening brace
    head_line: int


def head_kind(head, outer):
    """What a brace opens, from the text between the last ';', '{' or '}' and it."""
    head = re.sub(r"(?m)^\s*#.*$", "", head).strip()
    if outer == "function":
        return "function"
    if outer == "data":
        return "data"
    bare = head
    while re.match(r"template\s*<", bare):  # drop the parameter list, however nested
        depth = 0
        for i, c in enumerate(bare):
            depth += (c == "<") - (c == ">")
            if c == ">" and depth == 0:
                bare = bare[i + 1:].strip()
                break
        else:
            break
    if re.match(r"(inline\s+)?namespace\b|extern\s*$", bare):
        return "namespace"
    is_type = re.match(r"(typedef\s+|static\s+|const(expr)?\s+|inline\s+)*(class|struct|union|enum)\b", bare)
    if is_type and not re.search(r"\w\s*\([^()]*\)\s*(const|noexcept|override|final|\s)*$", bare):
        return "type"
    parameters = re.search(r"[\w>\])]\s*\(|operator", bare)
    assigned = re.search(r"(?<![=!<>+\-*/|&^])=(?!=)", re.sub(r"\([^()]*\)|<[^<>]*>|operator\s*\S+", "", bare))
    return "function" if parameters and not assigned else "data"


def walk(code):
    """Yields (kind, text, line, scopes) for each statement and ('close', Scope, line) for each brace that closes."""
    scopes, start, line, parens = [Scope("namespace", 0, 0)], 0, 1, 0
    for i, c in enumerate(code):
        if c == "\n":
            line += 1
        if c in "([":
            parens += 1
        elif c in ")]":
            parens -= 1
        elif c == "{":
            head = code[start:i]
            head_line = line - head.lstrip().count("\n")
            kind = head_kind(head, scopes[-1].kind) if parens == 0 else "nested"
            if scopes[-1].kind == "function" or kind == "nested":
                kind = scopes[-1].kind if kind == "nested" else kind
            if kind == "data" and scopes[-1].kind != "data":
                yield "statement", head, head_line, list(scopes)
            scopes.append(Scope(kind, line, head_line))
            start = i + 1
        elif c == "}":
            scope = scopes.pop() if len(scopes) > 1 else scopes[0]
            yield "close", scope, line, list(scopes)
            start = i + 1
        elif c == ";" and parens == 0:
            text = code[start:i]
            yield "statement", text, line - text.lstrip().count("\n"), list(scopes)
            start = i + 1


@rule("function-length")
def function_length(source):
    if not source.is_cpp:
        return
    for what, scope, line, outer in walk(source.code):
        if what == "close" and scope.kind == "function" and outer[-1].kind != "function":
            length = line - scope.head_line + 1
            if length > FUNCTION_LINES:
                yield scope.head_line, f"a function of {length} lines, at most {FUNCTION_LINES}"


NOT_A_VARIABLE = re.compile(
    r"^(using|typedef|template|friend|extern|static_assert|namespace|class|struct|union|enum|public|private|protected"
    r"|return|goto|case|default|asm|__asm__|concept|requires)\b")


def mutable_variable(text, kind):
    """Whether this statement of a scope of that kind defines something that can change for ever."""
    text = re.sub(r"(?m)^\s*#.*$|\[\[.*?\]\]|\balignas\s*\([^)]*\)", "", text).strip()
    text = re.sub(r"^(public|private|protected)\s*:\s*", "", text)
    if not text or NOT_A_VARIABLE.match(text):
        return False
    if re.search(r"\b(static|inline)\s+thread_local\b|^thread_local\b", text):
        return True
    if kind != "namespace" and not re.match(r"^(inline\s+)?static\b", text):
        return False
    declared = re.sub(r"(?<![=!<>])=(?!=).*", "", text, flags=re.DOTALL)
    if re.search(r"\b(constexpr|consteval|operator)\b", declared):
        return False
    flat = declared
    for _ in range(4):
        flat = re.sub(r"<[^<>]*>", "", flat)
    if "(" in flat:
        return False  # a function
    if re.search(r"\bconst\b", flat) and not re.search(r"\*\s*(\w+)(\s*\[.*\])?\s*$", flat):
        return False
    return bool(re.match(r"^[\w:&*\s]+[\s*&]\w[\w:]*\s*(\[[^\]]*\]\s*)*$", flat.strip()))


@rule("mutable-global")
def mutable_global(source):
    if not source.is_cpp or source.component is None:
        return
    for what, text, line, scopes in walk(source.code):
        if what == "statement" and mutable_variable(text, scopes[-1].kind):
            name = re.sub(r"\s+", " ", text.strip())[:60]
            yield line, f"'{name}' is state outside any object"


@rule("printing")
def printing(source):
    """Only cli writes to the user."""
    if source.is_cpp and source.component is not None and source.component.name != "cli":
        writes = r"\bstd::(cout|cerr|clog)\b|(?<![\w.>])(std::)?(printf|puts|perror|fprintf|fputs)\s*\("
        for line, match in source.find(writes):
            yield line, f"'{match.group(0)}' outside cli"


@rule("process-exit")
def process_exit(source):
    if source.is_cpp and source.component is not None and source.component.name != "cli":
        for line, match in source.find(r"(?<![\w.>:])(::|std::)?(_exit|_Exit|exit|quick_exit|abort)\s*\("):
            yield line, f"'{match.group(0)})' outside cli"


@rule("environment")
def environment(source):
    if source.is_cpp and source.component is not None and source.component.name != "cli":
        for line, match in source.find(r"(?<![\w.>])(std::|::)?(secure_)?getenv\s*\("):
            yield line, f"'{match.group(0)})' outside cli"


@rule("feature-switch")
def feature_switch(source):
    """Features are chosen by CMake and by types; only simcore/support may know the machine and the build."""
    if source.is_cpp and source.component is not None and source.component.name != "support":
        for line, match in source.find(r"(?m)^\s*#\s*(if|ifdef|ifndef|elif)\b.*REHEARSE_(?!\w*_H\b)\w*"):
            yield line, f"'{match.group(0).strip()}' outside simcore/support"


# ---------------------------------------------------------------- pages
PAGE_RULES = {}


def page_rule(name):
    def register(function):
        PAGE_RULES[name] = function
        return function

    return register


LINK = re.compile(r"!?\[[^\]]*\]\([^)]*\)")


def is_prose_too_long(line):
    """Whether a line is too long, and no single link or image makes it so."""
    return all(len(line) - len(link) > LINE_COLUMNS for link in ["", *LINK.findall(line)])


@page_rule("page-line-length")
def page_line_length(source):
    """Prose only: not tables, not fenced blocks, not lines that one link or image makes too long."""
    fence = None
    for number, line in enumerate(source.lines, 1):
        mark = re.match(r"\s*(`{3,}|~{3,})", line)
        if mark and fence is None:
            fence = mark.group(1)
        elif mark and line.strip().startswith(fence) and not line.strip().strip(fence[0]):
            fence = None
        elif fence is None and not line.startswith("|") and is_prose_too_long(line):
            yield number, f"{len(line)} columns, at most {LINE_COLUMNS}"


# ---------------------------------------------------------------- the whole tree
def duplicate_names(paths, components):
    """Two files of one name in a component are two archive members of one name, and easily taken for each other."""
    seen = {}
    for path in sorted(paths):
        component = component_of(path, components)
        if Path(path).suffix in SOURCE_SUFFIXES and component is not None:
            key = component.name, Path(path).name
            if key in seen:
                yield path, f"has the name of {seen[key]}"
            seen.setdefault(key, path)


def check_source(source):
    for name, check in (PAGE_RULES if source.suffix == ".md" else RULES).items():
        if (name, source.path) not in ALLOWED:
            for line, message in check(source):
                yield f"{source.path}:{line}: {name}: {message}"


def tree(root):
    for folder, folders, files in os.walk(root):
        folders[:] = sorted(f for f in folders if f not in SKIPPED_FOLDERS and not f.startswith("build"))
        for name in sorted(files):
            path = Path(folder, name)
            if path.suffix in SOURCE_SUFFIXES | SCRIPT_SUFFIXES and not path.is_symlink():
                yield path.relative_to(root).as_posix()


def pages(root):
    for path in (Path(root, "README.md"), *sorted(Path(root, "docs").rglob("*.md"))):
        yield path.relative_to(root).as_posix()


def check_tree(root):
    components = parse_components(Path(root, "CMakeLists.txt").read_text())
    paths = [*tree(root), *pages(root)]
    for path in paths:
        yield from check_source(Source(path, Path(root, path).read_text(), components))
    for path, message in duplicate_names(paths, components):
        yield f"{path}:1: duplicate-name: {message}"
    for rule_name, path in ALLOWED:
        if rule_name not in RULES | PAGE_RULES:
            yield f"tests/architecture/tidy.py:1: allowed: no rule {rule_name} (for {path})"


def main():
    root = sys.argv[1] if len(sys.argv) > 1 else Path(__file__).resolve().parents[2]
    violations = list(check_tree(root))
    print("\n".join(violations) if violations else f"tidy: {len([*tree(root), *pages(root)])} files, no violation")
    return 1 if violations else 0


if __name__ == "__main__":
    sys.exit(main())
