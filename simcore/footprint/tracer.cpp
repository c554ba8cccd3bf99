// SPDX-License-Identifier: MIT
//
// The loop over instructions, control flow, and the result.
#include "simcore/footprint/tracer.hpp"

#include <sys/mman.h>
#include <sys/syscall.h>

#include <algorithm>
#include <cstring>

#include "simcore/actor_context.hpp"

namespace rehearse::footprint {

namespace {

constexpr std::size_t stack_bytes = 256 << 10;
constexpr std::uint64_t most_instructions = 4'000'000;
constexpr const char* garbage_on_stack = "memory of the stack that was never written, and is not zero";
constexpr std::uint64_t carry = 1 << 0, parity = 1 << 2, zero = 1 << 6, sign = 1 << 7, overflow = 1 << 11;
constexpr std::array<Origin, 8> known_word = {};

// The switch between a driver and its actors saves and loads them.
bool is_code_of_switch(std::uint64_t address) {
  constexpr std::uint64_t longest_bytes = 256;
  return address - reinterpret_cast<std::uint64_t>(switch_code()) < longest_bytes;
}

}  // namespace

Tracer::Tracer() {
  void* pages = mmap(nullptr, stack_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pages != MAP_FAILED) stack_ = static_cast<std::byte*>(pages);
}

Tracer::~Tracer() {
  if (stack_ != nullptr) munmap(stack_, stack_bytes);
}

void Tracer::begin(const WatchedRange& range) {
  range_ = range;
  const auto scratch = reinterpret_cast<std::uint64_t>(stack_);
  shadow_.begin({range.begin, range.end}, {scratch, scratch + stack_bytes});
  result_ = {};
}

void Tracer::call(void (*function)(void*, const void*), void* first, const void* second, std::uint64_t thread_pointer) {
  if (result_.is_broken) return;
  decoder_.make_room();
  machine_.begin();
  thread_pointer_ = thread_pointer;
  for (std::uint8_t number = 0; number < general_count; ++number) shadow_.general(number) = {};
  for (std::uint8_t number = 0; number < vector_count; ++number) shadow_.vector(number) = {};
  shadow_.set_flags({}, true);
  auto top = reinterpret_cast<std::uint64_t>(stack_ + stack_bytes - 64);
  const std::uint64_t nowhere = 0;
  std::memcpy(reinterpret_cast<void*>(top -= 8), &nowhere, sizeof nowhere);  // the return address
  machine_.general()[rsp] = top;
  machine_.general()[rdi] = reinterpret_cast<std::uint64_t>(first);
  machine_.general()[rsi] = reinterpret_cast<std::uint64_t>(second);
  ip_ = reinterpret_cast<std::uint64_t>(function);
  machine_.begin_faults();
  run();
  machine_.end_faults();
}

void Tracer::note_read(std::uint64_t address, std::size_t bytes) {
  std::array<Origin, 64> origins = {};
  for (std::size_t done = 0; done < bytes; done += origins.size()) {
    const auto part = std::span(origins).first(std::min(origins.size(), bytes - done));
    shadow_.load(address + done, part);
    shadow_.read(part);
  }
}

void Tracer::run() {
  while (ip_ != 0) {
    if (++result_.instructions > most_instructions && shadow_.watches(ip_))
      return break_off("more than 4,000,000 instructions");
    const Instruction& in = decoder_.at(ip_, shadow_.code_number());
    if (in.rule == Rule::unsupported) return break_off("an instruction that is not supported");
    read_code(in);
    if (!step(in)) return;
  }
}

// An actor can change its own code, so code in its memory is read: once, unless a store may have changed it.
void Tracer::read_code(const Instruction& in) {
  if (in.read_in == shadow_.code_number() || !shadow_.watches(ip_)) return;
  in.read_in = shadow_.code_number();
  shadow_.note_code(ip_, in.length);
  std::array<Origin, 15> origins = {};
  const auto code = std::span(origins).first(in.length);
  shadow_.load(ip_, code);
  shadow_.read(code);
}

void Tracer::break_off(const char* why) {
  result_.gap = why;
  result_.is_broken = true;
}

void Tracer::note_gap(const char* why) {
  if (result_.gap.empty()) result_.gap = why;
}

std::uint64_t Tracer::address_of(const Place& place) const {
  auto& machine = const_cast<Machine&>(machine_);
  std::uint64_t address = place.value;
  if (place.base != no_register) address += machine.general()[place.base];
  if (place.index != no_register) address += machine.general()[place.index] * place.scale;
  if (place.is_short) address &= 0xffffffff;
  return place.in_thread_block ? address + thread_pointer_ : address;
}

// The addresses of operands in memory; the step depends on the registers in them.
void Tracer::find_addresses(const Instruction& in, Values& addresses) {
  for (std::uint8_t p = 0; p < in.place_count; ++p) {
    const Place& place = in.places[p];
    if (place.kind != Place::Kind::memory) continue;
    addresses[p] = address_of(place);
    if (in.rule == Rule::address || in.rule == Rule::nothing) continue;
    if (place.base != no_register) shadow_.read(shadow_.general(place.base));
    if (place.index != no_register) shadow_.read(shadow_.general(place.index));
  }
}

// Lets the processor execute it. False: it faulted.
bool Tracer::execute(const Instruction& in, const Values& addresses) {
  std::uint64_t kept = 0;
  if (in.moved != no_register) {
    kept = machine_.general()[in.moved];
    machine_.general()[in.moved] = addresses[in.moved_place];
  }
  if (!machine_.run(in.copy, in.touches)) {
    break_off("a fault");
    return false;
  }
  if (in.moved != no_register) machine_.general()[in.moved] = kept;
  return true;
}

bool Tracer::step(const Instruction& in) {
  Values addresses;  // only those of memory are used
  find_addresses(in, addresses);
  if (in.reads_flags) shadow_.read_flags();
  const std::uint64_t next = ip_ + in.length;
  switch (in.rule) {
    case Rule::call:
    case Rule::jump:
    case Rule::jump_if:
    case Rule::jump_if_zero:
    case Rule::loop: return jump(in, addresses);
    case Rule::give_back: return give_back(in);
    default: break;
  }
  if (!flow(in, addresses)) return false;
  ip_ = next;
  return true;
}

bool Tracer::flow(const Instruction& in, const Values& addresses) {
  switch (in.rule) {
    case Rule::nothing: return true;
    case Rule::copy: return copy(in, addresses);
    case Rule::add:
    case Rule::subtract: return add(in, addresses);
    case Rule::address: return address(in);
    case Rule::add_double:
    case Rule::sub_double: return add_doubles(in, addresses);
    case Rule::clear:
    case Rule::clear_upper:
    case Rule::clear_all: return clear(in, addresses);
    case Rule::push: return push_place(in, addresses);
    case Rule::pop: return pop_place(in);
    case Rule::leave: return leave();
    case Rule::copy_string:
    case Rule::fill_string:
    case Rule::scan_string: return string(in);
    case Rule::save_all:
    case Rule::load_all: return save_or_load_all(in, addresses);
    case Rule::enter_system: return enter_system(in);
    case Rule::float_status:
      if (!is_code_of_switch(ip_)) note_gap("a look at the status flags of floating-point arithmetic");
      return opaque(in, addresses);
    case Rule::outside: note_gap("an instruction that reads the clock or random numbers"); [[fallthrough]];
    default: return opaque(in, addresses);
  }
}

bool Tracer::push(std::uint64_t value, std::span<const Origin> origins) {
  std::uint64_t& stack = machine_.general()[rsp];
  shadow_.read(shadow_.general(rsp));
  shadow_.prepare(stack - 8, 8);
  if (!machine_.poke(stack - 8, value)) return break_off("a fault"), false;
  stack -= 8;
  shadow_.store(stack, origins);
  return true;
}

bool Tracer::pop(std::uint64_t& value, std::span<Origin> origins) {
  std::uint64_t& stack = machine_.general()[rsp];
  shadow_.read(shadow_.general(rsp));
  if (!machine_.peek(stack, value)) return break_off("a fault"), false;
  shadow_.load(stack, origins);
  stack += 8;
  return true;
}

bool Tracer::push_place(const Instruction& in, const Values& addresses) {
  std::uint64_t value = 0;
  std::array<Origin, 8> origins = {};
  if (!value_of(in.places[0], addresses[0], value)) return break_off("a fault"), false;
  if (in.places[0].kind != Place::Kind::immediate) load(in.places[0], addresses[0], origins);
  return push(value, origins);
}

bool Tracer::pop_place(const Instruction& in) {
  std::uint64_t value = 0;
  std::array<Origin, 8> origins = {};
  if (!pop(value, origins)) return false;
  machine_.general()[in.places[0].number] = value;
  shadow_.general(in.places[0].number) = origins;
  return true;
}

bool Tracer::leave() {
  shadow_.read(shadow_.general(rbp));
  machine_.general()[rsp] = machine_.general()[rbp];
  shadow_.general(rsp) = {};
  std::uint64_t value = 0;
  std::array<Origin, 8> origins = {};
  if (!pop(value, origins)) return false;
  machine_.general()[rbp] = value;
  shadow_.general(rbp) = origins;
  return true;
}

bool Tracer::holds(std::uint8_t condition) const {
  const std::uint64_t flags = const_cast<Machine&>(machine_).flags();
  const bool is_less = ((flags & sign) != 0) != ((flags & overflow) != 0);
  const bool base[] = {(flags & overflow) != 0,
                       (flags & carry) != 0,
                       (flags & zero) != 0,
                       (flags & (carry | zero)) != 0,
                       (flags & sign) != 0,
                       (flags & parity) != 0,
                       is_less,
                       is_less || (flags & zero) != 0};
  return base[condition / 2] != (condition % 2 != 0);
}

bool Tracer::jump(const Instruction& in, const Values& addresses) {
  const std::uint64_t next = ip_ + in.length;
  std::uint64_t target = 0;
  if (!value_of(in.places[0], addresses[0], target)) return break_off("a fault"), false;
  if (in.places[0].kind != Place::Kind::immediate) read_place(in, in.places[0], addresses[0]);
  bool jumps = true;
  if (in.rule == Rule::jump_if) jumps = holds(in.condition);
  if (in.rule == Rule::jump_if_zero || in.rule == Rule::loop) shadow_.read(shadow_.general(rcx));
  if (in.rule == Rule::jump_if_zero) jumps = machine_.general()[rcx] == 0;
  if (in.rule == Rule::loop) {
    shadow_.general(rcx) = {};
    jumps = --machine_.general()[rcx] != 0;
    if (in.condition < 2) {
      shadow_.read_flags();
      jumps = jumps && ((machine_.flags() & zero) != 0) == (in.condition == 1);
    }
  }
  if (in.rule == Rule::call && !push(next, known_word)) return false;
  ip_ = jumps ? target : next;
  return true;
}

bool Tracer::give_back(const Instruction& in) {
  std::array<Origin, 8> origins = {};
  if (!pop(ip_, origins)) return false;
  shadow_.read(origins);
  if (in.place_count == 1) machine_.general()[rsp] += in.places[0].value;
  return true;
}

// Calls of the system that change the thread or make a process are not carried out. Others are; what they read is not
// known.
bool Tracer::enter_system(const Instruction& in) {
  auto& general = machine_.general();
  constexpr std::uint64_t set_thread_pointer = 0x1002;
  if (general[rax] == SYS_arch_prctl && general[rdi] == set_thread_pointer) {
    shadow_.read(shadow_.general(rsi));
    thread_pointer_ = general[rsi];
    general[rax] = 0;
  } else if (general[rax] == SYS_fork || general[rax] == SYS_vfork || general[rax] == SYS_clone ||
             general[rax] == SYS_clone3 || general[rax] == SYS_execve || general[rax] == SYS_exit ||
             general[rax] == SYS_exit_group || general[rax] == SYS_rt_sigreturn) {
    break_off("a system call that makes or ends a process");
    return false;
  } else {
    // The number of the process is the same in every step.
    if (general[rax] != SYS_getpid) note_gap("a system call");
    if (!execute(in, {})) return false;
  }
  for (const std::uint8_t number : {rax, rcx, r11}) shadow_.general(number) = {};
  return true;
}

bool Tracer::is_dead(std::uint64_t address, std::uint64_t stack_pointer) const {
  return address >= range_.stack_begin && address < range_.stack_end && address < stack_pointer;
}

// Whether these bytes are, or are a sum of, the initial ones at another aligned address. What is read is no move.
bool Tracer::is_move(const Shadow::Word& word, std::uint64_t first, std::uint8_t size, SumOrigin& from) const {
  const auto origins = std::span(word.origins).subspan(first, size);
  for (std::uint64_t i = first; i < first + size; ++i)
    if ((word.stored >> i & 1) == 0) return false;
  if (shadow_.is_known(origins)) return false;
  const bool is_sum = shadow_.is_sum(origins, false, from) || shadow_.is_sum(origins, true, from);
  return is_sum && from.at % size == 0 && from.at != word.address + first && !is_dead(from.at, range_.stack_pointer);
}

void Tracer::note_moves(std::uint64_t stack_pointer) {
  for (std::size_t w = 0; w < shadow_.words().size(); ++w) {
    const std::uint64_t address = shadow_.words()[w].address;
    if (!shadow_.watches(address) || !shadow_.watches(address + 7) || is_dead(address, stack_pointer)) continue;
    SumOrigin from;
    for (const auto& [first, size] : {std::pair<std::uint8_t, std::uint8_t>(0, 8), {0, 4}, {4, 4}}) {
      if (shadow_.words()[w].moved >> first != 0 || !is_move(shadow_.words()[w], first, size, from)) continue;
      const std::uint64_t mask = size == 8 ? ~std::uint64_t{0} : 0xffffffff, there = shadow_.word(from.at).initial;
      Shadow::Word& word = shadow_.words()[w];
      word.moved |= static_cast<std::uint8_t>((size == 8 ? 0xffu : 0x0fu) << first);
      std::uint64_t after = 0;
      machine_.peek(address, after);
      result_.moves.push_back({address + first, size, from.is_double, from.amount & mask, from.double_amount,
                               from.magnitude, from.additions, word.initial, after, from.at, there});
    }
  }
}

Footprint Tracer::end(std::uint64_t stack_pointer) {
  const auto is_whole_sum = [&](const SumOrigin& sum, Origin first) {
    std::array<Origin, 8> there = {};
    shadow_.load(sum.at, std::span(there).first(sum.bytes));
    for (std::size_t i = 0; i < sum.bytes; ++i)
      if (there[i] != first + i) return false;
    return true;
  };
  // Stack that the step made live without storing there. It must be as all dead stack should be.
  const std::uint64_t live_before = std::min(range_.stack_pointer, range_.stack_end);
  for (std::uint64_t at = std::max(stack_pointer, range_.stack_begin); at < live_before; ++at) {
    Shadow::Word& word = shadow_.word(at);
    if ((word.stored >> at % 8 & 1) != 0) continue;
    word.stored |= static_cast<std::uint8_t>(1u << at % 8);
    word.origins[at % 8] = known;
    if ((word.initial >> (at % 8 * 8) & 0xff) != 0) note_gap(garbage_on_stack);
  }
  note_moves(stack_pointer);
  // What cannot be said as a write, a move or a sum is a read.
  for (std::size_t w = 0; w < shadow_.words().size(); ++w) {
    for (std::uint64_t i = 0; i < 8; ++i) {
      const Shadow::Word& word = shadow_.words()[w];
      const Origin origin = word.origins[i];
      const std::uint64_t at = word.address + i;
      if (!shadow_.watches(at)) continue;
      if ((word.stored >> i & 1) == 0 || is_dead(at, stack_pointer) || origin == known || origin == at) continue;
      if ((word.moved >> i & 1) != 0) continue;
      if (Shadow::is_of_sum(origin)) {
        const SumOrigin& sum = shadow_.sum_of(origin);
        const std::size_t part = Shadow::part_of_sum(origin);
        if (sum.at + part == at && is_whole_sum(sum, origin - part)) continue;
      }
      shadow_.read(origin);
      shadow_.word(at).origins[i] = known;
    }
  }
  for (const Shadow::Word& word : shadow_.words()) {
    Footprint::Word read{word.address, word.read, word.initial, 0}, written{word.address, 0, 0, word.initial};
    if (!shadow_.watches(word.address)) continue;
    machine_.peek(word.address, written.value);
    for (std::uint64_t i = 0; i < 8; ++i) {
      const Origin origin = word.origins[i];
      const std::uint64_t at = word.address + i;
      if (is_dead(at, range_.stack_pointer)) {
        if ((word.read >> i & 1) != 0 && (word.initial >> (8 * i) & 0xff) != 0) note_gap(garbage_on_stack);
        read.bytes &= static_cast<std::uint8_t>(~(1u << i));
      }
      if ((word.stored >> i & 1) == 0 || (word.moved >> i & 1) != 0 || is_dead(at, stack_pointer) || origin == at)
        continue;
      if (origin == known) {
        written.bytes |= static_cast<std::uint8_t>(1u << i);
      } else if (Shadow::part_of_sum(origin) == 0) {
        const SumOrigin& sum = shadow_.sum_of(origin);
        const std::uint64_t mask = sum.bytes == 8 ? ~std::uint64_t{0} : 0xffffffff;
        result_.sums.push_back({sum.at, sum.bytes, sum.is_double, sum.amount & mask, sum.double_amount, sum.magnitude,
                                sum.additions, word.initial, written.value, sum.at, word.initial});
      }
    }
    if (read.bytes != 0) result_.reads.push_back(read);
    if (written.bytes != 0) result_.writes.push_back(written);
  }
  std::ranges::sort(result_.reads, {}, &Footprint::Word::address);
  std::ranges::sort(result_.writes, {}, &Footprint::Word::address);
  std::ranges::sort(result_.sums, {}, &Footprint::Sum::address);
  std::ranges::sort(result_.moves, {}, &Footprint::Sum::address);
  return std::move(result_);
}

}  // namespace rehearse::footprint
