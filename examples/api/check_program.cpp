// SPDX-License-Identifier: MIT
//
// Checks an MPI program from C++ and reads the findings as values, without another process and without parsing text.
//
// Build: rehearse c++ --api check_program.cpp -o check_program
// Usage: check_program PROGRAM RANKS
#include <cstdlib>
#include <iostream>

#include "app/check.hpp"

int main(int argc, char** argv) {
  using namespace rehearse;
  if (argc != 3) {
    std::cerr << "usage: check_program PROGRAM RANKS\n";
    return 2;
  }
  app::CheckRequest request = app::default_request(argv[1], static_cast<std::uint32_t>(std::atoi(argv[2])));
  request.bounds.max_seconds = 60;

  Result<app::CheckReport> report = app::check(request);
  if (!report) {
    std::cerr << report.error().text << '\n';
    return 2;
  }
  const mc::Verdict& verdict = report.value().verdict;
  std::cout << name_of(app::answer_of(verdict)) << ", executions: " << verdict.executions << '\n';
  for (const Finding& finding : verdict.findings) {
    std::cout << finding.id << ": " << finding.message << '\n';
    for (const Location& location : finding.locations)
      std::cout << "  rank " << location.actor.value << " in " << location.function << ": " << location.call << '\n';
  }
  return verdict.findings.empty() ? 0 : 1;
}
