// SPDX-License-Identifier: MIT
//
// String functions that remember something between two calls, and functions whose first call makes libc allocate
// something for the whole process, which must not lie in a rank's memory.
#include <netdb.h>
#include <pwd.h>

#include <clocale>
#include <cstring>

#include "smpi/process/heap.hpp"
#include "smpi/process/interposers.hpp"

namespace rehearse::smpi {
namespace {

char* rank_strtok(char* text, const char* separators) {
  return strtok_r(text, separators, &this_rank().strtok_rest);
}

// The function itself, called with the host's allocator.
template <auto function>
void* on_host() {
  return []<class Result, class... Arguments>(Result (*)(Arguments...)) {
    return function_address(+[](Arguments... arguments) -> Result {
      HostAllocation host;
      return function(arguments...);
    });
  }(function);
}

}  // namespace

InterposerList text_interposers() {
  return {{"strtok", function_address(rank_strtok)},
          {"setlocale", on_host<&std::setlocale>()},
          {"strerror", on_host<static_cast<char* (*)(int)>(&std::strerror)>()},
          {"strsignal", on_host<&strsignal>()},
          {"getpwnam", on_host<&getpwnam>()},
          {"getpwuid", on_host<&getpwuid>()},
          {"gethostbyname", on_host<&gethostbyname>()}};
}

}  // namespace rehearse::smpi
