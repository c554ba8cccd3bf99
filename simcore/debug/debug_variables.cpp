// SPDX-License-Identifier: MIT
//
// Reads variables and their places.
//
// Places: expressions of one operation, optionally followed by a dereference: a register, or memory relative to the
//         frame or a register. Variables in pieces, computed values and values at the function's entry are
//         Place::unknown.
// Files:  the file stays open. A forked process opens it again, because the two would share the file position.
#include "simcore/debug_variables.hpp"

#include <unistd.h>

#include <algorithm>
#include <map>
#include <utility>

#include "simcore/debug/debug_types.hpp"
#include "simcore/debug/dwarf_file.hpp"

namespace rehearse {
namespace {

using Base = DebugPlace::Base;

// Registers that a called function preserves. The others are unknown in a frame that has made a call.
bool is_preserved(unsigned number) {
  return number == 3 || number == 6 || number == 7 || (number >= 12 && number <= 15);
}

// gcc records its options, at least -mtune; other compilers do not.
bool is_optimized(const std::string& producer) {
  if (!producer.starts_with("GNU ") || producer.find(" -m") == std::string::npos) return true;
  const std::size_t at = producer.rfind(" -O");
  return at != std::string::npos && producer.compare(at, 4, " -O0") != 0;
}

struct LocationStep {
  Dwarf_Small code = 0;
  Dwarf_Unsigned first = 0, second = 0;
};

// The place that these operations describe; `frame_base` is that of the function.
DebugPlace place_of(const std::vector<LocationStep>& operations, const DebugPlace& frame_base) {
  const bool follows = operations.size() == 2 && operations[1].code == DW_OP_deref;
  if (operations.size() != 1 && !follows) return {};
  const LocationStep& operation = operations.front();
  const unsigned code = operation.code;
  DebugPlace place;
  place.is_indirect = follows;
  place.offset = static_cast<std::int64_t>(operation.first);
  if (code == DW_OP_addr) {
    place.base = Base::file;
  } else if (code == DW_OP_call_frame_cfa) {
    place.base = Base::frame;
    place.offset = 0;
  } else if (code == DW_OP_fbreg) {
    place.base = frame_base.base == Base::value ? Base::in_register : frame_base.base;
    place.number = frame_base.number;
    place.offset += frame_base.offset;
    if (frame_base.is_indirect) return {};
  } else if (code >= DW_OP_breg0 && code <= DW_OP_breg15) {
    place.number = static_cast<std::uint8_t>(code - DW_OP_breg0);
    place.base = is_preserved(place.number) ? Base::in_register : Base::unknown;
  } else if (code >= DW_OP_reg0 && code <= DW_OP_reg15) {
    place.number = static_cast<std::uint8_t>(code - DW_OP_reg0);
    place.base = is_preserved(place.number) && !follows ? Base::value : Base::unknown;
    place.offset = 0;
  }
  return place;
}

}  // namespace

class DebugVariables::Reader {
 public:
  explicit Reader(std::string path) : path_(std::move(path)) {}

  const DebugScope& in_scope(std::uint64_t address) {
    const auto [known, is_new] = by_address_.try_emplace(address);
    if (is_new) {
      open();
      found_ = &known->second;
      for (const Dwarf_Off unit : units_)
        file_->visit_at(unit, [&](Dwarf_Die entry) {
          if (!file_->covers(entry, address)) return;
          found_->is_optimized = is_optimized(file_->text(entry, DW_AT_producer));
          look_for(entry, address, {});
        });
    }
    return known->second;
  }

  std::span<const DebugVariable> globals() {
    if (has_globals_) return globals_;
    has_globals_ = true;
    open();
    for (const Dwarf_Off unit : units_) file_->visit_at(unit, [&](Dwarf_Die entry) { collect_globals(entry); });
    std::ranges::stable_sort(globals_, {}, [](const DebugVariable& each) { return each.place.offset; });
    std::uint64_t end = 0;
    for (const DebugVariable& each : globals_)
      furthest_.push_back(end = std::max(end, static_cast<std::uint64_t>(each.place.offset) + each.type->bytes));
    return globals_;
  }

