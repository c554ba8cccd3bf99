// SPDX-License-Identifier: MIT
//
// What the wrapper compilers add, for which arguments.
#include <catch2/catch.hpp>

#include "smpi/compiler.hpp"

using namespace rehearse;
using namespace rehearse::smpi;
using Words = std::vector<std::string>;

namespace {

const InstalledFolders folders{"/p/include", "/p/lib"};

Words command(const Words& arguments, bool makes_pie = true) {
  Result<CompilerPlan> plan = plan_compiler(Language::c, arguments, folders, {"gcc", makes_pie});
  return plan ? plan.value().command : Words{plan.error().text};
}

}  // namespace

TEST_CASE("wrapper compiler: flags to compile come first, flags to link last", "[smpi]") {
  CHECK(command({"a.c", "-o", "a"}) ==
        Words{"gcc", "-I/p/include", "-g", "a.c", "-o", "a", "-L/p/lib", "-Wl,-rpath,/p/lib", "-lmpi_abi"});
  CHECK(command({"-c", "a.c"}) == Words{"gcc", "-I/p/include", "-g", "-c", "a.c"});
  CHECK(command({"-E", "a.c"}) == Words{"gcc", "-I/p/include", "-E", "a.c"});
  CHECK(command({"-r", "a.o", "b.o"}) == Words{"gcc", "-I/p/include", "-g", "-r", "a.o", "b.o"});
}

TEST_CASE("wrapper compiler: --check-memory is for the compiler proper and a library, and for gcc only", "[smpi]") {
  CHECK(command({"--check-memory", "a.c"}) ==
        Words{"gcc", "-I/p/include", "-g", "-specs=/p/lib/rehearse-accesses.specs", "-B/p/lib/rehearse-accesses/",
              "a.c", "-L/p/lib", "-Wl,-rpath,/p/lib", "-lmpi_abi", "-lrehearse_accesses"});
  const Words arguments{"--check-memory", "a.c"};
  CHECK_FALSE(plan_compiler(Language::c, arguments, folders, {"clang-14", true}));
}

TEST_CASE("wrapper compiler: the value of an option is not an input file", "[smpi]") {
  CHECK(command({"-o", "a"}) == Words{"gcc", "-o", "a"});
  CHECK(command({"-I", "include", "-x", "c"}) == Words{"gcc", "-I", "include", "-x", "c"});
  CHECK(command({"--version"}) == Words{"gcc", "--version"});
  CHECK(command({"-x", "c", "-"}).size() > 4);
}

TEST_CASE("wrapper compiler: only a compiler that makes no PIE gets the option, unless the user says otherwise",
          "[smpi]") {
  const auto contains = [](const Words& words, const std::string& word) {
    return std::find(words.begin(), words.end(), word) != words.end();
  };
  CHECK(contains(command({"a.c"}, false), "-fPIE"));
  CHECK(contains(command({"a.c"}, false), "-pie"));
  CHECK_FALSE(contains(command({"a.c"}, true), "-fPIE"));
  for (const std::string contrary : {"-no-pie", "-static", "-shared"}) {
    CHECK_FALSE(contains(command({contrary, "a.c"}, false), "-pie"));
    CHECK_FALSE(contains(command({contrary, "a.c"}, false), "-fPIE"));
  }
  CHECK_FALSE(contains(command({"-c", "-fPIC", "a.c"}, false), "-fPIE"));
  CHECK(contains(command({"-fPIC", "a.o"}, false), "-pie"));
}

TEST_CASE("wrapper compiler: the compiler is chosen by option, then by preference", "[smpi]") {
  CHECK(choose_compiler(Language::c, {}, "") == "cc");
  CHECK(choose_compiler(Language::cxx, {}, "") == "c++");
  CHECK(choose_compiler(Language::c, {}, "clang") == "clang");
  CHECK(choose_compiler(Language::c, Words{"-cc=icx"}, "clang") == "icx");
  CHECK(command({"-cc=icx", "-c", "a.c"}) == Words{"gcc", "-I/p/include", "-g", "-c", "a.c"});
}
