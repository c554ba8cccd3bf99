// SPDX-License-Identifier: MIT
//
// Reading an ELF file's headers, dynamic section and symbols.
#include "smpi/process/elf_file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace rehearse::smpi {
namespace {

constexpr std::uint16_t hidden_version = 0x8000;

constexpr const char* no_program = "is not a program (no ELF file); compile it with rehearse cc";

// " (AArch64)"; empty where it is unknown.
std::string name_of_machine(std::uint16_t machine) {
  switch (machine) {
    case EM_386: return " (i386)";
    case EM_X86_64: return " (x32)";
    case EM_ARM: return " (Arm)";
    case EM_AARCH64: return " (AArch64)";
    case EM_PPC64: return " (PowerPC)";
    case EM_RISCV: return " (RISC-V)";
    case EM_S390: return " (S/390)";
    default: return "";
  }
}

Segment segment_of(const Elf64_Phdr& header) {
  return {header.p_vaddr,
          header.p_offset,
          header.p_filesz,
          header.p_memsz,
          std::max<std::uint64_t>(header.p_align, 1),
          (header.p_flags & PF_W) != 0,
          (header.p_flags & PF_X) != 0};
}

std::uint32_t gnu_hash_of(std::string_view name) {
  std::uint32_t hash = 5381;
  for (unsigned char c : name) hash = hash * 33 + c;
  return hash;
}

std::uint32_t sysv_hash_of(std::string_view name) {
  std::uint32_t hash = 0;
  for (unsigned char c : name) {
    hash = (hash << 4) + c;
    hash ^= (hash >> 24) & 0xf0;
    hash &= 0x0fffffff;
  }
  return hash;
}

}  // namespace

Result<std::unique_ptr<ElfFile>> ElfFile::open(const std::string& path) {
  std::unique_ptr<ElfFile> file(new ElfFile(path));
  for (auto step : {&ElfFile::map, &ElfFile::read_headers, &ElfFile::read_dynamic})
    if (std::string error = (file.get()->*step)(); !error.empty()) return Error{path + ": " + error};
  return file;
}

ElfFile::~ElfFile() {
  if (!data_.empty()) munmap(const_cast<std::byte*>(data_.data()), data_.size());
  if (descriptor_ >= 0) close(descriptor_);
}

std::string ElfFile::map() {
  descriptor_ = ::open(path_.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor_ < 0) return errno == ENOENT ? "file not found" : std::string("cannot be read: ") + strerror(errno);
  struct stat status;
  if (fstat(descriptor_, &status) != 0) return std::string("cannot be read: ") + strerror(errno);
  if (S_ISDIR(status.st_mode)) return "is a directory; a program is needed";
  if (!S_ISREG(status.st_mode) || status.st_size == 0) return no_program;
  const auto bytes = static_cast<std::size_t>(status.st_size);
  void* mapped = mmap(nullptr, bytes, PROT_READ, MAP_PRIVATE, descriptor_, 0);
  if (mapped == MAP_FAILED) return std::string("cannot be read: ") + strerror(errno);
  data_ = {static_cast<const std::byte*>(mapped), bytes};
  if (bytes > 2 && std::memcmp(data_.data(), "#!", 2) == 0)
    return "is a script; name the program that it starts, not the script";
  return bytes < sizeof(Elf64_Ehdr) ? no_program : "";
}

std::span<const Elf64_Phdr> ElfFile::program_headers() const {
  return {reinterpret_cast<const Elf64_Phdr*>(data_.data() + header().e_phoff), header().e_phnum};
}

