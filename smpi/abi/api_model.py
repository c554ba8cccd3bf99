# SPDX-License-Identifier: MIT
#
# smpi/api.json as objects, and the common parts of all generators.

import json
import pathlib
import sys

LICENCE = "SPDX-License-Identifier: MIT"


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
        for function in self.all:
            function.check()

    def constant(self, entry):
        return self.values[entry["same_as"]] if "same_as" in entry else entry


class Function:
    def __init__(self, entry):
        self.name, self.returns, self.chapter = entry["name"], entry["returns"], entry["chapter"]
        self.parameters = [Parameter(*p) for p in entry["parameters"]]
        self.call = entry.get("same_as", self.name).removeprefix("MPI_")
        self.is_alias = "same_as" in entry
        self.variadic = any(p.ctype == "..." for p in self.parameters)
        self.fixed = [p for p in self.parameters if p.ctype != "..."]

    def check(self):
        """A length names parameters, or a property of the communicator."""
        known = {p.name for p in self.parameters}
        known |= {"comm_size", "indegree", "outdegree", "dimensions", "peers", "rank", "1", ""}
        for parameter in self.parameters:
            for word in parameter.length.replace("*", ":").split(":"):
                if word not in known:
                    fail(f"{self.name}: the length of {parameter.name} names {word}")

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
        if self.kind == "weight":  # may be MPI_UNWEIGHTED, at which gcc would look as at an array
            return f"{self.ctype[:at]}* {self.name}"
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
