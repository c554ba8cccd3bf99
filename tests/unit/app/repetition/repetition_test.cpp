// SPDX-License-Identifier: MIT
//
// Repetitions: seeds, order, failures, disturbed runs, and stops. The work returns its own times.
#include "app/repetition.hpp"

#include <unistd.h>

#include <atomic>
#include <catch2/catch.hpp>
#include <csignal>
#include <set>

#include "app/exit_status.hpp"

namespace rehearse::app {
namespace {

AttemptEnd takes(double seconds) {
  AttemptEnd end;
  end.simulated_seconds = seconds;
  return end;
}

AttemptEnd fails(const std::string& text) {
  AttemptEnd end;
  end.exit_status = exit_violation;
  end.text = text;
  return end;
}

RepetitionOptions options_of(std::uint32_t runs, std::uint32_t jobs, std::uint32_t more = 0) {
  return {runs, jobs, more, 5};
}

std::vector<double> seconds_of(const Repetition& repetition) {
  std::vector<double> seconds;
  for (const RepeatedRun& run : repetition.runs) seconds.push_back(run.simulated_seconds);
  return seconds;
}

}  // namespace

TEST_CASE("repetition: seeds differ, begin with the given one, and do not depend on the number of runs", "[cli]") {
  const auto many = seeds_of_runs(7, 1000), few = seeds_of_runs(7, 10);
  CHECK(many[0] == 7);
  CHECK(std::vector<std::uint64_t>(many.begin(), many.begin() + 10) == few);
  CHECK(std::set<std::uint64_t>(many.begin(), many.end()).size() == 1000);
  CHECK(seeds_of_runs(8, 2)[1] != few[1]);
  CHECK(seeds_of_runs(~0ull, 1) == std::vector<std::uint64_t>{~0ull});
}

TEST_CASE("repetition: the runs have their seeds and their order, whatever the number of jobs", "[cli]") {
  const auto work = [](const Attempt& attempt) {
    if (attempt.run == 1) usleep(50'000);  // ends after later ones
    return takes(static_cast<double>(attempt.seed) + 0.1);
  };
  for (const std::uint32_t jobs : {1, 3}) {
    std::uint32_t ended = 0;
    const Repetition repetition = repeat(options_of(6, jobs), work, {}, [&](std::uint32_t count) { ended = count; });
    const auto seeds = seeds_of_runs(5, 6);
    REQUIRE(repetition.runs.size() == 6);
    for (std::size_t i = 0; i < 6; ++i) {
      CHECK(repetition.runs[i].seed == seeds[i]);
      CHECK(repetition.runs[i].simulated_seconds == static_cast<double>(seeds[i]) + 0.1);
    }
    CHECK(ended == 6);
    CHECK_FALSE(repetition.is_partial());
    CHECK_FALSE(repetition.failure);
  }
}

TEST_CASE("repetition: the report and the notes are those of the first run", "[cli]") {
  const Repetition repetition = repeat(options_of(3, 2),
                                       [](const Attempt& attempt) {
                                         AttemptEnd end = takes(1);
                                         end.title = "run " + std::to_string(attempt.run);
                                         end.notes = {"one", "two"};
                                         end.report = {{"run", attempt.run}};
                                         return end;
                                       },
                                       {});
  CHECK(repetition.first.title == "run 0");
  CHECK(repetition.first.notes == std::vector<std::string>{"one", "two"});
  CHECK(repetition.first.report["run"].get<int>() == 0);
}

TEST_CASE("repetition: the first run that fails counts, and those before it", "[cli]") {
  const auto work = [](const Attempt& attempt) {
    if (attempt.run == 2) usleep(100'000);  // fails after run 3
    return attempt.run == 2 || attempt.run == 3 ? fails("run " + std::to_string(attempt.run)) : takes(attempt.run);
  };
  for (const std::uint32_t jobs : {1, 4}) {
    const Repetition repetition = repeat(options_of(9, jobs), work, {});
    REQUIRE(repetition.failure);
    CHECK(repetition.failure->run == 2);
    CHECK(repetition.failure->seed == seeds_of_runs(5, 3)[2]);
    CHECK(repetition.failure->text == "run 2");
    CHECK(repetition.failure->exit_status == exit_violation);
    CHECK(seconds_of(repetition) == std::vector<double>{0, 1});
    CHECK(repetition.is_partial());
  }
}

TEST_CASE("repetition: a run whose process dies fails", "[cli]") {
  const Repetition repetition = repeat(options_of(4, 2),
                                       [](const Attempt& attempt) {
                                         if (attempt.run == 1) raise(SIGKILL);
                                         return takes(1);
                                       },
                                       {});
  REQUIRE(repetition.failure);
  CHECK(repetition.failure->run == 1);
  CHECK(repetition.failure->exit_status == exit_inconclusive);
  CHECK(repetition.failure->text.find("by signal 9") != std::string::npos);
}

TEST_CASE("repetition: nothing begins after an error of the first run", "[cli]") {
  const Repetition repetition = repeat(options_of(4, 4),
                                       [](const Attempt& attempt) {
                                         AttemptEnd end;
                                         end.exit_status = exit_bad_input;
                                         end.error = "run " + std::to_string(attempt.run);
                                         return end;
                                       },
                                       {});
  REQUIRE(repetition.failure);
  CHECK(repetition.failure->error == "run 0");
  CHECK(repetition.runs.empty());
}

TEST_CASE("repetition: of the attempts of a disturbed run the least disturbed counts", "[cli]") {
  const auto work = [](const Attempt& attempt) {
    AttemptEnd end = takes(attempt.run * 10 + attempt.number);
    const double degrees[4][3] = {{0, 0, 0}, {0.3, 0.2, 0.4}, {0.3, 0, 0}, {0.5, 0.5, 0.6}};
    if (const double degree = degrees[attempt.run][attempt.number]; degree > 0) end.disturbance = degree;
    return end;
  };
  const Repetition repetition = repeat(options_of(4, 2, 2), work, {});
  CHECK(seconds_of(repetition) == std::vector<double>{0, 11, 21, 30});
  CHECK(repetition.runs[0].attempts == 1);
  CHECK(repetition.runs[1].attempts == 3);
  CHECK(repetition.runs[2].attempts == 2);
  CHECK_FALSE(repetition.runs[2].disturbance);
  CHECK(repetition.runs[3].disturbance == 0.5);
  CHECK(repetition.disturbed() == 2);
  CHECK(repetition.repeated() == 3);
  const Repetition once = repeat(options_of(4, 2), work, {});
  CHECK(seconds_of(once) == std::vector<double>{0, 10, 20, 30});
  CHECK(once.disturbed() == 3);
}

TEST_CASE("repetition: after a stop the runs that ended count", "[cli]") {
  std::atomic<bool> stopped = false;
  // Children must end at the signal from their first moment on, and not run the handler of the tests.
  const auto handler_of_tests = std::signal(SIGTERM, SIG_DFL);
  const Repetition repetition = repeat(
      options_of(20, 2),
      [](const Attempt& attempt) {
        if (attempt.run > 3) usleep(20'000'000);
        return takes(attempt.run);
      },
      StopToken::watch(stopped),
      [&](std::uint32_t ended) {
        if (ended == 4) stopped = true;
      });
  std::signal(SIGTERM, handler_of_tests);
  CHECK(repetition.was_interrupted);
  CHECK(repetition.is_partial());
  CHECK(seconds_of(repetition) == std::vector<double>{0, 1, 2, 3});
}

}  // namespace rehearse::app
