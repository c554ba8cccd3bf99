#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
#
# Generates all files that follow from smpi/api.json: the header that programs include, the declarations of the
# implementation, the entry points, the tables for reports, the library that programs link to, and the page of
# implemented functions.
#
# Usage:  generate.py headers API.json OUT    writes OUT/include/mpi.h and OUT/generated/...
#         generate.py sources API.json OUT SMPI_FOLDER
#                                             writes the files that depend on the functions in SMPI_FOLDER
# Errors: one line on standard error and exit status 1. Files are only touched when their contents change, to avoid
#         needless rebuilds.

import pathlib
import re
import sys

SMPI = pathlib.Path(__file__).resolve().parent.parent
sys.path[1:1] = [str(SMPI / "fortran"), str(SMPI / "foreign")]

import entries
import interfaces
import translation
from api_model import LICENCE, Api, fail, write

PARTS = 4
CALLS_NAMESPACE = "namespace rehearse::smpi::calls {"
FORMS_NAMESPACE = "namespace rehearse::smpi::forms {"

# ---- mpi.h ---------------------------------------------------------------------------------------

MPI_H_HEAD = """/* {licence}
 *
 * The C and C++ interface of MPI {version}.{subversion}, with the standard's binary interface
 * (ABI {abi}): a program compiled with this header runs with any MPI library that has that ABI.
 * Generated from smpi/api.json. Extensions, on by default: MPI_Fint, MPI_*_c2f and MPI_*_f2c, and
 * functions that MPI-3.0 removed but programs still use.
 */
#ifndef MPI_H_ABI
#define MPI_H_ABI

/* Some programs use NULL and size_t and include only mpi.h, because other libraries' headers
 * include stddef.h. */
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
#define MPI_ABI_CAST(type, value) (reinterpret_cast<type>(value))
extern "C" {{
#else
#define MPI_ABI_CAST(type, value) ((type)(value))
#endif
"""

MPI_H_TAIL = """
#ifdef __cplusplus
}
#endif

#endif /* MPI_H_ABI */
"""


def header_types(api):
    enumerations = {}
    for constant in api.constants:
        enumerations.setdefault(constant.get("type"), []).append(constant)
    for entry in api.types:
        name = entry["name"]
        if "integer" in entry:
            yield f"typedef {entry['integer']} {name};"
        elif "handle" in entry:
            yield f"typedef struct {entry['handle']}* {name};"
        elif "members" in entry:
            members = "".join(f"    {m};\n" for m in entry["members"])
            yield f"typedef struct {{\n{members}}} {name};"
        elif "enumeration" in entry:
            values = ",\n".join(f"    {c['name']} = {c['value']}" for c in enumerations[name])
            yield f"typedef enum {name} {{\n{values}\n}} {name};"


def header_constant(api, entry):
    """One macro per constant: usable in #if and #ifdef, with the type that the standard requires."""
    if "same_as" in entry:
        return f"#define {entry['name']} {entry['same_as']}"
    kind, value = entry["type"], entry["value"]
    if kind == "int":
        text = str(value) if value >= 0 else f"({value})"
    elif kind == "MPI_Offset":
        text = f"((MPI_Offset)({value}))"
    elif any(t["name"] == kind and "enumeration" in t for t in api.types):
        return None
    else:
        text = f"MPI_ABI_CAST({kind}, {value:#x})"
    note = f" /* extension: {entry['extension']} */" if "extension" in entry else ""
    return f"#define {entry['name']:<34} {text}{note}"


