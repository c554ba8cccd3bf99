// SPDX-License-Identifier: MIT
//
// librehearse_accesses: the library to which programs compiled with --check-memory link. `rehearse` binds these names
// to its own functions (smpi/process/interpose_accesses.cpp) and never loads this library. Under another MPI library,
// such a program uses this library, and its reports are ignored.
//
// Source: the interface of gcc's and clang's instrumentation, sanitizer/tsan_interface.h.
#include <stddef.h>
#include <stdint.h>
#include <string.h>

// The memory without checks: for loads, then for stores. Such programs test it before they report an access
// (smpi/compiler/as.sh).
struct span {
  uintptr_t begin, bytes;
};
_Thread_local const struct span __rehearse_clear[2] = {{0, UINTPTR_MAX}, {0, UINTPTR_MAX}};

void __tsan_init(void);
void __tsan_init(void) {}
void __tsan_func_entry(void* pc);
void __tsan_func_entry(void* pc) { (void)pc; }
void __tsan_func_exit(void);
void __tsan_func_exit(void) {}
void __tsan_vptr_update(void** at, void* value);
void __tsan_vptr_update(void** at, void* value) { (void)at, (void)value; }
void __tsan_atomic_thread_fence(int order);
void __tsan_atomic_thread_fence(int order) { (void)order, __atomic_thread_fence(__ATOMIC_SEQ_CST); }
void __tsan_atomic_signal_fence(int order);
void __tsan_atomic_signal_fence(int order) { (void)order, __atomic_signal_fence(__ATOMIC_SEQ_CST); }

void* __tsan_memcpy(void* to, const void* from, size_t bytes);
void* __tsan_memcpy(void* to, const void* from, size_t bytes) { return memcpy(to, from, bytes); }
void* __tsan_memmove(void* to, const void* from, size_t bytes);
void* __tsan_memmove(void* to, const void* from, size_t bytes) { return memmove(to, from, bytes); }
void* __tsan_memset(void* to, int byte, size_t bytes);
void* __tsan_memset(void* to, int byte, size_t bytes) { return memset(to, byte, bytes); }

#define RANGE(name)                  \
  void name(void* at, size_t bytes); \
  void name(void* at, size_t bytes) { (void)at, (void)bytes; }
RANGE(__tsan_read_range)
RANGE(__tsan_write_range)

#define ACCESS(name)   \
  void name(void* at); \
  void name(void* at) { (void)at; }
#define ACCESSES(bytes)                 \
  ACCESS(__tsan_read##bytes)            \
  ACCESS(__tsan_write##bytes)           \
  ACCESS(__tsan_unaligned_read##bytes)  \
  ACCESS(__tsan_unaligned_write##bytes) \
  ACCESS(__tsan_volatile_read##bytes)   \
  ACCESS(__tsan_volatile_write##bytes)  \
  ACCESS(__tsan_read_write##bytes)      \
  ACCESS(__tsan_unaligned_read_write##bytes)
ACCESS(__tsan_vptr_read)
ACCESSES(1)
ACCESSES(2)
ACCESSES(4)
ACCESSES(8)
ACCESSES(16)

#define CHANGE(T, bits, name, builtin)                                 \
  T __tsan_atomic##bits##_##name(volatile T* at, T value, int order);  \
  T __tsan_atomic##bits##_##name(volatile T* at, T value, int order) { \
    (void)order;                                                       \
    return builtin(at, value, __ATOMIC_SEQ_CST);                       \
  }
#define COMPARE(T, bits, name, weak)                                                                   \
  int __tsan_atomic##bits##_##name(volatile T* at, T* expected, T value, int order, int otherwise);    \
  int __tsan_atomic##bits##_##name(volatile T* at, T* expected, T value, int order, int otherwise) {   \
    (void)order, (void)otherwise;                                                                      \
    return __atomic_compare_exchange_n(at, expected, value, weak, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); \
  }
#define ATOMICS(T, bits)                                                                                    \
  T __tsan_atomic##bits##_load(const volatile T* at, int order);                                            \
  T __tsan_atomic##bits##_load(const volatile T* at, int order) {                                           \
    (void)order;                                                                                            \
    return __atomic_load_n(at, __ATOMIC_SEQ_CST);                                                           \
  }                                                                                                         \
  void __tsan_atomic##bits##_store(volatile T* at, T value, int order);                                     \
  void __tsan_atomic##bits##_store(volatile T* at, T value, int order) {                                    \
    (void)order;                                                                                            \
    __atomic_store_n(at, value, __ATOMIC_SEQ_CST);                                                          \
  }                                                                                                         \
  CHANGE(T, bits, exchange, __atomic_exchange_n)                                                            \
  CHANGE(T, bits, fetch_add, __atomic_fetch_add)                                                            \
  CHANGE(T, bits, fetch_sub, __atomic_fetch_sub)                                                            \
  CHANGE(T, bits, fetch_and, __atomic_fetch_and)                                                            \
  CHANGE(T, bits, fetch_or, __atomic_fetch_or)                                                              \
  CHANGE(T, bits, fetch_xor, __atomic_fetch_xor)                                                            \
  CHANGE(T, bits, fetch_nand, __atomic_fetch_nand)                                                          \
  COMPARE(T, bits, compare_exchange_strong, 0)                                                              \
  COMPARE(T, bits, compare_exchange_weak, 1)                                                                \
  T __tsan_atomic##bits##_compare_exchange_val(volatile T* at, T expected, T value, int order, int other);  \
  T __tsan_atomic##bits##_compare_exchange_val(volatile T* at, T expected, T value, int order, int other) { \
    (void)order, (void)other;                                                                               \
    __atomic_compare_exchange_n(at, &expected, value, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);               \
    return expected;                                                                                        \
  }
ATOMICS(uint8_t, 8)
ATOMICS(uint16_t, 16)
ATOMICS(uint32_t, 32)
ATOMICS(uint64_t, 64)
