// SPDX-License-Identifier: MIT
//
// The main program of all unit tests: Catch2's own, plus the closing line by which `./dev test` counts.
#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>
#include <iostream>

namespace {

class Tally : public Catch::TestEventListenerBase {
 public:
  using TestEventListenerBase::TestEventListenerBase;

  void testRunEnded(const Catch::TestRunStats& stats) override {
    const Catch::Counts& counts = stats.totals.testCases;
    std::cout << counts.passed + counts.failedButOk << " passed, " << counts.failed << " failed" << std::endl;
  }
};

CATCH_REGISTER_LISTENER(Tally)

}  // namespace
