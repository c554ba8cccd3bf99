# SPDX-License-Identifier: MIT
#
# The entry points of Fortran that follow from the C functions: they convert the arguments and call the function with
# the place of the Fortran program. mpi_send_ serves mpif.h and the modules mpi and mpi_f08; functions with buffers have
# a second form, mpi_send_f08ts_, whose buffers are descriptors. Those of binding.BY_HAND are not here. Each is a
# template over the binary interface for which the program was compiled (smpi/fortran/standard_abi.hpp).

from api_model import LICENCE
from binding import (BY_HAND, HANDLES, OLD_ATTRIBUTES, POSITIONS, REFUSED, REMOVED, has_choice, in_fortran, is_choice,
                     is_large, is_nonblocking, is_text, plain_type)
from translation import GROUPS

HEAD = f"""// {LICENCE}
//
// Entry points of MPI for Fortran, part {{part}}. Generated from smpi/api.json.
#include <type_traits>

#include "smpi/abi/dead_stack.hpp"
#include "smpi/abi/entered.hpp"
#include "smpi/abi/unsupported.hpp"
#include "smpi/foreign/fortran_abi.hpp"
#include "smpi/fortran/conversion.hpp"
#include "smpi/fortran/entries.hpp"
#include "smpi/fortran/section.hpp"

namespace rehearse::smpi::fortran {{{{
namespace {{{{
"""

# Buffers whose use does not end with the call or with a request.
NO_SECTION_CHAPTERS = ("one-sided", "partitioned")


def takes_sections(function, parameter):
    if parameter.kind == "address":
        return "by_address"
    begins = function.chapter == "io" and function.name.removesuffix("_c").endswith(("_begin", "_end"))
    if parameter.kind == "attach_buffer" or function.chapter in NO_SECTION_CHAPTERS or begins:
        return "contiguous"
    return "any"


