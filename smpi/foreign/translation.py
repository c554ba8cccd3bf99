# SPDX-License-Identifier: MIT
#
# The functions of MPI for programs that were compiled for another MPI library: each converts its arguments from the
# types and values of that library and calls the function of ours. One template serves all such libraries; `Abi` knows
# their types (smpi/foreign/abi.hpp). Also the tables of their constants, from mpich.json and openmpi.json.
#
# Errors: a function of BY_HAND that smpi/foreign does not define is an error of the C++ compiler.

import json
import pathlib

from api_model import LICENCE

HANDLES = ("MPI_Comm", "MPI_Datatype", "MPI_Errhandler", "MPI_File", "MPI_Group", "MPI_Info", "MPI_Message", "MPI_Op",
           "MPI_Request", "MPI_Session", "MPI_Win")
BY_HAND = {
    "MPI_Comm_create_keyval", "MPI_Type_create_keyval", "MPI_Win_create_keyval", "MPI_Keyval_create",
    "MPI_Op_create", "MPI_Comm_create_errhandler", "MPI_Win_create_errhandler", "MPI_File_create_errhandler",
    "MPI_Errhandler_create", "MPI_Session_create_errhandler", "MPI_Grequest_start", "MPI_Status_c2f", "MPI_Status_f2c",
}
# They end their rank by name.
REFUSED = {"MPI_Comm_spawn", "MPI_Comm_spawn_multiple", "MPI_Register_datarep", "MPI_Register_datarep_c",
           "MPI_Op_create_c"}

# The group of constants for each kind of parameter (smpi/abi/api.hpp).
GROUPS = {"rank": "rank", "rank_dest": "rank", "rank_source": "rank", "root": "rank", "tag_send": "tag",
          "tag_recv": "tag", "keyval": "keyval", "error_code": "error", "comparison": "comparison",
          "thread_level": "thread_level", "lock_type": "lock_type", "whence": "whence", "order": "order",
          "typeclass": "typeclass", "combiner": "combiner", "topology": "topology", "split_type": "split_type",
          "distribution": "distribution", "file_mode": "file_mode", "win_assert": "win_assert"}
CATEGORIES = {"rank": ["special"], "tag": ["special"], "error": ["error_code"]}
NAMES = {"rank": {"MPI_ANY_SOURCE", "MPI_PROC_NULL", "MPI_ROOT"}, "tag": {"MPI_ANY_TAG"}}
SPECIAL_OFFSET = "MPI_DISPLACEMENT_CURRENT"
# The size of the program's buffer for a string: a constant of its library.
STRING_SIZES = {"MPI_Comm_get_name": "MPI_MAX_OBJECT_NAME", "MPI_Type_get_name": "MPI_MAX_OBJECT_NAME",
                "MPI_Win_get_name": "MPI_MAX_OBJECT_NAME", "MPI_Get_processor_name": "MPI_MAX_PROCESSOR_NAME",
                "MPI_Error_string": "MPI_MAX_ERROR_STRING", "MPI_Get_library_version": "MPI_MAX_LIBRARY_VERSION_STRING",
                "MPI_Info_get_nthkey": "MPI_MAX_INFO_KEY", "MPI_Open_port": "MPI_MAX_PORT_NAME",
                "MPI_Lookup_name": "MPI_MAX_PORT_NAME", "MPI_File_get_view": "MPI_MAX_DATAREP_STRING"}


def plain(parameter):
    return parameter.ctype.replace("const ", "").split("[")[0].replace("*", "").strip()


def translated(api):
    return [(i, f) for i, f in enumerate(api.all)
            if not f.name.startswith(("MPI_T_", "MPIX_")) and not f.name.endswith(("_fromint", "_toint"))]


