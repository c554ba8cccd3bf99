// SPDX-License-Identifier: MIT
//
// Words and numbers of reports for people.
#include "app/wording.hpp"

#include <catch2/catch.hpp>

#include "app/policies.hpp"

namespace rehearse::app {

TEST_CASE("wording: numbers have commas and nouns agree with them", "[cli]") {
  CHECK(with_commas(0) == "0");
  CHECK(with_commas(999) == "999");
  CHECK(with_commas(1000) == "1,000");
  CHECK(with_commas(1234567) == "1,234,567");
  CHECK(counted(1, "execution") == "1 execution");
  CHECK(counted(5040, "execution") == "5,040 executions");
}

TEST_CASE("wording: lists end with 'and'", "[cli]") {
  CHECK(list_of({}) == "");
  CHECK(list_of({"a"}) == "a");
  CHECK(list_of({"a", "b", "c"}) == "a, b and c");
}

TEST_CASE("wording: lines break between words and no word is lost", "[cli]") {
  CHECK(wrapped("one two three four", 9, "  ") == "one two\n  three\n  four");
  CHECK(wrapped("unbreakable", 3, "") == "unbreakable");
  CHECK(wrapped("", 10, "") == "");
}

TEST_CASE("wording: the text of a finding has its policies, places and calls", "[cli]") {
  Finding finding;
  finding.id = "deadlock.cycle";
  finding.message = "ranks 0 and 1 wait for each other";
  finding.policies = {{0, false}, {0, true}};
  finding.locations = {{{0}, "MPI_Recv(...)", "ring.c", 41, "main", "waits for rank 1"}, {{1}, "", "", 0, "", ""}};
  CHECK(describe(finding) ==
        "deadlock.cycle: ranks 0 and 1 wait for each other\n"
        "  happens where a standard send waits until it is received (policy zero)\n"
        "  rank 0 at ring.c:41 in main\n"
        "      in MPI_Recv(...)\n"
        "      waits for rank 1\n"
        "  rank 1\n"
        "  standard: MPI 4.1, section 3.5 Semantics of Point-to-Point Communication\n"
        "  what to do: Let one of them receive first, or use MPI_Sendrecv or nonblocking calls: a standard\n"
        "      send may wait for its receive.\n");
}

TEST_CASE("wording: without lines a place is a function, and -g is mentioned once", "[cli]") {
  Finding finding;
  finding.id = "deadlock.cycle";
  finding.message = "m";
  finding.advice = "Do something else.";
  finding.locations = {{{0}, "MPI_Recv(...)", "", 0, "main", ""}, {{1}, "MPI_Recv(...)", "", 0, "main", ""}};
  const std::string text = describe(finding);
  CHECK(text.find("  rank 0 in main; compile with -g for lines\n      in MPI_Recv(...)\n  rank 1 in main\n") !=
        text.npos);
  CHECK(text.find("what to do: Do something else.\n") != text.npos);
}

TEST_CASE("wording: a policy replaces its variant if both are listed", "[cli]") {
  CHECK(names_of(without_variants({{0, true}, {0, false}})) == std::vector<std::string>{"zero"});
  CHECK(names_of(without_variants({{Policy::infinite, true}})) == std::vector<std::string>{"infinite+synchronising"});
}

}  // namespace rehearse::app
