// SPDX-License-Identifier: MIT
//
// See requirements.hpp.
#include "smpi/requirements.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "smpi/abi/api.hpp"
#include "smpi/fortran/entries.hpp"
#include "smpi/process/images.hpp"
#include "smpi/process/refusals.hpp"

namespace rehearse::smpi {
namespace {

using Support = RequiredFunction::Support;

// Null: MPI has no function of this name.
const FunctionInfo* find_function(std::string_view name) {
  if (name.starts_with("PMPI_") || name.starts_with("PMPIX_")) name.remove_prefix(1);
  const auto found = std::ranges::lower_bound(functions(), name, {}, &FunctionInfo::name);
  return found == functions().end() || found->name != name ? nullptr : &*found;
}

// The function behind a name of Fortran: MPI_Send for mpi_send_ and pmpi_send_f08ts_. Null: none.
const FunctionInfo* find_fortran_function(std::string_view name) {
  if (name.starts_with("pmpi_")) name.remove_prefix(1);
  for (int i = 0; i < 2 && name.ends_with('_'); ++i) name.remove_suffix(1);
  for (const std::string_view form : {"_large", "_f08ts", "_f08", "_cptr"})
    if (name.ends_with(form)) name.remove_suffix(form.size());
  const auto is_same = [](char a, char b) { return (a >= 'A' && a <= 'Z' ? a - 'A' + 'a' : a) == b; };
  const auto found = std::ranges::find_if(functions(), [&](const FunctionInfo& function) {
    return std::ranges::equal(function.name, name, is_same);
  });
  return found == functions().end() ? nullptr : &*found;
}

RequiredFunction classify_mpi(std::string_view name, std::optional<ForeignMpi> library) {
  const bool is_fortran = name.starts_with("mpi_") || name.starts_with("pmpi_");
  const FunctionInfo* function = is_fortran ? find_fortran_function(name) : find_function(name);
  const bool has_entry = !is_fortran || fortran::find_entry(name, library) != nullptr;
  if (function != nullptr && !has_entry && library.has_value())
    return {std::string(name), Support::unsupported, "not translated from " + std::string(name_of(*library)), {}};
  if (function == nullptr && is_fortran && has_entry) return {std::string(name), Support::implemented, {}, {}};
  if (function == nullptr) return {std::string(name), Support::unknown, reason_unknown(name), {}};
  if (function->implemented) return {std::string(name), Support::implemented, {}, {}};
  const std::string chapter(chapters()[function->chapter].title);
  return {std::string(name), Support::unsupported, "not implemented yet: " + chapter, {}};
}

// The functions of one program.
class Collection {
 public:
  explicit Collection(const Images& images) : images_(images) {}

  std::vector<RequiredFunction> run() {
    for (const Image& image : images_.images)
      for (std::uint32_t i = 1; const Elf64_Sym* symbol = image.file->symbol(i); ++i)
        if (symbol->st_shndx == SHN_UNDEF && ELF64_ST_BIND(symbol->st_info) != STB_LOCAL) add_import(image, *symbol);
    std::vector<RequiredFunction> all;
    for (auto& [name, function] : found_) all.push_back(std::move(function));
    return all;
  }

 private:
  void add_import(const Image& image, const Elf64_Sym& symbol) {
    const std::string_view name = image.file->name(symbol);
    const bool is_mpi = is_name_of_mpi(name);
    const std::string_view refusal = is_mpi || image.system ? std::string_view() : reason_of_refusal(name);
    if ((!is_mpi && refusal.empty()) || is_defined(name)) return;
    RequiredFunction classified =
        is_mpi ? classify_mpi(name, images_.foreign)
               : RequiredFunction{std::string(name), Support::unsupported, std::string(refusal), {}};
    if (classified.support == Support::unknown && ELF64_ST_BIND(symbol.st_info) == STB_WEAK) return;
    RequiredFunction& function = found_.try_emplace(classified.name, classified).first->second;
    if (function.needed_by.empty() || function.needed_by.back() != image.file->path())
      function.needed_by.push_back(image.file->path());
  }

  // Whether the program or one of its private libraries defines the function, for instance a tool that wraps MPI, or
  // another thread library.
  bool is_defined(std::string_view name) const {
    return std::ranges::any_of(images_.images, [&](const Image& image) {
      return !image.system && image.file->find(name, {}) != nullptr;
    });
  }

  const Images& images_;
  std::map<std::string, RequiredFunction> found_;
};

}  // namespace

std::string_view foreign_library_of(const std::string& path) {
  const Result<std::unique_ptr<ElfFile>> file = ElfFile::open(path);
  if (!file) return {};
  const auto library = foreign_library_in(file.value()->dynamic_strings(DT_NEEDED));
  if (!library) return {};
  return name_of(*library);
}

bool may_start_ranks(const LaunchSpec& spec) {
  const auto starts = [](std::string_view name) {
    if (name.starts_with("PMPI_") || name.starts_with("PMPIX_")) name.remove_prefix(1);
    return name == "MPI_Comm_spawn" || name == "MPI_Comm_spawn_multiple";
  };
  LaunchSpec each = spec;
  for (std::size_t i = 0; i <= spec.others.size(); ++i) {
    if (i > 0) each.path = spec.others[i - 1].path;
    const Result<Images> images = open_images(each, 0);
    if (!images) continue;
    for (const Image& image : images.value().images)
      if (!image.system && std::ranges::any_of(image.file->undefined_names(), starts)) return true;
  }
  return false;
}

Result<std::vector<RequiredFunction>> required_functions(const LaunchSpec& spec) {
  Result<Images> images = open_images(spec, 0);
  if (!images) return images.error();
  return Collection(images.value()).run();
}

}  // namespace rehearse::smpi
