// SPDX-License-Identifier: MIT
//
// Maps the addresses of a file to functions (its symbol table) and lines (its DWARF line tables, through libdwarf).
//
// Names:   of functions as in the source (functions_around.hpp); of source files as passed to the compiler, relative
//          to its working directory.
#include <elf.h>
#include <libdwarf/dwarf.h>
#include <libdwarf/libdwarf.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <vector>

#include "simcore/debug.hpp"
#include "simcore/debug/functions_around.hpp"

namespace rehearse {
namespace {

struct Function {
  std::uint64_t begin = 0, end = 0;
  std::string name;
};

struct Line {
  std::uint64_t begin = 0;
  std::uint32_t file = 0;  // 0: no code from here on
  std::uint32_t number = 0;
};

template <class T>
std::vector<T> read_array(const std::string& data, std::uint64_t offset, std::uint64_t bytes) {
  std::vector<T> items;
  if (offset > data.size() || bytes > data.size() - offset) return items;
  items.resize(bytes / sizeof(T));
  std::memcpy(items.data(), data.data() + offset, items.size() * sizeof(T));
  return items;
}

void add_functions(const std::string& data, const Elf64_Shdr& symbols, const Elf64_Shdr& strings,
                   std::vector<Function>& functions) {
  for (const auto& symbol : read_array<Elf64_Sym>(data, symbols.sh_offset, symbols.sh_size)) {
    const auto type = ELF64_ST_TYPE(symbol.st_info);
    const bool function = type == STT_FUNC || type == STT_GNU_IFUNC;
    const std::uint64_t name = strings.sh_offset + symbol.st_name;
    if (!function || symbol.st_shndx == SHN_UNDEF || symbol.st_size == 0 || name >= data.size()) continue;
    functions.push_back({symbol.st_value, symbol.st_value + symbol.st_size, data.c_str() + name});
  }
}

std::vector<Function> read_functions(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string data{std::istreambuf_iterator<char>(file), {}};
  std::vector<Function> functions;
  const auto header = read_array<Elf64_Ehdr>(data, 0, sizeof(Elf64_Ehdr));
  if (header.empty() || std::memcmp(header[0].e_ident, ELFMAG, SELFMAG) != 0) return functions;
  const auto sections =
      read_array<Elf64_Shdr>(data, header[0].e_shoff, std::uint64_t{header[0].e_shnum} * sizeof(Elf64_Shdr));
  for (const std::uint32_t wanted : {SHT_SYMTAB, SHT_DYNSYM})
    for (const Elf64_Shdr& section : sections)
      if (section.sh_type == wanted && section.sh_link < sections.size() && functions.empty())
        add_functions(data, section, sections[section.sh_link], functions);
  std::sort(functions.begin(), functions.end(), [](const auto& a, const auto& b) { return a.begin < b.begin; });
  return functions;
}

// The line tables of all compilation units of one file.
class LineReader {
 public:
  LineReader(std::vector<Line>& lines, std::vector<std::string>& files) : lines_(lines), files_(files) {}

  void read(const std::string& path) {
    if (dwarf_init_path(path.c_str(), nullptr, 0, DW_DLC_READ, DW_GROUPNUMBER_ANY, nullptr, nullptr, &debug_, nullptr,
                        0, nullptr, nullptr) != DW_DLV_OK)
      return;
    Dwarf_Unsigned next = 0, abbreviations = 0, type_offset = 0;
    Dwarf_Half version = 0, address_size = 0, length_size = 0, extension = 0, unit_type = 0;
    Dwarf_Sig8 signature;
    Dwarf_Unsigned length = 0;
    while (dwarf_next_cu_header_d(debug_, true, &length, &version, &abbreviations, &address_size, &length_size,
                                  &extension, &signature, &type_offset, &next, &unit_type, nullptr) == DW_DLV_OK) {
      Dwarf_Die unit = nullptr;
      if (dwarf_siblingof_b(debug_, nullptr, true, &unit, nullptr) != DW_DLV_OK) break;
      read_unit(unit);
      dwarf_dealloc(debug_, unit, DW_DLA_DIE);
    }
    dwarf_finish(debug_, nullptr);
    std::stable_sort(lines_.begin(), lines_.end(), [](const Line& a, const Line& b) { return a.begin < b.begin; });
  }