std::string ElfFile::read_headers() {
  const Elf64_Ehdr& elf = header();
  if (std::memcmp(elf.e_ident, ELFMAG, SELFMAG) != 0) return no_program;
  if (elf.e_ident[EI_CLASS] != ELFCLASS64 || elf.e_machine != EM_X86_64)
    return "is a program for another machine" + name_of_machine(elf.e_machine) +
           "; x86-64 is needed: compile it here with rehearse cc";
  if (elf.e_type != ET_DYN && elf.e_type != ET_EXEC) return "is an object file or a core dump; a program is needed";
  if (elf.e_phentsize != sizeof(Elf64_Phdr) || elf.e_phoff % 8 != 0 ||
      elf.e_phoff + std::uint64_t{elf.e_phnum} * sizeof(Elf64_Phdr) > data_.size())
    return "is a damaged ELF file (program headers)";
  for (const Elf64_Phdr& program : program_headers()) {
    if (program.p_type == PT_LOAD || program.p_type == PT_DYNAMIC)
      if (program.p_offset > data_.size() || program.p_filesz > data_.size() - program.p_offset ||
          program.p_filesz > program.p_memsz)
        return "is a damaged ELF file (a segment ends after the file)";
    if (program.p_type == PT_LOAD) segments_.push_back(segment_of(program));
    if (program.p_type == PT_TLS) tls_ = segment_of(program);
    if (program.p_type == PT_GNU_STACK) needs_executable_stack_ = (program.p_flags & PF_X) != 0;
    if (program.p_type == PT_GNU_RELRO) relro_ = segment_of(program);
    if (program.p_type == PT_GNU_EH_FRAME) eh_frame_header_ = program.p_vaddr;
    if (program.p_type == PT_INTERP) has_interpreter_ = true;
    if (program.p_type == PT_DYNAMIC)
      dynamic_ = {reinterpret_cast<const Elf64_Dyn*>(data_.data() + program.p_offset),
                  program.p_filesz / sizeof(Elf64_Dyn)};
  }
  if (segments_.empty()) return "is a damaged ELF file (nothing to load)";
  return {};
}

// None where the table is not in the file.
std::span<const Elf64_Shdr> ElfFile::sections() const {
  const Elf64_Ehdr& elf = header();
  if (elf.e_shentsize != sizeof(Elf64_Shdr) || elf.e_shoff % 8 != 0 || elf.e_shoff > data_.size() ||
      std::uint64_t{elf.e_shnum} * sizeof(Elf64_Shdr) > data_.size() - elf.e_shoff)
    return {};
  return {reinterpret_cast<const Elf64_Shdr*>(data_.data() + elf.e_shoff), elf.e_shnum};
}

std::vector<const Elf64_Sym*> ElfFile::functions(std::string_view name) const {
  std::vector<const Elf64_Sym*> found;
  for (const Elf64_Shdr& section : sections()) {
    if (section.sh_type != SHT_SYMTAB || section.sh_offset % 8 != 0 || !holds(section)) continue;
    if (section.sh_link >= sections().size() || !holds(sections()[section.sh_link])) continue;
    const Elf64_Shdr& strings = sections()[section.sh_link];
    const std::string_view names(reinterpret_cast<const char*>(data_.data() + strings.sh_offset), strings.sh_size);
    const auto* symbols = reinterpret_cast<const Elf64_Sym*>(data_.data() + section.sh_offset);
    for (const Elf64_Sym& symbol : std::span(symbols, section.sh_size / sizeof(Elf64_Sym)))
      if (ELF64_ST_TYPE(symbol.st_info) == STT_FUNC && symbol.st_shndx != SHN_UNDEF && symbol.st_name < names.size() &&
          names.substr(symbol.st_name, names.find('\0', symbol.st_name) - symbol.st_name) == name)
        found.push_back(&symbol);
  }
  return found;
}

