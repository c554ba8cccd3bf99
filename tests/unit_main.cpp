// SPDX-License-Identifier: MIT
//
// Main program of the unit and of the timing tests: Catch2's, plus the closing line by which `./dev test` counts.
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

#if defined(__SANITIZE_ADDRESS__)
// An actor that is blocked for ever is abandoned with what its functions own: not a leak of ours.
extern "C" const char* __lsan_default_suppressions() { return "leak:fiber_entry\n"; }
#endif
