# SPDX-License-Identifier: MIT
"""smpi/abi/generate.py: finds what is implemented, derives large-count functions, refuses what it cannot mean."""
import json

from installation import ROOT, InFolder
from closing_line import main

GENERATOR = ROOT / "smpi" / "abi" / "generate.py"
API = ROOT / "smpi" / "api.json"


class Generator(InFolder):
    def generate(self, body, status=0):
        self.write("smpi/abi/api.hpp", (ROOT / "smpi" / "abi" / "api.hpp").read_text())
        self.write("smpi/calls.cpp", f"namespace rehearse::smpi::calls {{\n{body}\n"
                                     "}  // namespace rehearse::smpi::calls\n")
        return self.run_program("python3", "-B", GENERATOR, "sources", API, "out", "smpi", status=status)

    def entry(self, name):
        """The definitions of an entry point: its work, which Fortran shares, and the function that C calls."""
        text = (self.folder / "out" / "generated" / "smpi" / "abi" / "entries.cpp").read_text()
        starts = [text.find(f" at_{name[4:]}("), text.index(f" P{name}(")]
        return "\n".join(text[start:text.index("\n}\n", start)] for start in starts if start >= 0)

    def test_a_defined_function_is_called_and_listed(self):
        self.generate("int Barrier(MPI_Comm comm) { return 0; }\n"
                      "namespace {\nint helper(int x) { return x; }\n}  // namespace\n"
                      "double Wtime() { return 0; }")
        self.assertIn("return calls::Barrier(comm);", self.entry("MPI_Barrier"))
        self.assertIn("return calls::Wtime();", self.entry("MPI_Wtime"))
        self.assertIn("unsupported_function(", self.entry("MPI_Send"))
        page = (self.folder / "out" / "docs" / "mpi-coverage.md").read_text()
        self.assertIn("2 of the 664 functions", page)
        self.assertIn("Implemented: `MPI_Barrier`.", page)

    def test_a_large_count_function_is_done_by_its_plain_twin(self):
        self.generate("int Bcast(\nint Get_count(\nint Pack(\nint Gatherv(")
        self.assertIn("calls::Bcast(buffer, narrow_count(count, ", self.entry("MPI_Bcast_c"))
        count = self.entry("MPI_Get_count_c")
        self.assertIn("calls::Get_count(status, datatype, &narrow_count)", count)
        self.assertIn("*count = narrow_count;", count)
        self.assertIn("int narrow_position = narrow_count(*position, ", self.entry("MPI_Pack_c"))
        self.assertIn("unsupported_function(", self.entry("MPI_Gatherv_c"))

    def test_a_function_that_mpi_does_not_have_is_refused(self):
        wrong = self.generate("int Sned(int x) { return x; }", status=1)
        self.assertIn("calls.cpp:2: MPI has no function MPI_Sned", wrong.stderr)

    def test_a_function_that_is_defined_twice_is_refused(self):
        wrong = self.generate("int Barrier(\nint Barrier(", status=1)
        self.assertIn("calls.cpp:3: calls::Barrier is defined twice", wrong.stderr)

    def test_a_length_that_names_no_parameter_is_refused(self):
        api = json.loads(API.read_text())
        send = next(f for f in api["functions"] if f["name"] == "MPI_Send")
        send["parameters"][0][4] = "cuont:datatype"
        wrong_api = self.write("api.json", json.dumps(api))
        wrong = self.run_program("python3", "-B", GENERATOR, "headers", wrong_api, "out", status=1)
        self.assertIn("MPI_Send: the length of buf names cuont", wrong.stderr)

    def test_nothing_is_rewritten_when_nothing_changed(self):
        self.generate("int Barrier(MPI_Comm comm) { return 0; }")
        made = self.folder / "out" / "generated" / "smpi" / "abi" / "entries.cpp"
        before = made.stat().st_mtime_ns
        self.generate("int Barrier(MPI_Comm comm) { return 1; }")
        self.assertEqual(made.stat().st_mtime_ns, before)


if __name__ == "__main__":
    main()
