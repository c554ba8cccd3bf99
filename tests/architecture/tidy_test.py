#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Shows that every rule of tidy.py can fail, and that it lets the neighbouring legal form pass."""
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))
import closing_line  # noqa: E402
import tidy  # noqa: E402

CMAKE = """
rehearse_component(support    FOLDER simcore/support LIBRARIES fmt)
rehearse_component(simcore    FOLDER simcore    DEPENDS support LIBRARIES boost_context)
rehearse_component(smpi       FOLDER smpi       DEPENDS simcore)
rehearse_component(mc         FOLDER mc         DEPENDS simcore)
rehearse_component(cli        FOLDER cli        DEPENDS simcore smpi mc EXECUTABLE rehearse)
"""
COMPONENTS = tidy.parse_components(CMAKE)
HEAD = "// SPDX-License-Identifier: MIT\n//\n// What it is.\n"
MARK = "TO" + "DO"


def lines(count, text="int f();\n"):
    return HEAD + text * count


def function(length):
    return HEAD + "int f() {\n" + "  g();\n" * (length - 2) + "}\n"


# rule -> (path, text that violates it, text that does not)
SAMPLES = {
    "spdx": ("mc/a.cpp", "// no licence\n", HEAD),
    "licence-border": ("mc/a.cpp", HEAD + '#include "ns3/links.hpp"\n', HEAD + '#include "mc/explore.hpp"\n'),
    "header-paragraph": ("mc/a.cpp", "// SPDX-License-Identifier: MIT\n#include <map>\n", HEAD),
    "include-order": ("smpi/a.cpp", HEAD + '#include "mc/explore.hpp"\n', HEAD + '#include "simcore/program.hpp"\n'),
    "third-party": ("mc/a.cpp", HEAD + "#include <pugixml.hpp>\n", HEAD + "#include <vector>\n"),
    "layer-word": ("mc/a.cpp", HEAD + "// as MPI_Send does\n", HEAD + "// as a simple example does\n"),
    "mode-question": ("smpi/a.cpp", HEAD + "if (is_checking()) return;\n", HEAD + "if (is_empty()) return;\n"),
    "unfinished": ("smpi/a.cpp", HEAD + f"// {MARK}: later\n", HEAD + f"// {MARK}(#12): later\n"),
    "line-length": ("smpi/a.cpp", HEAD + "// " + "x" * tidy.LINE_COLUMNS + "\n",
                    HEAD + "// " + "x" * (tidy.LINE_COLUMNS - 3) + "\n"),
    "whitespace": ("smpi/a.cpp", HEAD + "int f(); \n", HEAD + "int f();\n"),
    "file-length": ("smpi/a.cpp", lines(tidy.FILE_LINES), lines(tidy.FILE_LINES - 3)),
    "header-guard": ("smpi/a.hpp", HEAD, HEAD + "#pragma once\n"),
    "header-using": ("smpi/a.hpp", HEAD + "using namespace std;\n", HEAD + "using std::string;\n"),
    "folder-namespace": ("mc/graph/a.hpp", HEAD + "#pragma once\nnamespace rehearse::mc {\n}\n",
                         HEAD + "#pragma once\nnamespace rehearse::mc::graph {\n}\n"),
    "function-length": ("smpi/a.cpp", function(tidy.FUNCTION_LINES + 1), function(tidy.FUNCTION_LINES)),
    "mutable-global": ("smpi/a.cpp", HEAD + "static int calls = 0;\n", HEAD + "static const int calls = 0;\n"),
    "printing": ("smpi/a.cpp", HEAD + "void f() { std::cout << 1; }\n", HEAD + "void f() { out << 1; }\n"),
    "process-exit": ("smpi/a.cpp", HEAD + "void f() { std::exit(1); }\n", HEAD + "void f() { at_exit(1); }\n"),
    "environment": ("smpi/a.cpp", HEAD + 'auto f() { return std::getenv("A"); }\n',
                    HEAD + 'auto f() { return env("A"); }\n'),
    "feature-switch": ("smpi/a.cpp", HEAD + "#ifdef REHEARSE_NS3\n#endif\n", HEAD + "#ifdef __x86_64__\n#endif\n"),
}