def mpi_h(api):
    version, subversion = api.values["MPI_VERSION"]["value"], api.values["MPI_SUBVERSION"]["value"]
    abi = f"{api.abi['version']}.{api.abi['subversion']}"
    lines = [MPI_H_HEAD.format(licence=LICENCE, version=version, subversion=subversion, abi=abi)]
    lines += header_types(api)
    lines.append("")
    for callback in api.callbacks:
        parameters = ", ".join(callback["parameters"])
        lines.append(f"typedef {callback['returns']} {callback['name']}({parameters});")
    lines += [f"typedef {t['alias']} {t['name']};" for t in api.types if "alias" in t]
    category = None
    for entry in api.constants:
        text = header_constant(api, entry)
        if text is None:
            continue
        if entry["category"] != category:
            category = entry["category"]
            lines.append("")
        lines.append(text)
    for prefix in ("", "P"):
        lines.append("")
        lines += [f.prototype(prefix + f.name, True) + ";" for f in api.functions]
        lines.append(f"\n/* extension: {prefix}MPI functions of the Fortran handles, removed ones, fault tolerance */")
        lines += [f.prototype(prefix + f.name, True) + ";" for f in api.extensions]
    lines.append(MPI_H_TAIL)
    return "\n".join(lines)


# ---- calls.hpp -----------------------------------------------------------------------------------

CALLS_HEAD = f"""// {LICENCE}
//
// The MPI functions as the implementation defines them: calls::X implements MPI_X and PMPI_X.
// Generated from smpi/api.json. Not every one is defined: see generate.py and mpi-coverage.md.
#pragma once

#include "mpi.h"

{CALLS_NAMESPACE}
"""


def calls_hpp(api):
    lines = [CALLS_HEAD]
    lines += [f.prototype(f.call, False) + ";" for f in api.all if not f.is_alias]
    lines.append("\n}  // namespace rehearse::smpi::calls\n")
    return "\n".join(lines)


# ---- entry points --------------------------------------------------------------------------------


def definitions(folder, namespace):
    """(name, place) of each function that is defined in this namespace below the folder."""
    definition = re.compile(r"(?:int|double|MPI_\w+) ([A-Z]\w*)\(")
    for path in sorted(pathlib.Path(folder).rglob("*.cpp")):
        inside = False
        for number, line in enumerate(path.read_text().splitlines(), 1):
            if re.match(r"(?:}  // )?namespace rehearse", line):
                inside = line == namespace
            match = definition.match(line) if inside else None
            if match:
                yield match.group(1), f"{path}:{number}"


def implemented_functions(api, folder):
    """The functions that are defined in namespace calls, or follow from one in namespace forms."""
    known = {f.call for f in api.all if not f.is_alias}
    found = set()
    bases = {base.name for base, _ in collective_forms(api)}
    for name, place in definitions(folder, FORMS_NAMESPACE):
        if "MPI_" + name not in bases:
            fail(f"{place}: MPI has no collective MPI_{name}")
        found |= {f.call for base, f in collective_forms(api) if base.call == name}
    for name, place in definitions(folder, CALLS_NAMESPACE):
        if name not in known:
            fail(f"{place}: MPI has no function MPI_{name}")
        if name in found:
            fail(f"{place}: calls::{name} is defined twice")
        found.add(name)
    return found


# ---- forms: the six functions of a collective from one implementation ----------------------------


def collective_forms(api):
    """(base, form) for every collective that has a persistent form: MPI_X with itself, MPI_X_c,
    MPI_IX, MPI_IX_c, MPI_X_init and MPI_X_init_c."""
    by_name = {f.name: f for f in api.functions}
    for name, base in by_name.items():
        if f"{name}_init" not in by_name or base.chapter not in ("collectives", "topologies"):
            continue
        plain = base.call
        for form in (plain, f"I{plain[0].lower()}{plain[1:]}", f"{plain}_init"):
            for width in ("", "_c"):
                if f"MPI_{form}{width}" in by_name:
                    yield base, by_name[f"MPI_{form}{width}"]


def form_parameter(p):
    if p.kind in ("count", "displacement"):
        return f"Integers {p.name}" if "[" in p.ctype else f"MPI_Count {p.name}"
    return p.declaration()


FORMS_HEAD = f"""// {LICENCE}
//
// The collectives, each implemented once: forms::X implements MPI_X, MPI_IX, MPI_X_init and their
// large-count forms. `completing` selects one of them.
// Generated from smpi/api.json.
#pragma once

#include "mpi.h"
#include "smpi/integers.hpp"

namespace rehearse::smpi {{
struct Completing;
}}

{FORMS_NAMESPACE}
"""


