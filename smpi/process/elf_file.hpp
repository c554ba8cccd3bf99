// SPDX-License-Identifier: MIT
//
// One ELF file (64-bit little-endian x86-64, ET_DYN): the parts that the loader needs.
//
// Units:     addresses are the file's own (before a base is added); bytes.
// Errors:    open() reports an invalid file; afterwards, all data that the accessors return is within the file.
// Ownership: the file stays mapped while the object lives; views point into the mapping.
// Source:    System V ABI (generic and x86-64 supplement), GNU extensions (symbol versions, hash, RELR).
#pragma once

#include <elf.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "simcore/support/result.hpp"

namespace rehearse::smpi {

struct Segment {
  std::uint64_t address = 0;
  std::uint64_t file_offset = 0;
  std::uint64_t file_bytes = 0;
  std::uint64_t memory_bytes = 0;
  std::uint64_t alignment = 1;
  bool writable = false;
  bool executable = false;
};

class ElfFile {
 public:
  static Result<std::unique_ptr<ElfFile>> open(const std::string& path);
  ~ElfFile();
  ElfFile(const ElfFile&) = delete;
  ElfFile& operator=(const ElfFile&) = delete;

  const std::string& path() const { return path_; }
  int descriptor() const { return descriptor_; }
  std::uint16_t type() const { return header().e_type; }
  std::uint64_t entry() const { return header().e_entry; }
  bool has_interpreter() const { return has_interpreter_; }
  bool has_dynamic_section() const { return !dynamic_.empty(); }

  std::span<const Segment> segments() const { return segments_; }  // to be loaded, ascending
  std::uint64_t memory_bytes() const;                              // from address 0 to the end of the last segment
  std::uint64_t alignment() const;
  const std::optional<Segment>& tls() const { return tls_; }
  const std::optional<Segment>& relro() const { return relro_; }
  std::uint64_t eh_frame_header() const { return eh_frame_header_; }  // 0: none
  bool needs_executable_stack() const { return needs_executable_stack_; }
  std::span<const Elf64_Phdr> program_headers() const;

  // Entries of the dynamic section.
  std::uint64_t dynamic(std::int64_t tag) const;  // 0 where absent
  bool has_dynamic(std::int64_t tag) const;
  std::vector<std::string_view> dynamic_strings(std::int64_t tag) const;
  std::span<const Elf64_Rela> relocations() const { return relocations_; }
  std::span<const Elf64_Rela> plt_relocations() const { return plt_relocations_; }
  std::span<const std::uint64_t> relative_relocations() const { return relr_; }

  // Symbols.
  const Elf64_Sym* symbol(std::uint32_t index) const;  // null: no such symbol in the file
  std::string_view name(const Elf64_Sym& symbol) const { return string(symbol.st_name); }
  std::string_view version(std::uint32_t index) const;                           // empty: none
  const Elf64_Sym* find(std::string_view name, std::string_view version) const;  // a definition, or null
  const Elf64_Sym* nearest(std::uint64_t address) const;  // the exported symbol that covers it, or null
  // Variables with their addresses and sizes, local ones too; none where the file is stripped.
  std::vector<const Elf64_Sym*> variables() const;
  std::string_view name_of_variable(const Elf64_Sym& variable) const;  // of one of them
  // Definitions of functions with this name, local ones too; none where the file is stripped.
  std::vector<const Elf64_Sym*> functions(std::string_view name) const;
  std::vector<std::string_view> undefined_names() const;  // of strong references
  std::vector<std::string_view> unique_names() const;     // of definitions with STB_GNU_UNIQUE

  // The file's bytes that are loaded at `address`; null where they are not all in the file.
  const std::byte* bytes_at(std::uint64_t address, std::uint64_t bytes) const;

 private:
  explicit ElfFile(std::string path) : path_(std::move(path)) {}
  std::string map();
  std::string read_headers();
  std::string read_dynamic();
  void read_versions();
  void read_symbol_count();
  std::span<const Elf64_Shdr> sections() const;
  bool holds(const Elf64_Shdr& section) const {
    return section.sh_offset <= data_.size() && section.sh_size <= data_.size() - section.sh_offset;
  }
  const Elf64_Ehdr& header() const { return *reinterpret_cast<const Elf64_Ehdr*>(data_.data()); }
  std::string_view string(std::uint64_t offset) const;
  bool accepts(std::uint32_t index, std::string_view version) const;
  template <class T>
  std::span<const T> table(std::int64_t tag, std::int64_t size_tag) const;

  std::string path_;
  int descriptor_ = -1;
  std::span<const std::byte> data_;
  std::vector<Segment> segments_;
  std::optional<Segment> tls_, relro_;
  std::uint64_t eh_frame_header_ = 0;
  bool has_interpreter_ = false;
  bool needs_executable_stack_ = false;
  std::span<const Elf64_Dyn> dynamic_;
  std::string_view strings_;
  std::span<const Elf64_Rela> relocations_, plt_relocations_;
  std::span<const std::uint64_t> relr_;
  const Elf64_Sym* symbols_ = nullptr;
  std::uint32_t symbol_count_ = 0;
  const std::uint16_t* version_indices_ = nullptr;
  std::vector<std::string_view> version_names_;  // by version index
  const std::uint32_t* gnu_hash_ = nullptr;
  const std::uint32_t* hash_ = nullptr;
};

}  // namespace rehearse::smpi
