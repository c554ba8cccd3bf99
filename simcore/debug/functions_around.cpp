// SPDX-License-Identifier: MIT
//
// The entries of DWARF's .debug_info around an address (libdwarf); only the unit that has it is read.
//
// Fortran: the entry has the name that the program writes, the symbol another one (ring_, __module_MOD_procedure).
#include "simcore/debug/functions_around.hpp"

#include <cxxabi.h>
#include <libdwarf/dwarf.h>
#include <libdwarf/libdwarf.h>

#include <cstdlib>
#include <memory>
#include <string_view>
#include <utility>

namespace rehearse {
namespace {

bool is_fortran(Dwarf_Unsigned language) {
  return language == DW_LANG_Fortran77 || language == DW_LANG_Fortran90 || language == DW_LANG_Fortran95 ||
         language == DW_LANG_Fortran03 || language == DW_LANG_Fortran08;
}

class UnitReader {
 public:
  explicit UnitReader(std::uint64_t address) : address_(address) {}
  ~UnitReader() {
    if (debug_ != nullptr) dwarf_finish(debug_, nullptr);
  }
  UnitReader(const UnitReader&) = delete;
  UnitReader& operator=(const UnitReader&) = delete;

  // Innermost first.
  std::vector<Frame> read(const std::string& path) {
    if (!is_good(dwarf_init_path(path.c_str(), nullptr, 0, DW_DLC_READ, DW_GROUPNUMBER_ANY, nullptr, nullptr, &debug_,
                                 nullptr, 0, nullptr, &error_)))
      return {};
    Dwarf_Unsigned next = 0, abbreviations = 0, type_offset = 0, length = 0;
    Dwarf_Half version = 0, address_size = 0, length_size = 0, extension = 0, unit_type = 0;
    Dwarf_Sig8 signature;
    while (is_good(dwarf_next_cu_header_d(debug_, true, &length, &version, &abbreviations, &address_size, &length_size,
                                          &extension, &signature, &type_offset, &next, &unit_type, &error_))) {
      Dwarf_Die unit = nullptr;
      if (!is_good(dwarf_siblingof_b(debug_, nullptr, true, &unit, &error_))) break;
      if (covers(unit)) {
        Dwarf_Unsigned language = 0;
        if (is_good(dwarf_srclang(unit, &language, &error_))) is_fortran_ = is_fortran(language);
        visit_children(unit, unit);
      }
      dwarf_dealloc(debug_, unit, DW_DLA_DIE);
      if (!found_.empty()) break;
    }
    return {found_.rbegin(), found_.rend()};
  }

 private:
  bool is_good(int status) {
    if (status == DW_DLV_ERROR && debug_ != nullptr) dwarf_dealloc_error(debug_, error_);
    return status == DW_DLV_OK;
  }

  // What the linker dropped begins at 0.
  bool has(std::uint64_t begin, std::uint64_t end) const { return begin != 0 && begin <= address_ && address_ < end; }

  // Looks for the address in what lies in `parent`, and goes where it is.
  void visit_children(Dwarf_Die unit, Dwarf_Die parent) {
    Dwarf_Die child = nullptr;
    if (!is_good(dwarf_child(parent, &child, &error_))) return;
    const std::size_t before = found_.size();
    while (true) {
      visit(unit, child);
      Dwarf_Die sibling = nullptr;
      const bool is_last =
          found_.size() > before || !is_good(dwarf_siblingof_b(debug_, child, true, &sibling, &error_));
      dwarf_dealloc(debug_, child, DW_DLA_DIE);
      if (is_last) return;
      child = sibling;
    }
  }

  void visit(Dwarf_Die unit, Dwarf_Die die) {
    Dwarf_Half tag = 0;
    if (!is_good(dwarf_tag(die, &tag, &error_))) return;
    if (tag == DW_TAG_namespace) return visit_children(unit, die);
    if (tag == DW_TAG_module) {
      const std::string outer = std::exchange(module_, text(die, DW_AT_name));
      visit_children(unit, die);
      module_ = outer;
      return;
    }
    const bool is_inlined = tag == DW_TAG_inlined_subroutine;
    const bool is_function = tag == DW_TAG_subprogram || is_inlined;
    if ((!is_function && tag != DW_TAG_lexical_block) || !covers(die)) return;
    if (is_inlined && !found_.empty()) {
      found_.back().file = file(unit, number(die, DW_AT_call_file));
      found_.back().line = static_cast<int>(number(die, DW_AT_call_line));
    }
    if (is_function) found_.push_back({name(die, is_inlined), "", 0});
    visit_children(unit, die);
  }