def forms_hpp(api):
    lines = [FORMS_HEAD]
    for base, form in collective_forms(api):
        if base is form:
            parameters = ", ".join(form_parameter(p) for p in base.parameters)
            lines.append(f"int {base.call}({parameters}, const Completing& completing);")
    lines.append("\n}  // namespace rehearse::smpi::forms\n")
    return "\n".join(lines)


FORMS_SOURCE_HEAD = f"""// {LICENCE}
//
// The forms of each collective that is implemented.
// Generated from smpi/api.json.
#include "smpi/abi/calls.hpp"
#include "smpi/abi/forms.hpp"
#include "smpi/collective/collective.hpp"

{CALLS_NAMESPACE}
"""


def forms_cpp(api, found):
    lines = [FORMS_SOURCE_HEAD]
    for base, form in collective_forms(api):
        if form.call not in found:
            continue
        names = {p.name for p in form.parameters}
        if "info" in names:
            completing = f'persistent("{form.name}", info, request)'
        elif "request" in names:
            completing = f'nonblocking("{form.name}", request)'
        else:
            completing = f'{{"{form.name}"}}'
        arguments = ", ".join(p.name for p in base.parameters)
        lines += [form.prototype(form.call, False) + " {",
                  f"  return forms::{base.call}({arguments}, {completing});", "}"]
    lines += ["", "}  // namespace rehearse::smpi::calls", ""]
    return "\n".join(lines)


def narrowed_call(function, plain, index):
    """The body of a large-count function that calls its classic form; None: they differ too much."""
    before, arguments, after = [], [], []
    if len(function.parameters) != len(plain.parameters):
        return None
    for wide, thin in zip(function.parameters, plain.parameters):
        types = (wide.ctype, thin.ctype)
        if wide.ctype == thin.ctype or types == ("MPI_Count", "MPI_Aint") \
                or types == ("MPI_Count*", "MPI_Aint*"):
            arguments.append(wide.name)
        elif types in (("MPI_Count", "int"), ("MPI_Aint", "int")):
            arguments.append(f"narrow_count({wide.name}, {index})")
        elif types in (("MPI_Count*", "int*"), ("MPI_Aint*", "int*")):
            start = f"narrow_count(*{wide.name}, {index})" if wide.direction == "inout" else "0"
            before.append(f"  int narrow_{wide.name} = {start};")
            arguments.append(f"&narrow_{wide.name}")
            after.append(f"  *{wide.name} = narrow_{wide.name};")
        else:
            return None
    call = f"calls::{plain.call}({', '.join(arguments)})"
    if not after:
        return [*before, f"  return {call};"]
    return [*before, f"  const int result = {call};", *after, "  return result;"]


def widened_call(function, large):
    """The body of a classic function that calls its large-count form; None: they differ too much."""
    if len(function.parameters) != len(large.parameters):
        return None
    for thin, wide in zip(function.parameters, large.parameters):
        if thin.ctype != wide.ctype and (thin.ctype, wide.ctype) != ("int", "MPI_Count"):
            return None
    arguments = ", ".join(p.name for p in function.parameters)
    return [f"  return calls::{large.call}({arguments});"]


def entry_bodies(api, found):
    """The body of each entry point after its scope; None: the function is not implemented."""
    by_name = {f.name: f for f in api.all}
    for index, function in enumerate(api.all):
        body = None
        if function.call in found:
            arguments = ", ".join(p.name for p in function.fixed)
            body = [f"  return calls::{function.call}({arguments});"]
        elif function.name.endswith("_c"):
            plain = by_name.get(function.name[:-2])
            if plain is not None and plain.call in found:
                body = narrowed_call(function, plain, index)
        elif function.call + "_c" in found:
            body = widened_call(function, by_name[function.name + "_c"])
        yield function, body


