// SPDX-License-Identifier: MIT
//
// Relocating a program and its private libraries for one range, and writing the result into others.
#include "smpi/process/relocation.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <string>

#include "simcore/actor_memory.hpp"
#include "simcore/support/assert.hpp"
#include "simcore/support/format.hpp"
#include "simcore/support/page.hpp"
#include "smpi/process/refusals.hpp"

namespace rehearse::smpi {
namespace {

// Thread-local variables by descriptor: the linked code calls the function in the first word of a pair, with the
// address of the pair in %rax. The function returns the distance from the thread pointer, and changes no other
// register.
extern "C" void rehearse_tls_descriptor();
asm(R"(
  .pushsection .text
  .type rehearse_tls_descriptor, @function
  .globl rehearse_tls_descriptor
  .hidden rehearse_tls_descriptor
rehearse_tls_descriptor:
  movq 8(%rax), %rax
  ret
  .size rehearse_tls_descriptor, .-rehearse_tls_descriptor
  .popsection
)");

// One run of relocation over some images, in one rank's range.
class Relocator {
 public:
  Relocator(const Symbols& symbols, const Scope& subjects, const Scope& scope, const Scope& loaded, std::byte* range)
      : symbols_(symbols), subjects_(subjects), scope_(scope), loaded_(loaded), range_(range) {}

  std::string run() {
    copy_data();
    for (std::size_t i = subjects_.size(); i-- > 0;) {  // the program last: it copies relocated originals
      const Image& image = *subjects_[i];
      relocate_relative(image);
      for (auto table : {image.file->relocations(), image.file->plt_relocations()})
        for (const Elf64_Rela& entry : table)
          if (std::string error = relocate(image, entry); !error.empty()) return image.file->path() + ": " + error;
    }
    for (const auto& [image, entry] : postponed_) resolve_indirect(*image, entry);
    return {};
  }

  DataTemplate finish() {
    for (const Image* image : subjects_)
      for (const Segment& segment : image->file->segments()) {
        if (!segment.writable) continue;
        const std::uint64_t begin = image->offset + segment.address;
        std::uint64_t end = begin + segment.file_bytes;
        const std::uint64_t zero_end = begin + segment.memory_bytes;
        for (const auto& [from, to] : copies_)
          if (from >= begin && from < zero_end) end = std::max(end, std::min(to, zero_end));
        template_.pieces.push_back({begin, std::vector(range_ + begin, range_ + end), zero_end});
      }
    std::sort(template_.slots.begin(), template_.slots.end());
    template_.slots.erase(std::unique(template_.slots.begin(), template_.slots.end()), template_.slots.end());
    return std::move(template_);
  }

 private:
  // A plugin may be loaded to the place of an earlier one, so data that is not in the file must be set to zero.
  void copy_data() {
    for (const Image* image : subjects_)
      for (const Segment& segment : image->file->segments()) {
        if (!segment.writable) continue;
        std::byte* to = range_ + image->offset + segment.address;
        std::memcpy(to, image->file->bytes_at(segment.address, segment.file_bytes), segment.file_bytes);
        clear_memory(to + segment.file_bytes, to + segment.memory_bytes);
      }
  }

  void write(std::uint64_t offset, std::uint64_t value) { std::memcpy(range_ + offset, &value, sizeof value); }
  void write_in_range(std::uint64_t offset, std::uint64_t target_offset) {
    write(offset, reinterpret_cast<std::uint64_t>(range_ + target_offset));
    template_.slots.push_back(offset);
  }

  // RELR: an address, then bitmaps that mark which of the following 63 words are relative, too.
  void relocate_relative(const Image& image) {
    std::uint64_t next = 0;
    auto adjust = [&](std::uint64_t address) {
      std::uint64_t addend;
      std::memcpy(&addend, range_ + image.offset + address, sizeof addend);
      write_in_range(image.offset + address, image.offset + addend);
    };
    for (std::uint64_t entry : image.file->relative_relocations()) {
      if ((entry & 1) == 0) {
        adjust(entry);
        next = entry + 8;
        continue;
      }
      for (int bit = 1; bit < 64; ++bit)
        if ((entry >> bit & 1) != 0) adjust(next + static_cast<std::uint64_t>(bit - 1) * 8);
      next += 63 * 8;
    }
  }

  static bool writable(const Image& image, std::uint64_t address) {
    for (const Segment& segment : image.file->segments())
      if (segment.writable && address >= segment.address && address - segment.address + 8 <= segment.memory_bytes)
        return true;
    return false;
  }

