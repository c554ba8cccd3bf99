#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""metrics.py counts the methods and lines of classes, and the lines of functions, as a person would."""
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import closing_line  # noqa: E402
import metrics  # noqa: E402
from outline import outline  # noqa: E402

HEADER = """// SPDX-License-Identifier: MIT
namespace rehearse::part {

enum class Kind : int { one, two };

// class Comment { void not_there(); };
class Machine final : public Base<Kind> {
 public:
  Machine(int size) : table_{size}, name_("class Text {") {}
  ~Machine() override;
  Machine(const Machine&) = delete;

  [[nodiscard]] int size() const { return table_.size(); }
  void add(int value);
  void add(const std::map<int, std::function<void(int)>>& values);
  bool operator()(int a) const;
  bool operator<(const Machine& other) const = default;
  Kind kind() const {
    if (size() > 0) {
      return Kind::one;
    }
    return Kind::two;
  }

 private:
  struct Entry {
    int key = compute(3);
    void clear();
  };
  std::function<void(int)> callback_;
  void (*handler_)(int) = nullptr;
  std::vector<int> table_ = {1, 2};
  Entry last_;
};

}  // namespace rehearse::part
"""

BODIES = """// SPDX-License-Identifier: MIT
#include "part/machine.hpp"
namespace rehearse::part {
namespace {

constexpr int limits[] = {1, 2};

struct Machine {
  int other() const { return 1; }
};

template <class T>
T largest(const std::vector<T>& all) {
  return all[0];
}

}  // namespace

part::Machine::~Machine() = default;

void Machine::add(int value) {
  for (int i = 0; i < value; ++i) {
    table_.push_back(i);
  }
}

void Machine::Entry::clear() {
  key = 0;
}

}  // namespace rehearse::part
"""


class Metrics(unittest.TestCase):
    def setUp(self):
        self.classes, self.functions, self.files = metrics.measure([("part/machine.hpp", HEADER),
                                                                    ("part/machine.cpp", BODIES)])

    def test_methods_are_counted_by_declarations(self):
        machine = self.classes["rehearse::part::Machine"]
        # Machine(int), ~Machine(), size(), add() twice, operator(), kind(); neither deleted ones nor members
        self.assertEqual(machine.methods, 7)
        self.assertEqual(self.classes["rehearse::part::Machine::Entry"].methods, 1)

    def test_lines_are_those_of_all_files(self):
        definition = HEADER[HEADER.index("class Machine final"):HEADER.index("\n}  // namespace")].count("\n")
        machine = self.classes["rehearse::part::Machine"]
        self.assertEqual(machine.lines, definition + 5)
        self.assertEqual(machine.files, {"part/machine.hpp", "part/machine.cpp"})
        self.assertEqual(self.classes["rehearse::part::Machine::Entry"].lines, 4 + 3)

    def test_a_type_of_an_anonymous_namespace_is_another_one(self):
        self.assertEqual(self.classes["rehearse::part::part/machine.cpp::Machine"].methods, 1)

    def test_functions_have_their_lines_and_places(self):
        by_name = {name: (lines, place) for lines, place, name in self.functions}
        line = BODIES[:BODIES.index("void Machine::add")].count("\n") + 1
        self.assertEqual(by_name["Machine::add"], (5, f"part/machine.cpp:{line}"))
        self.assertEqual(by_name["largest"][0], 4)
        self.assertEqual(by_name["Machine::kind"][0], 6)
        self.assertNotIn("not_there", " ".join(by_name))

    def test_files_come_by_size(self):
        self.assertEqual(self.files[0], (HEADER.count("\n"), "part/machine.hpp"))

    def test_what_is_larger_than_the_guide_is_marked(self):
        many = "class Wide {\n" + "".join(f"  void f{i}();\n" for i in range(41)) + "};\n"
        text = metrics.report([("a.hpp", many), ("b.hpp", "class Narrow {\n  void f();\n};\n")], 5)
        self.assertIn("!   41    43   1  Wide", text)
        self.assertIn("     1     3   1  Narrow", text)

    def test_enumerations_and_calls_are_no_methods(self):
        types, functions = outline("enum class E : int { a };\nint x = f(1);\nint g(int);\n")
        self.assertEqual([t.kind for t in types], ["enum"])
        self.assertEqual([f.name for f in functions], ["g"])


if __name__ == "__main__":
    closing_line.main()