std::vector<const Elf64_Sym*> ElfFile::variables() const {
  std::vector<const Elf64_Sym*> found;
  for (const Elf64_Shdr& section : sections()) {
    if (section.sh_type != SHT_SYMTAB || section.sh_offset % 8 != 0 || !holds(section)) continue;
    const auto* symbols = reinterpret_cast<const Elf64_Sym*>(data_.data() + section.sh_offset);
    for (const Elf64_Sym& symbol : std::span(symbols, section.sh_size / sizeof(Elf64_Sym)))
      if (ELF64_ST_TYPE(symbol.st_info) == STT_OBJECT && symbol.st_size != 0 && symbol.st_shndx != SHN_UNDEF &&
          symbol.st_shndx < SHN_LORESERVE)
        found.push_back(&symbol);
  }
  return found;
}

std::string_view ElfFile::name_of_variable(const Elf64_Sym& variable) const {
  for (const Elf64_Shdr& section : sections()) {
    if (section.sh_type != SHT_SYMTAB || !holds(section)) continue;
    if (section.sh_link >= sections().size() || !holds(sections()[section.sh_link])) continue;
    const auto* begin = reinterpret_cast<const std::byte*>(data_.data()) + section.sh_offset;
    const auto* at = reinterpret_cast<const std::byte*>(&variable);
    if (at < begin || at >= begin + section.sh_size) continue;
    const Elf64_Shdr& strings = sections()[section.sh_link];
    const std::string_view names(reinterpret_cast<const char*>(data_.data() + strings.sh_offset), strings.sh_size);
    if (variable.st_name >= names.size()) return {};
    return names.substr(variable.st_name, names.find('\0', variable.st_name) - variable.st_name);
  }
  return {};
}

const std::byte* ElfFile::bytes_at(std::uint64_t address, std::uint64_t bytes) const {
  for (const Segment& segment : segments_)
    if (address >= segment.address && address - segment.address <= segment.file_bytes &&
        bytes <= segment.file_bytes - (address - segment.address))
      return data_.data() + segment.file_offset + (address - segment.address);
  return nullptr;
}

std::uint64_t ElfFile::dynamic(std::int64_t tag) const {
  for (const Elf64_Dyn& entry : dynamic_) {
    if (entry.d_tag == DT_NULL) break;
    if (entry.d_tag == tag) return entry.d_un.d_val;
  }
  return 0;
}

bool ElfFile::has_dynamic(std::int64_t tag) const {
  for (const Elf64_Dyn& entry : dynamic_) {
    if (entry.d_tag == DT_NULL) break;
    if (entry.d_tag == tag) return true;
  }
  return false;
}

template <class T>
std::span<const T> ElfFile::table(std::int64_t tag, std::int64_t size_tag) const {
  const std::uint64_t bytes = dynamic(size_tag);
  const std::byte* begin = bytes == 0 ? nullptr : bytes_at(dynamic(tag), bytes);
  return begin == nullptr ? std::span<const T>() : std::span(reinterpret_cast<const T*>(begin), bytes / sizeof(T));
}

std::string ElfFile::read_dynamic() {
  if (dynamic_.empty()) return {};  // a static program: the caller refuses it
  const std::uint64_t string_bytes = dynamic(DT_STRSZ);
  const std::byte* strings = bytes_at(dynamic(DT_STRTAB), string_bytes);
  symbols_ = reinterpret_cast<const Elf64_Sym*>(bytes_at(dynamic(DT_SYMTAB), sizeof(Elf64_Sym)));
  if (strings == nullptr || symbols_ == nullptr || string_bytes == 0 || strings[string_bytes - 1] != std::byte{0})
    return "is a damaged ELF file (dynamic symbols)";
  strings_ = {reinterpret_cast<const char*>(strings), string_bytes};
  relocations_ = table<Elf64_Rela>(DT_RELA, DT_RELASZ);
  plt_relocations_ = table<Elf64_Rela>(DT_JMPREL, DT_PLTRELSZ);
  relr_ = table<std::uint64_t>(DT_RELR, DT_RELRSZ);
  if (has_dynamic(DT_REL) || (has_dynamic(DT_PLTREL) && dynamic(DT_PLTREL) != DT_RELA))
    return "uses REL relocations, which x86-64 does not have";
  gnu_hash_ = reinterpret_cast<const std::uint32_t*>(bytes_at(dynamic(DT_GNU_HASH), 16));
  hash_ = reinterpret_cast<const std::uint32_t*>(bytes_at(dynamic(DT_HASH), 8));
  if (!has_dynamic(DT_GNU_HASH)) gnu_hash_ = nullptr;
  if (!has_dynamic(DT_HASH)) hash_ = nullptr;
  if (has_dynamic(DT_VERSYM))
    version_indices_ = reinterpret_cast<const std::uint16_t*>(bytes_at(dynamic(DT_VERSYM), 2));
  read_symbol_count();
  read_versions();
  return {};
}

