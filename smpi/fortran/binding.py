# SPDX-License-Identifier: MIT
#
# Which functions of smpi/api.json Fortran programs have, and how each differs from its C form.
#
# Source: MPI 5.0, chapter 19 and appendix A.4/A.5; MPI 3.1, A.3 for the removed functions.

# C only: conversions of handles and statuses, and the tool interface.
NOT_IN_FORTRAN = ("MPI_T_", "MPIX_", "MPI_Status_c2f", "MPI_Status_f2c")

# Functions whose entry points are written by hand (smpi/fortran/*_calls.cpp), under their names in Fortran.
BY_HAND = {
    "MPI_Init", "MPI_Init_thread", "MPI_Pcontrol", "MPI_Wtime", "MPI_Wtick", "MPI_Aint_add", "MPI_Aint_diff",
    "MPI_Comm_create_keyval", "MPI_Type_create_keyval", "MPI_Win_create_keyval", "MPI_Keyval_create",
    "MPI_Comm_set_attr", "MPI_Type_set_attr", "MPI_Win_set_attr", "MPI_Attr_put",
    "MPI_Comm_get_attr", "MPI_Type_get_attr", "MPI_Win_get_attr", "MPI_Attr_get",
    "MPI_Op_create", "MPI_Op_create_c", "MPI_Comm_create_errhandler", "MPI_File_create_errhandler",
    "MPI_Win_create_errhandler", "MPI_Session_create_errhandler", "MPI_Errhandler_create", "MPI_Grequest_start",
    "MPI_Info_get", "MPI_Info_get_string", "MPI_Session_get_nth_pset", "MPI_Info_create_env",
    "MPI_Buffer_detach", "MPI_Comm_detach_buffer", "MPI_Session_detach_buffer",
    "MPI_Buffer_detach_c", "MPI_Comm_detach_buffer_c", "MPI_Session_detach_buffer_c",
    "MPI_Address", "MPI_Type_extent", "MPI_Type_lb", "MPI_Type_ub", "MPI_Type_hvector", "MPI_Type_hindexed",
    "MPI_Type_struct",
}
# They end their rank by name: unsupported.function.
REFUSED = {"MPI_Comm_spawn", "MPI_Comm_spawn_multiple", "MPI_Register_datarep", "MPI_Register_datarep_c"}

# Functions without an argument `ierror`.
WITHOUT_IERROR = {"MPI_Pcontrol", "MPI_Wtime", "MPI_Wtick", "MPI_Aint_add", "MPI_Aint_diff"}
# Their large-count forms have a name of their own, because their arguments do not distinguish them.
OWN_LARGE_NAME = {"MPI_Op_create_c", "MPI_Register_datarep_c"}
# Positions in a list of the program, from 1 on in Fortran.
POSITIONS = ("MPI_Waitany", "MPI_Testany", "MPI_Waitsome", "MPI_Testsome", "MPI_Request_get_status_any",
             "MPI_Request_get_status_some")
ADDRESS_RESULTS = ("MPI_Alloc_mem", "MPI_Win_allocate", "MPI_Win_allocate_shared", "MPI_Win_shared_query",
                   "MPI_Win_allocate_c", "MPI_Win_allocate_shared_c", "MPI_Win_shared_query_c")
DETACHING = ("MPI_Buffer_detach", "MPI_Comm_detach_buffer", "MPI_Session_detach_buffer")

# The removed functions have INTEGER where C has MPI_Aint.
REMOVED = ("MPI_Address", "MPI_Errhandler_create", "MPI_Errhandler_get", "MPI_Errhandler_set", "MPI_Type_extent",
           "MPI_Type_hindexed", "MPI_Type_hvector", "MPI_Type_lb", "MPI_Type_struct", "MPI_Type_ub")

# Deprecated functions that mpi_f08 does not have.
OLD_ATTRIBUTES = ("MPI_Attr_delete", "MPI_Attr_get", "MPI_Attr_put", "MPI_Keyval_create", "MPI_Keyval_free")

HANDLES = {"MPI_Comm": "comm", "MPI_Datatype": "datatype", "MPI_Errhandler": "errhandler", "MPI_File": "file",
           "MPI_Group": "group", "MPI_Info": "info", "MPI_Message": "message", "MPI_Op": "op",
           "MPI_Request": "request", "MPI_Session": "session", "MPI_Win": "win"}


def is_large(function):
    return function.name.endswith("_c") and not function.name.endswith("_f2c")


def in_fortran(function):
    """Whether Fortran has the function (in mpi_f08 only, if it is a large-count one)."""
    if function.name.startswith(NOT_IN_FORTRAN) or function.name.endswith(("_toint", "_fromint", "_f2c", "_c2f")):
        return False
    return True


def plain_type(parameter):
    """The C type without const, pointers and arrays."""
    return parameter.ctype.replace("const ", "").split("[")[0].replace("*", "").strip()


def is_choice(function, parameter):
    """Whether the argument is a buffer of any type."""
    if function.name in ADDRESS_RESULTS and parameter.name == "baseptr":
        return False
    if is_detached(function, parameter):
        return False
    return parameter.kind in ("buffer", "attach_buffer", "address") and "*" in parameter.ctype


def is_detached(function, parameter):
    return parameter.name == "buffer_addr" and function.name.removesuffix("_c") in DETACHING


def has_choice(function):
    return any(is_choice(function, p) for p in function.fixed)


def is_text(parameter):
    return plain_type(parameter) == "char"


def parameters_of(function):
    """The arguments in Fortran, without ierror."""
    if function.name == "MPI_Info_create_env":
        return [p for p in function.fixed if p.name == "info"]
    return [p for p in function.fixed if p.kind not in ("argument_count",) and p.ctype != "char***"]


def is_nonblocking(function):
    return any(p.kind == "request" and p.direction == "out" and p.ctype == "MPI_Request*" for p in function.fixed)


def large_is_distinct(function, plain):
    """Whether the arguments of a large-count function distinguish it from the plain one: an INTEGER is wider."""
    for wide, thin in zip(function.fixed, plain.fixed):
        small = plain_type(thin) == "int"
        if small and plain_type(wide) in ("MPI_Count", "MPI_Aint"):
            return True
    return len(function.fixed) != len(plain.fixed)
