// SPDX-License-Identifier: MIT
//
// Reads the entries of DWARF's .debug_info around an address (libdwarf), only in the unit of the address.
//
// Fortran: the entry has the name of the source; the symbol has another one (ring_, __module_MOD_procedure).
#include "simcore/debug/functions_around.hpp"

#include <cxxabi.h>

#include <cstdlib>
#include <memory>
#include <string_view>
#include <utility>

#include "simcore/debug/dwarf_file.hpp"

namespace rehearse {
namespace {

class UnitReader {
 public:
  UnitReader(const std::string& path, std::uint64_t address) : file_(path), address_(address) {}

  // Innermost first.
  std::vector<Frame> read() {
    file_.visit_units([&](Dwarf_Die unit) {
      if (file_.covers(unit, address_)) {
        is_fortran_ = is_fortran(file_.language(unit));
        visit_children(unit, unit);
      }
      return !found_.empty();
    });
    return {found_.rbegin(), found_.rend()};
  }

 private:
  // Searches the children of `parent` for the address, and descends into the one that has it.
  void visit_children(Dwarf_Die unit, Dwarf_Die parent) {
    const std::size_t before = found_.size();
    file_.visit_children(parent, [&](Dwarf_Die child) {
      visit(unit, child);
      return found_.size() > before;
    });
  }

  void visit(Dwarf_Die unit, Dwarf_Die die) {
    const Dwarf_Half tag = file_.tag(die);
    if (tag == DW_TAG_namespace) return visit_children(unit, die);
    if (tag == DW_TAG_module) {
      const std::string outer = std::exchange(module_, file_.text(die, DW_AT_name));
      visit_children(unit, die);
      module_ = outer;
      return;
    }
    const bool is_inlined = tag == DW_TAG_inlined_subroutine;
    const bool is_function = tag == DW_TAG_subprogram || is_inlined;
    if ((!is_function && tag != DW_TAG_lexical_block) || !file_.covers(die, address_)) return;
    if (is_inlined && !found_.empty()) {
      found_.back().file = source_file(unit, file_.number(die, DW_AT_call_file));
      found_.back().line = static_cast<int>(file_.number(die, DW_AT_call_line));
    }
    if (is_function) found_.push_back({name(die, is_inlined), "", 0});
    visit_children(unit, die);
  }

  // The name in the source. For a function with its own symbol, only if the name of the symbol is different.
  std::string name(Dwarf_Die die, bool is_inlined) {
    if (!is_inlined && !is_fortran_) return "";
    const std::string linkage = is_fortran_ ? "" : file_.inherited_text(die, DW_AT_linkage_name);
    if (!linkage.empty()) return readable_name(linkage);
    const std::string plain = file_.inherited_text(die, DW_AT_name);
    return module_.empty() || plain.empty() ? plain : module_ + "::" + plain;
  }

  // The name as in line tables: relative to the working directory of the compiler.
  std::string source_file(Dwarf_Die unit, Dwarf_Unsigned index) {
    char** names = nullptr;
    Dwarf_Signed count = 0;
    if (!file_.is_good(dwarf_srcfiles(unit, &names, &count, file_.error()))) return "";
    Dwarf_Half version = 0, offset_size = 0;
    const bool from_one = !file_.is_good(dwarf_get_version_of_die(unit, &version, &offset_size)) || version < 5;
    const auto at = static_cast<Dwarf_Signed>(index) - (from_one ? 1 : 0);
    std::string path = at >= 0 && at < count ? names[at] : "";
    for (Dwarf_Signed i = 0; i < count; ++i) dwarf_dealloc(file_.debug(), names[i], DW_DLA_STRING);
    dwarf_dealloc(file_.debug(), names, DW_DLA_LIST);
    const std::string folder = file_.text(unit, DW_AT_comp_dir);
    if (!folder.empty() && path.starts_with(folder + "/")) path.erase(0, folder.size() + 1);
    if (path.starts_with("./")) path.erase(0, 2);
    return path;
  }

  DwarfFile file_;
  std::uint64_t address_;
  std::vector<Frame> found_;  // outermost first
  std::string module_;        // the Fortran module of the entry
  bool is_fortran_ = false;
};

}  // namespace

std::vector<Frame> functions_around(const std::string& path, std::uint64_t address) {
  return UnitReader(path, address).read();
}

std::string readable_name(const std::string& symbol) {
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> name(abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status),
                                                    std::free);
  if (name != nullptr) return name.get();
  std::string plain = symbol.substr(0, symbol.find('.', 1));
  constexpr std::string_view of_module = "_MOD_";
  const std::size_t at = plain.find(of_module);
  if (plain.starts_with("__") && at != std::string::npos && at > 2 && at + of_module.size() < plain.size())
    return plain.substr(2, at - 2) + "::" + plain.substr(at + of_module.size());
  return plain;
}

}  // namespace rehearse
