# SPDX-License-Identifier: MIT
"""Programs of the suite that are wrong but pass with MPICH's own ABI, in which handles are of type int and soon used
again, and what is right. Two keep datatypes in arrays of int; one goes on with the handle of a freed datatype, which
another got. The corrected copies lie in the build folder, where make looks first.
"""
import sys

TYPES = [(f"int *{name}", f"MPI_Datatype *{name}") for name in ("sendtypes", "recvtypes")]


def followed_by(call, text):
    return [(call, f"{call}\n    {text}")]


CORRECTIONS = {
    "coll/nonblocking2.c": TYPES,
    "coll/nonblocking3.c": TYPES,
    "datatype/indexed_misc.c":
        followed_by("MPI_Type_create_hindexed(3, len, adisp, MPI_INT, &type);", "types[0] = type;"),
    "datatype/indexed_misc_oldapi.c":
        followed_by("MPI_Type_hindexed(3, len, adisp, MPI_INT, &type);", "types[0] = type;"),
}


def apply(suite, build):
    for name, changes in CORRECTIONS.items():
        text = (suite / name).read_text()
        for wrong, right in changes:
            if wrong not in text:
                sys.exit(f"conformance: {suite / name} does not say '{wrong}', which was to be corrected")
            text = text.replace(wrong, right)
        (build / name).write_text(text)
