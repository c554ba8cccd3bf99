# SPDX-License-Identifier: MIT
#
# The interfaces that Fortran programs are compiled with: mpif.h and the modules mpi and mpi_f08. The modules consist of
# interfaces and constants only, so a program refers to nothing but the entry points (entries.py) and the COMMON block
# of the addresses with a meaning (sentinels.hpp).
#
# Rules: mpif.h keeps to columns 7 to 72, so that it can be included in fixed and in free form. A function with a buffer
#        is bind(C) in mpi_f08, because only then gfortran passes the standard's descriptor; its strings are
#        descriptors, too.

from api_model import LICENCE
from binding import (ADDRESS_RESULTS, HANDLES, OLD_ATTRIBUTES, OWN_LARGE_NAME, REMOVED, WITHOUT_IERROR, has_choice,
                     in_fortran, is_choice, is_detached, is_large, is_nonblocking, large_is_distinct, parameters_of,
                     plain_type)
from entries import SIZEOF_TYPES

STATUS_WORDS = 8
KINDS = {"MPI_Aint": "MPI_ADDRESS_KIND", "MPI_Offset": "MPI_OFFSET_KIND", "MPI_Count": "MPI_COUNT_KIND"}
OWN_CONSTANTS = [("MPI_STATUS_SIZE", STATUS_WORDS), ("MPI_SOURCE", 1), ("MPI_TAG", 2), ("MPI_ERROR", 3),
                 ("MPI_ADDRESS_KIND", 8), ("MPI_COUNT_KIND", 8), ("MPI_OFFSET_KIND", 8), ("MPI_INTEGER_KIND", 4)]
C_ONLY_TYPES = ("MPI_Fint", "MPI_T_")
C_ONLY = ("MPI_F_", "MPI_T_")
REMOVED_FUNCTIONS = {"MPI_DUP_FN", "MPI_NULL_COPY_FN", "MPI_NULL_DELETE_FN"}


def integer_constants(api):
    """(name, C type, value) of the constants that are numbers or handles in Fortran."""
    for entry in api.constants:
        source = api.constant(entry)
        kind = source["type"]
        if entry["name"].startswith(C_ONLY) or kind.startswith(C_ONLY_TYPES) or "*" in kind:
            continue
        value = source["value"]
        if source["category"] == "string_size":
            value -= 1  # no NUL
        yield entry["name"], kind, value


def predefined_functions(api):
    return [c["name"] for c in api.constants if c.get("category") == "function"]


# ---- mpif.h --------------------------------------------------------------------------------------

MPIF_SENTINELS = """\
      INTEGER MPI_BOTTOM, MPI_IN_PLACE, MPI_BUFFER_AUTOMATIC
      INTEGER MPI_ERRCODES_IGNORE(1), MPI_UNWEIGHTED(1)
      INTEGER MPI_WEIGHTS_EMPTY(1)
      INTEGER MPI_STATUS_IGNORE(MPI_STATUS_SIZE)
      INTEGER MPI_STATUSES_IGNORE(MPI_STATUS_SIZE,1)
      CHARACTER*1 MPI_ARGV_NULL(1), MPI_ARGVS_NULL(1,1)
      CHARACTER*6 MPI_REHEARSE_END
      COMMON /MPI_REHEARSE/ MPI_BOTTOM, MPI_IN_PLACE
      COMMON /MPI_REHEARSE/ MPI_BUFFER_AUTOMATIC
      COMMON /MPI_REHEARSE/ MPI_ERRCODES_IGNORE, MPI_UNWEIGHTED
      COMMON /MPI_REHEARSE/ MPI_WEIGHTS_EMPTY, MPI_STATUS_IGNORE
      COMMON /MPI_REHEARSE/ MPI_STATUSES_IGNORE
      COMMON /MPI_REHEARSE/ MPI_ARGV_NULL, MPI_ARGVS_NULL
      COMMON /MPI_REHEARSE/ MPI_REHEARSE_END
      SAVE /MPI_REHEARSE/"""


