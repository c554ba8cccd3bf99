// SPDX-License-Identifier: MIT
//
// The types of one file, read on demand.
//
// Ownership: a type lives as long as the table.
#pragma once

#include <deque>
#include <map>
#include <optional>

#include "simcore/debug/dwarf_file.hpp"
#include "simcore/debug_variables.hpp"

namespace rehearse {

class DebugTypes {
 public:
  const DebugType& opaque() const { return opaque_; }
  // The type whose entry is at this offset.
  const DebugType& at(DwarfFile& file, std::optional<Dwarf_Off> offset);

 private:
  static constexpr int deepest = 32;

  const DebugType& add(DebugType type);
  const DebugType& read(DwarfFile& file, Dwarf_Die entry);
  const DebugType& renamed(DwarfFile& file, Dwarf_Die entry);
  const DebugType& scalar(DwarfFile& file, Dwarf_Die entry);
  const DebugType& complex(DwarfFile& file, Dwarf_Die entry);
  const DebugType& pointer(DwarfFile& file, Dwarf_Die entry, Dwarf_Half tag);
  const DebugType& array(DwarfFile& file, Dwarf_Die entry);
  const DebugType& record(DwarfFile& file, Dwarf_Die entry, Dwarf_Half tag);
  std::optional<std::uint64_t> length(DwarfFile& file, Dwarf_Die subrange);

  DebugType opaque_;
  std::deque<DebugType> all_;
  std::map<Dwarf_Off, const DebugType*> by_offset_;
  int depth_ = 0;
};

}  // namespace rehearse