class Function:
    """One function: parameters, lines before the call, arguments, lines after it."""

    def __init__(self, function):
        self.function = function
        self.parameters, self.before, self.arguments, self.after = [], [], [], []
        for p in function.fixed:
            self.add(p)

    def add(self, p):
        name, ctype = f"f_{p.name}", plain(p)
        is_list = "[" in p.ctype or p.name.startswith("array_of_")
        if ctype in HANDLES:
            self.add_handle(p, ctype, name, is_list)
        elif ctype == "MPI_Status":
            self.add_status(p, name, is_list)
        elif ctype == "char" and p.direction == "out" and self.function.name in STRING_SIZES:
            self.parameters.append(f"char* {name}")
            self.before.append(f"TextResult {p.name}({name}, Abi::{STRING_SIZES[self.function.name].lower()});")
            self.arguments.append(f"{p.name}.buffer()")
        elif p.kind in ("buffer", "attach_buffer"):
            self.parameters.append(f"{p.ctype} {name}")
            self.arguments.append(f"Abi::buffer_of({name})")
        elif p.kind == "weight":
            self.parameters.append(f"int* {name}")
            self.arguments.append(f"Abi::weights_of({name})")
        elif p.kind in GROUPS and ctype == "int" and not is_list:
            self.add_constant(p, name, GROUPS[p.kind])
        elif p.kind in ("offset", "displacement") and p.ctype == "MPI_Offset":
            self.parameters.append(f"MPI_Offset {name}")
            self.arguments.append(f"offset_of<Abi>({name})")
        elif p.kind == "distribution":
            self.parameters.append(f"{p.ctype.replace('[]', '*')} {name}")
            self.before.append(f"const IntegerList {p.name}(Abi::distributions, {name}, f_{p.length});")
            self.arguments.append(f"{p.name}.values()")
        else:
            declaration = f"{p.ctype} {name}"
            at = p.ctype.find("[")
            if at >= 0:
                declaration = f"{p.ctype[:at]} {name}{p.ctype[at:]}"
            self.parameters.append(declaration)
            self.arguments.append(name)

    def add_handle(self, p, ctype, name, is_list):
        foreign = f"typename Abi::template Handle<{ctype}>"
        const = "const " if p.ctype.startswith("const ") else ""
        if is_list:
            self.parameters.append(f"{const}{foreign}* {name}")
            self.before.append(f"HandleList<Abi, {ctype}> {p.name}({name}, {self.length(p)});")
            self.arguments.append(f"{p.name}.handles()")
            if not const:
                self.after.append(f"{p.name}.write_back({name});")
        elif "*" in p.ctype:
            self.parameters.append(f"{foreign}* {name}")
            self.before.append(f"HandleVariable<Abi, {ctype}> {p.name}({name});")
            self.arguments.append(f"{p.name}.address()")
            self.after.append(f"{p.name}.write_back();")
        else:
            self.parameters.append(f"{foreign} {name}")
            self.arguments.append(f"Abi::template ours<{ctype}>({name})")

    def add_status(self, p, name, is_list):
        self.parameters.append(f"{'const ' if p.direction == 'in' else ''}typename Abi::Status* {name}")
        if p.direction == "in":
            self.before.append(f"const ConstStatus<Abi> {p.name}({name});")
            self.arguments.append(f"{p.name}.address()")
            return
        count = "1"
        if is_list:
            count = f"f_{p.length}" if f"f_{p.length}" in " ".join(self.parameters) else "f_incount"
        self.before.append(f"StatusList<Abi> {p.name}({name}, {count});")
        self.arguments.append(f"{p.name}.address()")
        self.after.append(f"{p.name}.write_back({name});")

    def add_constant(self, p, name, group):
        if "*" not in p.ctype:
            self.parameters.append(f"int {name}")
            self.arguments.append(f"ours_of(Abi::{group}s, {name})")
            return
        self.parameters.append(f"int* {name}")
        if p.direction == "inout":
            self.before.append(f"if ({name} != nullptr) *{name} = ours_of(Abi::{group}s, *{name});")
        else:
            self.before.append(f"const int {p.name}_before = {name} != nullptr ? *{name} : 0;")
        self.arguments.append(name)
        written = f"if ({name} != nullptr) *{name} = foreign_of(Abi::{group}s, *{name});"
        if p.direction != "inout":
            written = (f"if (result == MPI_SUCCESS) {{ {written} }} else if ({name} != nullptr) "
                       f"*{name} = {p.name}_before;")
        self.after.append(written)

    def length(self, p):
        names = [q.name for q in self.function.fixed]
        if p.length in names:
            return f"f_{p.length}"
        if p.length in ("comm_size", "indegree", "outdegree"):
            unused = "Abi::buffer_of(f_sendbuf) == MPI_IN_PLACE ? 0 : " if (
                p.name.startswith("send") and "sendbuf" in names and p.length == "comm_size") else ""
            length = {"comm_size": "peers"}.get(p.length, p.length)
            return f"{unused}{length}_of(Abi::template ours<MPI_Comm>(f_comm))"
        raise ValueError(f"{self.function.name}: the length of {p.name} is {p.length}")

    def lines(self):
        function = self.function
        call = f"entered::{function.name[len('MPI_'):]}({', '.join(['here', *self.arguments])})"
        returns = function.returns
        head = ["template <class Abi>", '__attribute__((zero_call_used_regs("all-gpr")))',
                f"{returns} {function.name[len('MPI_'):]}({', '.join(self.parameters)}) {{",
                "  const DeadStack dead_stack;",
                "  const CallPlace here = {__builtin_return_address(0), __builtin_dwarf_cfa()};",
                *(f"  {line}" for line in self.before)]
        if returns != "int" or not self.is_result_code():
            return [*head, f"  return {call};", "}", ""]
        return [*head, f"  const int result = {call};", *(f"  {line}" for line in self.after),
                "  return foreign_of(Abi::errors, result);", "}", ""]

    def is_result_code(self):
        return not self.function.name.endswith(("_c2f", "_f2c"))


