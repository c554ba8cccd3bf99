// SPDX-License-Identifier: MIT
//
// See program_object.hpp and smpi/foreign_mpi.hpp.
#include "smpi/process/program_object.hpp"

#include "smpi/process/rank_state.hpp"

namespace rehearse::smpi {

void* find_program_object(std::string_view name) {
  const RankState* rank = running_rank();
  if (rank == nullptr) return nullptr;
  const Images& images = rank->world->images;
  for (std::size_t i = 0; i < images.plugins_begin; ++i) {
    const Image& image = images.images[i];
    if (const Elf64_Sym* symbol = image.file->find(name, {}); symbol != nullptr)
      return rank->base + image.offset + symbol->st_value;
  }
  return nullptr;
}

std::optional<ForeignMpi> foreign_mpi() {
  const RankState* rank = running_rank();
  return rank == nullptr ? std::nullopt : rank->world->images.foreign;
}

}  // namespace rehearse::smpi
