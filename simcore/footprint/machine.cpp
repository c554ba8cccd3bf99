// SPDX-License-Identifier: MIT
//
// The code around an instruction, and its faults.
#include "simcore/footprint/machine.hpp"

#include <cpuid.h>
#include <signal.h>
#include <sys/mman.h>
#include <ucontext.h>

#include <cstring>
#include <initializer_list>

#include "simcore/support/assert.hpp"

namespace rehearse::footprint {

namespace {

constexpr std::size_t state_bytes = 4096, vector_room = 12 << 10, mapping_bytes = std::size_t{8} << 20;
constexpr std::size_t jump_bytes = 5, longest_instruction = 15;
constexpr std::size_t mxcsr_offset = 24, xmm_offset = 160;  // in the area of XSAVE
constexpr std::array fault_signals = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP};

// Writes machine code.
class Emitter {
 public:
  explicit Emitter(std::byte* at) : at_(at) {}
  void bytes(std::initializer_list<int> values) {
    for (const int value : values) *at_++ = static_cast<std::byte>(value);
  }
  // The last four bytes of an instruction: the distance to `target` from its end.
  void distance(const void* target) {
    const auto from = static_cast<std::int64_t>(reinterpret_cast<std::intptr_t>(at_) + 4);
    const auto value = static_cast<std::int32_t>(reinterpret_cast<std::intptr_t>(target) - from);
    std::memcpy(at_, &value, sizeof value);
    at_ += sizeof value;
  }
  void move(bool loads, std::uint8_t number, const void* memory) {
    bytes({number < 8 ? 0x48 : 0x4c, loads ? 0x8b : 0x89, 0x05 | (number & 7) << 3});
    distance(memory);
  }
  std::byte* at() const { return at_; }

 private:
  std::byte* at_;
};

constexpr std::size_t index_of(Touches touches) { return static_cast<std::size_t>(touches); }

std::size_t bytes_of_vectors() {
  unsigned a = 0, b = 0, c = 0, d = 0;
  constexpr unsigned has_osxsave = 1u << 27;
  if (__get_cpuid(1, &a, &b, &c, &d) == 0 || (c & has_osxsave) == 0) return 0;
  if (__get_cpuid_count(0xd, 0, &a, &b, &c, &d) == 0) return 0;
  return b;  // of all components that the system has enabled
}

// Where the mask registers are in the area of XSAVE; 0: the processor has none.
std::size_t offset_of_masks() {
  constexpr unsigned masks = 5;  // the number of this component
  unsigned a = 0, b = 0, c = 0, d = 0;
  return __get_cpuid_count(0xd, masks, &a, &b, &c, &d) == 0 ? 0 : b;
}

}  // namespace

// Signal handlers can only reach global data.
struct FaultHandler {
  static inline Machine* machine = nullptr;
  static inline struct sigaction previous[65];

  static void handle(int signal, siginfo_t* info, void* raw) {
    auto& registers = static_cast<ucontext_t*>(raw)->uc_mcontext.gregs;
    const auto* at = reinterpret_cast<const std::byte*>(registers[REG_RIP]);
    if (at >= machine->first_ && at < machine->end_) {
      machine->has_faulted_ = true;
      registers[REG_RIP] = reinterpret_cast<greg_t>(machine->exit_[index_of(Touches::all)]);
      return;
    }
    if (at >= machine->accesses_ && at < machine->no_access_) {
      registers[REG_RIP] = reinterpret_cast<greg_t>(machine->no_access_);
      return;
    }
    const struct sigaction& other = previous[signal];
    if ((other.sa_flags & SA_SIGINFO) != 0) return other.sa_sigaction(signal, info, raw);
    if (other.sa_handler != SIG_DFL && other.sa_handler != SIG_IGN) return other.sa_handler(signal);
    sigaction(signal, &other, nullptr);  // returning repeats the fault
  }
};