ENTRIES_HEAD = f"""// {LICENCE}
//
// The C entry points of MPI: each opens a scope that reports can read, then calls the
// implementation.
// Generated from smpi/api.json.
//
// MPI_Psend_init and MPI_Precv_init: one published header declares their count as MPI_Count, the
// standard's as int. An int parameter reads the low half of the register, which is right for both.
#include "mpi.h"
#include "smpi/abi/api.hpp"
#include "smpi/abi/call_scope.hpp"
#include "smpi/abi/calls.hpp"
#include "smpi/abi/dead_stack.hpp"
#include "smpi/abi/entered.hpp"
#include "smpi/abi/unsupported.hpp"

using namespace rehearse::smpi;
"""


# # Queries that programs call very often and that take very little, constant time.
BRIEF = re.compile("MPI_(Type_(size|get_extent|get_true_extent|extent|lb|ub)|Comm_(rank|size|remote_size|test_inter)"
                   "|Group_(rank|size)|Get_(count|address)|Address|Aint_(add|diff)|Op_commutative|Test_cancelled"
                   "|Initialized|Finalized|Topo_test)(_c|_x)?")


# # Functions that may answer "not yet" many times.
POLLING = re.compile("MPI_(Test(all|any|some)?|Im?probe|Request_get_status(_all|_any|_some)?|Parrived)")


ENTERED_HEAD = f"""// {LICENCE}
//
// The MPI functions for entry points of other interfaces than that of C: entered::X is MPI_X, called from a place in
// the program that the caller names.
// Generated from smpi/api.json.
#pragma once

#include "mpi.h"
#include "smpi/abi/call_scope.hpp"

namespace rehearse::smpi::entered {{
"""


def entered_prototype(function, prefix):
    parameters = ", ".join(["const CallPlace& place"] + [p.declaration() for p in function.fixed])
    return f"{function.returns} {prefix}{function.name.removeprefix('MPI_')}({parameters})"


def entered_hpp(api):
    lines = [ENTERED_HEAD]
    lines += [entered_prototype(f, "") + ";" for f in api.all]
    lines.append("\n}  // namespace rehearse::smpi::entered\n")
    return "\n".join(lines)


def unnamed_prototype(function):
    types = ", ".join(re.sub(rf"\b{p.name}\b", "", p.declaration()).strip() for p in function.parameters)
    return f"{function.returns} P{function.name}({types})"


def entry_lines(index, function, body):
    """The function at a place, and the C entry points."""
    words = ", ".join(f"argument_word({p.name})" for p in function.fixed) or "0"
    brief = ", rehearse::LibraryCode::Length::brief" if BRIEF.fullmatch(function.name) else ""
    plain = function.name.removeprefix("MPI_")
    names = ", ".join(p.name for p in function.fixed)
    place = "{__builtin_return_address(0), __builtin_dwarf_cfa()}"
    # The frame of at_X is below that of the entry point, so DeadStack clears what it leaves behind. That of a poll is
    # compared with the one of the next poll, so it must not have parts that nobody writes.
    is_poll = POLLING.fullmatch(function.name)
    inline = "[[gnu::always_inline]] static inline " if is_poll else "[[gnu::noinline]] static "
    return [
        inline + entered_prototype(function, "at_") + " {",
        f"  const std::uint64_t call_words[] = {{{words}}};",
        f"  const CallScope call_scope({index}, call_words, place{brief});",
        *(["  clear_dead_stack();"] if is_poll else []),
        *(body or [f"  unsupported_function({index});"]),
        "}",
        entered_prototype(function, "rehearse::smpi::entered::") + " {",
        f"  return at_{plain}({', '.join(['place', names] if names else ['place'])});",
        "}",
        # A caller that reads a register without setting it must not see data of the driver.
        'extern "C" [[gnu::used, gnu::visibility("hidden")]] __attribute__((zero_call_used_regs("all-gpr")))',
        function.prototype(f"rehearse_body_{plain}", True).replace("(void)", "()") + " {",
        "  const DeadStack dead_stack(DeadStack::Below::clear);",
        f"  return at_{plain}({', '.join([place, names] if names else [place])});",
        "}",
        # Without a frame: the stack is cleared up to the caller's, and the body gets all arguments as they are. Weak:
        # the compiler sees no call there, and would conclude of a strong function that it throws nothing.
        'extern "C" [[gnu::naked, gnu::weak]] ' + unnamed_prototype(function) + " {",
        f'  asm("call rehearse_clear_for_call\\n\\tjmp rehearse_body_{plain}");',
        "}",
        'extern "C" ' + function.prototype(function.name, True)
        + f'\n    __attribute__((weak, alias("P{function.name}")));',
        "",
    ]


