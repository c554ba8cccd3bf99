#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Generates the wrappers of the profiling library from smpi/api.json.

generate.py API.json --compiler CC --include DIR --output wrappers.c --weak weak.h [--fortran fortran_wrappers.c]

weak.h makes the symbols of the MPI weak, so that the library can be loaded into a program without MPI, such as the
shell that starts the program. Prototypes are those of the standard. Functions that the MPI in DIR does not declare get
no wrapper. Functions that no template names are local, or complete nothing: they are not touched.
"""
import argparse
import pathlib
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "smpi/abi"))
from api_model import LICENCE, Api  # noqa: E402

import fortran  # noqa: E402

# ---- templates: the text before the real call, and behind it

SUCCESS = "code == MPI_SUCCESS"


class Template:
    def __init__(self, before="", after=""):
        self.before, self.after = before.strip(), after.strip()


def sends(mode):
    return {
        "{}send": Template(f"rt_note_send({mode}, true, count, datatype, dest, tag, comm);"),
        "I{}send": Template(f"rt_note_send({mode}, false, count, datatype, dest, tag, comm);",
                            "rt_made_send(code, request, dest, comm);"),
        "{}send_init": Template("", f"rt_made_persistent(code, request, rt_send_request, {mode}, count, datatype, "
                                    "dest, tag, comm);"),
    }


OWN_STATUS = "MPI_Status own;\n"
TAKE_STATUS = "if (is_wildcard && status == MPI_STATUS_IGNORE) status = &own;"
NOTE_TOOK = f"if (is_wildcard && {SUCCESS}) rt_note_took(status);"


def point_to_point():
    templates = {}
    for mode, letter in enumerate(["", "S", "B", "R"]):
        for name, template in sends(mode).items():
            prefix = letter.lower() if name[0] == "I" else letter
            full = name.format(prefix)
            templates[full[0].upper() + full[1:]] = template
    templates["Recv"] = Template(
        OWN_STATUS + "const bool is_wildcard = rt_note_receive(true, count, datatype, source, tag, comm);\n"
        + TAKE_STATUS,
        NOTE_TOOK)
    templates["Irecv"] = Template("rt_note_receive(false, count, datatype, source, tag, comm);",
                                  "rt_made_receive(code, request, source, tag, comm);")
    templates["Recv_init"] = Template(
        "", "rt_made_persistent(code, request, rt_receive_request, 0, count, datatype, source, tag, comm);")
    templates["Sendrecv"] = Template(
        OWN_STATUS + "const bool is_wildcard = rt_note_exchange(sendcount, sendtype, dest, sendtag, recvcount, "
        "recvtype, source, recvtag, comm);\n" + TAKE_STATUS, NOTE_TOOK)
    templates["Sendrecv_replace"] = Template(
        OWN_STATUS + "const bool is_wildcard = rt_note_exchange(count, datatype, dest, sendtag, count, datatype, "
        "source, recvtag, comm);\n" + TAKE_STATUS, NOTE_TOOK)
    templates["Start"] = Template("rt_note_start(request, 1);")
    templates["Startall"] = Template("rt_note_start(array_of_requests, count);")
    own = OWN_STATUS + "if (status == MPI_STATUS_IGNORE) status = &own;\n"
    templates["Probe"] = Template(own + "rt_note_probe(false, source, tag, comm);",
                                  f"if ({SUCCESS}) rt_note_seen(true, source, tag, comm, status, NULL);")
    templates["Mprobe"] = Template(own + "rt_note_probe(true, source, tag, comm);",
                                   f"if ({SUCCESS}) rt_note_seen(true, source, tag, comm, status, message);")
    seen = "if ({} && *flag) rt_note_seen(false, source, tag, comm, status, {});\nif ({} && !*flag) rt_count_poll();"
    templates["Iprobe"] = Template(own, seen.format(SUCCESS, "NULL", SUCCESS))
    templates["Improbe"] = Template(own, seen.format(SUCCESS, "message", SUCCESS))
    templates["Mrecv"] = Template("rt_note_matched_receive(true, count, datatype, *message);")
    templates["Imrecv"] = Template(
        "const bool is_started = rt_note_matched_receive(false, count, datatype, *message);",
        "rt_made_matched_receive(code, request, is_started);")
    return templates


def lists(quantifier, blocking, requests, count, status, ignored):
    return (f"const struct rt_list list = rt_list_requests({count}, {requests}, {quantifier}, {blocking});\n"
            f"{status} = rt_statuses({status}, {ignored}, &list);")


def completion():
    one = ("status", "MPI_STATUS_IGNORE")
    many = ("array_of_statuses", "MPI_STATUSES_IGNORE")
    array = ("array_of_requests", "count")
    poll = f"if ({SUCCESS} && !*flag) rt_count_poll();"

    def note(condition, quantifier, completed, indices, statuses, peeks="false"):
        arguments = f"&list, {quantifier}, {completed}, {indices}, {statuses}, {peeks}"
        return f"if ({SUCCESS}{condition}) rt_note_completed({arguments});"

    def begin(quantifier, blocking, requests, count, statuses):
        return lists(quantifier, blocking, requests, count, *statuses)

    found = " && *flag && *indx != MPI_UNDEFINED"
    some = " && *outcount != MPI_UNDEFINED && *outcount > 0"
    some_many = ("rt_some", "*outcount", "array_of_indices", many[0])
    return {
        "Wait": Template(begin("rt_all", "true", "request", 1, one), note("", "rt_all", 1, "NULL", one[0])),
        "Waitall": Template(begin("rt_all", "true", *array, many), note("", "rt_all", "count", "NULL", many[0])),
        "Waitany": Template(begin("rt_any", "true", *array, one),
                            note(" && *indx != MPI_UNDEFINED", "rt_any", 1, "indx", one[0])),
        "Waitsome": Template(begin("rt_some", "true", "array_of_requests", "incount", many),
                             note(some, *some_many)),
        "Test": Template(begin("rt_all", "false", "request", 1, one),
                         note(" && *flag", "rt_all", 1, "NULL", one[0]) + "\n" + poll),
        "Testall": Template(begin("rt_all", "false", *array, many),
                            note(" && *flag", "rt_all", "count", "NULL", many[0]) + "\n" + poll),
        "Testany": Template(begin("rt_any", "false", *array, one),
                            note(found, "rt_any", 1, "indx", one[0]) + "\n" + poll),
        "Testsome": Template(begin("rt_some", "false", "array_of_requests", "incount", many),
                             note(some, *some_many) + f"\nif ({SUCCESS} && *outcount == 0) rt_count_poll();"),
        "Request_get_status": Template(begin("rt_all", "false", "&request", 1, one),
                                       note(" && *flag", "rt_all", 1, "NULL", one[0], "true") + "\n" + poll),
        "Cancel": Template("rt_note_cancel(request);"),
        "Request_free": Template("rt_note_free(request);"),
    }


def data(count, datatype):
    return f"(struct rt_data){{{count}, {datatype}}}"


def collectives():
    sent, received = data("sendcount", "sendtype"), data("recvcount", "recvtype")
    reduced = data("count", "datatype")
    notes = {
        "Barrier": "rt_note_barrier({b}, comm);",
        "Bcast": f"rt_note_bcast({{b}}, {data('count', 'datatype')}, root, comm);",
        "Reduce": f"rt_note_reduction(rehearse_reduce, {{b}}, {reduced}, op, root, comm);",
        "Allreduce": f"rt_note_reduction(rehearse_allreduce, {{b}}, {reduced}, op, 0, comm);",
        "Scan": f"rt_note_reduction(rehearse_scan, {{b}}, {reduced}, op, 0, comm);",
        "Exscan": f"rt_note_reduction(rehearse_exscan, {{b}}, {reduced}, op, 0, comm);",
        "Reduce_scatter": "rt_note_reduce_scatter({b}, recvcounts, {w}, datatype, op, comm);",
        "Reduce_scatter_block": f"rt_note_reduce_scatter_block({{b}}, {data('recvcount', 'datatype')}, op, comm);",
        "Gather": f"rt_note_gather({{b}}, sendbuf, {sent}, {received}, root, comm);",
        "Gatherv": f"rt_note_gatherv({{b}}, sendbuf, {sent}, recvcounts, {{w}}, recvtype, root, comm);",
        "Scatter": f"rt_note_scatter({{b}}, {sent}, root, comm);",
        "Scatterv": "rt_note_scatterv({b}, sendcounts, {w}, sendtype, root, comm);",
        "Allgather": f"rt_note_allgather({{b}}, sendbuf, {sent}, {received}, comm);",
        "Allgatherv": f"rt_note_allgatherv({{b}}, sendbuf, {sent}, recvcounts, {{w}}, recvtype, comm);",
        "Alltoall": f"rt_note_alltoall({{b}}, sendbuf, {sent}, {received}, comm);",
        "Alltoallv": "rt_note_alltoallv({b}, sendbuf, sendcounts, sendtype, recvcounts, recvtype, {w}, comm);",
        "Alltoallw": "rt_note_alltoallw({b}, sendbuf, sendcounts, sendtypes, recvcounts, recvtypes, {w}, comm);",
    }
    templates = {}
    for name, note in notes.items():
        for suffix, width in (("", "rt_int"), ("_c", "rt_count")):
            def filled(blocking):
                return note.replace("{b}", blocking).replace("{w}", width)
            templates[name + suffix] = Template(filled("true"))
            templates["I" + name.lower() + suffix] = Template(filled("false"),
                                                              "rt_made_collective(code, request, comm);")
    return templates


def communicators():
    def makes(parent, made, bytes_=0):
        return Template(f"const struct rt_maker maker = rt_make_from({parent});\n"
                        f"rt_note_sync(true, {parent}, {bytes_});", f"rt_made_comm(code, maker, {made});")

    def idup():
        return Template("const struct rt_maker maker = rt_make_from(comm);\nrt_note_sync(false, comm, 0);",
                        "rt_made_idup(code, request, maker, newcomm);")
    freed = "const MPI_Comm freed = *comm;"
    removed = f"if ({SUCCESS}) rt_remove_comm(freed);"
    return {
        "Comm_dup": makes("comm", "newcomm"), "Comm_dup_with_info": makes("comm", "newcomm"),
        "Comm_idup": idup(), "Comm_idup_with_info": idup(),
        "Comm_split": makes("comm", "newcomm", 8), "Comm_split_type": makes("comm", "newcomm", 8),
        "Comm_create": makes("comm", "newcomm"),
        "Comm_create_group": Template("const struct rt_maker maker = rt_make_from_group(comm, group, tag);",
                                      "rt_made_comm(code, maker, newcomm);"),
        "Cart_create": makes("comm_old", "comm_cart"), "Graph_create": makes("comm_old", "comm_graph"),
        "Cart_sub": makes("comm", "newcomm"),
        "Comm_free": Template(freed, removed),
        "Comm_disconnect": Template(freed + "\nrt_note_sync(true, freed, 0);", removed),
    }


# The others that communicate, or make what communicates.
REFUSED = re.compile(
    r"^(Win_(create|allocate)\w*|File_open|Comm_(spawn|accept|connect|join)\w*|Intercomm_\w+|Comm_create_from_group"
    r"|Session_init|I?neighbor_\w+|P(send|recv)_init|\w+_init|Grequest_start|Isendrecv\w*|Dist_graph_create\w*"
    r"|Request_get_status_\w+|Comm_i?flush_buffer|Buffer_i?flush)$", re.IGNORECASE)
SPECIAL = {
    "Init": "const double entered = rt_before_init();\nreturn rt_init({call}, entered);",
    "Init_thread": "const double entered = rt_before_init();\nreturn rt_init({call}, entered);",
    "Finalize": "if (!rt_enter({number}, __builtin_return_address(0))) return {call};\n"
                "rt_note_finalize();\nreturn rt_finalized({call});",
    "Abort": "if (rt_enter({number}, __builtin_return_address(0))) rt_note_abort(errorcode);\nreturn {call};",
}


def templates_of():
    templates = {**point_to_point(), **completion(), **communicators()}
    for name, template in list(templates.items()):
        templates[name + "_c"] = template
    templates.update(collectives())
    return templates


def read_header(compiler, include):
    done = subprocess.run([compiler, "-E", "-I", include, "-x", "c", "-"], input="#include <mpi.h>\n", text=True,
                          capture_output=True, check=True)
    return done.stdout


def declared_functions(header):
    """The names behind PMPI_."""
    return set(re.findall(r"\bPMPI_(\w+)\s*\(", header))


def weak_symbols(header):
    variables = re.findall(r"\bextern\b[^;()]*?\b(\w+)\s*;", header)
    functions = [f"PMPI_{name}" for name in declared_functions(header)]
    own = [name for name in variables if name.startswith(("ompi_", "MPI_", "mpi_"))]
    lines = [f"#pragma weak {name}" for name in sorted({*functions, *own})]
    head = [f"// {LICENCE}", "//", "// The symbols of the MPI. Generated by trace/pmpi/generate.py."]
    return "\n".join([*head, *lines, ""])


class Wrappers:
    def __init__(self, api, declared):
        self.names, self.bodies, self.fortran = [], [], []
        templates = templates_of()
        for function in api.functions:
            name = function.name[len("MPI_"):]
            if name not in declared:
                continue
            if name in SPECIAL:
                self.add(function, None, SPECIAL[name])
            elif name in templates:
                self.add(function, templates[name], self.framed(templates[name]))
            elif REFUSED.match(name):
                self.add(function, None, self.framed(Template("rt_refuse_call();")))

    @staticmethod
    def framed(template):
        lines = ["if (!rt_enter({number}, __builtin_return_address(0))) return {call};", template.before,
                 "const int code = {call};", template.after, "return rt_leave(code);"]
        return "\n".join(line for line in lines if line)

    def add(self, function, template, body):
        for parameter in function.parameters:
            if re.match(r"MPI_P(send|recv)_init$", function.name) and parameter.name == "count":
                parameter.ctype = "MPI_Count"  # MPI 4.0, 4.2.1; the ABI of MPI 5.0 has int
        name = function.name[len("MPI_"):]
        call = f"PMPI_{name}({', '.join(p.name for p in function.parameters)})"
        body = body.replace("{call}", call).replace("{number}", str(len(self.names)))
        lines = "\n".join("  " + line for line in body.splitlines())
        self.bodies.append(f"EXPORTED {function.prototype(function.name, True)} {{\n{lines}\n}}\n")
        if not name.endswith("_c"):
            pieces = (template.before, template.after) if template else None
            self.fortran.append(fortran.entry_point(function, len(self.names), pieces, name in SPECIAL))
        self.names.append(function.name)

    def fortran_text(self):
        return "\n".join([
            f"// {LICENCE}", "//", "// The Fortran entry points. Generated by trace/pmpi/generate.py.",
            '#include "trace/pmpi/library/fortran.h"', "",
            '#define EXPORTED __attribute__((visibility("default")))', "", *self.fortran])

    def text(self):
        names = "\n".join(f'    "{name}",' for name in self.names)
        return "\n".join([
            f"// {LICENCE}", "//", "// The wrappers of the profiling library. Generated by trace/pmpi/generate.py.",
            '#include "trace/pmpi/library/recorder.h"', "",
            '#define EXPORTED __attribute__((visibility("default")))', "",
            f"const char* const rt_call_names[] = {{\n{names}\n}};", "", *self.bodies])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("api")
    parser.add_argument("--compiler", required=True)
    parser.add_argument("--include", required=True)
    parser.add_argument("--output", required=True, type=pathlib.Path)
    parser.add_argument("--weak", required=True, type=pathlib.Path)
    parser.add_argument("--fortran", type=pathlib.Path)
    options = parser.parse_args()
    header = read_header(options.compiler, options.include)
    wrappers = Wrappers(Api(options.api), declared_functions(header))
    options.output.parent.mkdir(parents=True, exist_ok=True)
    options.weak.write_text(weak_symbols(header))
    options.output.write_text(wrappers.text())
    if options.fortran:
        options.fortran.write_text(wrappers.fortran_text())


if __name__ == "__main__":
    main()
