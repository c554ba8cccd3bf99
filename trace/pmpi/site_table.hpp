// SPDX-License-Identifier: MIT
//
// The places of calls in the streams of all ranks, and their lines in the program.
//
// Memory: the debugging information of the modules that are asked for.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "simcore/debug.hpp"
#include "trace/rtrace/tables.hpp"

namespace rehearse::trace::pmpi {

struct CallSite {
  std::string call, module;
  std::uint64_t offset = 0;  // of the return address, in the module

  auto operator<=>(const CallSite&) const = default;
};

class SiteTable {
 public:
  // From 1 on; equal places have equal numbers.
  std::uint64_t number_of(const CallSite& site);
  // The same text, at an address that it keeps and that no other has: the tables of a recording compare addresses
  // first.
  std::string_view kept(const std::string& text) { return *texts_.insert(text).first; }
  // Fills in the place of site.number.
  void find(rtrace::Site& site);

 private:
  std::set<std::string> texts_;
  std::map<CallSite, std::uint64_t> numbers_;
  std::vector<CallSite> sites_;
  std::map<std::string, SourceMap> maps_;
};

}  // namespace rehearse::trace::pmpi