# With -fdefault-integer-8, the compiler reports a division by zero at this name.
MPIF_INTEGERS = """\
! INTEGER must have 4 bytes (no -fdefault-integer-8).
      INTEGER MPI_NEEDS_INTEGERS_OF_4_BYTES
      PARAMETER (MPI_NEEDS_INTEGERS_OF_4_BYTES=1/(5/KIND(0)))"""


def mpif_h(api):
    lines = [f"! {LICENCE}", "!", "! The interface of MPI for Fortran, to be included in fixed or free form.",
             "! Generated from smpi/api.json.", *MPIF_INTEGERS.splitlines()]

    def constant(declaration, name, value):
        lines.append(f"      {declaration} {name}")
        lines.append(f"      PARAMETER ({name}={value})")

    for name, value in OWN_CONSTANTS:
        constant("INTEGER", name, value)
    for name, value in (("MPI_SUBARRAYS_SUPPORTED", ".FALSE."), ("MPI_ASYNC_PROTECTS_NONBLOCKING", ".FALSE.")):
        constant("LOGICAL", name, value)
    for name, kind, value in integer_constants(api):
        if kind == "MPI_Offset":
            constant("INTEGER(KIND=8)", name, f"{value}_8")
        else:
            constant("INTEGER", name, value)
    lines.append(MPIF_SENTINELS)
    for prefix in ("", "P"):
        lines.append(f"      DOUBLE PRECISION {prefix}MPI_WTIME, {prefix}MPI_WTICK")
        lines.append(f"      EXTERNAL {prefix}MPI_WTIME, {prefix}MPI_WTICK")
        lines.append(f"      INTEGER(KIND=8) {prefix}MPI_AINT_ADD")
        lines.append(f"      INTEGER(KIND=8) {prefix}MPI_AINT_DIFF")
        lines.append(f"      EXTERNAL {prefix}MPI_AINT_ADD, {prefix}MPI_AINT_DIFF")
    lines += [f"      EXTERNAL {name}" for name in predefined_functions(api)]
    return "\n".join(lines) + "\n"


# ---- Arguments -----------------------------------------------------------------------------------


def is_unchecked(function, parameter):
    """Lists of counts, displacements and types, and the types that belong to them. Programs pass scalars for those that
    are not used with MPI_IN_PLACE, and other libraries accept that in the module mpi, too."""
    lists = any("[" in p.ctype and p.kind in ("count", "displacement") for p in function.fixed)
    return has_choice(function) and lists and (
        parameter.kind == "datatype" or ("[" in parameter.ctype and parameter.kind in ("count", "displacement")))


def intent(parameter):
    """gfortran 12 loses the line of a call if the procedure has an argument with intent(out)."""
    return f", intent({'inout' if parameter.direction == 'out' else parameter.direction})"


