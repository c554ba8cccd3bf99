// SPDX-License-Identifier: MIT
//
// Options: their values, and the errors about wrong ones.
#include "app/cli/verb_options.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <iostream>
#include <sstream>

#include "app/exit_status.hpp"

namespace rehearse::cli {
namespace {

// Collects the output to a standard stream while it lives.
class Captured {
 public:
  explicit Captured(std::ostream& stream) : stream_(stream), before_(stream.rdbuf(text_.rdbuf())) {}
  ~Captured() { stream_.rdbuf(before_); }
  std::string text() const { return text_.str(); }

 private:
  std::ostream& stream_;
  std::ostringstream text_;
  std::streambuf* before_;
};

struct Reader {
  Options options{"verb", "-n N [options] PROGRAM", "Does it.", "rehearse verb -n 4 ./ring"};
  std::uint64_t ranks = 0;
  std::string mode = "fast";
  double seconds = 1;
  std::optional<int> status;
  std::string error;

  explicit Reader(const Arguments& arguments) {
    options.app().add_option("-n,--np", ranks)->required()->check(whole_number(1, 100));
    options.app().add_option("--mode", mode)->check(one_of({"fast", "slow"}));
    options.app().add_option("--seconds", seconds)->check(positive_number());
    options.app().add_flag("--all");
    options.refuse({"--jobs"});
    const Captured captured(std::cerr);
    status = options.parse_with_program(arguments);
    error = captured.text();
  }
};

}  // namespace

TEST_CASE("options: an argument after the program belongs to the program", "[cli]") {
  const Reader reader({"-n", "4", "--mode=slow", "./ring", "-n", "9", "--unknown", "--help"});
  REQUIRE_FALSE(reader.status);
  CHECK(reader.ranks == 4);
  CHECK(reader.mode == "slow");
  CHECK(reader.options.program() == Arguments{"./ring", "-n", "9", "--unknown", "--help"});
}

TEST_CASE("options: the number of ranks may have the form of other launchers", "[cli]") {
  const Reader reader({"-np", "4", "./ring", "-np", "9"});
  REQUIRE_FALSE(reader.status);
  CHECK(reader.ranks == 4);
  CHECK(reader.options.program() == Arguments{"./ring", "-np", "9"});
}

TEST_CASE("options: two dashes end the options", "[cli]") {
  const Reader reader({"-n", "4", "--", "-strange-name"});
  REQUIRE_FALSE(reader.status);
  CHECK(reader.options.program() == Arguments{"-strange-name"});
}

TEST_CASE("options: an error names the option, the value and the accepted values", "[cli]") {
  struct Case {
    Arguments arguments;
    std::vector<std::string> said;
  };
  const Case wrong = GENERATE(
      Case{{"--typo", "./ring"}, {"unknown option '--typo'", "--mode", "--seconds"}},
      Case{{"--mod", "quick", "./ring"}, {"unknown option '--mod' (did you mean '--mode'?); accepted: --help"}},
      Case{{"./ring", "-n", "4"}, {"how many ranks? -n N is missing; '-n' comes after the program"}},
      Case{{"./ring", "5"}, {"how many ranks? -n N is missing (rehearse verb --help)"}},
      Case{{"--typo=3", "./ring"}, {"unknown option '--typo=3'"}},
      Case{{"--jobs", "3", "./ring"}, {"'--jobs' is not available yet"}},
      Case{{"--mode", "quick", "./ring"}, {"--mode", "'quick'", "fast, slow"}},
      Case{{"-n", "0", "./ring"}, {"--np", "'0'", "from 1 to 100"}},
      Case{{"-n", "101", "./ring"}, {"'101'", "from 1 to 100"}}, Case{{"-n", "4x", "./ring"}, {"'4x'", "whole number"}},
      Case{{"-n", "-4", "./ring"}, {"'-4'"}},
      Case{{"--seconds", "0", "./ring"}, {"--seconds", "'0'", "greater than 0"}},
      Case{{"--seconds", "nan", "./ring"}, {"'nan'"}}, Case{{"-n"}, {"-n"}}, Case{{"-n", "4"}, {"which program"}});
  const Reader reader(wrong.arguments);
  CAPTURE(reader.error);
  REQUIRE(reader.status == app::exit_bad_input);
  CHECK(reader.error.starts_with("rehearse: error: verb: "));
  CHECK(std::count(reader.error.begin(), reader.error.end(), '\n') == 1);
  for (const std::string& word : wrong.said) CHECK(reader.error.find(word) != std::string::npos);
}

TEST_CASE("options: an option of the program is not reported as misplaced", "[cli]") {
  const Reader reader({"-n", "4", "--mode", "quick", "./ring", "-n", "2"});
  REQUIRE(reader.status == app::exit_bad_input);
  CHECK(reader.error.find("'quick'") != std::string::npos);
  CHECK(reader.error.find("after the program") == std::string::npos);
}

TEST_CASE("options: help begins with an example", "[cli]") {
  const Captured out(std::cout);
  const Reader reader({"--help"});
  CHECK(reader.status == app::exit_good);
  CHECK(out.text().starts_with("example:\n  rehearse verb -n 4 ./ring\n"));
  CHECK(out.text().find("usage:\n  rehearse verb -n N [options] PROGRAM\n") != std::string::npos);
}

}  // namespace rehearse::cli