HEAD = f"""// {LICENCE}
//
// The functions of MPI for other libraries' binary interfaces, part {{part}}. Generated from smpi/api.json.
#include "smpi/abi/dead_stack.hpp"
#include "smpi/abi/entered.hpp"
#include "smpi/abi/unsupported.hpp"
#include "smpi/foreign/translated.hpp"
#include "smpi/foreign/foreign_entries.hpp"
#include "smpi/foreign/mpich.hpp"
#include "smpi/foreign/open_mpi.hpp"

namespace rehearse::smpi::foreign {{{{
namespace {{{{
"""


def entries(api, part, parts):
    lines, rows = [HEAD.format(part=part + 1)], []
    for number, (index, function) in enumerate(translated(api)):
        if number % parts != part:
            continue
        name = function.name[len("MPI_"):]
        if function.name in BY_HAND:
            continue
        if function.name in REFUSED or function.name.endswith(("_f2c", "_c2f")):
            if function.name in REFUSED:
                lines += [f"template <class Abi>\nvoid {name}() {{",
                          "  const std::uint64_t words[32] = {};",
                          f"  const CallScope scope({index}, words, {{__builtin_return_address(0), nullptr}});",
                          f"  unsupported_function({index});", "}", ""]
            else:
                lines += converted_handle(function)
        else:
            lines += Function(function).lines()
        rows.append(f'      {{"{function.name}", entry_address({name}<Abi>)}},')
    lines += ["}  // namespace", "", "template <class Abi>", f"EntryList entries_{part + 1}() {{", "  return {", *rows,
              "  };", "}", f"template EntryList entries_{part + 1}<Mpich>();",
              f"template EntryList entries_{part + 1}<OpenMpi>();", "", "}  // namespace rehearse::smpi::foreign", ""]
    return "\n".join(lines)


def converted_handle(function):
    """MPI_X_c2f and MPI_X_f2c: the same INTEGER as in Fortran programs."""
    name = function.name[len("MPI_"):]
    ctype = "MPI_Datatype" if name.startswith("Type") else "MPI_" + name[:-4]
    foreign = f"typename Abi::template Handle<{ctype}>"
    if name.endswith("_c2f"):
        return ["template <class Abi>", f"MPI_Fint {name}({foreign} handle) {{",
                f"  return Abi::template integer_of<{ctype}>(handle);", "}", ""]
    return ["template <class Abi>", f"{foreign} {name}(MPI_Fint number) {{",
            f"  return Abi::template handle_of_integer<{ctype}>(number);", "}", ""]


# ---- Constants -----------------------------------------------------------------------------------


def constants(api, folder):
    """smpi/foreign/constants.hpp: the pairs of values of each group, and the predefined handles."""
    lines = [f"// {LICENCE}", "//", "// Constants of other MPI libraries. Generated from smpi/foreign/*.json.",
             "#pragma once", "", "#include <array>", "#include <cstddef>", "", '#include "smpi/foreign/pairs.hpp"', "",
             "namespace rehearse::smpi::foreign {", ""]
    for library, prefix in (("mpich", "mpich"), ("openmpi", "open_mpi")):
        data = json.loads((pathlib.Path(folder) / f"{library}.json").read_text())
        values = data["constants"]
        lines.append(f"namespace {prefix}_values {{")
        groups = sorted(set(GROUPS.values()))
        for group in groups:
            rows = []
            for entry in api.constants:
                category = api.constant(entry)["category"]
                chosen = category in CATEGORIES.get(group, [group]) and entry["name"] in NAMES.get(
                    group, {entry["name"]})
                if chosen and entry["name"] in values and "same_as" not in entry:
                    rows.append(f"{{{entry['value']}, {values[entry['name']]}}}")
            lines.append(f"inline constexpr Pair {group}s[] = {{{', '.join(rows)}}};")
        for entry in api.constants:
            if entry.get("category") in ("string_size", "offset", "size") and entry["name"] in values:
                kind = "std::size_t" if entry["category"] == "string_size" else "long long"
                lines.append(f"inline constexpr {kind} {entry['name'].lower()} = {values[entry['name']]};")
        lines += predefined_handles(api, data, library)
        lines += [f"}}  // namespace {prefix}_values", ""]
    lines += ["}  // namespace rehearse::smpi::foreign", ""]
    return "\n".join(lines)