  std::string relocate(const Image& image, const Elf64_Rela& entry) {
    const auto type = ELF64_R_TYPE(entry.r_info);
    const std::uint64_t offset = image.offset + entry.r_offset;
    const auto addend = static_cast<std::uint64_t>(entry.r_addend);
    if (type == R_X86_64_NONE) return {};
    if (type != R_X86_64_COPY && !writable(image, entry.r_offset))
      return "has a relocation outside of its writable data; compile it with -fPIC or -fPIE";
    switch (type) {
      case R_X86_64_RELATIVE: write_in_range(offset, image.offset + addend); return {};
      case R_X86_64_IRELATIVE: postponed_.emplace_back(&image, entry); return {};
      case R_X86_64_GLOB_DAT:
      case R_X86_64_JUMP_SLOT: return relocate_address(image, entry, 0);
      case R_X86_64_64: return relocate_address(image, entry, addend);
      case R_X86_64_COPY: return copy_original(image, entry);
      case R_X86_64_DTPMOD64:
      case R_X86_64_DTPOFF64:
      case R_X86_64_TPOFF64:
      case R_X86_64_TLSDESC: return relocate_thread_local(image, entry);
      default: return fmt::format("has an unsupported relocation of type {}", type);
    }
  }

  std::optional<Definition> find(const Image& image, const Elf64_Rela& entry) const {
    return symbols_.find(image, static_cast<std::uint32_t>(ELF64_R_SYM(entry.r_info)), scope_, loaded_);
  }

  static std::string undefined(const Image& image, const Elf64_Rela& entry) {
    const Elf64_Sym* symbol = image.file->symbol(static_cast<std::uint32_t>(ELF64_R_SYM(entry.r_info)));
    const std::string name(symbol == nullptr ? "?" : image.file->name(*symbol));
    const std::string version(image.file->version(static_cast<std::uint32_t>(ELF64_R_SYM(entry.r_info))));
    const std::string reason = reason_unknown(name);
    return "undefined symbol: " + name + (version.empty() ? "" : "@" + version) +
           (reason.empty() ? "" : " (" + reason + ")");
  }

  std::string relocate_address(const Image& image, const Elf64_Rela& entry, std::uint64_t addend) {
    const auto found = find(image, entry);
    if (!found) return undefined(image, entry);
    const std::uint64_t offset = image.offset + entry.r_offset;
    switch (found->place) {
      case Definition::Place::nothing: write(offset, 0); break;
      case Definition::Place::process: write(offset, found->value + addend); break;
      case Definition::Place::range: write_in_range(offset, found->value + addend); break;
      case Definition::Place::image:
        if (ELF64_ST_TYPE(found->symbol->st_info) == STT_GNU_IFUNC) postponed_.emplace_back(&image, entry);
        else if (found->symbol->st_shndx == SHN_ABS) write(offset, found->symbol->st_value + addend);
        else write_in_range(offset, found->image->offset + found->symbol->st_value + addend);
    }
    return {};
  }

  std::string copy_original(const Image& image, const Elf64_Rela& entry) {
    const auto index = static_cast<std::uint32_t>(ELF64_R_SYM(entry.r_info));
    const auto original = symbols_.find_original(image, index, scope_);
    if (!original) return undefined(image, entry);
    const std::uint64_t bytes = image.file->symbol(index)->st_size;
    const std::uint64_t to = image.offset + entry.r_offset;
    copies_.push_back({to, to + bytes});
    if (original->place == Definition::Place::process)
      std::memcpy(range_ + to, reinterpret_cast<const void*>(original->value), bytes);
    if (original->place != Definition::Place::image) return {};  // a variable per rank is set when the rank starts
    const std::uint64_t from = original->image->offset + original->symbol->st_value;
    const std::uint64_t size = std::min(bytes, original->symbol->st_size);
    std::memcpy(range_ + to, range_ + from, size);
    for (std::size_t i = 0, known = template_.slots.size(); i < known; ++i)
      if (template_.slots[i] >= from && template_.slots[i] < from + size)
        template_.slots.push_back(to + (template_.slots[i] - from));
    return {};
  }

