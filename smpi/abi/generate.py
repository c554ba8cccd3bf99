#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
#
# Makes everything that follows mechanically from smpi/api.json: the header that programs include,
# the declarations of the implementation, the entry points, the tables behind reports, the library
# that programs link to, and the page that says what is implemented.
#
# Usage:  generate.py headers API.json OUT    writes OUT/include/mpi.h and OUT/generated/...
#         generate.py sources API.json OUT SMPI_FOLDER
#                                             also looks for the implemented functions in SMPI_FOLDER
# Errors: one line on standard error and exit status 1.
# Files are only touched when their contents change, so that nothing is rebuilt in vain.

import json
import pathlib
import re
import sys

LICENCE = "SPDX-License-Identifier: MIT"
CALLS_NAMESPACE = "namespace rehearse::smpi::calls {"


class Api:
    """The contents of api.json, with the few names that are derived from it."""

    def __init__(self, path):
        data = json.loads(pathlib.Path(path).read_text())
        self.abi, self.types, self.chapters = data["abi"], data["types"], data["chapters"]
        self.constants, self.callbacks = data["constants"], data["callbacks"]
        self.functions = [Function(f) for f in data["functions"]]
        self.extensions = [Function(f) for f in data["extensions"]]
        self.all = sorted(self.functions + self.extensions, key=lambda f: f.name)
        self.values = {c["name"]: c for c in self.constants}

    def constant(self, entry):
        return self.values[entry["same_as"]] if "same_as" in entry else entry


class Function:
    def __init__(self, entry):
        self.name, self.returns, self.chapter = entry["name"], entry["returns"], entry["chapter"]
        self.parameters = [Parameter(*p) for p in entry["parameters"]]
        self.call = entry.get("same_as", self.name)[len("MPI_"):]
        self.is_alias = "same_as" in entry
        self.variadic = any(p.ctype == "..." for p in self.parameters)
        self.fixed = [p for p in self.parameters if p.ctype != "..."]

    def prototype(self, prefix, c_language):
        parameters = self.parameters if c_language else self.fixed
        text = ", ".join(p.declaration() for p in parameters)
        return f"{self.returns} {prefix}({text or ('void' if c_language else '')})"


class Parameter:
    def __init__(self, ctype, name, kind, direction, length=""):
        self.ctype, self.name, self.kind = ctype, name, kind
        self.direction, self.length = direction, length

    def declaration(self):
        if self.ctype == "...":
            return "..."
        at = self.ctype.find("[")
        if at < 0:
            return f"{self.ctype} {self.name}"
        return f"{self.ctype[:at]} {self.name}{self.ctype[at:]}"

    def shape(self):
        if "[" in self.ctype or self.kind in ("function",):
            return "array"
        if "*" not in self.ctype:
            return "value"
        plain = self.ctype.replace("const ", "")
        named = self.name.startswith("array_of_") or plain in ("void*", "char*", "char**")
        return "array" if named else "pointer"


def fail(message):
    print(f"generate.py: error: {message}", file=sys.stderr)
    sys.exit(1)


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.read_text() != text:
        path.write_text(text)


# ---- mpi.h ---------------------------------------------------------------------------------------

MPI_H_HEAD = """/* {licence}
 *
 * The C and C++ interface of MPI {version}.{subversion}, with the standard's binary interface
 * (ABI {abi}): a program compiled with this header runs with any MPI library that has that ABI.
 * Generated from smpi/api.json. Extension, on by default: MPI_Fint, MPI_*_c2f and MPI_*_f2c.
 */
#ifndef MPI_H_ABI
#define MPI_H_ABI

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
    """A macro each: usable in #if and #ifdef, and of the type that the standard says."""
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
    return f"#define {entry['name']:<34} {text}"


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
        lines.append(f"\n/* extension: {prefix}MPI functions of the Fortran handles */")
        lines += [f.prototype(prefix + f.name, True) + ";" for f in api.extensions]
    lines.append(MPI_H_TAIL)
    return "\n".join(lines)


# ---- calls.hpp -----------------------------------------------------------------------------------

CALLS_HEAD = f"""// {LICENCE}
//
// The MPI functions as the implementation defines them: calls::X does what MPI_X and PMPI_X do.
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


def headers(api, out):
    write(out / "include" / "mpi.h", mpi_h(api))
    write(out / "generated" / "smpi" / "abi" / "calls.hpp", calls_hpp(api))


def main(arguments):
    if len(arguments) == 3 and arguments[0] == "headers":
        headers(Api(arguments[1]), pathlib.Path(arguments[2]))
    else:
        fail("usage: generate.py headers API.json OUT | sources API.json OUT SMPI_FOLDER")


if __name__ == "__main__":
    main(sys.argv[1:])