def declared(function, parameter, f08):
    """The declaration of one argument."""
    ctype, name = plain_type(parameter), parameter.name
    if not f08 and is_unchecked(function, parameter):
        return [f"!GCC$ ATTRIBUTES NO_ARG_CHECK :: {name}", f"type(*), dimension(*) :: {name}"]
    array = "[" in parameter.ctype or (name.startswith("array_of_") and "*" in parameter.ctype)
    dimension = "(*)" if array else ""
    if is_choice(function, parameter):
        if not f08:
            return [f"!GCC$ ATTRIBUTES NO_ARG_CHECK :: {name}", f"!DIR$ IGNORE_TKR {name}",
                    f"type(*), dimension(*) :: {name}"]
        extra = ", asynchronous" if is_nonblocking(function) else ""
        extra += ", intent(in)" if parameter.direction == "in" and "const" in parameter.ctype else ""
        return [f"type(*), dimension(..){extra} :: {name}"]
    if is_detached(function, parameter):
        return [f"type(c_ptr), intent(inout) :: {name}"] if f08 else [
            f"!GCC$ ATTRIBUTES NO_ARG_CHECK :: {name}", f"type(*), dimension(*) :: {name}"]
    if name == "baseptr" and function.name in ADDRESS_RESULTS:
        kind = "type(c_ptr)" if f08 else "integer(MPI_ADDRESS_KIND)"
        return [f"{kind}, intent(inout) :: {name}"]
    if parameter.kind in ("attribute", "user_data"):
        old = function.name in ("MPI_Attr_put", "MPI_Attr_get", "MPI_Keyval_create")
        kind = "integer" if old else "integer(MPI_ADDRESS_KIND)"
        return [f"{kind}{intent(parameter)} :: {name}"]
    if parameter.kind == "function":
        return [f"procedure({ctype}) :: {name}"] if f08 else [f"external :: {name}"]
    if parameter.kind == "arguments":
        return [f"character(len=*), intent(in) :: {name}({'count, ' if '**' in parameter.ctype else ''}*)"]
    if ctype == "char":
        return [f"character(len=*){intent(parameter)} :: {name}{'(*)' if parameter.kind == 'strings' else ''}"]
    if ctype in HANDLES:
        kind = f"type({ctype})" if f08 else "integer"
        return [f"{kind}{intent(parameter)} :: {name}{dimension}"]
    if ctype == "MPI_Status":
        way = intent(parameter) if parameter.direction != "out" else ""
        if f08:
            return [f"type(MPI_Status){way} :: {name}{dimension}"]
        return [f"integer{way} :: {name}(MPI_STATUS_SIZE{', *' if array else ''})"]
    if parameter.kind == "flag":
        return [f"logical{intent(parameter)} :: {name}{dimension}"]
    if "[3]" in parameter.ctype:
        dimension = "(3, *)"
    kind = "integer"
    if ctype in KINDS and not (function.name in REMOVED):
        kind = f"integer({KINDS[ctype]})"
    way = intent(parameter)
    if array and parameter.kind in ("weight", "error_code"):
        way = ""
    extra = ", asynchronous" if f08 and array and is_nonblocking(function) and parameter.kind in (
        "count", "displacement") else ""
    return [f"{kind}{way}{extra} :: {name}{dimension}"]


def procedure(function, name, f08, indent, c_pointer=False, prefix=""):
    """The interface body of one procedure."""
    parameters = parameters_of(function)
    names = [p.name for p in parameters]
    has_ierror = function.name not in WITHOUT_IERROR
    kind = {"double": "double precision function", "MPI_Aint": "integer(MPI_ADDRESS_KIND) function"}.get(
        function.returns, "subroutine")
    arguments = ", ".join(names + (["ierror"] if has_ierror else []))
    binding = ""
    if f08 and has_choice(function):
        binding = f' bind(C, name="{name.lower()}_")'
    lines = [f"{kind} {name}({arguments}){binding}", "  import"]
    for parameter in parameters:
        text = declared(function, parameter, f08)
        if c_pointer and parameter.name == "baseptr":
            text = [f"type(c_ptr), intent(inout) :: {parameter.name}"]
        lines += ["  " + line for line in text]
    if has_ierror:
        lines.append(f"  integer, {'optional, ' if f08 else ''}intent(inout) :: ierror")
    lines.append(f"end {kind.split()[-1]}")
    return [indent + line for line in lines]


# ---- Modules -------------------------------------------------------------------------------------

MODULE_SENTINELS = """\
  integer :: MPI_BOTTOM, MPI_IN_PLACE, MPI_BUFFER_AUTOMATIC
  integer :: MPI_ERRCODES_IGNORE(1), MPI_UNWEIGHTED(1), MPI_WEIGHTS_EMPTY(1)
  {status_ignore}
  character(len=1) :: MPI_ARGV_NULL(1), MPI_ARGVS_NULL(1, 1)
  character(len=6), private :: MPI_REHEARSE_END
  common /MPI_REHEARSE/ MPI_BOTTOM, MPI_IN_PLACE, MPI_BUFFER_AUTOMATIC, MPI_ERRCODES_IGNORE, MPI_UNWEIGHTED, &
    MPI_WEIGHTS_EMPTY, MPI_STATUS_IGNORE, MPI_STATUSES_IGNORE, MPI_ARGV_NULL, MPI_ARGVS_NULL, MPI_REHEARSE_END
  save /MPI_REHEARSE/
"""
OLD_STATUSES = """integer :: MPI_STATUS_IGNORE(MPI_STATUS_SIZE), MPI_STATUSES_IGNORE(MPI_STATUS_SIZE, 1)"""
NEW_STATUSES = """type(MPI_Status) :: MPI_STATUS_IGNORE, MPI_STATUSES_IGNORE(1)"""