def entries_cpp(bodies):
    lines = [ENTRIES_HEAD]
    for index, (function, body) in enumerate(bodies):
        lines += entry_lines(index, function, body)
    lines += ["namespace {", "", "void* const entry_table[] = {"]
    lines += [f"    reinterpret_cast<void*>(&P{function.name})," for function, _ in bodies]
    lines += ["};", "", "}  // namespace", "",
              "std::span<void* const> rehearse::smpi::entry_points() { return entry_table; }", ""]
    return "\n".join(lines)


# ---- tables --------------------------------------------------------------------------------------

TABLES_HEAD = f"""// {LICENCE}
//
// The MPI API as data. Generated from smpi/api.json.
#include "smpi/abi/api.hpp"

#include "mpi.h"

namespace rehearse::smpi {{
namespace {{
"""


def parameter_row(p):
    return (f'    {{"{p.name}", "{p.ctype}", Kind::{p.kind}, Direction::{p.direction}, '
            f'Shape::{p.shape()}, "{p.length}"}},')


def constant_rows(api):
    known = [c for c in api.constants if "same_as" not in c]
    names = re.findall(r"\w+", KINDS_ORDER.search(api.kinds_source).group(1))
    for c in sorted(known, key=lambda c: (names.index(c["category"]), c["value"])):
        yield f'    {{"{c["name"]}", "{c["type"]}", Kind::{c["category"]}, {c["value"]}}},'


KINDS_ORDER = re.compile(r"enum class Kind : std::uint8_t \{(.*?)\};", re.S)


def tables_cpp(api, bodies):
    lines = [TABLES_HEAD, "constexpr ParameterInfo parameters[] = {"]
    rows, start = [], 0
    for function, body in bodies:
        lines += [parameter_row(p) for p in function.parameters]
        count = len(function.parameters)
        rows.append(f'    {{"{function.name}", {{parameters + {start}, {count}}}, '
                    f"{'true' if body else 'false'}, {list(api.chapters).index(function.chapter)}}},")
        start += count
    lines += ["};", "", "constexpr FunctionInfo function_table[] = {", *rows]
    lines += ["};", "", "constexpr ChapterInfo chapter_table[] = {"]
    lines += [f'    {{"{key}", "{title}"}},' for key, title in api.chapters.items()]
    lines += ["};", "", "constexpr ConstantInfo constant_table[] = {"]
    lines += constant_rows(api)
    lines += ["};", "", "}  // namespace", "",
              "std::span<const FunctionInfo> functions() { return function_table; }",
              "std::span<const ChapterInfo> chapters() { return chapter_table; }",
              "std::span<const ConstantInfo> constants() { return constant_table; }", "",
              "}  // namespace rehearse::smpi", ""]
    return "\n".join(lines)


# ---- mpi-coverage.md -----------------------------------------------------------------------------