  // As people write it; of what has a symbol of its own only where that has another name.
  std::string name(Dwarf_Die die, bool is_inlined) {
    if (!is_inlined && !is_fortran_) return "";
    const std::string linkage = is_fortran_ ? "" : inherited_text(die, DW_AT_linkage_name);
    if (!linkage.empty()) return readable_name(linkage);
    const std::string plain = inherited_text(die, DW_AT_name);
    return module_.empty() || plain.empty() ? plain : module_ + "::" + plain;
  }

  bool covers(Dwarf_Die die) {
    Dwarf_Addr low = 0, high = 0;
    if (is_good(dwarf_lowpc(die, &low, &error_))) {
      Dwarf_Half form = 0;
      Dwarf_Form_Class what = DW_FORM_CLASS_UNKNOWN;
      if (is_good(dwarf_highpc_b(die, &high, &form, &what, &error_))) {
        if (what == DW_FORM_CLASS_CONSTANT) high += low;
        return has(low, high);
      }
    }
    Dwarf_Attribute ranges = nullptr;
    if (!is_good(dwarf_attr(die, DW_AT_ranges, &ranges, &error_))) return false;
    Dwarf_Half version = 0, offset_size = 0;
    const bool is_new = is_good(dwarf_get_version_of_die(die, &version, &offset_size)) && version >= 5;
    const bool is_in = is_new ? is_in_list(ranges) : is_in_old_list(die, ranges, low);
    dwarf_dealloc(debug_, ranges, DW_DLA_ATTR);
    return is_in;
  }

  bool is_in_list(Dwarf_Attribute ranges) {
    Dwarf_Half form = 0;
    Dwarf_Unsigned value = 0, count = 0, where = 0;
    if (!is_good(dwarf_whatform(ranges, &form, &error_))) return false;
    if (!is_good(form == DW_FORM_rnglistx ? dwarf_formudata(ranges, &value, &error_)
                                          : dwarf_global_formref(ranges, &value, &error_)))
      return false;
    Dwarf_Rnglists_Head head = nullptr;
    if (!is_good(dwarf_rnglists_get_rle_head(ranges, form, value, &head, &count, &where, &error_))) return false;
    bool is_in = false;
    for (Dwarf_Unsigned i = 0; i < count && !is_in; ++i) {
      unsigned bytes = 0, code = 0;
      Dwarf_Unsigned raw1 = 0, raw2 = 0, begin = 0, end = 0;
      Dwarf_Bool is_missing = false;
      if (!is_good(dwarf_get_rnglists_entry_fields_a(head, i, &bytes, &code, &raw1, &raw2, &is_missing, &begin, &end,
                                                     &error_)))
        break;
      const bool is_range = code == DW_RLE_offset_pair || code == DW_RLE_start_end || code == DW_RLE_start_length ||
                            code == DW_RLE_startx_endx || code == DW_RLE_startx_length;
      is_in = is_range && !is_missing && has(begin, end);
    }
    dwarf_dealloc_rnglists_head(head);
    return is_in;
  }

  bool is_in_old_list(Dwarf_Die die, Dwarf_Attribute attribute, Dwarf_Addr unit_base) {
    Dwarf_Off offset = 0, real = 0;
    Dwarf_Ranges* ranges = nullptr;
    Dwarf_Signed count = 0;
    Dwarf_Unsigned bytes = 0;
    if (!is_good(dwarf_global_formref(attribute, &offset, &error_)) ||
        !is_good(dwarf_get_ranges_b(debug_, offset, die, &real, &ranges, &count, &bytes, &error_)))
      return false;
    Dwarf_Addr base = unit_base;
    bool is_in = false;
    for (Dwarf_Signed i = 0; i < count && !is_in; ++i) {
      if (ranges[i].dwr_type == DW_RANGES_ADDRESS_SELECTION) base = ranges[i].dwr_addr2;
      if (ranges[i].dwr_type != DW_RANGES_ENTRY) continue;
      is_in = has(base + ranges[i].dwr_addr1, base + ranges[i].dwr_addr2);
    }
    dwarf_ranges_dealloc(debug_, ranges, count);
    return is_in;
  }