  std::vector<const DebugVariable*> globals_at(std::uint64_t address) {
    globals();
    std::vector<const DebugVariable*> found;
    const auto after = std::ranges::upper_bound(globals_, address, {}, [](const DebugVariable& each) {
      return static_cast<std::uint64_t>(each.place.offset);
    });
    for (auto i = static_cast<std::size_t>(after - globals_.begin()); i > 0 && furthest_[i - 1] > address; --i) {
      const DebugVariable& variable = globals_[i - 1];
      const std::uint64_t byte = address - static_cast<std::uint64_t>(variable.place.offset);
      if (byte < variable.type->bytes) found.push_back(&variable);
    }
    return found;
  }

  const DebugType& target(const DebugType& pointer) {
    if (pointer.target == 0) return types_.opaque();
    open();
    return types_.at(*file_, pointer.target);
  }

 private:
  void open() {
    if (file_ != nullptr && opener_ == getpid()) return;
    opener_ = getpid();
    file_ = std::make_unique<DwarfFile>(path_);
    units_.clear();
    file_->visit_units([&](Dwarf_Die unit) {
      units_.push_back(file_->offset(unit));
      return false;
    });
  }

  // Descends to the address and collects the variables in scope.
  void look_for(Dwarf_Die parent, std::uint64_t address, DebugPlace frame_base) {
    file_->visit_children(parent, [&](Dwarf_Die child) {
      const Dwarf_Half tag = file_->tag(child);
      if (tag == DW_TAG_namespace || tag == DW_TAG_module) {
        look_for(child, address, {});
      } else if (tag == DW_TAG_subprogram && file_->covers(child, address)) {
        const DebugPlace base = place(child, DW_AT_frame_base, address, {});
        look_in(child, address, base);
        collect_places(child, address, base);
      } else if ((tag == DW_TAG_lexical_block || tag == DW_TAG_inlined_subroutine) && file_->covers(child, address)) {
        look_in(child, address, frame_base);
      }
      return false;
    });
  }

  void look_in(Dwarf_Die scope, std::uint64_t address, const DebugPlace& frame_base) {
    file_->visit_children(scope, [&](Dwarf_Die child) {
      const Dwarf_Half tag = file_->tag(child);
      if (tag == DW_TAG_variable || tag == DW_TAG_formal_parameter)
        found_->variables.push_back({file_->inherited_text(child, DW_AT_name), &type_of(child),
                                     place(child, DW_AT_location, address, frame_base)});
      return false;
    });
    look_for(scope, address, frame_base);
  }

  void collect_places(Dwarf_Die scope, std::uint64_t address, const DebugPlace& frame_base) {
    file_->visit_children(scope, [&](Dwarf_Die child) {
      const Dwarf_Half tag = file_->tag(child);
      if (tag == DW_TAG_lexical_block || tag == DW_TAG_inlined_subroutine) {
        collect_places(child, address, frame_base);
      } else if (tag == DW_TAG_variable || tag == DW_TAG_formal_parameter) {
        const DebugPlace where = place(child, DW_AT_location, address, frame_base);
        if (where.is_fixed && !where.is_indirect) found_->places.push_back(where);
      }
      return false;
    });
  }

  const DebugType& type_of(Dwarf_Die variable) {
    return types_.at(*file_, file_->inherited_reference(variable, DW_AT_type));
  }

  // The place of the variable, by this attribute, while the code at the address runs.
  DebugPlace place(Dwarf_Die entry, Dwarf_Half attribute, std::uint64_t address, const DebugPlace& frame_base) {
    Dwarf_Attribute there = nullptr;
    if (!file_->is_good(dwarf_attr(entry, attribute, &there, file_->error()))) return {};
    Dwarf_Loc_Head_c list = nullptr;
    Dwarf_Unsigned count = 0;
    DebugPlace found;
    if (file_->is_good(dwarf_get_loclist_c(there, &list, &count, file_->error()))) {
      found = place_in(list, count, address, frame_base, entry);
      dwarf_loc_head_c_dealloc(list);
    }
    dwarf_dealloc(file_->debug(), there, DW_DLA_ATTR);
    return found;
  }

