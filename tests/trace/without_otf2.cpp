// SPDX-License-Identifier: MIT
//
// Archives in a build without libotf2 (-D REHEARSE_OTF2=OFF): reading and writing are refused by name.
#include <iostream>
#include <string>

#include "trace/otf2_archive.hpp"

int main() {
  using namespace rehearse::trace;
  const std::string wanted =
      "x.otf2: this Rehearse was built without OTF2; install libotf2-trace-dev and build it again";
  const auto read = open_archive("x.otf2");
  const auto written = write_archive("x.otf2", {});
  const bool is_right = !has_otf2() && !read && read.error().text == wanted && !written &&
                        written.error().text == wanted;
  std::cout << (is_right ? "1 passed, 0 failed\n" : "0 passed, 1 failed\n");
  return is_right ? 0 : 1;
}