  std::string text(Dwarf_Die die, Dwarf_Half attribute) {
    char* found = nullptr;
    return is_good(dwarf_die_text(die, attribute, &found, &error_)) ? found : "";
  }

  // Of the entry, or of one that it is made of.
  std::string inherited_text(Dwarf_Die die, Dwarf_Half attribute) {
    std::string found = text(die, attribute);
    for (const Dwarf_Half link : {DW_AT_abstract_origin, DW_AT_specification}) {
      Dwarf_Attribute reference = nullptr;
      if (!found.empty() || !is_good(dwarf_attr(die, link, &reference, &error_))) continue;
      Dwarf_Off offset = 0;
      Dwarf_Die other = nullptr;
      if (is_good(dwarf_global_formref(reference, &offset, &error_)) &&
          is_good(dwarf_offdie_b(debug_, offset, true, &other, &error_))) {
        found = inherited_text(other, attribute);
        dwarf_dealloc(debug_, other, DW_DLA_DIE);
      }
      dwarf_dealloc(debug_, reference, DW_DLA_ATTR);
    }
    return found;
  }

  Dwarf_Unsigned number(Dwarf_Die die, Dwarf_Half attribute) {
    Dwarf_Attribute there = nullptr;
    if (!is_good(dwarf_attr(die, attribute, &there, &error_))) return 0;
    Dwarf_Unsigned value = 0;
    if (!is_good(dwarf_formudata(there, &value, &error_))) value = 0;
    dwarf_dealloc(debug_, there, DW_DLA_ATTR);
    return value;
  }

  // As line tables name it: relative to where the compiler ran.
  std::string file(Dwarf_Die unit, Dwarf_Unsigned index) {
    char** names = nullptr;
    Dwarf_Signed count = 0;
    if (!is_good(dwarf_srcfiles(unit, &names, &count, &error_))) return "";
    Dwarf_Half version = 0, offset_size = 0;
    const bool from_one = !is_good(dwarf_get_version_of_die(unit, &version, &offset_size)) || version < 5;
    const auto at = static_cast<Dwarf_Signed>(index) - (from_one ? 1 : 0);
    std::string path = at >= 0 && at < count ? names[at] : "";
    for (Dwarf_Signed i = 0; i < count; ++i) dwarf_dealloc(debug_, names[i], DW_DLA_STRING);
    dwarf_dealloc(debug_, names, DW_DLA_LIST);
    const std::string folder = text(unit, DW_AT_comp_dir);
    if (!folder.empty() && path.starts_with(folder + "/")) path.erase(0, folder.size() + 1);
    if (path.starts_with("./")) path.erase(0, 2);
    return path;
  }

  std::uint64_t address_;
  std::vector<Frame> found_;  // outermost first
  std::string module_;        // of Fortran, in which the entry lies
  bool is_fortran_ = false;
  Dwarf_Debug debug_ = nullptr;
  Dwarf_Error error_ = nullptr;
};

}  // namespace

std::vector<Frame> functions_around(const std::string& path, std::uint64_t address) {
  return UnitReader(address).read(path);
}

std::string readable_name(const std::string& symbol) {
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> name(
      abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status), std::free);
  if (name != nullptr) return name.get();
  std::string plain = symbol.substr(0, symbol.find('.', 1));
  constexpr std::string_view of_module = "_MOD_";
  const std::size_t at = plain.find(of_module);
  if (plain.starts_with("__") && at != std::string::npos && at > 2 && at + of_module.size() < plain.size())
    return plain.substr(2, at - 2) + "::" + plain.substr(at + of_module.size());
  return plain;
}

}  // namespace rehearse