def types():
    for ctype in HANDLES:
        yield from (f"  type, bind(C) :: {ctype}", "    integer(c_int) :: MPI_VAL", f"  end type {ctype}")
    yield from ("  type, bind(C) :: MPI_Status", "    integer(c_int) :: MPI_SOURCE, MPI_TAG, MPI_ERROR",
                "    integer(c_int), private :: internal(5)", "  end type MPI_Status")


def comparisons():
    """The operators == and /= of handles (and statuses), which are functions of the library."""
    for operator, word in (("==", "eq"), ("/=", "ne")):
        yield f"  interface operator({operator})"
        for ctype, plain in [*HANDLES.items(), ("MPI_Status", "status")]:
            name = f"MPI_{plain}_{word}"
            yield from (f"    elemental logical function {name}(left, right)", "      import",
                        f"      type({ctype}), intent(in) :: left, right", "    end function")
        yield "  end interface"


def sizeof():
    yield "  interface MPI_Sizeof"
    for kind, sizes in SIZEOF_TYPES:
        for size in sizes:
            name = f"MPI_Sizeof_{kind}{size}"
            declaration = "character(len=*)" if kind == "character" else f"{kind}({size})"
            yield from (f"    subroutine {name}(x, size, ierror)", f"      {declaration}, dimension(..) :: x",
                        "      integer, intent(inout) :: size, ierror", "    end subroutine")
    yield "  end interface"


def module_constants(api, f08):
    yield f"  integer, parameter :: {', '.join(f'{n} = {v}' for n, v in OWN_CONSTANTS[:4])}" if not f08 else (
        f"  integer, parameter :: MPI_STATUS_SIZE = {STATUS_WORDS}, MPI_F_SOURCE = 1, MPI_F_TAG = 2, MPI_F_ERROR = 3")
    yield f"  integer, parameter :: {', '.join(f'{n} = {v}' for n, v in OWN_CONSTANTS[4:])}"
    yield f"  logical, parameter :: MPI_SUBARRAYS_SUPPORTED = {'.true.' if f08 else '.false.'}"
    yield f"  logical, parameter :: MPI_ASYNC_PROTECTS_NONBLOCKING = {'.true.' if f08 else '.false.'}"


def values(api, f08):
    for name, kind, value in integer_constants(api):
        if f08 and kind in HANDLES:
            yield f"  type({kind}), parameter :: {name} = {kind}({value})"
        elif kind == "MPI_Offset":
            yield f"  integer(MPI_OFFSET_KIND), parameter :: {name} = {value}_MPI_OFFSET_KIND"
        else:
            yield f"  integer, parameter :: {name} = {value}"


