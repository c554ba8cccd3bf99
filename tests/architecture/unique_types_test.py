#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Shows that unique_types.py finds types that are defined twice, and lets the neighbouring legal forms pass."""
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))
import closing_line  # noqa: E402
import unique_types  # noqa: E402


def found(*files):
    return list(unique_types.violations(files))


class UniqueTypes(unittest.TestCase):
    def test_one_name_in_one_namespace_is_found(self):
        a = ("mc/a.cpp", "namespace rehearse::mc {\nstruct Step { int a; };\n}\n")
        b = ("mc/sub/b.hpp", "namespace rehearse {\nnamespace mc {\n\nclass Step final : Base {};\n}\n}\n")
        self.assertEqual(found(a, b), ["mc/sub/b.hpp:4: unique-type: 'Step' is defined in namespace rehearse::mc "
                                       "already, at mc/a.cpp:2"])

    def test_anonymous_namespaces_of_one_folder_are_one(self):
        text = "namespace rehearse::mc {\nnamespace {\nenum class Kind { a };\n}\n}\n"
        self.assertEqual(len(found(("mc/a.cpp", text), ("mc/b.cpp", text))), 1)
        self.assertEqual(found(("mc/a.cpp", text), ("mc/sub/b.cpp", text)), [])

    def test_a_type_inside_of_a_class_has_the_class_in_its_name(self):
        one = ("mc/a.cpp", "struct A { struct Entry {}; };\nstruct B { struct Entry {}; };\n")
        self.assertEqual(found(one), [])
        twice = ("mc/b.cpp", "struct A;\nstruct A::Entry { int a; };\n")
        self.assertEqual(len(found(one, twice)), 1)

    def test_declarations_and_other_namespaces_pass(self):
        files = [("mc/a.cpp", "namespace x {\nstruct A;\nclass A { };\nenum B : int;\n}\n"),
                 ("mc/b.cpp", "namespace y {\nstruct A {};\n}\nstruct x::A* p = nullptr;\n"
                              "x::A f(struct x::A a) { return a; }\n")]
        self.assertEqual(found(*files), [])

    def test_programs_of_their_own_are_not_compared(self):
        self.assertFalse(unique_types.is_checked("tests/programs/ring.cpp"))
        self.assertTrue(unique_types.is_checked("simcore/engine.hpp"))


if __name__ == "__main__":
    closing_line.main()