// The dynamic symbol table ends where the string table begins, or where the hash tables say.
void ElfFile::read_symbol_count() {
  if (hash_ != nullptr) {
    symbol_count_ = hash_[1];
  } else {
    const auto* end = reinterpret_cast<const Elf64_Sym*>(data_.data() + data_.size());
    symbol_count_ = static_cast<std::uint32_t>(end - symbols_);
    if (dynamic(DT_STRTAB) > dynamic(DT_SYMTAB))
      symbol_count_ = static_cast<std::uint32_t>((dynamic(DT_STRTAB) - dynamic(DT_SYMTAB)) / sizeof(Elf64_Sym));
  }
}

void ElfFile::read_versions() {
  auto set = [&](std::size_t index, std::uint64_t string_offset) {
    index &= ~std::size_t{hidden_version};
    if (version_names_.size() <= index) version_names_.resize(index + 1);
    version_names_[index] = string(string_offset);
  };
  std::uint64_t at = dynamic(DT_VERNEED);
  for (std::uint64_t left = dynamic(DT_VERNEEDNUM); left > 0; --left) {
    const auto* need = reinterpret_cast<const Elf64_Verneed*>(bytes_at(at, sizeof(Elf64_Verneed)));
    if (need == nullptr) break;
    std::uint64_t aux_at = at + need->vn_aux;
    for (int i = 0; i < need->vn_cnt; ++i) {
      const auto* aux = reinterpret_cast<const Elf64_Vernaux*>(bytes_at(aux_at, sizeof(Elf64_Vernaux)));
      if (aux == nullptr) break;
      set(aux->vna_other, aux->vna_name);
      aux_at += aux->vna_next;
    }
    at += need->vn_next;
  }
  at = dynamic(DT_VERDEF);
  for (std::uint64_t left = dynamic(DT_VERDEFNUM); left > 0; --left) {
    const auto* definition = reinterpret_cast<const Elf64_Verdef*>(bytes_at(at, sizeof(Elf64_Verdef)));
    if (definition == nullptr) break;
    const auto* aux = reinterpret_cast<const Elf64_Verdaux*>(bytes_at(at + definition->vd_aux, sizeof(Elf64_Verdaux)));
    const bool base = (definition->vd_flags & VER_FLG_BASE) != 0;
    if (aux != nullptr && !base) set(definition->vd_ndx, aux->vda_name);
    at += definition->vd_next;
  }
}

std::string_view ElfFile::string(std::uint64_t offset) const {
  return offset < strings_.size() ? std::string_view(strings_.data() + offset) : std::string_view();
}

std::vector<std::string_view> ElfFile::dynamic_strings(std::int64_t tag) const {
  std::vector<std::string_view> found;
  for (const Elf64_Dyn& entry : dynamic_) {
    if (entry.d_tag == DT_NULL) break;
    if (entry.d_tag == tag) found.push_back(string(entry.d_un.d_val));
  }
  return found;
}

const Elf64_Sym* ElfFile::symbol(std::uint32_t index) const {
  return index < symbol_count_ ? symbols_ + index : nullptr;
}