CALLBACKS = {
    "MPI_User_function": ("invec, inoutvec, len, datatype", ["type(c_ptr), value :: invec, inoutvec", "integer :: len",
                                                             "type(MPI_Datatype) :: datatype"]),
    "MPI_User_function_c": ("invec, inoutvec, len, datatype",
                            ["type(c_ptr), value :: invec, inoutvec", "integer(MPI_COUNT_KIND) :: len",
                             "type(MPI_Datatype) :: datatype"]),
    "MPI_Grequest_query_function": ("extra_state, status, ierror", [
        "integer(MPI_ADDRESS_KIND) :: extra_state", "type(MPI_Status) :: status", "integer :: ierror"]),
    "MPI_Grequest_free_function": ("extra_state, ierror", ["integer(MPI_ADDRESS_KIND) :: extra_state",
                                                           "integer :: ierror"]),
    "MPI_Grequest_cancel_function": ("extra_state, complete, ierror", [
        "integer(MPI_ADDRESS_KIND) :: extra_state", "logical :: complete", "integer :: ierror"]),
    "MPI_Datarep_extent_function": ("datatype, extent, extra_state, ierror", [
        "type(MPI_Datatype) :: datatype", "integer(MPI_ADDRESS_KIND) :: extent, extra_state", "integer :: ierror"]),
    "MPI_Datarep_conversion_function": ("userbuf, datatype, count, filebuf, position, extra_state, ierror", [
        "type(c_ptr), value :: userbuf, filebuf", "type(MPI_Datatype) :: datatype", "integer :: count, ierror",
        "integer(MPI_OFFSET_KIND) :: position", "integer(MPI_ADDRESS_KIND) :: extra_state"]),
    "MPI_Datarep_conversion_function_c": ("userbuf, datatype, count, filebuf, position, extra_state, ierror", [
        "type(c_ptr), value :: userbuf, filebuf", "type(MPI_Datatype) :: datatype", "integer :: ierror",
        "integer(MPI_COUNT_KIND) :: count", "integer(MPI_OFFSET_KIND) :: position",
        "integer(MPI_ADDRESS_KIND) :: extra_state"]),
}
KEYED = {"comm": "MPI_Comm", "type": "MPI_Datatype", "win": "MPI_Win"}


def copy_arguments(kind, handle, old):
    integer = "integer" if old else "integer(MPI_ADDRESS_KIND)"
    return (f"old{kind}, {kind}_keyval, extra_state, attribute_val_in, attribute_val_out, flag, ierror",
            [f"{handle} :: old{kind}", f"integer :: {kind}_keyval, ierror",
             f"{integer} :: extra_state, attribute_val_in, attribute_val_out", "logical :: flag"])


def delete_arguments(kind, handle, old):
    integer = "integer" if old else "integer(MPI_ADDRESS_KIND)"
    return (f"{kind}, {kind}_keyval, attribute_val, extra_state, ierror",
            [f"{handle} :: {kind}", f"integer :: {kind}_keyval, ierror", f"{integer} :: attribute_val, extra_state"])


def all_callbacks():
    yield from CALLBACKS.items()
    for kind, handle in KEYED.items():
        words = kind.capitalize()
        yield f"MPI_{words}_copy_attr_function", copy_arguments(kind, f"type({handle})", False)
        yield f"MPI_{words}_delete_attr_function", delete_arguments(kind, f"type({handle})", False)
    for kind in ("comm", "win", "file", "session"):
        handle = f"MPI_{kind.capitalize()}"
        yield f"{handle}_errhandler_function", (f"{kind}, error_code", [f"type({handle}) :: {kind}",
                                                                       "integer :: error_code"])


def subroutine(name, arguments, declarations):
    return [f"    subroutine {name}({arguments})", "      import", *(f"      {d}" for d in declarations),
            "    end subroutine"]


def abstract_interfaces():
    yield "  abstract interface"
    for name, (arguments, declarations) in all_callbacks():
        yield from subroutine(name, arguments, declarations)
    yield "  end interface"


def predefined_callbacks(api, f08):
    yield "  interface"
    for name in predefined_functions(api):
        if f08 and name in REMOVED_FUNCTIONS:
            continue
        if name in ("MPI_CONVERSION_FN_NULL", "MPI_CONVERSION_FN_NULL_C"):
            key = "MPI_Datarep_conversion_function" + ("_c" if name.endswith("_C") else "")
            arguments, declarations = CALLBACKS[key]
        else:
            old = name in REMOVED_FUNCTIONS
            kind = "comm" if old else name.split("_")[1].lower()
            handle = f"type({KEYED[kind]})" if f08 else "integer"
            make = delete_arguments if "DELETE" in name else copy_arguments
            arguments, declarations = make(kind, handle, old)
        if not f08:
            declarations = [d.replace("type(MPI_Datatype)", "integer") for d in declarations]
        yield from subroutine(name, arguments, declarations)
    yield "  end interface"


def in_modules(api):
    return [f for f in api.all if in_fortran(f)]


