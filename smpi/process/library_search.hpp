// SPDX-License-Identifier: MIT
//
// The search for a shared library by the dynamic linker's rules (ld.so(8)).
//
// Order:   DT_RPATH of the requester and of those that needed it (only where the requester has no DT_RUNPATH),
//          LD_LIBRARY_PATH of the program's environment, DT_RUNPATH of the requester, /etc/ld.so.cache, the default
//          directories. $ORIGIN, $LIB and $PLATFORM are expanded.
// Threads: none.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "smpi/process/elf_file.hpp"

namespace rehearse::smpi {

class LibrarySearch {
 public:
  explicit LibrarySearch(const std::vector<std::string>& environment);

  // The path of library `name`. `requesters` are the image that needs it, followed by the images that needed that one.
  std::optional<std::string> find(const std::string& name, const std::vector<const ElfFile*>& requesters) const;

 private:
  std::vector<std::string> library_path_;
  std::map<std::string, std::string, std::less<>> cache_;
};

}  // namespace rehearse::smpi
