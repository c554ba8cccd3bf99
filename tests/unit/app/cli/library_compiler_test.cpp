// SPDX-License-Identifier: MIT
//
// Commands of rehearse c++ --actors and --api.
#include "app/cli/library_compiler.hpp"

#include <algorithm>
#include <catch2/catch.hpp>

namespace rehearse::cli {

TEST_CASE("library compiler: --api links the libraries of --actors and the application layer") {
  const auto links = [](const std::vector<std::string>& arguments, const std::string& library) {
    return std::ranges::count(library_command(arguments, "/usr", "g++"), library) > 0;
  };
  CHECK(library_option({"--api", "a.cpp"}) == "--api");
  CHECK(library_option({"a.cpp"}).empty());
  CHECK(links({"--api", "a.cpp"}, "-lrehearse_app"));
  CHECK(links({"--api", "a.cpp"}, "-lrehearse_mc"));
  CHECK_FALSE(links({"--actors", "a.cpp"}, "-lrehearse_app"));
  CHECK_FALSE(links({"--api", "-c", "a.cpp"}, "-lrehearse_mc"));
  CHECK_FALSE(links({"--api", "a.cpp"}, "--api"));
}

}  // namespace rehearse::cli
