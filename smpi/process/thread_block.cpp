// SPDX-License-Identifier: MIT
//
// Copying this thread's static thread-local block, and switching the FS register.
#include "smpi/process/thread_block.hpp"

#include <asm/prctl.h>
#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <sys/auxv.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <string_view>
#include <vector>

#include "simcore/support/assert.hpp"

// The reserve. The linker puts .tcommon behind all other thread-local data, so that it ends at the thread pointer
// (but for alignment); checked by thread_layout().
asm(R"(
  .pushsection .tcommon, "awT", @nobits
  .balign 64
  .type rehearse_tls_reserve, @object
  .globl rehearse_tls_reserve
  .hidden rehearse_tls_reserve
rehearse_tls_reserve:
  .zero 131072
  .size rehearse_tls_reserve, 131072
  .popsection
)");
extern "C" __attribute__((visibility("hidden"))) thread_local char rehearse_tls_reserve[131072];
static_assert(sizeof rehearse_tls_reserve == rehearse::smpi::tls_reserve_bytes);

namespace rehearse::smpi {
namespace {

// glibc's table of dynamic thread-local blocks (dtv_t): entry -1 counts the entries, entry 0 is a generation.
struct DynamicEntry {
  std::uintptr_t value;
  std::uintptr_t to_free;
};
constexpr std::uintptr_t unallocated = ~std::uintptr_t{0};
constexpr std::size_t spare_entries = 32;  // for libraries that libc loads later (name services, converters)
constexpr std::size_t self_word = 2;       // of the control block: thread pointer, dynamic entries, thread itself
constexpr std::size_t entries_word = 1;

// One library's part of the static block.
struct Module {
  std::byte* block = nullptr;
  const std::byte* initial = nullptr;
  std::size_t initial_bytes = 0;
  std::size_t bytes = 0;
  bool of_libc = false;
};

int add_module(dl_phdr_info* info, std::size_t, void* argument) {
  auto& modules = *static_cast<std::vector<Module>*>(argument);
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)& header = info->dlpi_phdr[i];
    if (header.p_type != PT_TLS || info->dlpi_tls_data == nullptr) continue;
    const std::string_view name = info->dlpi_name;
    modules.push_back({static_cast<std::byte*>(info->dlpi_tls_data),
                       reinterpret_cast<const std::byte*>(info->dlpi_addr + header.p_vaddr), header.p_filesz,
                       header.p_memsz, name.ends_with("/libc.so.6") || name.ends_with("/ld-linux-x86-64.so.2")});
  }
  return 0;
}

// The modules in the static block, which lies directly below the thread pointer.
std::vector<Module> static_modules() {
  std::vector<Module> modules;
  dl_iterate_phdr(add_module, &modules);
  std::size_t most = std::size_t{16} << 10;  // for alignment and for libraries loaded later
  for (const Module& module : modules) most += module.bytes + 64;
  std::byte* top = current_thread_pointer();
  std::erase_if(modules, [&](const Module& m) { return m.block >= top || m.block < top - most; });
  return modules;
}

const DynamicEntry* dynamic_entries() {
  return reinterpret_cast<DynamicEntry* const*>(current_thread_pointer())[entries_word];
}

// Bytes of glibc's descriptor of a thread, which begins at the thread pointer. glibc exports it for debuggers.
std::size_t control_block_bytes() {
  const void* exported = dlvsym(RTLD_DEFAULT, "_thread_db_sizeof_pthread", "GLIBC_PRIVATE");
  return exported == nullptr ? 0 : *static_cast<const std::uint32_t*>(exported);
}

}  // namespace

[[gnu::noinline]] std::byte* current_thread_pointer() {
  std::byte* pointer;
  asm volatile("movq %%fs:0, %0" : "=r"(pointer));
  return pointer;
}

ThreadPointerSetter::ThreadPointerSetter() : by_instruction_((getauxval(AT_HWCAP2) & 2) != 0) {}

void ThreadPointerSetter::set_by_kernel(std::byte* thread_pointer) {
  syscall(SYS_arch_prctl, ARCH_SET_FS, thread_pointer);
}

Result<ThreadTemplate> ThreadTemplate::take() {
  ThreadTemplate made;
  std::byte* top = current_thread_pointer();
  made.reserve_begin_ = static_cast<std::size_t>(top - reinterpret_cast<std::byte*>(rehearse_tls_reserve));
  if (made.reserve_begin_ < tls_reserve_bytes || made.reserve_begin_ >= tls_reserve_bytes + 64)
    return Error{"rehearse was linked so that its thread-local reserve is not next to the thread pointer"};
  made.control_.resize((control_block_bytes() + 63) / 64 * 64);
  if (made.control_.empty())
    return Error{"this C library does not report the size of its thread descriptor; glibc does"};
  std::memcpy(made.control_.data(), top, made.control_.size());
  const std::vector<Module> modules = static_modules();
  std::size_t below = made.reserve_begin_;
  for (const Module& module : modules) below = std::max(below, static_cast<std::size_t>(top - module.block));
  below = (below + 63) / 64 * 64;
  made.image_.resize(below - made.reserve_begin_);
  for (const Module& module : modules) {
    std::byte* to = made.image_.data() + (module.block - (top - below));
    if (module.of_libc) std::memcpy(to, module.block, module.bytes);
    else if (module.initial_bytes > 0) std::memcpy(to, module.initial, module.initial_bytes);
  }
  made.page_phase_ = reinterpret_cast<std::uintptr_t>(top) % 4096;
  const DynamicEntry* entries = dynamic_entries();
  made.generation_ = entries[0].value;
  made.dynamic_.resize(entries[-1].value + 1);
  for (std::size_t i = 1; i < made.dynamic_.size(); ++i) {
    auto* block = reinterpret_cast<std::byte*>(entries[i].value);
    if (block < top && block >= top - below) made.dynamic_[i] = static_cast<std::uintptr_t>(top - block);
  }
  return made;
}

std::size_t ThreadTemplate::vector_bytes() const {
  return (dynamic_.size() + 1 + spare_entries) * sizeof(DynamicEntry);
}

void ThreadTemplate::make(std::byte* thread_pointer, std::byte* vector) const {
  std::memcpy(thread_pointer - below(), image_.data(), image_.size());
  std::memcpy(thread_pointer, control_.data(), control_.size());
  auto* entries = reinterpret_cast<DynamicEntry*>(vector) + 1;
  const std::size_t last = dynamic_.size() - 1 + spare_entries;
  entries[-1] = {last, 0};
  entries[0] = {generation_, 0};
  for (std::size_t i = 1; i <= last; ++i) {
    const bool here = i < dynamic_.size() && dynamic_[i] != 0;
    entries[i] = {here ? reinterpret_cast<std::uintptr_t>(thread_pointer) - dynamic_[i] : unallocated, 0};
  }
  auto* words = reinterpret_cast<std::byte**>(thread_pointer);
  words[0] = thread_pointer;
  words[entries_word] = reinterpret_cast<std::byte*>(entries);
  words[self_word] = thread_pointer;
}

}  // namespace rehearse::smpi
