// SPDX-License-Identifier: MIT
//
// Functions for programs compiled with --check-memory: the functions of the compiler's thread sanitizer, which such
// programs call for each read and write, and the functions of libc that access memory.
//
// Cost:   usually one comparison, which the program makes without a call (smpi/buffers/watched.hpp, compiler/as.sh).
// Atomic: a rank is one thread, so plain reads and writes are sufficient.
// Source: the interface of gcc's and clang's instrumentation: sanitizer/tsan_interface.h and
//         sanitizer/tsan_interface_atomic.h.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "smpi/buffers/accesses.hpp"
#include "smpi/buffers/exposed.hpp"
#include "smpi/buffers/unwritten.hpp"
#include "smpi/process/interpose_accesses.hpp"
#include "smpi/process/thread_block.hpp"
#include "smpi/process/thread_order.hpp"

namespace rehearse::smpi {
namespace {

Span span_of(const volatile void* at, std::size_t bytes) {
  const auto begin = static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(at));
  return {begin, begin + static_cast<std::int64_t>(bytes)};
}

void check_access(const volatile void* at, std::size_t bytes, bool stores, const void* place) {
  if (bytes > 0 && may_be_pending(reinterpret_cast<std::uintptr_t>(at), bytes)) [[unlikely]]
    report_access(span_of(at, bytes), stores, place);
}

void check_copied(const volatile void* at, std::size_t bytes, const void* place) {
  if (bytes > 0 && may_be_pending(reinterpret_cast<std::uintptr_t>(at), bytes)) [[unlikely]]
    report_copying(span_of(at, bytes), place);
}

template <std::size_t bytes, bool stores>
[[gnu::noinline]] void check_access_again(const void* at, const void* place) {
  const auto address = reinterpret_cast<std::uintptr_t>(at);
  if (watched.exposed(stores).holds(address) &&
      watched.exposing->note_next(static_cast<std::int64_t>(address), bytes, stores, place))
    return;
  if (!is_clear_elsewhere(address, stores)) report_access(span_of(at, bytes), stores, place);
}

// Usually only a comparison. The rare case is a separate function, so that this one need not save registers.
template <std::size_t bytes, bool stores>
void access(const void* at) {
  if (!is_clear(reinterpret_cast<std::uintptr_t>(at), stores)) [[unlikely]]
    check_access_again<bytes, stores>(at, __builtin_return_address(0));
}

void read_range(const void* at, std::size_t bytes) { check_access(at, bytes, false, __builtin_return_address(0)); }
void write_range(const void* at, std::size_t bytes) { check_access(at, bytes, true, __builtin_return_address(0)); }
void update_vptr(void** at, void*) { check_access(at, sizeof *at, true, __builtin_return_address(0)); }
void nothing() {}
void nothing_at(const void*) {}
void fence(int) {}

// ---- Atomics, of 1 to 16 bytes.

enum class Change { exchange, add, sub, and_, or_, xor_, nand };

void check_atomic(const volatile void* at, std::size_t bytes, bool stores, const void* place) {
  if (!may_be_pending(reinterpret_cast<std::uintptr_t>(at), bytes)) return;
  const auto* object = const_cast<const void*>(at);
  note_undecided("atomic operations");
  acquire_from(object);
  if (!note_shared_atomic(span_of(at, bytes))) report_access(span_of(at, bytes), stores, place);
  release_to(object);
}

template <class T, Change how>
T changed(T old, T value) {
  switch (how) {
    case Change::exchange: return value;
    case Change::add: return static_cast<T>(old + value);
    case Change::sub: return static_cast<T>(old - value);
    case Change::and_: return static_cast<T>(old & value);
    case Change::or_: return static_cast<T>(old | value);
    case Change::xor_: return static_cast<T>(old ^ value);
    case Change::nand: return static_cast<T>(~(old & value));
  }
  return old;
}

template <class T>
T atomic_load(const volatile T* at, int) {
  check_atomic(at, sizeof(T), false, __builtin_return_address(0));
  return *at;
}

template <class T>
void atomic_store(volatile T* at, T value, int) {
  check_atomic(at, sizeof(T), true, __builtin_return_address(0));
  *at = value;
}

template <class T, Change how>
T atomic_change(volatile T* at, T value, int) {
  check_atomic(at, sizeof(T), true, __builtin_return_address(0));
  const T old = *at;
  *at = changed<T, how>(old, value);
  return old;
}

template <class T>
int atomic_compare_exchange(volatile T* at, T* expected, T value, int, int) {
  check_atomic(at, sizeof(T), true, __builtin_return_address(0));
  const T old = *at;
  if (old == *expected) {
    *at = value;
    return 1;
  }
  *expected = old;
  return 0;
}

template <class T>
T atomic_compare_exchange_value(volatile T* at, T expected, T value, int, int) {
  check_atomic(at, sizeof(T), true, __builtin_return_address(0));
  const T old = *at;
  if (old == expected) *at = value;
  return old;
}

#define REHEARSE_ATOMICS(bits, T)                                                                       \
  {"__tsan_atomic" #bits "_load", function_address(atomic_load<T>)},                                    \
      {"__tsan_atomic" #bits "_store", function_address(atomic_store<T>)},                              \
      {"__tsan_atomic" #bits "_exchange", function_address(atomic_change<T, Change::exchange>)},        \
      {"__tsan_atomic" #bits "_fetch_add", function_address(atomic_change<T, Change::add>)},            \
      {"__tsan_atomic" #bits "_fetch_sub", function_address(atomic_change<T, Change::sub>)},            \
      {"__tsan_atomic" #bits "_fetch_and", function_address(atomic_change<T, Change::and_>)},           \
      {"__tsan_atomic" #bits "_fetch_or", function_address(atomic_change<T, Change::or_>)},             \
      {"__tsan_atomic" #bits "_fetch_xor", function_address(atomic_change<T, Change::xor_>)},           \
      {"__tsan_atomic" #bits "_fetch_nand", function_address(atomic_change<T, Change::nand>)},          \
      {"__tsan_atomic" #bits "_compare_exchange_strong", function_address(atomic_compare_exchange<T>)}, \
      {"__tsan_atomic" #bits "_compare_exchange_weak", function_address(atomic_compare_exchange<T>)}, { \
    "__tsan_atomic" #bits "_compare_exchange_val", function_address(atomic_compare_exchange_value<T>)   \
  }

// ---- libc's functions on memory and strings: they are not compiled to report accesses.

void* copy_bytes(void* to, const void* from, std::size_t bytes) {
  const void* place = __builtin_return_address(0);
  check_copied(from, bytes, place);
  check_access(to, bytes, true, place);
  return std::memmove(to, from, bytes);
}

void* checked_copy(void* to, const void* from, std::size_t bytes, std::size_t room) {
  if (bytes > room) abort_rank();
  const void* place = __builtin_return_address(0);
  check_copied(from, bytes, place);
  check_access(to, bytes, true, place);
  return std::memmove(to, from, bytes);
}

void* fill(void* to, int byte, std::size_t bytes) {
  check_access(to, bytes, true, __builtin_return_address(0));
  return std::memset(to, byte, bytes);
}

void* checked_fill(void* to, int byte, std::size_t bytes, std::size_t room) {
  if (bytes > room) abort_rank();
  check_access(to, bytes, true, __builtin_return_address(0));
  return std::memset(to, byte, bytes);
}

// ---- Allocated memory, which is not written yet.

void* allocate(std::size_t bytes) {
  void* block = std::malloc(bytes);
  if (block != nullptr) mark_unwritten(block, bytes);
  return block;
}

int allocate_aligned(void** block, std::size_t alignment, std::size_t bytes) {
  const int error = posix_memalign(block, alignment, bytes);
  if (error == 0) mark_unwritten(*block, bytes);
  return error;
}

void* allocate_at(std::size_t alignment, std::size_t bytes) {
  void* block = std::aligned_alloc(alignment, bytes);
  if (block != nullptr) mark_unwritten(block, bytes);
  return block;
}

int compare(const void* a, const void* b, std::size_t bytes) {
  const void* place = __builtin_return_address(0);
  check_access(a, bytes, false, place);
  check_access(b, bytes, false, place);
  return std::memcmp(a, b, bytes);
}

std::size_t length(const char* text) {
  const std::size_t bytes = std::strlen(text);
  check_access(text, bytes + 1, false, __builtin_return_address(0));
  return bytes;
}

char* copy_text(char* to, const char* from) {
  const void* place = __builtin_return_address(0);
  const std::size_t bytes = std::strlen(from) + 1;
  check_access(from, bytes, false, place);
  check_access(to, bytes, true, place);
  std::memmove(to, from, bytes);
  return to;
}

char* copy_some_text(char* to, const char* from, std::size_t room) {
  const void* place = __builtin_return_address(0);
  check_access(from, strnlen(from, room), false, place);
  check_access(to, room, true, place);
  const std::size_t bytes = strnlen(from, room);
  std::memmove(to, from, bytes);
  std::memset(to + bytes, 0, room - bytes);
  return to;
}

char* append_text(char* to, const char* from) {
  const void* place = __builtin_return_address(0);
  const std::size_t before = std::strlen(to), bytes = std::strlen(from) + 1;
  check_access(from, bytes, false, place);
  check_access(to, before, false, place);
  check_access(to + before, bytes, true, place);
  std::memmove(to + before, from, bytes);
  return to;
}

int compare_texts(const char* a, const char* b) {
  const void* place = __builtin_return_address(0);
  check_access(a, std::strlen(a) + 1, false, place);
  check_access(b, std::strlen(b) + 1, false, place);
  return std::strcmp(a, b);
}

// A thread-local variable is represented by its distance from the thread pointer, which is the same for all ranks.
void* from_thread_pointer(const void* variable) {
  return reinterpret_cast<void*>(static_cast<const std::byte*>(variable) - current_thread_pointer());
}

// Code in the program itself reads these two members, so their offsets are fixed (compiler/as.sh).
static_assert(offsetof(Watched, clear_loads) == 0 && offsetof(Watched, clear_stores) == sizeof(ClearSpan));

}  // namespace

InterposerList access_interposers() {
  return {
#define REHEARSE_ACCESSES(bytes)                                                \
  {"__tsan_read" #bytes, function_address(access<bytes, false>)},               \
      {"__tsan_write" #bytes, function_address(access<bytes, true>)},           \
      {"__tsan_unaligned_read" #bytes, function_address(access<bytes, false>)}, \
      {"__tsan_unaligned_write" #bytes, function_address(access<bytes, true>)}, \
      {"__tsan_volatile_read" #bytes, function_address(access<bytes, false>)},  \
      {"__tsan_volatile_write" #bytes, function_address(access<bytes, true>)},  \
      {"__tsan_read_write" #bytes, function_address(access<bytes, true>)},      \
      {"__tsan_unaligned_read_write" #bytes, function_address(access<bytes, true>)}
      REHEARSE_ACCESSES(1),
      REHEARSE_ACCESSES(2),
      REHEARSE_ACCESSES(4),
      REHEARSE_ACCESSES(8),
      REHEARSE_ACCESSES(16),
      REHEARSE_ATOMICS(8, std::uint8_t),
      REHEARSE_ATOMICS(16, std::uint16_t),
      REHEARSE_ATOMICS(32, std::uint32_t),
      REHEARSE_ATOMICS(64, std::uint64_t),
      REHEARSE_ATOMICS(128, unsigned __int128),
      {"__rehearse_clear", from_thread_pointer(&watched)},
      {"__tsan_atomic_thread_fence", function_address(fence)},
      {"__tsan_atomic_signal_fence", function_address(fence)},
      {"__tsan_read_range", function_address(read_range)},
      {"__tsan_write_range", function_address(write_range)},
      {"__tsan_vptr_update", function_address(update_vptr)},
      {"__tsan_vptr_read", function_address(access<sizeof(void*), false>)},
      {"__tsan_init", function_address(nothing)},
      {"__tsan_func_entry", function_address(nothing_at)},
      {"__tsan_func_exit", function_address(nothing)},
      {"memcpy", function_address(copy_bytes)},
      {"memmove", function_address(copy_bytes)},
      {"__tsan_memcpy", function_address(copy_bytes)},
      {"__tsan_memmove", function_address(copy_bytes)},
      {"__tsan_memset", function_address(fill)},
      {"__memcpy_chk", function_address(checked_copy)},
      {"__memmove_chk", function_address(checked_copy)},
      {"memset", function_address(fill)},
      {"__memset_chk", function_address(checked_fill)},
      {"malloc", function_address(allocate)},
      {"posix_memalign", function_address(allocate_aligned)},
      {"aligned_alloc", function_address(allocate_at)},
      {"memcmp", function_address(compare)},
      {"strlen", function_address(length)},
      {"strcpy", function_address(copy_text)},
      {"strncpy", function_address(copy_some_text)},
      {"strcat", function_address(append_text)},
      {"strcmp", function_address(compare_texts)}};
#undef REHEARSE_ACCESSES
#undef REHEARSE_ATOMICS
}

}  // namespace rehearse::smpi