class Entry:
    """One entry point: its C++ parameters, the lines before the call, the arguments of the call, the lines after it."""

    def __init__(self, function, descriptors, plain_text):
        self.function, self.descriptors, self.plain_text = function, descriptors, plain_text
        self.parameters, self.before, self.arguments, self.after = [], [], [], []
        self.lengths = []
        for parameter in function.fixed:
            self.add(parameter)

    def add(self, p):
        function, ctype, name = self.function, plain_type(p), f"f_{p.name}"
        self.parameters.append(None)
        declare = lambda text: self.parameters.__setitem__(-1, f"{text} {name}")
        if is_choice(function, p):
            self.add_choice(p, declare)
        elif is_text(p):
            self.add_text(p, declare)
        elif ctype in HANDLES:
            self.add_handle(p, ctype, declare)
        elif ctype == "MPI_Status":
            self.add_status(p, declare)
        elif p.kind in GROUPS and ctype == "int" and "[3]" not in p.ctype and not p.name.startswith("array_of_"):
            self.add_constant(p, declare)
        elif p.kind == "distribution":
            declare("const int*")
            self.before.append(f"const ConstantList {p.name}(Abi::distributions, {name}, *f_{p.length});")
            self.arguments.append(f"{p.name}.values()")
        elif p.kind in ("offset", "displacement") and p.ctype == "MPI_Offset":
            declare("const MPI_Offset*")
            self.arguments.append(f"foreign::offset_of<Abi>(*{name})")
        elif "[" not in p.ctype and "*" not in p.ctype:
            declare(f"const {ctype}*")
            self.arguments.append(f"*{name} != 0" if p.kind == "flag" else f"*{name}")
        elif p.kind == "weight":
            declare("int*")
            self.arguments.append(f"Abi::weights_of({name})")
        elif "[3]" in p.ctype:
            declare("int*")
            self.arguments.append(f"reinterpret_cast<int(*)[3]>({name})")
        elif p.kind == "index" and function.name in POSITIONS:
            self.add_position(p, declare)
        else:
            declare(f"{'const ' if 'const' in p.ctype else ''}{ctype}*")
            self.arguments.append(name)

    def add_choice(self, p, declare):
        name = f"f_{p.name}"
        if not self.descriptors:
            declare("const void*")
            self.arguments.append(f"choice_of<Abi>({name})")
            return
        declare("const DescriptorOf<Abi>*")
        use = takes_sections(self.function, p)
        if use == "by_address":
            self.arguments.append(f"choice_of<Abi>({name}->base)")
            return
        self.before += [f"const Described<Abi> d_{p.name}({name});",
                        f"const Section {p.name}(d_{p.name}.get(), choice_of<Abi>({name}->base), Section::Use::{use}, "
                        f'"{self.function.name}");']
        self.arguments.append(f"{p.name}.address()")
        if is_nonblocking(self.function):
            persistent = "true" if self.function.name.removesuffix("_c").endswith("_init") else "false"
            self.after.append(f"if (code == MPI_SUCCESS) {p.name}.keep(request.value(), {persistent});")
        else:
            self.after.append(f"{p.name}.finish();")

    def add_text(self, p, declare):
        name = f"f_{p.name}"
        if self.descriptors and not self.plain_text:
            declare("const Descriptor*")
            given = f"{name}->text(), {name}->element_bytes"
        else:
            declare("char*" if p.direction == "out" else "const char*")
            self.lengths.append(f"std::size_t l_{p.name}")
            given = f"{name}, l_{p.name}"
        if p.direction == "out":
            self.before.append(f"const TextResult {p.name}({given});")
            self.arguments.append(f"{p.name}.buffer()")
        else:
            trim = "Text::Blanks::at_both_ends" if self.function.chapter == "info" else "Text::Blanks::at_end"
            self.before.append(f"const Text {p.name}({given}, {trim});")
            self.arguments.append(f"{p.name}.text()")

    def add_handle(self, p, ctype, declare):
        name = f"f_{p.name}"
        if "[" in p.ctype:
            changes = p.direction != "in"
            declare("int*" if changes else "const int*")
            kind = "HandleList" if changes else "ConstHandleList"
            self.before.append(f"const {kind}<Abi, {ctype}> {p.name}({name}, {self.length(p)});")
            self.arguments.append(f"{p.name}.handles()")
        elif "*" in p.ctype:
            declare("int*")
            self.before.append(f"HandleVariable<Abi, {ctype}> {p.name}({name});")
            self.arguments.append(f"{p.name}.address()")
        else:
            declare("const int*")
            self.arguments.append(f"handle_of<Abi, {ctype}>({name})")

    def add_status(self, p, declare):
        name = f"f_{p.name}"
        if p.direction == "in":
            declare("const int*")
            self.before.append(f"const ConstStatus<Abi> {p.name}({name});")
        else:
            declare("int*")
            names = [q.name for q in self.function.fixed if "*" not in q.ctype]
            is_list = p.name.startswith("array_of_")
            count = "1" if not is_list else f"*f_{p.length}" if p.length in names else "*f_incount"
            self.before.append(f"Statuses<Abi> {p.name}({name}, {count});")
        self.arguments.append(f"{p.name}.address()")

    def add_constant(self, p, declare):
        name, constants = f"f_{p.name}", f"Abi::{GROUPS[p.kind]}s"
        if "[" in p.ctype:  # not translated, as in C
            declare(f"{'const ' if 'const' in p.ctype else ''}int*")
            self.arguments.append(name)
        elif "*" in p.ctype:
            declare("int*")
            self.before.append(f"ConstantVariable {p.name}({constants}, {name});")
            self.arguments.append(f"{p.name}.address()")
            self.after.append(f"{p.name}.write_back(code);")
        else:
            declare("const int*")
            self.arguments.append(f"ours_of({constants}, *{name})")

    def length(self, p):
        """The number of elements of a list of handles."""
        names = [q.name for q in self.function.fixed]
        if p.length in names:
            return f"*f_{p.length}"
        if p.length in ("comm_size", "indegree", "outdegree"):
            sends = p.name.startswith("send")
            unused = ""
            if sends and "sendbuf" in names and p.length == "comm_size":
                base = "f_sendbuf->base" if self.descriptors else "f_sendbuf"
                unused = f"choice_of<Abi>({base}) == MPI_IN_PLACE ? 0 : "
            length = {"comm_size": "peers"}.get(p.length, p.length)
            return f"{unused}{length}_of(handle_of<Abi, MPI_Comm>(f_comm))"
        raise ValueError(f"{self.function.name}: the length of {p.name} is {p.length}")

    def add_position(self, p, declare):
        declare("int*")
        self.arguments.append(f"f_{p.name}")
        if "[" in p.ctype:
            self.after.append("if (code == MPI_SUCCESS || code == MPI_ERR_IN_STATUS) "
                              f"count_from_one(f_{p.name}, *f_outcount);")
        else:
            self.after.append(f"count_from_one(f_{p.name}, 1);")

    def lines(self, name):
        function = self.function
        parameters = ", ".join([*self.parameters, "int* ierror", *self.lengths])
        call = f"entered::{function.call}(here, {', '.join(self.arguments)})".replace("(here, )", "(here)")
        return [
            "template <class Abi>",
            '__attribute__((zero_call_used_regs("all-gpr")))',
            f"void {name}({parameters}) {{",
            "  const DeadStack dead_stack;",
            "  const CallPlace here = fortran_place();",
            *(f"  {line}" for line in self.before),
            f"  const int code = {call};",
            *(f"  {line}" for line in self.after),
            "  give_result<Abi>(ierror, code);",
            "}", ""]


def refused_lines(name, index):
    return ["template <class Abi>",
            f"void {name}() {{",
            "  const std::uint64_t words[32] = {};",
            f"  const CallScope scope({index}, words, fortran_place());",
            f"  unsupported_function({index});", "}", ""]


def generated(api):
    """(index in api.all, function) of the functions with generated entry points."""
    return [(i, f) for i, f in enumerate(api.all) if in_fortran(f) and f.name not in BY_HAND]


def entry_names(function):
    """(name without the last underscore, whether buffers are descriptors, and strings not) of each entry point of a
    function. In mpi_f08 of MPICH, a string is no descriptor."""
    lower = function.name.lower()
    names = [(lower, False, False)]
    if has_choice(function):
        names.append((f"{lower}_f08ts", True, False))
        if any(is_text(p) for p in function.fixed):
            names.append((f"{lower}_f08ts", True, True))
    return names


