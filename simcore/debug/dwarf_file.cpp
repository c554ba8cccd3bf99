// SPDX-License-Identifier: MIT
//
// See dwarf_file.hpp.
#include "simcore/debug/dwarf_file.hpp"

namespace rehearse {
namespace {

// Code that the linker dropped begins at 0.
bool has_address(std::uint64_t begin, std::uint64_t end, std::uint64_t address) {
  return begin != 0 && begin <= address && address < end;
}

}  // namespace

bool is_fortran(Dwarf_Unsigned language) {
  return language == DW_LANG_Fortran77 || language == DW_LANG_Fortran90 || language == DW_LANG_Fortran95 ||
         language == DW_LANG_Fortran03 || language == DW_LANG_Fortran08;
}

DwarfFile::DwarfFile(const std::string& path) {
  if (!is_good(dwarf_init_path(path.c_str(), nullptr, 0, DW_DLC_READ, DW_GROUPNUMBER_ANY, nullptr, nullptr, &debug_,
                               nullptr, 0, nullptr, &error_)))
    debug_ = nullptr;
}

DwarfFile::~DwarfFile() {
  if (debug_ != nullptr) dwarf_finish(debug_, nullptr);
}

bool DwarfFile::is_next_unit() {
  Dwarf_Unsigned next = 0, abbreviations = 0, type_offset = 0, length = 0;
  Dwarf_Half version = 0, address_size = 0, length_size = 0, extension = 0, unit_type = 0;
  Dwarf_Sig8 signature;
  return is_good(dwarf_next_cu_header_d(debug_, true, &length, &version, &abbreviations, &address_size, &length_size,
                                        &extension, &signature, &type_offset, &next, &unit_type, &error_));
}

Dwarf_Half DwarfFile::tag(Dwarf_Die entry) {
  Dwarf_Half tag = 0;
  return is_good(dwarf_tag(entry, &tag, &error_)) ? tag : Dwarf_Half{0};
}

Dwarf_Off DwarfFile::offset(Dwarf_Die entry) {
  Dwarf_Off offset = 0;
  return is_good(dwarf_dieoffset(entry, &offset, &error_)) ? offset : 0;
}

bool DwarfFile::has(Dwarf_Die entry, Dwarf_Half attribute) {
  Dwarf_Bool has = false;
  return is_good(dwarf_hasattr(entry, attribute, &has, &error_)) && has;
}

std::string DwarfFile::text(Dwarf_Die entry, Dwarf_Half attribute) {
  char* found = nullptr;
  return is_good(dwarf_die_text(entry, attribute, &found, &error_)) ? found : "";
}

std::string DwarfFile::inherited_text(Dwarf_Die entry, Dwarf_Half attribute) {
  std::string found = text(entry, attribute);
  for (const Dwarf_Half link : {DW_AT_abstract_origin, DW_AT_specification}) {
    if (!found.empty()) break;
    if (const auto other = reference(entry, link))
      visit_at(*other, [&](Dwarf_Die made_of) { found = inherited_text(made_of, attribute); });
  }
  return found;
}

std::optional<std::int64_t> DwarfFile::constant(Dwarf_Die entry, Dwarf_Half attribute) {
  Dwarf_Attribute there = nullptr;
  if (!is_good(dwarf_attr(entry, attribute, &there, &error_))) return std::nullopt;
  Dwarf_Unsigned plain = 0;
  Dwarf_Signed with_sign = 0;
  std::optional<std::int64_t> value;
  if (is_good(dwarf_formudata(there, &plain, &error_))) value = static_cast<std::int64_t>(plain);
  else if (is_good(dwarf_formsdata(there, &with_sign, &error_))) value = with_sign;
  dwarf_dealloc(debug_, there, DW_DLA_ATTR);
  return value;
}

std::optional<Dwarf_Off> DwarfFile::reference(Dwarf_Die entry, Dwarf_Half attribute) {
  Dwarf_Attribute there = nullptr;
  if (!is_good(dwarf_attr(entry, attribute, &there, &error_))) return std::nullopt;
  Dwarf_Off offset = 0;
  Dwarf_Half form = 0;
  // References to other files and to type units are not followed.
  const bool is_plain = is_good(dwarf_whatform(there, &form, &error_)) &&
                        (form == DW_FORM_ref1 || form == DW_FORM_ref2 || form == DW_FORM_ref4 || form == DW_FORM_ref8 ||
                         form == DW_FORM_ref_udata || form == DW_FORM_ref_addr);
  const bool is_known = is_plain && is_good(dwarf_global_formref(there, &offset, &error_));
  dwarf_dealloc(debug_, there, DW_DLA_ATTR);
  return is_known ? std::optional(offset) : std::nullopt;
}

std::optional<Dwarf_Off> DwarfFile::inherited_reference(Dwarf_Die entry, Dwarf_Half attribute) {
  auto found = reference(entry, attribute);
  for (const Dwarf_Half link : {DW_AT_abstract_origin, DW_AT_specification}) {
    if (found) break;
    if (const auto other = reference(entry, link))
      visit_at(*other, [&](Dwarf_Die made_of) { found = inherited_reference(made_of, attribute); });
  }
  return found;
}

Dwarf_Unsigned DwarfFile::language(Dwarf_Die unit) {
  Dwarf_Unsigned language = 0;
  return is_good(dwarf_srclang(unit, &language, &error_)) ? language : 0;
}

bool DwarfFile::covers(Dwarf_Die entry, std::uint64_t address) {
  Dwarf_Addr low = 0, high = 0;
  if (is_good(dwarf_lowpc(entry, &low, &error_))) {
    Dwarf_Half form = 0;
    Dwarf_Form_Class what = DW_FORM_CLASS_UNKNOWN;
    if (is_good(dwarf_highpc_b(entry, &high, &form, &what, &error_))) {
      if (what == DW_FORM_CLASS_CONSTANT) high += low;
      return has_address(low, high, address);
    }
  }
  Dwarf_Attribute ranges = nullptr;
  if (!is_good(dwarf_attr(entry, DW_AT_ranges, &ranges, &error_))) return false;
  Dwarf_Half version = 0, offset_size = 0;
  const bool is_new = is_good(dwarf_get_version_of_die(entry, &version, &offset_size)) && version >= 5;
  const bool is_in = is_new ? is_in_list(ranges, address) : is_in_old_list(entry, ranges, low, address);
  dwarf_dealloc(debug_, ranges, DW_DLA_ATTR);
  return is_in;
}

bool DwarfFile::is_in_list(Dwarf_Attribute ranges, std::uint64_t address) {
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
    is_in = is_range && !is_missing && has_address(begin, end, address);
  }
  dwarf_dealloc_rnglists_head(head);
  return is_in;
}

bool DwarfFile::is_in_old_list(Dwarf_Die entry, Dwarf_Attribute attribute, Dwarf_Addr unit_base,
                               std::uint64_t address) {
  Dwarf_Off offset = 0, real = 0;
  Dwarf_Ranges* ranges = nullptr;
  Dwarf_Signed count = 0;
  Dwarf_Unsigned bytes = 0;
  if (!is_good(dwarf_global_formref(attribute, &offset, &error_)) ||
      !is_good(dwarf_get_ranges_b(debug_, offset, entry, &real, &ranges, &count, &bytes, &error_)))
    return false;
  Dwarf_Addr base = unit_base;
  bool is_in = false;
  for (Dwarf_Signed i = 0; i < count && !is_in; ++i) {
    if (ranges[i].dwr_type == DW_RANGES_ADDRESS_SELECTION) base = ranges[i].dwr_addr2;
    if (ranges[i].dwr_type != DW_RANGES_ENTRY) continue;
    is_in = has_address(base + ranges[i].dwr_addr1, base + ranges[i].dwr_addr2, address);
  }
  dwarf_ranges_dealloc(debug_, ranges, count);
  return is_in;
}

}  // namespace rehearse