def predefined_handles(api, data, library):
    """For each kind of handle: (ours, theirs), by theirs and by ours; of Open MPI the names of its objects."""
    lines = []
    for kind in HANDLES:
        rows = {}  # the first name of a value counts
        for entry in api.constants:
            source = api.constant(entry)
            if source["type"] != kind:
                continue
            if library == "mpich" and entry["name"] in data["constants"]:
                rows.setdefault(source["value"], data["constants"][entry["name"]])
            if library == "openmpi" and entry["name"] in data["symbols"]:
                rows.setdefault(source["value"], data["symbols"][entry["name"]][0])
        short = kind[len("MPI_"):].lower()
        if library == "openmpi":
            names = ", ".join(f'{{{ours}, "{theirs}"}}' for ours, theirs in rows.items())
            lines.append(f"inline constexpr std::array<NamedHandle, {len(rows)}> {short}_objects = {{{{{names}}}}};")
            lines.append(fortran_indices(api, data, kind, short))
            continue
        for way, key in (("theirs", lambda row: row[1]), ("ours", lambda row: row[0])):
            pairs = ", ".join(f"{{{ours}, {theirs}}}" for ours, theirs in sorted(rows.items(), key=key))
            lines.append(f"inline constexpr std::array<Pair, {len(rows)}> {short}_by_{way} = {{{{{pairs}}}}};")
    return lines


def fortran_indices(api, data, kind, short):
    """(ours, the INTEGER of Open MPI in Fortran) for each predefined handle of a kind."""
    rows = {}
    for entry in api.constants:
        source = api.constant(entry)
        if source["type"] == kind and entry["name"] in data["fortran_indices"]:
            rows.setdefault(source["value"], data["fortran_indices"][entry["name"]])
    pairs = ", ".join(f"{{{ours}, {theirs}}}" for ours, theirs in rows.items())
    braces = f"{{{{{pairs}}}}}" if rows else "{}"
    return f"inline constexpr std::array<Pair, {len(rows)}> {short}_indices = {braces};"


# ---- The data of Open MPI, for programs that copy or refer to it ---------------------------------


def open_mpi_data(folder):
    data = json.loads((pathlib.Path(folder) / "openmpi.json").read_text())
    lines = [f"/* {LICENCE}", " *",
             " * The objects of libmpi.so.40 to which programs refer: only their addresses and sizes count.",
             " * Generated from smpi/foreign/openmpi.json.", " */", ""]
    for name, size in dict([*map(tuple, data["symbols"].values()), *data["other_objects"].items()]).items():
        lines.append(f"char {name}[{size}] = {{1}};")
    lines += ["", "/* The addresses with a meaning in Fortran. */"]
    for name in ("bottom", "in_place", "unweighted", "weights_empty", "errcodes_ignore", "argv_null", "argvs_null"):
        lines.append(f"int mpi_fortran_{name}_;")
    lines += [f"int mpi_fortran_{name}_[6];" for name in ("status_ignore", "statuses_ignore")]
    return "\n".join(lines) + "\n"


MPICH_DATA = f"""/* {LICENCE}
 *
 * The variables of libmpich.so.12 to which programs refer: constants of Fortran and of distributed graphs.
 */
static int unweighted, weights_empty;
int* MPI_UNWEIGHTED = &unweighted;
int* MPI_WEIGHTS_EMPTY = &weights_empty;
int* MPI_F_STATUS_IGNORE = (int*)1;
int* MPI_F_STATUSES_IGNORE = (int*)1;

/* The addresses with a meaning in Fortran: COMMON blocks, and variables of the module mpi_f08. */
int mpipriv1_[7], mpipriv2_[6], mpifcmb5_, mpifcmb9_;
char mpiprivc_[2];
int MPIR_F08_MPI_BOTTOM, MPIR_F08_MPI_IN_PLACE, MPIR_F08_MPI_STATUS_IGNORE_OBJ[5], MPIR_F08_MPI_STATUSES_IGNORE_OBJ[5];
int __mpi_f08_link_constants_MOD_mpi_unweighted, __mpi_f08_link_constants_MOD_mpi_weights_empty;
int __mpi_f08_link_constants_MOD_mpi_errcodes_ignore;
char __mpi_f08_link_constants_MOD_mpi_argv_null, __mpi_f08_link_constants_MOD_mpi_argvs_null;
"""
