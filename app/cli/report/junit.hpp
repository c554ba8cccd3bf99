// SPDX-License-Identifier: MIT
//
// Test results as JUnit XML, in the shape that Jenkins, GitLab and Maven's Surefire read.
//
// Shape: testsuites > testsuite > testcase > failure, error or skipped. Counts and times are sums over the elements
//        inside.
#pragma once

#include <string>
#include <vector>

namespace rehearse::cli {

struct JUnitCase {
  enum class Result {
    passed,
    failure,  // the tested subject has a fault
    error,    // the test has no result
  };
  std::string name;
  std::string class_name;
  double seconds = 0;
  Result result = Result::passed;
  std::string type;     // of the failure or error: an id
  std::string message;  // a line
  std::string text;     // in full
};

struct JUnitSuite {
  std::string name;
  std::vector<JUnitCase> cases;
};

// Texts may contain any bytes. Those that XML cannot contain are replaced.
std::string junit_xml(const std::vector<JUnitSuite>& suites);

}  // namespace rehearse::cli
