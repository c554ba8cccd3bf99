# SPDX-License-Identifier: MIT
"""An installed tree that was moved does all that a build tree does, and so does the Debian package of it."""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
from installation import BUILD, HELLO_C, ROOT, InFolder  # noqa: E402
from closing_line import main  # noqa: E402

sys.path.insert(0, str(ROOT / "cmake" / "install"))
import help_text  # noqa: E402

WITH_FIND_MPI = """cmake_minimum_required(VERSION 3.20)
project(one C)
find_package(MPI REQUIRED COMPONENTS C)
add_executable(hello hello.c)
target_link_libraries(hello MPI::MPI_C)
"""

WITH_PACKAGE = """cmake_minimum_required(VERSION 3.20)
project(two C)
enable_testing()
find_package(rehearse 0.1 REQUIRED)
add_executable(hello hello.c)
target_link_libraries(hello rehearse::mpi)
add_executable(stuck stuck.c)
target_link_libraries(stuck rehearse::mpi)
rehearse_add_check(hello_cannot_hang hello 3)
rehearse_add_check(stuck_cannot_hang stuck 2)
"""

STUCK_C = HELLO_C.replace('  printf(', '  MPI_Ssend(&rank, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD);\n  printf(')


class Package(InFolder):
    @classmethod
    def setUpClass(cls):
        cls.place = tempfile.TemporaryDirectory()
        first, cls.tree = pathlib.Path(cls.place.name, "first"), pathlib.Path(cls.place.name, "moved tree").resolve()
        subprocess.run(["cmake", "--install", BUILD, "--prefix", first], check=True, stdout=subprocess.DEVNULL)
        first.rename(cls.tree)
        cls.program, cls.wrappers = cls.tree / "bin" / "rehearse", cls.tree / "libexec" / "rehearse" / "bin"

    @classmethod
    def tearDownClass(cls):
        cls.place.cleanup()

    def setUp(self):
        super().setUp()
        self.write("hello.c", HELLO_C)
        self.write("stuck.c", STUCK_C)

    def in_tree(self, *command, **options):
        return self.run_program(*command, wrappers=f"{self.wrappers}:{self.tree / 'bin'}", **options)

    def test_the_moved_tree_compiles_checks_and_runs(self):
        self.in_tree("mpicc", "hello.c", "-o", "hello")
        self.assertIn("verified:", self.in_tree("rehearse", "check", "-n", "3", "./hello").stderr)
        self.assertEqual(sorted(self.in_tree("mpiexec", "-n", "2", "./hello").stdout.splitlines()),
                         ["hello from 0", "hello from 1"])

    def test_cmake_finds_the_tree_as_any_mpi(self):
        self.write("CMakeLists.txt", WITH_FIND_MPI)
        self.in_tree("cmake", "-S", ".", "-B", "built", f"-DMPI_HOME={self.tree / 'libexec' / 'rehearse'}")
        self.in_tree("cmake", "--build", "built")
        self.assertIn(f"MPI_C_COMPILER:FILEPATH={self.wrappers / 'mpicc'}",
                      (self.folder / "built" / "CMakeCache.txt").read_text())
        self.assertIn("verified:", self.in_tree("rehearse", "check", "-n", "2", "built/hello").stderr)

    def test_its_cmake_package_builds_programs_and_adds_checks(self):
        self.write("CMakeLists.txt", WITH_PACKAGE)
        self.in_tree("cmake", "-S", ".", "-B", "built", f"-DCMAKE_PREFIX_PATH={self.tree}")
        self.in_tree("cmake", "--build", "built")
        done = self.in_tree("ctest", "--test-dir", "built", "--output-on-failure", status=8)
        self.assertRegex(done.stdout, r"hello_cannot_hang \.* +Passed")
        self.assertIn("deadlock.cycle", done.stdout)
        refused = self.write("other/CMakeLists.txt", WITH_PACKAGE.replace("rehearse 0.1", "rehearse 1.0"))
        done = self.in_tree("cmake", "-S", refused.parent, "-B", "refused", f"-DCMAKE_PREFIX_PATH={self.tree}",
                            status=1)
        self.assertIn("0.1", done.stderr)

    def test_pkg_config_gives_the_flags(self):
        if not shutil.which("pkg-config"):
            self.skipTest("no pkg-config")
        path = {"PKG_CONFIG_PATH": str(self.tree / "lib" / "pkgconfig")}
        command = "cc hello.c -o hello $(pkg-config --cflags --libs rehearse)"
        # pkg-config quotes the blank of the path, for a shell that reads its words again
        self.in_tree("sh", "-c", f"eval \"{command}\"", **path)
        self.assertIn("verified:", self.in_tree("rehearse", "check", "-n", "2", "./hello").stderr)

    def test_every_command_and_option_has_its_place_in_a_manual_page(self):
        pages = self.tree / "share" / "man" / "man1"
        overview = (pages / "rehearse.1").read_text().replace("\\-", "-")
        commands = help_text.read_commands(self.program)
        self.assertGreater(len(commands), 10)
        for command in commands:
            name = "rehearse-" + "-".join(command.words)
            page = (pages / f"{name}.1").read_text().replace("\\-", "-")
            self.assertIn(f"{name}", overview)
            self.assertTrue(command.options or command.verbatim, name)
            for option in command.options:
                self.assertTrue(option.text, f"{name} {option.names}")
                for flag in option.names:
                    self.assertIn(f"\\fB{flag}\\fR", page, name)
        check = next(each for each in commands if each.words == ["check"])
        reductions = ["matching", "odpor", "none", "merged", "flow", "footprints"]
        self.assertIn(reductions, [option.values for option in check.options])

    def test_the_manual_pages_are_right_for_man(self):
        if not shutil.which("groff"):
            self.skipTest("no groff")
        for page in (self.tree / "share" / "man" / "man1").iterdir():
            done = subprocess.run(["groff", "-man", "-ww", "-Tutf8", "-z", page], capture_output=True, text=True)
            self.assertEqual(done.stderr, "", page.name)

    def completed(self, *words):
        script = self.tree / "share" / "bash-completion" / "completions" / "rehearse"
        line = (f"source '{script}'; COMP_WORDS=({' '.join(map(repr, words))}); COMP_CWORD={len(words) - 1}; "
                '_rehearse; printf "%s\\n" "${COMPREPLY[@]}"')
        return self.run_program("bash", "-c", line).stdout.split()

    def test_bash_completes_commands_options_and_values(self):
        self.assertEqual(self.completed("rehearse", "che"), ["check"])
        self.assertEqual(self.completed("rehearse", "platform", "ro"), ["route"])
        self.assertEqual(self.completed("rehearse", "check", "--max-se"), ["--max-seconds"])
        self.assertEqual(self.completed("rehearse", "check", "--max-step"), ["--max-step-seconds", "--max-steps"])
        self.assertEqual(self.completed("rehearse", "check", "--reduction", "o"), ["odpor"])
        self.assertEqual(self.completed("rehearse", "check", "-n", "2", "hel"), ["hello.c"])

    def test_zsh_accepts_its_completion(self):
        script = self.tree / "share" / "zsh" / "site-functions" / "_rehearse"
        self.assertRegex(script.read_text(), r"'check'\)\n    _arguments")
        if not shutil.which("zsh"):
            self.skipTest("no zsh")
        self.run_program("zsh", "-n", script)

    def test_the_debian_package_holds_the_tree(self):
        if not (shutil.which("dpkg-deb") and shutil.which("dpkg-shlibdeps")):
            self.skipTest("no dpkg-dev")
        done = self.run_program(sys.executable, "-B", ROOT / "cmake" / "install" / "debian.py", "--build", BUILD,
                                "--output", self.folder, "--no-trial")
        package = re.search(r"package: (\S+\.deb)", done.stdout).group(1)
        self.run_program("dpkg-deb", "-x", package, "root")
        self.run_program("root/usr/bin/rehearse", "cc", "hello.c", "-o", "hello")
        self.assertIn("verified:", self.run_program("root/usr/bin/rehearse", "check", "-n", "2", "./hello").stderr)
        self.assertTrue((self.folder / "root/usr/share/man/man1/rehearse.1.gz").exists())
        self.assertIn("libc6", self.run_program("dpkg-deb", "-f", package, "Depends").stdout)


if __name__ == "__main__":
    main()
