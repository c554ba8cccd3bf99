// SPDX-License-Identifier: MIT
//
// See missing_feature.hpp.
#include "smpi/missing_feature.hpp"

#include "simcore/support/format.hpp"
#include "smpi/file/doubts.hpp"
#include "smpi/thread_level.hpp"

namespace rehearse::smpi {

std::string missing_feature(const std::string& how) {
  const std::string level = missing_thread_level(how);
  if (!level.empty()) return level;
  const std::string content = doubted_content();
  return content.empty() ? "" : fmt::format("{} (the program, which may not know its content, ends: {})", content, how);
}

}  // namespace rehearse::smpi