Machine::Machine() {
  vector_bytes_ = bytes_of_vectors();
  masks_offset_ = offset_of_masks();
  if (vector_bytes_ == 0 || vector_bytes_ > vector_room) return;
  void* pages = mmap(nullptr, mapping_bytes, PROT_READ | PROT_WRITE | PROT_EXEC,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (pages == MAP_FAILED) return;
  base_ = static_cast<std::byte*>(pages);
  vectors_ = base_ + state_bytes;
  end_ = base_ + mapping_bytes;
  std::byte* at = vectors_ + vector_room;
  for (const Touches touches : {Touches::general, Touches::flags, Touches::all}) {
    std::byte*& exit = exit_[index_of(touches)];
    entry_[index_of(touches)] = at;
    exit = make_entry(at, touches);
    at = make_exit(exit, touches);
  }
  first_ = next_ = make_accesses(at);
}

Machine::~Machine() {
  if (base_ != nullptr) munmap(base_, mapping_bytes);
}

std::byte* Machine::make_entry(std::byte* at, Touches touches) {
  Emitter code(at);
  code.bytes({0x53, 0x55, 0x41, 0x54, 0x41, 0x55, 0x41, 0x56, 0x41, 0x57});  // push rbx, rbp, r12 to r15
  code.move(false, rsp, &state().host_stack);
  if (touches == Touches::all) {
    code.bytes({0xb8, 0xff, 0xff, 0xff, 0xff, 0xba, 0xff, 0xff, 0xff, 0xff});  // mov eax, -1; mov edx, -1
    code.bytes({0x48, 0x0f, 0xae, 0x2d});                                      // xrstor64
    code.distance(vectors_);
  }
  if (touches != Touches::general) {
    code.bytes({0xff, 0x35});  // push the flags
    code.distance(&state().flags);
    code.bytes({0x9d});  // popfq
  }
  for (std::uint8_t number = 0; number < general_count; ++number) code.move(true, number, &state().general[number]);
  code.bytes({0xff, 0x25});  // jmp
  code.distance(&state().target);
  return code.at();
}

std::byte* Machine::make_exit(std::byte* at, Touches touches) {
  Emitter code(at);
  for (std::uint8_t number = 0; number < general_count; ++number) code.move(false, number, &state().general[number]);
  code.move(true, rsp, &state().host_stack);
  if (touches != Touches::general) {
    code.bytes({0x9c, 0x8f, 0x05});  // pushfq; pop
    code.distance(&state().flags);
    code.bytes({0xfc});  // cld
  }
  if (touches == Touches::all) {
    code.bytes({0xb8, 0xff, 0xff, 0xff, 0xff, 0xba, 0xff, 0xff, 0xff, 0xff});
    code.bytes({0x48, 0x0f, 0xae, 0x25});  // xsave64
    code.distance(vectors_);
    code.bytes({0xc5, 0xf8, 0x77, 0xdb, 0xe3, 0x0f, 0xae, 0x15});  // vzeroupper; fninit; ldmxcsr
    code.distance(&state().host_mxcsr);
  }
  code.bytes({0x41, 0x5f, 0x41, 0x5e, 0x41, 0x5d, 0x41, 0x5c, 0x5d, 0x5b, 0xc3});
  return code.at();
}

std::byte* Machine::make_accesses(std::byte* at) {
  Emitter code(at);
  accesses_ = at;
  peek_ = reinterpret_cast<decltype(peek_)>(code.at());
  code.bytes({0x48, 0x8b, 0x07, 0x48, 0x89, 0x06, 0xb8, 1, 0, 0, 0, 0xc3});  // mov rax, [rdi]; mov [rsi], rax; return 1
  poke_ = reinterpret_cast<decltype(poke_)>(code.at());
  code.bytes({0x48, 0x89, 0x37, 0xb8, 1, 0, 0, 0, 0xc3});  // mov [rdi], rsi; return 1
  no_access_ = code.at();
  code.bytes({0x31, 0xc0, 0xc3});  // return 0
  return code.at();
}

std::uint32_t Machine::mxcsr() const {
  std::uint32_t value;
  std::memcpy(&value, vectors_ + mxcsr_offset, sizeof value);
  return value;
}

std::uint64_t Machine::vector_low(std::uint8_t number) const {
  std::uint64_t value;
  std::memcpy(&value, vectors_ + xmm_offset + std::size_t{16} * number, sizeof value);
  return value;
}

std::uint64_t Machine::mask(std::uint8_t number) const {
  REHEARSE_ASSERT(masks_offset_ != 0, "the processor has mask registers");
  std::uint64_t value;
  std::memcpy(&value, vectors_ + masks_offset_ + sizeof value * number, sizeof value);
  return value;
}

void Machine::begin() {
  std::memset(vectors_, 0, vector_bytes_);
  asm volatile("xsave64 %0" : "=m"(*vectors_) : "a"(-1), "d"(-1) : "memory");
  asm volatile("stmxcsr %0" : "=m"(state().host_mxcsr));
  state().general = {};
  state().flags = 0x202;  // interrupts on, as everywhere
}

void Machine::begin_faults() {
  REHEARSE_ASSERT(FaultHandler::machine == nullptr, "only one machine is active");
  FaultHandler::machine = this;
  struct sigaction ours {};
  ours.sa_sigaction = FaultHandler::handle;
  ours.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigemptyset(&ours.sa_mask);
  for (const int signal : fault_signals) sigaction(signal, &ours, &FaultHandler::previous[signal]);
}

void Machine::end_faults() {
  for (const int signal : fault_signals) sigaction(signal, &FaultHandler::previous[signal], nullptr);
  FaultHandler::machine = nullptr;
}

const std::byte* Machine::add(std::span<const std::uint8_t> code, Touches touches) {
  REHEARSE_ASSERT(code.size() <= longest_instruction, "an instruction of x86-64");
  if (static_cast<std::size_t>(end_ - next_) < longest_instruction + jump_bytes) return nullptr;
  const std::byte* copy = next_;
  std::memcpy(next_, code.data(), code.size());
  Emitter jump(next_ + code.size());
  jump.bytes({0xe9});
  jump.distance(exit_[index_of(touches)]);
  next_ = jump.at();
  return copy;
}

void Machine::forget_all() { next_ = first_; }

bool Machine::run(const std::byte* copy, Touches touches) {
  state().target = reinterpret_cast<std::uintptr_t>(copy);
  has_faulted_ = false;
  reinterpret_cast<void (*)()>(entry_[index_of(touches)])();
  return !has_faulted_;
}

}  // namespace rehearse::footprint
