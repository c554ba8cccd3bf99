# SPDX-License-Identifier: MIT
#
# The Fortran entry points of Open MPI, whose Fortran layer calls PMPI_*: mpi_send_ of mpif.h and the module mpi, and
# ompi_send_f, which the module mpi_f08 calls. They note what the C wrappers note, and call pmpi_send_ with the
# arguments as they are. (MPICH's Fortran layer calls MPI_*, so it needs none.)

HANDLES = {"MPI_Comm": "Comm", "MPI_Datatype": "Type", "MPI_Group": "Group", "MPI_Info": "Info", "MPI_Op": "Op",
           "MPI_Request": "Request", "MPI_Message": "Message"}
# What C keeps the address of: a variable of the program, which in Fortran has another type.
REFUSED = {"Comm_idup", "Comm_idup_with_info"}


class Conversion:
    """A C variable with the name of the parameter: the text before the call, and what the call changes."""

    def __init__(self, parameter, count):
        self.before, self.after = [], []
        self.argument = f"f_{parameter.name}"
        self.name, self.count = parameter.name, count
        plain = parameter.ctype.replace("const ", "")
        if plain.startswith("MPI_Status"):
            self.status(many=parameter.name.startswith("array_of_"))
        elif plain.rstrip("[]*") in HANDLES:
            self.handle(plain.rstrip("[]*"), plain, parameter.direction)
        elif parameter.kind == "buffer":
            self.before.append(f"const void* {self.name} = {self.argument} == &mpi_fortran_in_place_ ? MPI_IN_PLACE : "
                               f"{self.argument};")
        elif parameter.kind == "index" and parameter.direction == "out":
            self.index(many="[" in plain)
        elif plain == "int":
            self.before.append(f"const int {self.name} = *(const MPI_Fint*){self.argument};")
        else:
            self.before.append(f"int* {self.name} = {self.argument};")
        self.before.append(f"(void){self.name};")

    def handle(self, ctype, plain, direction):
        convert = f"PMPI_{HANDLES[ctype]}_f2c(*(const MPI_Fint*){self.argument})"
        if plain.endswith("[]"):
            helper = f"rt_requests_from_fortran({self.argument}, {self.count})"
            if ctype == "MPI_Datatype":
                helper = f"rt_types_from_fortran({self.argument}, comm, {int('recv' in self.name)})"
            self.before.append(f"{ctype}* {self.name} = {helper};")
        elif plain.endswith("*"):
            self.before.append(f"{ctype} c_{self.name}{' = ' + convert if direction == 'inout' else ''};")
            self.before.append(f"{ctype}* {self.name} = &c_{self.name};")
            if direction == "out":
                self.after.append(f"c_{self.name} = {convert};")
        else:
            self.before.append(f"{ctype} {self.name} = {convert};")

    def status(self, many):
        ignored, none = (("MPI_F_STATUSES_IGNORE", "MPI_STATUSES_IGNORE") if many
                         else ("MPI_F_STATUS_IGNORE", "MPI_STATUS_IGNORE"))
        count = self.count if many else "1"
        self.before.append(f"MPI_Status* {self.name} = {self.argument} == (void*){ignored} ? {none} : "
                           f"rt_status_room({count});")
        self.argument = f"used_{self.name}"
        self.used = (f"void* {self.argument} = {self.name} != {none} && f_{self.name} == (void*){ignored} ? "
                     f"rt_fortran_status_room({count}) : f_{self.name};")
        self.after.append(f"if ({self.name} != {none}) "
                          f"rt_statuses_from_fortran({self.argument}, {self.name}, {count});")

    def index(self, many):
        if many:
            self.before.append(f"int* {self.name} = NULL;")
            self.after.append(f"{self.name} = rt_indices_from_fortran({self.argument}, *outcount);")
        else:
            self.before += [f"int c_{self.name} = MPI_UNDEFINED;", f"int* {self.name} = &c_{self.name};"]
            self.after.append(f"if (*(const MPI_Fint*){self.argument} != MPI_UNDEFINED) "
                              f"c_{self.name} = *(const MPI_Fint*){self.argument} - 1;")

    used = ""


def converted(function, before, after):
    names = [p.name for p in function.parameters]
    count = "incount" if "incount" in names else "count"
    # The communicator and the counts first: other conversions use them.
    order = sorted(function.parameters, key=lambda p: 0 if p.kind in ("comm", "count") and "*" not in p.ctype else 1)
    conversions = {p.name: Conversion(p, count) for p in order}
    lines = [line for c in conversions.values() for line in c.before]
    lines += [before] + [c.used for c in conversions.values()]
    call = ", ".join([conversions[name].argument for name in names] + ["f_ierr"])
    lines += ["{real}(" + call + ");", "const int code = *f_ierr;"]
    lines += [line for c in conversions.values() for line in c.after]
    return "\n".join(line for line in [*lines, after, "rt_leave(code);"] if line)


def special(name, call):
    if name.startswith("Init"):
        return f"const double entered = rt_before_init();\n{call};\nrt_init(*f_ierr, entered);"
    if name == "Finalize":
        return (f"if (!rt_enter({{number}}, __builtin_return_address(0))) {{\n  {call};\n  return;\n}}\n"
                f"rt_note_finalize();\n{call};\nrt_finalized(*f_ierr);")
    return (f"if (rt_enter({{number}}, __builtin_return_address(0))) rt_note_abort(*(const MPI_Fint*)f_errorcode);\n"
            f"{call};")


def entry_point(function, number, template, is_special):
    """`template`: (before, after), or nothing for a call that is refused."""
    name = function.name[len("MPI_"):]
    lower = function.name.lower()
    names = [p.name for p in function.parameters]
    if name == "Init":
        names = []
    elif name == "Init_thread":
        names = ["required", "provided"]
    lengths = [f"l_{p.name}" for p in function.parameters if "char" in p.ctype and name not in ("Init", "Init_thread")]
    parameters = [f"void* f_{n}" for n in names] + ["MPI_Fint* f_ierr"] + [f"size_t {n}" for n in lengths]
    real = f"p{lower}_"
    call = f"{real}({', '.join([f'f_{n}' for n in names] + ['f_ierr'] + lengths)})"
    if is_special:
        body = special(name, call)
    else:
        body = f"if (!rt_enter({{number}}, __builtin_return_address(0))) {{\n  {call};\n  return;\n}}\n"
        if template is None or name in REFUSED:
            body += f"rt_refuse_call();\n{call};\nrt_leave(*f_ierr);"
        else:
            body += converted(function, *template).replace("{real}", real)
    body = "\n".join("  " + line for line in body.replace("{number}", str(number)).splitlines())
    signature = ", ".join(parameters)
    types = ", ".join(["void*"] * len(names) + ["MPI_Fint*"] + ["size_t"] * len(lengths))
    return "\n".join([
        f"void {real}({types}) __attribute__((weak));",
        f"EXPORTED void {lower}_({signature});",
        f"EXPORTED void o{lower}_f({types}) __attribute__((alias(\"{lower}_\")));",
        f"void {lower}_({signature}) {{\n{body}\n}}\n"])
