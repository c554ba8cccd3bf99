// SPDX-License-Identifier: MIT
//
// Messages about wrong input.
#include "app/cli/message.hpp"

#include <iostream>

#include "app/exit_status.hpp"

namespace rehearse::cli {

int report_error(const Error& error) {
  std::cout.flush();
  std::cerr << (error.is_inconclusive ? "inconclusive: " : "rehearse: error: ") << error.text << std::endl;
  return error.is_inconclusive ? app::exit_inconclusive : app::exit_bad_input;
}

Error of_verb(const std::string& verb, const Error& error) {
  return error.text.starts_with("--") ? Error{verb + ": " + error.text} : error;
}

}  // namespace rehearse::cli
