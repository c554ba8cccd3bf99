// SPDX-License-Identifier: MIT
//
// See entries.hpp.
#include <algorithm>
#include <string>
#include <unordered_map>

#include "smpi/foreign/fortran_abi.hpp"
#include "smpi/foreign/fortran_names.hpp"
#include "smpi/fortran/entries.hpp"

namespace rehearse::smpi::fortran {
namespace {

using EntryTable = std::unordered_map<std::string_view, void*>;

template <class Abi>
EntryTable all_entries() {
  EntryTable all;
  for (const auto list : {entries_1<Abi>, entries_2<Abi>, entries_3<Abi>, entries_4<Abi>, attribute_entries<Abi>,
                          callback_entries<Abi>, deprecated_entries<Abi>, language_entries<Abi>})
    for (const auto& [name, function] : list()) all.emplace(name, function);
  return all;
}

// Made before main() starts, outside of any rank's memory, and never written afterwards.
const EntryTable standard_entries = all_entries<Standard>();
const EntryTable mpich_entries = all_entries<foreign::MpichFortran>();
const EntryTable open_mpi_entries = all_entries<foreign::OpenMpiFortran>();

const EntryTable& entries_for(std::optional<ForeignMpi> library) {
  if (!library.has_value()) return standard_entries;
  return *library == ForeignMpi::mpich ? mpich_entries : open_mpi_entries;
}

void* find_in(const EntryTable& entries, std::string_view name) {
  const auto found = entries.find(name);
  return found == entries.end() ? nullptr : found->second;
}

}  // namespace

void* find_entry(std::string_view name, std::optional<ForeignMpi> library) {
  std::string lower(name);
  std::ranges::transform(lower, lower.begin(), [](char c) { return 'A' <= c && c <= 'Z' ? c - 'A' + 'a' : c; });
  if (library.has_value()) lower = foreign::standard_fortran_name(lower);
  std::string_view plain = lower;
  if (plain.starts_with("pmpi_")) plain.remove_prefix(1);
  if (!plain.starts_with("mpi_")) return nullptr;
  for (int i = 0; i < 2 && plain.ends_with('_'); ++i) plain.remove_suffix(1);
  const EntryTable& entries = entries_for(library);
  if (void* found = find_in(entries, plain)) return found;
  for (const std::string_view form : {"_f08", "_cptr"})
    if (plain.ends_with(form)) return find_in(entries, plain.substr(0, plain.size() - form.size()));
  return nullptr;
}

}  // namespace rehearse::smpi::fortran