def mpi_f90(api):
    lines = [f"! {LICENCE}", "!", "! The module mpi. Generated from smpi/api.json.", "module mpi",
             "  use, intrinsic :: iso_c_binding, only: c_int, c_ptr", "  implicit none", "  private :: c_int, c_ptr",
             *module_constants(api, False), *values(api, False), *types(),
             MODULE_SENTINELS.format(status_ignore=OLD_STATUSES), *comparisons(), *sizeof(),
             *predefined_callbacks(api, False)]
    plain = [f for f in in_modules(api) if not is_large(f)]
    for function in plain:
        for prefix in ("", "P"):
            name = prefix + function.name
            with_pointer = function.name in ADDRESS_RESULTS
            lines.append(f"  interface {name}" if with_pointer else "  interface")
            lines += procedure(function, name, False, "    ")
            if with_pointer:
                lines += procedure(function, f"{name}_cptr", False, "    ", c_pointer=True)
            lines.append("  end interface")
    lines += only_in_fortran(False)
    lines += ["end module mpi", ""]
    return "\n".join(lines)


def only_in_fortran(f08):
    buffer = ["      type(*), dimension(..), asynchronous :: buf"] if f08 else [
        "!GCC$ ATTRIBUTES NO_ARG_CHECK :: buf", "      type(*), dimension(*) :: buf"]
    binding = ' bind(C, name="{}mpi_f_sync_reg_f08ts_")' if f08 else ""
    lines = []
    for prefix in ("", "P"):
        optional = "optional, " if f08 else ""
        suffix = "_f08" if f08 else ""
        own = f"{prefix}MPI_F_sync_reg"
        lines += [f"  interface {own}" if f08 else "  interface",
                  f"    subroutine {own}{'_f08ts' if f08 else ''}(buf){binding.format(prefix.lower())}", *buffer,
                  "    end subroutine", "  end interface"]
        for name, first, second in (("MPI_Status_f2f08", "f_status", "f08_status"),
                                    ("MPI_Status_f082f", "f08_status", "f_status")):
            kinds = {"f_status": "integer", "f08_status": "type(MPI_Status)"}
            lengths = {"f_status": "(MPI_STATUS_SIZE)", "f08_status": ""}
            lines += [f"  interface {prefix}{name}" if f08 else "  interface",
                      f"    subroutine {prefix}{name}{suffix}({first}, {second}, ierror)", "      import",
                      f"      {kinds[first]}, intent(in) :: {first}{lengths[first]}",
                      f"      {kinds[second]}, intent(inout) :: {second}{lengths[second]}",
                      f"      integer, {optional}intent(inout) :: ierror", "    end subroutine", "  end interface"]
    return lines


def mpi_f08_f90(api):
    lines = [f"! {LICENCE}", "!", "! The module mpi_f08. Generated from smpi/api.json.", "module mpi_f08",
             "  use, intrinsic :: iso_c_binding, only: c_int, c_ptr", "  implicit none", "  private :: c_int, c_ptr",
             *module_constants(api, True), *types(), *values(api, True),
             MODULE_SENTINELS.format(status_ignore=NEW_STATUSES), *comparisons(), *abstract_interfaces(),
             *predefined_callbacks(api, True)]
    by_name = {f.name: f for f in in_modules(api) if f.name not in REMOVED + OLD_ATTRIBUTES}
    for name, function in by_name.items():
        if is_large(function) and name not in OWN_LARGE_NAME:
            continue
        forms = [function]
        large = by_name.get(f"{name}_c")
        if large is not None and large.name not in OWN_LARGE_NAME and large_is_distinct(large, function):
            forms.append(large)
        for prefix in ("", "P"):
            lines.append(f"  interface {prefix}{name}")
            for form in forms:
                suffix = "_f08ts" if has_choice(form) else "_f08"
                lines += procedure(form, prefix + form.name + suffix, True, "    ")
            lines.append("  end interface")
    lines += only_in_fortran(True)
    lines += ["end module mpi_f08", ""]
    return "\n".join(lines)
