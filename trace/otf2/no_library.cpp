// SPDX-License-Identifier: MIT
//
// Archives without libotf2: refused by name. Compiled in place of the other files of this folder.
#include "trace/otf2_archive.hpp"

namespace rehearse::trace {
namespace {

Error no_otf2(const std::string& file) {
  return Error{file + ": this Rehearse was built without OTF2; install libotf2-trace-dev and build it again"};
}

}  // namespace

bool has_otf2() { return false; }
Result<void> write_archive(const std::string& file, const ArchiveContent&) { return no_otf2(file); }
Result<std::unique_ptr<Trace>> open_archive(const std::string& file) { return no_otf2(file); }

}  // namespace rehearse::trace
