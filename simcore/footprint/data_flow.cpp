// SPDX-License-Identifier: MIT
//
// How each kind of instruction moves, adds and uses data.
#include <algorithm>
#include <bit>
#include <cmath>

#include "simcore/footprint/tracer.hpp"

namespace rehearse::footprint {

namespace {

constexpr std::size_t legacy_vector_bytes = 16;
constexpr std::uint64_t direction = 1 << 10;
constexpr std::array<Origin, vector_bytes> all_known = {};

std::uint64_t masked(std::uint64_t value, std::size_t bytes) {
  return bytes >= 8 ? value : value & ((std::uint64_t{1} << (8 * bytes)) - 1);
}

}  // namespace

// The origins of the place's bytes; `into` may be shorter than the place.
void Tracer::load(const Place& place, std::uint64_t address, std::span<Origin> into) {
  if (place.kind == Place::Kind::general) {
    for (std::size_t i = 0; i < into.size(); ++i) into[i] = shadow_.general(place.number)[place.first_byte + i];
  } else if (place.kind == Place::Kind::vector) {
    std::copy_n(shadow_.vector(place.number).begin(), into.size(), into.begin());
  } else if (place.kind == Place::Kind::memory) {
    shadow_.load(address, into);
  } else {
    std::ranges::fill(into, known);
  }
}

// The bytes of the place have these origins now. General registers of four bytes are extended by zeros; for vectors,
// only the given bytes change.
void Tracer::store(const Instruction&, const Place& place, std::uint64_t address, std::span<const Origin> origins) {
  if (place.kind == Place::Kind::general) {
    std::array<Origin, 8>& whole = shadow_.general(place.number);
    if (origins.size() == 4) whole = {};
    std::ranges::copy(origins, whole.begin() + place.first_byte);
  } else if (place.kind == Place::Kind::vector) {
    std::ranges::copy(origins, shadow_.vector(place.number).begin());
  } else if (place.kind == Place::Kind::memory) {
    shadow_.store(address, origins);
  }
}

bool Tracer::value_of(const Place& place, std::uint64_t address, std::uint64_t& value) const {
  auto& machine = const_cast<Machine&>(machine_);
  if (place.kind == Place::Kind::immediate) {
    value = place.value;
  } else if (place.kind == Place::Kind::general) {
    value = masked(machine.general()[place.number] >> (8 * place.first_byte), place.bytes);
  } else if (place.kind == Place::Kind::vector) {
    value = masked(machine.vector_low(place.number), place.bytes);
  } else {
    std::uint64_t low = 0, high = 0;
    const std::uint64_t first = address / 8 * 8, shift = address % 8 * 8;
    if (!machine.peek(first, low)) return false;
    if (shift + std::uint64_t{8} * place.bytes > 64 && !machine.peek(first + 8, high)) return false;
    value = masked(shift == 0 ? low : low >> shift | high << (64 - shift), place.bytes);
  }
  return true;
}

void Tracer::read_place(const Instruction& in, const Place& place, std::uint64_t address) {
  if (place.kind == Place::Kind::general) {
    const auto& whole = shadow_.general(place.number);
    // A register that perhaps stays as it was keeps its upper half, too.
    const std::size_t bytes = place.writes_perhaps && place.bytes == 4 ? 8 : place.bytes;
    shadow_.read(std::span(whole).subspan(place.first_byte, std::min<std::size_t>(bytes, 8u - place.first_byte)));
  } else if (place.kind == Place::Kind::vector) {
    // Scalar instructions take the upper bytes of a result from a source.
    const std::size_t bytes = std::clamp<std::size_t>(place.bytes, legacy_vector_bytes, vector_bytes);
    shadow_.read(std::span(shadow_.vector(place.number)).first(bytes));
  } else if (place.kind == Place::Kind::memory) {
    std::array<Origin, vector_bytes> origins;
    for (std::size_t done = 0; done < place.bytes; done += origins.size()) {
      const auto part = std::span(origins).first(std::min(origins.size(), place.bytes - done));
      shadow_.load(address + done, part);
      shadow_.read(part);
    }
  }
  (void)in;
}

// The place was written with known bytes.
void Tracer::know_place(const Instruction& in, const Place& place, std::uint64_t address) {
  if (place.kind == Place::Kind::general) {
    auto& whole = shadow_.general(place.number);
    if (place.bytes >= 4) whole = {};
    else std::fill_n(whole.begin() + place.first_byte, place.bytes, known);
  } else if (place.kind == Place::Kind::vector) {
    const std::size_t bytes = in.is_vector_encoding ? vector_bytes : legacy_vector_bytes;
    std::fill_n(shadow_.vector(place.number).begin(), bytes, known);
  } else if (place.kind == Place::Kind::memory) {
    shadow_.store_known(address, place.bytes);
  }
}

// Calls `visit` with the address and size of each element in memory that the mask selects.
template <typename Visit>
void Tracer::for_each_selected(const Instruction& in, std::uint64_t address, Visit&& visit) {
  const std::uint64_t mask = machine_.mask(in.mask);
  const unsigned elements = in.places[0].bytes / in.element_bytes;
  for (unsigned i = 0; i < elements; ++i)
    if ((mask >> i & 1) != 0) visit(address + std::uint64_t{i} * in.element_bytes, in.element_bytes);
}

// operand 0, in memory := the selected elements of operand 1
bool Tracer::masked_store(const Instruction& in, const Values& addresses) {
  for (std::uint8_t p = 1; p < in.place_count; ++p)
    if (in.places[p].reads) read_place(in, in.places[p], addresses[p]);
  for_each_selected(in, addresses[0], [&](std::uint64_t at, std::size_t bytes) { shadow_.prepare(at, bytes); });
  if (!execute(in, addresses)) return false;
  for_each_selected(in, addresses[0], [&](std::uint64_t at, std::size_t bytes) { shadow_.store_known(at, bytes); });
  return true;
}

bool Tracer::opaque(const Instruction& in, const Values& addresses) {
  if (in.mask != 0) return masked_store(in, addresses);
  for (std::uint8_t p = 0; p < in.place_count; ++p) {
    const Place& place = in.places[p];
    const bool keeps_part = place.writes && place.kind == Place::Kind::vector && !in.is_vector_encoding &&
                            place.bytes < legacy_vector_bytes;
    if (place.reads || place.writes_perhaps || keeps_part) read_place(in, place, addresses[p]);
    if (place.writes && place.kind == Place::Kind::memory) shadow_.prepare(addresses[p], place.bytes);
  }
  if (!execute(in, addresses)) return false;
  for (std::uint8_t p = 0; p < in.place_count; ++p)
    if (in.places[p].writes) know_place(in, in.places[p], addresses[p]);
  if (in.writes_flags) shadow_.set_flags({}, in.writes_all_flags);
  return true;
}

bool Tracer::copy(const Instruction& in, const Values& addresses) {
  const Place &to = in.places[0], &from = in.places[1];
  const std::size_t bytes = std::min(to.bytes, from.bytes);
  const std::size_t written = to.kind == Place::Kind::vector ? std::max<std::size_t>(bytes, in.clears_to) : to.bytes;
  std::array<Origin, vector_bytes> origins;
  load(from, addresses[1], std::span(origins).first(bytes));
  if (written > bytes) std::fill_n(origins.begin() + bytes, written - bytes, known);
  if (to.kind == Place::Kind::memory) shadow_.prepare(addresses[0], to.bytes);
  if (!execute(in, addresses)) return false;
  store(in, to, addresses[0], std::span(origins).first(written));
  return true;
}

bool Tracer::add(const Instruction& in, const Values& addresses) {
  const Place &to = in.places[0], &from = in.places[1];
  std::array<Origin, 8> target = {}, source = {};
  const auto target_bytes = std::span(target).first(to.bytes), source_bytes = std::span(source).first(to.bytes);
  load(to, addresses[0], target_bytes);
  load(from, addresses[1], source_bytes);
  std::uint64_t target_value = 0, source_value = 0;
  if (!value_of(to, addresses[0], target_value) || !value_of(from, addresses[1], source_value))
    return break_off("a fault"), false;
  SumOrigin sum;
  std::array<Origin, 8> result = {};
  const bool is_target_known = shadow_.is_known(target_bytes);
  if (in.rule == Rule::add && is_target_known && !shadow_.is_known(source_bytes) &&
      shadow_.is_sum(source_bytes, false, sum)) {
    sum.amount += target_value;
    shadow_.make_sum(sum, result);
  } else if (!is_target_known && shadow_.is_sum(target_bytes, false, sum)) {
    shadow_.read(source_bytes);
    sum.amount += in.rule == Rule::add ? source_value : -source_value;
    shadow_.make_sum(sum, result);
  } else {
    shadow_.read(target_bytes);
    shadow_.read(source_bytes);
  }
  if (to.kind == Place::Kind::memory) shadow_.prepare(addresses[0], to.bytes);
  if (!execute(in, addresses)) return false;
  const auto result_bytes = std::span(result).first(to.bytes);
  store(in, to, addresses[0], result_bytes);
  shadow_.set_flags(result_bytes, in.writes_all_flags);
  return true;
}

bool Tracer::address(const Instruction& in) {
  const Place &to = in.places[0], &from = in.places[1];
  std::uint64_t value = address_of(from);
  if (from.in_thread_block) value -= thread_pointer_;
  const std::size_t bytes = from.is_short ? std::min<std::size_t>(to.bytes, 4) : to.bytes;
  const auto part = [&](std::uint8_t number) {
    return std::span<const Origin>(number == no_register ? all_known.data() : shadow_.general(number).data(), bytes);
  };
  const std::span<const Origin> base = part(from.base), index = part(from.index);
  SumOrigin sum;
  std::array<Origin, 8> result = {};
  const bool is_size_of_sum = bytes == 4 || bytes == 8;
  if (is_size_of_sum && shadow_.is_known(index) && !shadow_.is_known(base) && shadow_.is_sum(base, false, sum)) {
    sum.amount += value - machine_.general()[from.base];
    shadow_.make_sum(sum, result);
  } else if (is_size_of_sum && shadow_.is_known(base) && from.scale == 1 && !shadow_.is_known(index) &&
             shadow_.is_sum(index, false, sum)) {
    sum.amount += value - machine_.general()[from.index];
    shadow_.make_sum(sum, result);
  } else {
    shadow_.read(base);
    shadow_.read(index);
  }
  std::uint64_t& whole = machine_.general()[to.number];
  whole = to.bytes >= 4 ? masked(value, to.bytes) : (whole & ~std::uint64_t{0xffff}) | masked(value, 2);
  store(in, to, 0, std::span(result).first(to.bytes));
  return true;
}

bool Tracer::add_doubles(const Instruction& in, const Values& addresses) {
  const Place &first = in.places[1], &second = in.places[2];
  std::array<Origin, legacy_vector_bytes> a = {};
  std::array<Origin, 8> b = {};
  load(first, addresses[1], a);
  load(second, addresses[2], b);
  std::uint64_t first_value = 0, second_value = 0;
  if (!value_of(first, addresses[1], first_value) || !value_of(second, addresses[2], second_value))
    return break_off("a fault"), false;
  const auto a_low = std::span(a).first(8);
  // The status flags are state, too. With this one set, sums of normal numbers change none of them.
  constexpr std::uint32_t inexact = 1 << 5, all_but_status = 0xffc0, as_usual = 0x1f80;
  const bool is_usual = (machine_.mxcsr() & inexact) != 0 && (machine_.mxcsr() & all_but_status) == as_usual;
  SumOrigin sum;
  std::array<Origin, 8> result = {};
  double amount = 0;
  bool is_sum = false;
  const bool is_first_known = shadow_.is_known(a_low);
  if (is_usual && in.rule == Rule::add_double && is_first_known && !shadow_.is_known(b) &&
      shadow_.is_sum(b, true, sum)) {
    amount = std::bit_cast<double>(first_value);
    is_sum = true;
  } else if (is_usual && !is_first_known && shadow_.is_sum(a_low, true, sum)) {
    shadow_.read(b);
    amount = std::bit_cast<double>(second_value) * (in.rule == Rule::add_double ? 1 : -1);
    is_sum = true;
  }
  if (is_sum && (amount == 0 || std::isnormal(amount))) {
    sum.double_amount += amount;
    sum.magnitude += std::abs(amount);
    ++sum.additions;
    shadow_.make_sum(sum, result);
  } else {
    shadow_.read(a_low);
    shadow_.read(b);
  }
  if (!execute(in, addresses)) return false;
  auto& whole = shadow_.vector(in.places[0].number);
  std::ranges::copy(result, whole.begin());
  if (in.is_vector_encoding) {
    std::copy(a.begin() + 8, a.end(), whole.begin() + 8);
    std::fill(whole.begin() + legacy_vector_bytes, whole.end(), known);
  }
  return true;
}

bool Tracer::clear(const Instruction& in, const Values& addresses) {
  if (!execute(in, addresses)) return false;
  if (in.rule == Rule::clear) {
    know_place(in, in.places[0], 0);
    if (in.writes_flags) shadow_.set_flags({}, true);
    return true;
  }
  for (std::uint8_t number = 0; number < 16; ++number) {
    auto& whole = shadow_.vector(number);
    std::fill(whole.begin() + (in.rule == Rule::clear_upper ? legacy_vector_bytes : 0), whole.end(), known);
  }
  return true;
}

// Of a string operation, the size of an element is that of its first operand in memory.
bool Tracer::string(const Instruction& in) {
  std::size_t bytes = 0;
  for (std::uint8_t p = 0; p < in.place_count; ++p)
    if (in.places[p].kind == Place::Kind::memory) bytes = in.places[p].bytes;
  auto& general = machine_.general();
  if ((machine_.flags() & direction) != 0 || bytes == 0 || in.moved != no_register)
    return break_off("a string operation of an unusual kind"), false;
  const auto read_register = [&](std::uint8_t number) { shadow_.read(shadow_.general(number)); };
  const bool has_source = in.rule != Rule::fill_string, has_target = in.rule != Rule::scan_string;
  if (in.repeats) read_register(rcx);
  read_register(rdi);
  read_register(rsi);
  if (in.rule != Rule::copy_string) read_register(rax);
  const std::uint64_t count = in.repeats ? general[rcx] : 1, source = general[rsi], target = general[rdi];
  constexpr std::uint64_t most_bytes = std::uint64_t{1} << 26;
  if (count > most_bytes / bytes) return break_off("a string operation of an unusual size"), false;
  if (has_target) shadow_.prepare(target, count * bytes);
  if (!execute(in, {})) return false;
  const std::uint64_t done = in.repeats ? count - general[rcx] : 1;
  std::array<Origin, 8> origins = {};
  const auto part = std::span(origins).first(bytes);
  for (std::uint64_t i = 0; i < done; ++i) {
    if (in.rule == Rule::copy_string) {
      shadow_.load(source + i * bytes, part);
      shadow_.store(target + i * bytes, part);
    } else if (has_source) {
      for (const std::uint64_t from : {source, target}) {
        shadow_.load(from + i * bytes, part);
        shadow_.read(part);
      }
    }
  }
  if (in.rule == Rule::fill_string) shadow_.store_known(target, done * bytes);
  if (in.rule == Rule::scan_string) shadow_.general(rax) = {};
  for (const std::uint8_t number : {rcx, rsi, rdi}) shadow_.general(number) = {};
  if (in.writes_flags) shadow_.set_flags({}, false);
  return true;
}

bool Tracer::save_or_load_all(const Instruction& in, const Values& addresses) {
  std::uint64_t address = 0;
  for (std::uint8_t p = 0; p < in.place_count; ++p)
    if (in.places[p].kind == Place::Kind::memory) address = addresses[p];
  for (const std::uint8_t number : {rax, rdx}) shadow_.read(shadow_.general(number));
  for (std::uint8_t number = 0; number < vector_count; ++number) shadow_.read(shadow_.vector(number));
  // Which parts it writes depends on the processor, so what was there before counts as read.
  const std::size_t bytes = machine_.vector_area_bytes();
  std::array<Origin, 64> part = {};
  for (std::size_t done = 0; done < bytes; done += part.size()) {
    shadow_.load(address + done, part);
    shadow_.read(part);
  }
  // The linker saves all registers when it binds a function at its first call. That is state of the process.
  note_gap("a save of all registers, as at the first call of a library's function");
  if (in.rule == Rule::save_all) shadow_.prepare(address, bytes);
  if (!execute(in, addresses)) return false;
  if (in.rule == Rule::save_all) shadow_.store_known(address, bytes);
  else
    for (std::uint8_t number = 0; number < vector_count; ++number) shadow_.vector(number) = {};
  return true;
}

}  // namespace rehearse::footprint