def coverage_md(api, bodies):
    done = {function.name for function, body in bodies if body}
    standard = [f.name for f in api.functions]
    count = sum(name in done for name in standard)
    extensions = sum(f.name in done for f in api.extensions)
    lines = ["# MPI coverage", "",
             f"{count} of the {len(standard)} functions of the MPI 5.0 ABI are implemented. A call",
             "of any other ends the run with its name, exit status 3 and the verdict",
             "`inconclusive`. Not counted here, but implemented too, are",
             f"{extensions} extensions: conversions of Fortran handles, functions that MPI-3.0 removed, and",
             "fault tolerance.",
             "`rehearse list calls PROGRAM` says which functions a program needs. This page is generated",
             "from the code.", "",
             "| chapter | implemented | of |", "| --- | --: | --: |"]
    chapters = {key: [f.name for f in api.all if f.chapter == key] for key in api.chapters}
    for key, names in chapters.items():
        lines.append(f"| {api.chapters[key]} | {sum(n in done for n in names)} | {len(names)} |")
    for key, names in chapters.items():
        for title, wanted in (("Implemented", True), ("Not yet", False)):
            chosen = [f"`{n}`" for n in names if (n in done) == wanted]
            if wanted:
                lines += ["", f"## {api.chapters[key]}"]
            if chosen:
                lines += ["", f"{title}: {', '.join(chosen)}."]
    return "\n".join(lines) + "\n"


# ---- the library that programs link to -----------------------------------------------------------


def stub_functions_c(api):
    lines = [f"/* {LICENCE}", " *",
             " * The functions of libmpi_abi: names to link to. None of them can run: see stub.c.",
             " * Generated from smpi/api.json.", " */", "",
             "void rehearse_stub_called(const char* function) __attribute__((noreturn));", ""]
    for function in api.all:
        name = function.name
        lines.append(f'void P{name}(void) {{ rehearse_stub_called("{name}"); }}')
        lines.append(f'void {name}(void) __attribute__((weak, alias("P{name}")));')
    return "\n".join(lines) + "\n"


def headers(api, out):
    write(out / "include" / "mpi.h", mpi_h(api))
    generated = out / "generated" / "smpi"
    write(generated / "abi" / "calls.hpp", calls_hpp(api))
    write(generated / "abi" / "forms.hpp", forms_hpp(api))
    write(generated / "abi" / "stub_functions.c", stub_functions_c(api))
    write(generated / "abi" / "entered.hpp", entered_hpp(api))
    for part in range(PARTS):
        write(generated / "fortran" / f"entries_{part + 1}.cpp", entries.entries(api, part, PARTS))
        write(generated / "foreign" / f"foreign_entries_{part + 1}.cpp", translation.entries(api, part, PARTS))
    write(generated / "foreign" / "constants.hpp", translation.constants(api, SMPI / "foreign"))
    write(generated / "foreign" / "open_mpi_data.c", translation.open_mpi_data(SMPI / "foreign"))
    write(generated / "foreign" / "mpich_data.c", translation.MPICH_DATA)
    write(generated / "fortran" / "stub_fortran.c", entries.stub(api))
    write(out / "include" / "mpif.h", interfaces.mpif_h(api))
    sources_folder = out / "lib" / "rehearse-fortran"
    write(sources_folder / "mpi.f90", interfaces.mpi_f90(api))
    write(sources_folder / "mpi_f08.f90", interfaces.mpi_f08_f90(api))


def sources(api, out, folder):
    found = implemented_functions(api, folder)
    bodies = list(entry_bodies(api, found))
    generated = out / "generated" / "smpi" / "abi"
    api.kinds_source = (pathlib.Path(folder) / "abi" / "api.hpp").read_text()
    write(generated / "forms.cpp", forms_cpp(api, found))
    write(generated / "entries.cpp", entries_cpp(bodies))
    write(generated / "tables.cpp", tables_cpp(api, bodies))
    write(out / "docs" / "mpi-coverage.md", coverage_md(api, bodies))


def main(arguments):
    if len(arguments) == 3 and arguments[0] == "headers":
        headers(Api(arguments[1]), pathlib.Path(arguments[2]))
    elif len(arguments) == 4 and arguments[0] == "sources":
        sources(Api(arguments[1]), pathlib.Path(arguments[2]), arguments[3])
    else:
        fail("usage: generate.py headers API.json OUT | sources API.json OUT SMPI_FOLDER")


if __name__ == "__main__":
    main(sys.argv[1:])