 private:
  void read_unit(Dwarf_Die unit) {
    Dwarf_Unsigned version = 0;
    Dwarf_Small tables = 0;
    Dwarf_Line_Context context = nullptr;
    if (dwarf_srclines_b(unit, &version, &tables, &context, nullptr) != DW_DLV_OK) return;
    const char* directory = nullptr;
    if (dwarf_srclines_comp_dir(context, &directory, nullptr) != DW_DLV_OK) directory = nullptr;
    Dwarf_Line* rows = nullptr;
    Dwarf_Signed count = 0;
    if (dwarf_srclines_from_linecontext(context, &rows, &count, nullptr) == DW_DLV_OK) {
      unit_files_.clear();
      for (Dwarf_Signed i = 0; i < count; ++i) add_row(rows[i], directory == nullptr ? "" : directory);
    }
    dwarf_srclines_dealloc_b(context);
  }

  void add_row(Dwarf_Line row, const std::string& directory) {
    Dwarf_Addr address = 0;
    Dwarf_Unsigned number = 0, file = 0;
    Dwarf_Bool ends = false;
    if (dwarf_lineaddr(row, &address, nullptr) != DW_DLV_OK || dwarf_lineno(row, &number, nullptr) != DW_DLV_OK ||
        dwarf_line_srcfileno(row, &file, nullptr) != DW_DLV_OK ||
        dwarf_lineendsequence(row, &ends, nullptr) != DW_DLV_OK)
      return;
    if (address == 0) return;  // a section that the linker dropped
    if (ends) lines_.push_back({address, 0, 0});
    else lines_.push_back({address, file_index(row, file, directory), static_cast<std::uint32_t>(number)});
  }

  std::uint32_t file_index(Dwarf_Line row, Dwarf_Unsigned number, const std::string& directory) {
    const auto known = unit_files_.find(number);
    if (known != unit_files_.end()) return known->second;
    char* name = nullptr;
    std::string path;
    if (dwarf_linesrc(row, &name, nullptr) == DW_DLV_OK) {
      path = name;
      dwarf_dealloc(debug_, name, DW_DLA_STRING);
    }
    if (!directory.empty() && path.starts_with(directory + "/")) path.erase(0, directory.size() + 1);
    if (path.starts_with("./")) path.erase(0, 2);
    files_.push_back(path);
    return unit_files_[number] = static_cast<std::uint32_t>(files_.size() - 1);
  }

  std::vector<Line>& lines_;
  std::vector<std::string>& files_;
  std::map<Dwarf_Unsigned, std::uint32_t> unit_files_;
  Dwarf_Debug debug_ = nullptr;
};

// The last element that begins at or before the address, or null.
template <class T>
const T* last_before(const std::vector<T>& items, std::uint64_t address) {
  auto after = std::upper_bound(items.begin(), items.end(), address,
                                [](std::uint64_t value, const T& item) { return value < item.begin; });
  return after == items.begin() ? nullptr : &*std::prev(after);
}

}  // namespace

struct SourceMap::Tables {
  std::vector<Function> functions;
  std::vector<Line> lines;
  std::vector<std::string> files{""};
  std::map<std::uint64_t, std::vector<Frame>> found;  // by address
};

SourceMap::SourceMap(std::string path) : path_(std::move(path)) {}
SourceMap::~SourceMap() = default;
SourceMap::SourceMap(SourceMap&&) noexcept = default;
SourceMap& SourceMap::operator=(SourceMap&&) noexcept = default;

Frame SourceMap::find(std::uint64_t address) const { return find_all(address).front(); }

const std::vector<Frame>& SourceMap::find_all(std::uint64_t address) const {
  if (tables_ == nullptr) {
    tables_ = std::make_unique<Tables>();
    tables_->functions = read_functions(path_);
    LineReader(tables_->lines, tables_->files).read(path_);
  }
  const auto [known, is_new] = tables_->found.try_emplace(address);
  std::vector<Frame>& frames = known->second;
  if (!is_new) return frames;
  const Line* line = last_before(tables_->lines, address);
  const bool has_line = line != nullptr && line->file != 0;
  if (has_line) frames = functions_around(path_, address);
  if (frames.empty()) frames.emplace_back();
  const Function* function = last_before(tables_->functions, address);
  const bool is_named = function != nullptr && address < function->end;
  if (frames.back().function.empty() && is_named) frames.back().function = readable_name(function->name);
  if (has_line) {
    frames.front().file = tables_->files[line->file];
    frames.front().line = static_cast<int>(line->number);
  }
  return frames;
}

}  // namespace rehearse