def entries(api, part, parts):
    """The source text of one part of the entry points."""
    lines, table, described, own, plain = [HEAD.format(part=part + 1)], [], [], [], []
    for number, (index, function) in enumerate(generated(api)):
        if number % parts != part:
            continue
        has_text = any(is_text(p) for p in function.fixed)
        for name, descriptors, plain_text in entry_names(function):
            if is_large(function) and has_choice(function) and not descriptors:
                continue
            own_name = f"{name}_plain" if plain_text else name
            if function.name in REFUSED:
                lines += refused_lines(own_name, index)
            else:
                lines += Entry(function, descriptors, plain_text).lines(own_name)
            rows = table if not descriptors else plain if plain_text else own if has_text else described
            rows.append(f'{{"{name}", entry_address({own_name}<Abi>)}},')
    lines += ["}  // namespace", "", "template <class Abi>", f"EntryList entries_{part + 1}() {{",
              "  EntryList all = {", *(f"      {row}" for row in table), "  };"]
    conditions = (("Abi::descriptors != Descriptors::none", described), ("std::is_same_v<Abi, Standard>", own),
                  ("std::is_same_v<Abi, foreign::MpichFortran>", plain))
    for condition, rows in conditions:
        if not rows:
            continue
        lines += [f"  if constexpr ({condition}) {{", "    const EntryList more = {",
                  *(f"        {row}" for row in rows), "    };",
                  "    all.insert(all.end(), more.begin(), more.end());", "  }"]
    lines += ["  return all;", "}",
              *(f"template EntryList entries_{part + 1}<{abi}>();"
                for abi in ("Standard", "foreign::MpichFortran", "foreign::OpenMpiFortran")),
              "", "}  // namespace rehearse::smpi::fortran", ""]
    return "\n".join(lines)


# Entry points that are written by hand, beside those of binding.BY_HAND.
ALSO = ["mpi_f_sync_reg", "mpi_f_sync_reg_f08ts", "mpi_status_f2f08", "mpi_status_f082f",
        "mpi_status_f2f08_f08", "mpi_status_f082f_f08",
        "mpi_buffer_detach_f08", "mpi_comm_detach_buffer_f08", "mpi_session_detach_buffer_f08",
        "mpi_buffer_detach_c_f08", "mpi_comm_detach_buffer_c_f08", "mpi_session_detach_buffer_c_f08"]
CPTR = ["mpi_alloc_mem_cptr", "mpi_win_allocate_cptr", "mpi_win_allocate_shared_cptr", "mpi_win_shared_query_cptr"]
PREDEFINED_FUNCTIONS = ["mpi_null_copy_fn", "mpi_dup_fn", "mpi_null_delete_fn", "mpi_comm_null_copy_fn",
                        "mpi_comm_dup_fn", "mpi_comm_null_delete_fn", "mpi_type_null_copy_fn", "mpi_type_dup_fn",
                        "mpi_type_null_delete_fn", "mpi_win_null_copy_fn", "mpi_win_dup_fn",
                        "mpi_win_null_delete_fn", "mpi_conversion_fn_null", "mpi_conversion_fn_null_c"]
SIZEOF_TYPES = [("character", (1,)), ("logical", (1, 2, 4, 8, 16)), ("integer", (1, 2, 4, 8, 16)),
                ("real", (4, 8, 10, 16)), ("complex", (4, 8, 10, 16))]


def sizeof_names():
    return [f"mpi_sizeof_{kind}{size}" for kind, sizes in SIZEOF_TYPES for size in sizes]


def comparison_names():
    return [f"mpi_{handle}_{operator}" for handle in [*HANDLES.values(), "status"] for operator in ("eq", "ne")]


def link_names(api):
    """The names to which Fortran programs link, without the last underscore."""
    names = set(ALSO + CPTR + PREDEFINED_FUNCTIONS + sizeof_names() + comparison_names())
    for function in api.all:
        if not in_fortran(function):
            continue
        lower = function.name.lower()
        if not is_large(function):
            names.add(lower)
        if function.name in REMOVED + OLD_ATTRIBUTES:
            continue
        if has_choice(function):
            names.add(f"{lower}_f08ts")
        else:
            names.add(f"{lower}_f08")
    return sorted(names)


def stub(api):
    lines = [f"/* {LICENCE}", " *", " * The names of libmpi_abi to which Fortran programs link: see stub.c.",
             " * Generated from smpi/api.json.", " */", "",
             "void rehearse_stub_called(const char* function) __attribute__((noreturn));",
             "/* The COMMON block of the addresses with a meaning: see smpi/fortran/sentinels.hpp. */",
             "char mpi_rehearse_[96];", ""]
    for name in link_names(api):
        lines.append(f'void p{name}_(void) {{ rehearse_stub_called("{name}"); }}')
        lines.append(f'void {name}_(void) __attribute__((weak, alias("p{name}_")));')
    return "\n".join(lines) + "\n"
