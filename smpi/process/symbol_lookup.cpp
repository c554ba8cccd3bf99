// SPDX-License-Identifier: MIT
//
// Symbol lookup.
#include "smpi/process/symbol_lookup.hpp"

#include <dlfcn.h>

#include <string>

namespace rehearse::smpi {
namespace {

Definition at_address(const void* address) {
  return {Definition::Place::process, nullptr, nullptr, reinterpret_cast<std::uint64_t>(address)};
}

void* find_in_library(void* handle, const std::string& name, const std::string& version) {
  return version.empty() ? dlsym(handle, name.c_str()) : dlvsym(handle, name.c_str(), version.c_str());
}

bool is_mpi_name(std::string_view name) {
  return name.starts_with("MPI_") || name.starts_with("PMPI_") || name.starts_with("MPIX_") ||
         name.starts_with("PMPIX_");
}

}  // namespace

Scope program_scope(const Images& images) {
  Scope scope;
  for (std::size_t i = 0; i < images.plugins_begin; ++i) scope.push_back(&images.images[i]);
  return scope;
}

std::optional<Definition> Symbols::find_in_images(std::string_view name, std::string_view version, const Scope& scope,
                                                  const Image* except) {
  for (const Image* image : scope) {
    if (image == except) continue;
    if (const Elf64_Sym* symbol = image->file->find(name, version))
      return Definition{Definition::Place::image, image, symbol, 0};
  }
  return std::nullopt;
}

std::optional<Definition> Symbols::find_outside(std::string_view name, std::string_view version) const {
  if (const std::size_t variable = find_variable(name); variable < variable_count)
    return Definition{Definition::Place::range, nullptr, nullptr,
                      world_.layout.control_begin + variable_offset(variable)};
  if (auto ours = interposers_.find(name); ours != interposers_.end()) return at_address(ours->second);
  if (world_.spec.find_mpi_symbol != nullptr) {
    const auto& foreign = world_.images.foreign;
    const std::string full = std::string(name) + (foreign.has_value() ? "@" + std::string(name_of(*foreign)) : "");
    if (void* found = world_.spec.find_mpi_symbol(full)) return at_address(found);
  }
  if (is_mpi_name(name)) return std::nullopt;
  for (void* library : world_.images.shared_libraries)
    if (void* found = find_in_library(library, std::string(name), std::string(version))) return at_address(found);
  return std::nullopt;
}

std::optional<Definition> Symbols::find(const Image& requester, std::uint32_t index, const Scope& scope,
                                        const Scope& loaded) const {
  const Elf64_Sym* symbol = requester.file->symbol(index);
  if (symbol == nullptr) return std::nullopt;
  const Definition own{Definition::Place::image, &requester, symbol, 0};
  const bool defined = symbol->st_shndx != SHN_UNDEF;
  if (defined && (ELF64_ST_BIND(symbol->st_info) == STB_LOCAL || ELF64_ST_VISIBILITY(symbol->st_other) != STV_DEFAULT))
    return own;
  const bool symbolic = requester.file->has_dynamic(DT_SYMBOLIC) ||
                        (requester.file->dynamic(DT_FLAGS) & DF_SYMBOLIC) != 0;
  const bool unique = ELF64_ST_BIND(symbol->st_info) == STB_GNU_UNIQUE;
  if (defined && symbolic && !unique) return own;
  const std::string_view name = requester.file->name(*symbol), version = requester.file->version(index);
  if (unique)
    if (auto first = find_in_images(name, version, loaded)) return first;
  if (auto found = find(name, version, scope)) return found;
  if (defined) return own;
  if (ELF64_ST_BIND(symbol->st_info) == STB_WEAK) return Definition{};
  return std::nullopt;
}

std::optional<Definition> Symbols::find(std::string_view name, std::string_view version, const Scope& scope) const {
  if (auto ours = overriding_.find(name); ours != overriding_.end()) return at_address(ours->second);
  if (auto found = find_in_images(name, version, scope)) return found;
  return find_outside(name, version);
}

std::optional<Definition> Symbols::find_original(const Image& requester, std::uint32_t index,
                                                 const Scope& scope) const {
  const Elf64_Sym* symbol = requester.file->symbol(index);
  if (symbol == nullptr) return std::nullopt;
  const std::string_view name = requester.file->name(*symbol), version = requester.file->version(index);
  if (auto found = find_in_images(name, version, scope, &requester)) return found;
  return find_outside(name, version);
}

}  // namespace rehearse::smpi