LONG = "word " * (tidy.LINE_COLUMNS // 5) + "words\n"
PAGE_SAMPLES = {
    "page-line-length": ("docs/a.md", "# Title\n\n" + LONG, "# Title\n\n" + LONG.replace(" words", "") + "\n"),
}


def rules_hit(path, text):
    source = tidy.Source(path, text, COMPONENTS)
    return {v.split(": ")[1] for v in tidy.check_source(source)}


class EveryRule(unittest.TestCase):
    def test_has_a_sample(self):
        self.assertEqual(set(SAMPLES), set(tidy.RULES))
        self.assertEqual(set(PAGE_SAMPLES), set(tidy.PAGE_RULES))

    def test_fails_on_what_violates_it_and_passes_its_neighbour(self):
        for rule, (path, bad, good) in (SAMPLES | PAGE_SAMPLES).items():
            with self.subTest(rule=rule):
                self.assertIn(rule, rules_hit(path, bad))
                self.assertNotIn(rule, rules_hit(path, good))


class LicenceBorder(unittest.TestCase):
    GPL = HEAD.replace("MIT", "GPL-2.0-only")

    def test_lets_the_program_on_ns3_include_the_protocol_only(self):
        for header, allowed in (("simcore/ns3/protocol.hpp", True), ("ns3/links.hpp", True),
                                ("simcore/ns3/topology.hpp", False), ("simcore/support/result.hpp", False)):
            hits = rules_hit("ns3/a.cpp", self.GPL + f'#include "{header}"\n')
            self.assertEqual("licence-border" in hits, not allowed, header)

    def test_follows_the_folder(self):
        self.assertIn("spdx", rules_hit("ns3/a.cpp", HEAD))
        self.assertNotIn("spdx", rules_hit("ns3/a.cpp", self.GPL))


class Includes(unittest.TestCase):
    def hit(self, path, header):
        return "include-order" in rules_hit(path, HEAD + f'#include "{header}"\n')

    def test_follow_dependencies_transitively(self):
        self.assertFalse(self.hit("smpi/a.cpp", "simcore/support/result.hpp"))

    def test_never_go_up(self):
        self.assertTrue(self.hit("simcore/a.cpp", "smpi/library.hpp"))
        self.assertTrue(self.hit("simcore/support/a.cpp", "simcore/program.hpp"))

    def test_of_internal_headers_stay_inside_the_component(self):
        self.assertTrue(self.hit("smpi/a.cpp", "simcore/fiber/stack_pool.hpp"))
        self.assertFalse(self.hit("simcore/engine/a.cpp", "simcore/fiber/stack_pool.hpp"))

    def test_are_written_from_the_root(self):
        self.assertTrue(self.hit("smpi/a.cpp", "library.hpp"))


class FolderNamespaces(unittest.TestCase):
    def hit(self, path, *namespaces):
        text = "".join(f"namespace {name} {{\nclass A;\n}}\n" for name in namespaces)
        return "folder-namespace" in rules_hit(path, HEAD + "#pragma once\n" + text)

    def test_sources_may_implement_the_interface_of_their_component_but_of_no_other_folder(self):
        self.assertFalse(self.hit("simcore/network/a.cpp", "rehearse"))
        self.assertTrue(self.hit("simcore/network/a.cpp", "rehearse::cost"))

    def test_headers_may_declare_types_of_other_folders_first(self):
        self.assertFalse(self.hit("mc/verdict/a.hpp", "rehearse::mc::history", "rehearse::mc::verdict"))
        self.assertTrue(self.hit("mc/verdict/a.hpp", "rehearse::mc::history"))

    def test_interfaces_and_other_components_are_free(self):
        self.assertFalse(self.hit("mc/a.hpp", "rehearse::mc"))
        self.assertFalse(self.hit("smpi/p2p/a.hpp", "rehearse::smpi"))

    def test_listed_folders_have_another_namespace(self):
        self.assertFalse(self.hit("simcore/actor_api/a.hpp", "rehearse::sim"))
        self.assertTrue(self.hit("simcore/actor_api/a.hpp", "rehearse::actor_api"))


class Functions(unittest.TestCase):
    def long(self, text):
        return "function-length" in rules_hit("mc/a.cpp", HEAD + text)

    BODY = "  g();\n" * tidy.FUNCTION_LINES

    def test_are_measured_in_classes_and_namespaces(self):
        self.assertTrue(self.long("namespace a {\nclass B {\n int f() const {\n" + self.BODY + " }\n};\n}\n"))

    def test_include_their_lambdas(self):
        self.assertTrue(self.long("void f() {\n auto l = [&] {\n" + self.BODY + " };\n}\n"))

    def test_with_default_arguments_and_initialisers_are_functions(self):
        self.assertTrue(self.long("A::A(int b = 1) : b_(b) {\n" + self.BODY + "}\n"))

    def test_are_not_confused_by_braces_in_text(self):
        self.assertFalse(self.long("void f() {\n  g(\"{\", '{');  // {\n}\n" + "int h();\n" * 80))

    def test_classes_and_tables_may_be_long(self):
        self.assertFalse(self.long("class A {\n" + "  int f();\n" * 80 + "};\n"))
        self.assertFalse(self.long("constexpr Row table[] = {\n" + "  {1, 2},\n" * 80 + "};\n"))


class Globals(unittest.TestCase):
    def hit(self, text):
        return "mutable-global" in rules_hit("mc/a.cpp", HEAD + text)

    def test_are_found_in_every_form(self):
        for text in ("int a;\n", "std::map<int, std::string> a;\n", "namespace n {\nFoo a{1};\n}\n",
                     "void f() {\n  static int a = 0;\n}\n", "const char* a = nullptr;\n", "thread_local int a;\n",
                     "class A {\n  static int a_;\n};\n", "static std::atomic<int> a{0};\n", "int A::a = 0;\n"):
            with self.subTest(text=text):
                self.assertTrue(self.hit(text))

    def test_constants_functions_and_members_are_none(self):
        for text in ("const int a = 1;\n", "constexpr Foo a{1};\n", "int f(int a = 1);\n", "using a = int;\n",
                     "class A {\n  int a_ = 1;\n  static int f();\n  static constexpr int b = 1;\n};\n",
                     "void f() {\n  int a = 0;\n  static const std::map<int, int> b = {{1, 2}};\n}\n",
                     "bool operator==(const A&, const A&) = default;\n", "template <class T>\nstruct A;\n",
                     "const char* const a = nullptr;\n", "extern int environ_like;\n", "enum class A { b };\n",
                     "inline constexpr std::array<int, 2> a = {1, 2};\n"):
            with self.subTest(text=text):
                self.assertFalse(self.hit(text))


class Pages(unittest.TestCase):
    def hit(self, text):
        return "page-line-length" in rules_hit("docs/a.md", text)

    LINK = "[a](" + "x" * tidy.LINE_COLUMNS + ")"

    def test_long_tables_and_listings_are_allowed(self):
        self.assertFalse(self.hit("| " + LONG))
        self.assertFalse(self.hit("```text\n" + LONG + "```\n"))
        self.assertFalse(self.hit("````text\n```\n" + LONG + "````\n"))
        self.assertTrue(self.hit("```text\na\n```\n" + LONG))

    def test_one_long_link_is_allowed_but_not_the_text_beside_it(self):
        self.assertFalse(self.hit("* Read " + self.LINK + " first.\n"))
        self.assertFalse(self.hit("!" + self.LINK + "\n"))
        self.assertTrue(self.hit(self.LINK + " " + LONG))
        self.assertTrue(self.hit(self.LINK + " and " + self.LINK + "\n"))

    def test_of_the_tree_are_the_readme_and_docs(self):
        found = list(tidy.pages(Path(__file__).resolve().parents[2]))
        for page in ("README.md", "docs/style.md", "docs/checks/README.md"):
            self.assertIn(page, found)


class Tree(unittest.TestCase):
    def test_two_files_of_one_name_in_a_component_are_reported(self):
        self.assertTrue(list(tidy.duplicate_names(["mc/a/options.hpp", "mc/b/options.hpp"], COMPONENTS)))
        self.assertFalse(list(tidy.duplicate_names(["mc/options.hpp", "mc/options.cpp"], COMPONENTS)))
        self.assertFalse(list(tidy.duplicate_names(["mc/options.hpp", "smpi/options.hpp"], COMPONENTS)))

    def test_the_component_list_is_that_of_cmake(self):
        self.assertEqual([c.name for c in COMPONENTS], ["support", "simcore", "smpi", "mc", "cli"])
        self.assertEqual(tidy.component_of("simcore/support/a.hpp", COMPONENTS).name, "support")
        self.assertEqual(COMPONENTS[-1].depends, ["simcore", "smpi", "mc"])


if __name__ == "__main__":
    closing_line.main()