  // All blocks are static: the pair that __tls_get_addr takes is our own (distance to the block, offset in it).
  std::string relocate_thread_local(const Image& image, const Elf64_Rela& entry) {
    const auto index = static_cast<std::uint32_t>(ELF64_R_SYM(entry.r_info));
    const std::uint64_t offset = image.offset + entry.r_offset;
    const Image* owner = &image;
    std::uint64_t value = 0;
    if (index != 0) {
      const auto found = find(image, entry);
      if (found && found->place == Definition::Place::nothing)
        return {};  // a weak symbol without a definition, which the program must not use
      if (found && found->place == Definition::Place::process && ELF64_R_TYPE(entry.r_info) == R_X86_64_TPOFF64) {
        write(offset,
              found->value + static_cast<std::uint64_t>(entry.r_addend));  // the distance of one of our own variables
        return {};
      }
      if (!found || found->place != Definition::Place::image) return undefined(image, entry);
      owner = found->image;
      value = found->symbol->st_value;
    }
    value += static_cast<std::uint64_t>(entry.r_addend);
    switch (ELF64_R_TYPE(entry.r_info)) {
      case R_X86_64_DTPMOD64: write(offset, static_cast<std::uint64_t>(owner->tls_offset(0))); break;
      case R_X86_64_DTPOFF64: write(offset, value); break;
      case R_X86_64_TLSDESC:
        write(offset, reinterpret_cast<std::uint64_t>(&rehearse_tls_descriptor));
        write(offset + 8, static_cast<std::uint64_t>(owner->tls_offset(value)));
        break;
      default: write(offset, static_cast<std::uint64_t>(owner->tls_offset(value)));
    }
    return {};
  }

  // The program's own code chooses the function; all other relocations are done by now.
  void resolve_indirect(const Image& image, const Elf64_Rela& entry) {
    std::uint64_t resolver = image.offset + static_cast<std::uint64_t>(entry.r_addend);
    if (ELF64_R_TYPE(entry.r_info) != R_X86_64_IRELATIVE) {
      const auto found = find(image, entry);
      resolver = found->image->offset + found->symbol->st_value;
    }
    const std::uint64_t chosen = reinterpret_cast<std::uint64_t (*)()>(range_ + resolver)();
    const std::uint64_t offset = image.offset + entry.r_offset;
    const std::uint64_t distance = chosen - reinterpret_cast<std::uint64_t>(range_);
    const auto holds = [&](const Image* other) {
      return distance >= other->offset && distance - other->offset < other->file->memory_bytes();
    };
    if (std::any_of(loaded_.begin(), loaded_.end(), holds)) write_in_range(offset, distance);
    else write(offset, chosen);
  }

  const Symbols& symbols_;
  const Scope& subjects_;
  const Scope& scope_;
  const Scope& loaded_;
  std::byte* range_;
  DataTemplate template_;
  std::vector<std::pair<const Image*, Elf64_Rela>> postponed_;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> copies_;
};

}  // namespace

void DataTemplate::write(std::byte* range, std::ptrdiff_t distance) const {
  for (const Piece& piece : pieces) {
    std::memcpy(range + piece.offset, piece.bytes.data(), piece.bytes.size());
    clear_memory(range + piece.offset + piece.bytes.size(), range + piece.zero_end);
  }
  if (distance == 0) return;
  for (std::uint64_t slot : slots) {
    std::uint64_t value;
    std::memcpy(&value, range + slot, sizeof value);
    value += static_cast<std::uint64_t>(distance);
    std::memcpy(range + slot, &value, sizeof value);
  }
}

// Neighbouring segments at the same distance from their place in the file become one mapping: a mapping per
// rank and image keeps many thousand ranks below the kernel's limit of mappings.
bool map_code(const Image& image, std::byte* range) {
  const auto segments = image.file->segments();
  for (std::size_t i = 0; i < segments.size();) {
    if (segments[i].writable || segments[i].file_bytes == 0) {
      ++i;
      continue;
    }
    const std::uint64_t begin = page_floor(segments[i].address);
    const std::uint64_t shift = segments[i].address - segments[i].file_offset;
    std::uint64_t end = 0;
    int protection = PROT_READ;
    for (; i < segments.size() && !segments[i].writable; ++i) {
      if (segments[i].address - segments[i].file_offset != shift) break;
      end = page_ceiling(segments[i].address + segments[i].file_bytes);
      if (segments[i].executable) protection |= PROT_EXEC;
    }
    void* at = range + image.offset + begin;
    if (mmap(at, end - begin, protection, MAP_PRIVATE | MAP_FIXED, image.file->descriptor(),
             static_cast<off_t>(begin - shift)) != at)
      return false;
  }
  return true;
}

Result<DataTemplate> make_data_template(const RankWorld& world, const Symbols& symbols, std::byte* range) {
  const Scope scope = program_scope(world.images);
  Relocator relocator(symbols, scope, scope, scope, range);
  if (std::string error = relocator.run(); !error.empty()) return Error{std::move(error)};
  return relocator.finish();
}

std::string relocate_plugins(const Symbols& symbols, const Scope& plugins, const Scope& scope, const Scope& loaded,
                             std::byte* range) {
  return Relocator(symbols, plugins, scope, loaded, range).run();
}

}  // namespace rehearse::smpi
