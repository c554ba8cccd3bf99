// SPDX-License-Identifier: MIT
//
// Looks for the note of the actor API in the sections of an ELF file.
#include <elf.h>

#include <cstring>
#include <fstream>
#include <vector>

#include "simcore/remote/message_socket.hpp"
#include "simcore/remote_actor_program.hpp"

namespace rehearse {
namespace {

constexpr std::uint64_t names_bytes_max = 1 << 20;

template <class T>
bool read_at(std::ifstream& file, std::uint64_t offset, T* to, std::size_t count) {
  file.seekg(static_cast<std::streamoff>(offset));
  file.read(reinterpret_cast<char*>(to), static_cast<std::streamsize>(count * sizeof(T)));
  return bool(file);
}

}  // namespace

bool is_actor_program(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  Elf64_Ehdr header;
  if (!read_at(file, 0, &header, 1) || std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0) return false;
  if (header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_shentsize != sizeof(Elf64_Shdr)) return false;
  std::vector<Elf64_Shdr> sections(header.e_shnum);
  if (!read_at(file, header.e_shoff, sections.data(), sections.size())) return false;
  if (header.e_shstrndx >= sections.size() || sections[header.e_shstrndx].sh_size > names_bytes_max) return false;
  std::vector<char> names(sections[header.e_shstrndx].sh_size + 1);
  if (!read_at(file, sections[header.e_shstrndx].sh_offset, names.data(), names.size() - 1)) return false;
  for (const Elf64_Shdr& section : sections)
    if (section.sh_name < names.size() && std::strcmp(&names[section.sh_name], remote::note_section) == 0) return true;
  return false;
}

}  // namespace rehearse