std::string_view ElfFile::version(std::uint32_t index) const {
  if (version_indices_ == nullptr) return {};
  const std::uint16_t version = version_indices_[index] & ~hidden_version;
  return version < version_names_.size() ? version_names_[version] : std::string_view();
}

// Whether the definition `index` matches a reference to version `wanted` (empty: no version).
bool ElfFile::accepts(std::uint32_t index, std::string_view wanted) const {
  const Elf64_Sym& symbol = symbols_[index];
  if (symbol.st_shndx == SHN_UNDEF || ELF64_ST_BIND(symbol.st_info) == STB_LOCAL) return false;
  if (version_indices_ == nullptr) return true;
  const bool hidden = (version_indices_[index] & hidden_version) != 0;
  const std::string_view own = version(index);
  return wanted.empty() ? !hidden : own == wanted || (own.empty() && !hidden);
}

const Elf64_Sym* ElfFile::find(std::string_view wanted, std::string_view wanted_version) const {
  if (gnu_hash_ != nullptr) {
    const std::uint32_t buckets = gnu_hash_[0], first = gnu_hash_[1], words = gnu_hash_[2];
    const std::uint32_t* bucket = gnu_hash_ + 4 + 2 * words;
    const std::uint32_t hash = gnu_hash_of(wanted);
    if (buckets == 0) return nullptr;
    std::uint32_t index = bucket[hash % buckets];
    if (index < first) return nullptr;
    for (const std::uint32_t* chain = bucket + buckets - first;; ++index) {
      if ((chain[index] | 1) == (hash | 1) && name(symbols_[index]) == wanted && accepts(index, wanted_version))
        return symbols_ + index;
      if ((chain[index] & 1) != 0) return nullptr;
    }
  }
  if (hash_ == nullptr || hash_[0] == 0) return nullptr;
  const std::uint32_t* bucket = hash_ + 2;
  const std::uint32_t* chain = bucket + hash_[0];
  for (std::uint32_t index = bucket[sysv_hash_of(wanted) % hash_[0]]; index != 0; index = chain[index])
    if (name(symbols_[index]) == wanted && accepts(index, wanted_version)) return symbols_ + index;
  return nullptr;
}

std::vector<std::string_view> ElfFile::undefined_names() const {
  std::vector<std::string_view> names;
  for (std::uint32_t i = 1; i < symbol_count_; ++i)
    if (symbols_[i].st_shndx == SHN_UNDEF && ELF64_ST_BIND(symbols_[i].st_info) == STB_GLOBAL)
      names.push_back(name(symbols_[i]));
  return names;
}

std::vector<std::string_view> ElfFile::unique_names() const {
  std::vector<std::string_view> names;
  for (std::uint32_t i = 1; i < symbol_count_; ++i)
    if (symbols_[i].st_shndx != SHN_UNDEF && ELF64_ST_BIND(symbols_[i].st_info) == STB_GNU_UNIQUE)
      names.push_back(name(symbols_[i]));
  return names;
}

const Elf64_Sym* ElfFile::nearest(std::uint64_t address) const {
  const Elf64_Sym* best = nullptr;
  for (std::uint32_t i = 1; i < symbol_count_; ++i) {
    const Elf64_Sym& symbol = symbols_[i];
    const auto type = ELF64_ST_TYPE(symbol.st_info);
    if (symbol.st_shndx == SHN_UNDEF || type == STT_TLS || symbol.st_value > address) continue;
    const bool covers = symbol.st_size == 0 ? true : address - symbol.st_value < symbol.st_size;
    if (covers && (best == nullptr || symbol.st_value > best->st_value)) best = &symbol;
  }
  return best;
}

std::uint64_t ElfFile::memory_bytes() const { return segments_.back().address + segments_.back().memory_bytes; }

std::uint64_t ElfFile::alignment() const {
  std::uint64_t alignment = 4096;
  for (const Segment& segment : segments_) alignment = std::max(alignment, segment.alignment);
  return alignment;
}

}  // namespace rehearse::smpi