  DebugPlace place_in(Dwarf_Loc_Head_c list, Dwarf_Unsigned count, std::uint64_t address, const DebugPlace& frame_base,
                      Dwarf_Die of) {
    unsigned kind = DW_LKIND_unknown;
    if (!file_->is_good(dwarf_get_loclist_head_kind(list, &kind, file_->error()))) return {};
    const bool is_expression = kind == DW_LKIND_expression;
    for (Dwarf_Unsigned i = 0; i < count; ++i) {
      Dwarf_Small code = 0, source = 0;
      Dwarf_Unsigned raw_low = 0, raw_high = 0, length = 0, expression_offset = 0, entry_offset = 0;
      Dwarf_Bool is_missing = false;
      Dwarf_Addr low = 0, high = 0;
      Dwarf_Locdesc_c entry = nullptr;
      if (!file_->is_good(dwarf_get_locdesc_entry_d(list, i, &code, &raw_low, &raw_high, &is_missing, &low, &high,
                                                    &length, &entry, &source, &expression_offset, &entry_offset,
                                                    file_->error())))
        return {};
      if (!is_expression && (is_missing || address < low || address >= high)) continue;
      DebugPlace found = place_of(operations(entry, length, of), frame_base);
      found.is_fixed = is_expression;
      return found;
    }
    return {};
  }

  std::vector<LocationStep> operations(Dwarf_Locdesc_c entry, Dwarf_Unsigned count, Dwarf_Die of) {
    std::vector<LocationStep> all;
    for (Dwarf_Unsigned i = 0; i < count; ++i) {
      LocationStep operation;
      Dwarf_Unsigned third = 0, branch = 0;
      if (!file_->is_good(dwarf_get_location_op_value_c(entry, i, &operation.code, &operation.first, &operation.second,
                                                        &third, &branch, file_->error())))
        return {};
      // An address in a separate table, as clang writes it.
      if (operation.code == DW_OP_addrx) {
        Dwarf_Addr address = 0;
        if (!file_->is_good(dwarf_debug_addr_index_to_addr(of, operation.first, &address, file_->error()))) return {};
        operation.code = DW_OP_addr;
        operation.first = address;
      }
      all.push_back(operation);
    }
    return all;
  }

  void collect_globals(Dwarf_Die parent) {
    file_->visit_children(parent, [&](Dwarf_Die child) {
      switch (file_->tag(child)) {
        case DW_TAG_namespace:
        case DW_TAG_module:
        case DW_TAG_subprogram:
        case DW_TAG_lexical_block:
        case DW_TAG_inlined_subroutine:
        case DW_TAG_common_block: collect_globals(child); break;
        case DW_TAG_variable: {
          const DebugPlace where = place(child, DW_AT_location, 0, {});
          if (where.base != Base::file || where.offset <= 0 || !where.is_fixed || where.is_indirect) break;
          globals_.push_back({file_->inherited_text(child, DW_AT_name), &type_of(child), where});
          break;
        }
        default: break;
      }
      return false;
    });
  }

  std::string path_;
  std::unique_ptr<DwarfFile> file_;
  pid_t opener_ = 0;
  std::vector<Dwarf_Off> units_;
  DebugTypes types_;
  std::map<std::uint64_t, DebugScope> by_address_;
  DebugScope* found_ = nullptr;
  bool has_globals_ = false;
  std::vector<DebugVariable> globals_;
  std::vector<std::uint64_t> furthest_;  // for each of them, the largest end up to it
};

DebugVariables::DebugVariables(std::string path) : reader_(std::make_unique<Reader>(std::move(path))) {}
DebugVariables::~DebugVariables() = default;

const DebugScope& DebugVariables::in_scope(std::uint64_t address) { return reader_->in_scope(address); }
std::span<const DebugVariable> DebugVariables::globals() { return reader_->globals(); }
std::vector<const DebugVariable*> DebugVariables::globals_at(std::uint64_t address) {
  return reader_->globals_at(address);
}
const DebugType& DebugVariables::target(const DebugType& pointer) { return reader_->target(pointer); }

}  // namespace rehearse
