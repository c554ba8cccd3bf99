// SPDX-License-Identifier: MIT
//
// Test results as JUnit XML, in the shape that Jenkins, GitLab and Maven's Surefire read.
//
// Shape: testsuites > testsuite > testcase > failure, error or skipped; counts and times are sums of what is inside.
#pragma once

#include <string>
#include <vector>

namespace rehearse::cli {

struct JUnitCase {
  enum class Result {
    passed,
    failure,  // something is wrong with what was tested
    error,    // nobody can say
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

// Texts may hold any bytes: what XML cannot hold is replaced.
std::string junit_xml(const std::vector<JUnitSuite>& suites);

}  // namespace rehearse::cli
