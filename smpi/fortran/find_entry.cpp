// SPDX-License-Identifier: MIT
//
// See entries.hpp.
#include <algorithm>
#include <string>
#include <unordered_map>

#include "smpi/fortran/entries.hpp"

namespace rehearse::smpi::fortran {
namespace {

using EntryTable = std::unordered_map<std::string_view, void*>;

EntryTable all_entries() {
  EntryTable all;
  for (const auto list : {entries_1, entries_2, entries_3, entries_4, attribute_entries, callback_entries,
                          deprecated_entries, language_entries})
    for (const auto& [name, function] : list()) all.emplace(name, function);
  return all;
}

// Made before main() starts, outside of any rank's memory, and never written afterwards.
const EntryTable entry_table = all_entries();

void* find_plain(std::string_view name) {
  const auto found = entry_table.find(name);
  return found == entry_table.end() ? nullptr : found->second;
}

}  // namespace

void* find_entry(std::string_view name) {
  std::string lower(name);
  std::ranges::transform(lower, lower.begin(), [](char c) { return 'A' <= c && c <= 'Z' ? c - 'A' + 'a' : c; });
  std::string_view plain = lower;
  if (plain.starts_with("pmpi_")) plain.remove_prefix(1);
  if (!plain.starts_with("mpi_")) return nullptr;
  for (int i = 0; i < 2 && plain.ends_with('_'); ++i) plain.remove_suffix(1);
  if (void* found = find_plain(plain)) return found;
  for (const std::string_view form : {"_f08", "_cptr"})
    if (plain.ends_with(form)) return find_plain(plain.substr(0, plain.size() - form.size()));
  return nullptr;
}

}  // namespace rehearse::smpi::fortran
