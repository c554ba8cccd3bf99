// SPDX-License-Identifier: MIT
//
// The meaning of a symbol of a rank's images: the lookup order of the dynamic linker, with our own functions instead of
// those of libc that keep state for the whole process.
//
// Order:   the images of the scope (the requester itself first where it was linked so), variables that are per rank,
//          our functions in libc's place, the MPI library, the shared libraries.
// Threads: none.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "smpi/process/images.hpp"
#include "smpi/process/rank_state.hpp"

namespace rehearse::smpi {

struct Definition {
  enum class Place : std::uint8_t {
    image,    // `symbol` of `image`
    range,    // at offset `value` of each rank's range
    process,  // at address `value`, the same for all ranks
    nothing   // a weak reference that stays null
  } place = Place::nothing;
  const Image* image = nullptr;
  const Elf64_Sym* symbol = nullptr;
  std::uint64_t value = 0;
};

// The images that are searched, in this order.
using Scope = std::vector<const Image*>;

// The program and the libraries that come with it.
Scope program_scope(const Images& images);

class Symbols {
 public:
  // Our functions, by the names of the functions that they replace.
  using Interposers = std::unordered_map<std::string_view, void*>;

  // `overriding` also replace functions of the private images.
  Symbols(const RankWorld& world, Interposers interposers, Interposers overriding)
      : world_(world), interposers_(std::move(interposers)), overriding_(std::move(overriding)) {}

  // The meaning of symbol `index` of `requester`; empty: it is not defined. A unique symbol (STB_GNU_UNIQUE) is the
  // definition of the first of the images `loaded` that has one.
  std::optional<Definition> find(const Image& requester, std::uint32_t index, const Scope& scope,
                                 const Scope& loaded) const;

  // The source of a copy relocation: as find(), without the requester itself.
  std::optional<Definition> find_original(const Image& requester, std::uint32_t index, const Scope& scope) const;

  // The meaning of a name that a program asks for while it runs.
  std::optional<Definition> find(std::string_view name, std::string_view version, const Scope& scope) const;

  static std::optional<Definition> find_in_images(std::string_view name, std::string_view version, const Scope& scope,
                                                  const Image* except = nullptr);

 private:
  std::optional<Definition> find_outside(std::string_view name, std::string_view version) const;

  const RankWorld& world_;
  Interposers interposers_, overriding_;
};

}  // namespace rehearse::smpi
