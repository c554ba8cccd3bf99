// SPDX-License-Identifier: MIT
//
// See instruction.hpp.
#include "smpi/abi/instruction.hpp"

#include <cstring>

namespace rehearse::smpi {
namespace {

using Next = Instruction::Next;

constexpr unsigned rax = 0;

// The general registers among the operands in the ModRM byte of an instruction.
enum class Registers : std::uint8_t { none, reg, rm, both };

class Decoder {
 public:
  explicit Decoder(const std::uint8_t* code) : start_(code), at_(code) {}

  Instruction run() {
    result_.next = Next::falls_through;
    read_prefixes();
    const std::uint8_t opcode = *at_++;
    if (opcode == 0xc4 || opcode == 0xc5) vex(opcode);
    else if (opcode == 0x0f) two_bytes(*at_++);
    else one_byte(opcode);
    result_.bytes = static_cast<std::uint8_t>(at_ - start_);
    if (result_.reads) result_.overwrites = false;
    return result_;
  }

 private:
  void read_prefixes() {
    while (true) {
      switch (*at_) {
        case 0x66: short_operands_ = true; break;
        case 0xf2:
        case 0xf3: repeats_ = *at_; break;
        case 0x2e:
        case 0x36:
        case 0x3e:
        case 0x26:
        case 0x64:
        case 0x65:
        case 0xf0: break;
        default:
          if ((*at_ & 0xf0) == 0x40) rex_ = *at_++;
          return;
      }
      ++at_;
    }
  }

  // ---- Operands

  bool is_wide() const { return (rex_ & 8) != 0; }
  void reads(bool it_does) { result_.reads |= it_does; }
  void writes(bool it_does) { result_.overwrites |= it_does && !short_operands_; }
  void give_up() { result_.next = Next::unknown; }
  void skip(unsigned bytes) { at_ += bytes; }

  // Decodes the ModRM byte and the bytes that belong to it. The instruction reads the registers of addresses.
  void operands() {
    const std::uint8_t byte = *at_++;
    mod_ = byte >> 6;
    extension_ = (byte >> 3) & 7u;
    reg_ = extension_ | ((rex_ & 4u) << 1);
    const unsigned low = byte & 7u;
    rm_ = low | ((rex_ & 1u) << 3);
    is_relative_ = mod_ == 0 && low == 5;
    if (mod_ == 3) return;
    unsigned base = rm_;
    if (low == 4) {
      const std::uint8_t sib = *at_++;
      const unsigned index = ((sib >> 3) & 7u) | ((rex_ & 2u) << 2);
      reads_address_ |= index == rax;
      base = (sib & 7u) | ((rex_ & 1u) << 3);
      if (mod_ == 0 && (sib & 7u) == 5) {
        base = rm_;  // none
        skip(4);
      }
    }
    reads_address_ |= base == rax && !is_relative_;
    if (mod_ == 1) skip(1);
    if (mod_ == 2 || is_relative_) skip(4);
  }
  bool is_register() const { return mod_ == 3; }
  bool reg_is_rax() const { return reg_ == rax; }
  bool rm_is_rax() const { return is_register() && rm_ == rax; }

  // Operands that are read.
  void read_operands(Registers which) {
    operands();
    reads(reads_address_);
    if (which == Registers::reg || which == Registers::both) reads(reg_is_rax());
    if (which == Registers::rm || which == Registers::both) reads(rm_is_rax());
  }
  // reg = f(rm)
  void load() {
    read_operands(Registers::rm);
    writes(reg_is_rax());
  }

  void immediate() { skip(short_operands_ ? 2 : 4); }
  void jump(Next next, unsigned bytes) {
    std::int32_t distance = static_cast<std::int8_t>(*at_);
    if (bytes == 4) std::memcpy(&distance, at_, sizeof distance);
    skip(bytes);
    result_.next = next;
    result_.target = at_ + distance;
  }

  // ---- Opcode maps

  // add, or, adc, sbb, and, sub, xor, cmp
  void arithmetic(std::uint8_t opcode) {
    const unsigned form = opcode & 7u;
    if (form >= 6) return give_up();
    if (form >= 4) {
      reads(true);
      return form == 4 ? skip(1) : immediate();
    }
    operands();
    const unsigned kind = opcode >> 3;
    const bool clears = (kind == 5 || kind == 6) && is_register() && reg_ == rm_ && (form & 1u) != 0;
    if (clears) return writes(reg_is_rax());
    reads(reads_address_ || reg_is_rax() || rm_is_rax());
  }

  void one_byte(std::uint8_t opcode) {
    if (opcode < 0x40) return arithmetic(opcode);
    switch (opcode >> 4) {
      case 0x5: return stack(opcode);
      case 0x7: return jump(Next::branches, 1);
      case 0xb: return constant(opcode);
      default: break;
    }
    switch (opcode) {
      case 0x63: return load();
      case 0x68: return skip(4);
      case 0x6a: return skip(1);
      case 0x69: load(); return immediate();
      case 0x6b: load(); return skip(1);
      case 0x80:
      case 0x83:
      case 0xc0:
      case 0xc1: read_operands(Registers::rm); return skip(1);
      case 0x81: read_operands(Registers::rm); return immediate();
      case 0x84:
      case 0x85:
      case 0x86:
      case 0x87: return read_operands(Registers::both);
      case 0x88: read_operands(Registers::reg); return;
      case 0x89: read_operands(Registers::reg); return writes(rm_is_rax());
      case 0x8a: return read_operands(Registers::rm);
      case 0x8b: return load();
      case 0x8d: read_operands(Registers::none); return writes(reg_is_rax());
      case 0x90: return reads((rex_ & 1) != 0);
      case 0x91:
      case 0x92:
      case 0x93:
      case 0x94:
      case 0x95:
      case 0x96:
      case 0x97:
      case 0x98:
      case 0x99: return reads(true);
      case 0xa8: reads(true); return skip(1);
      case 0xa9: reads(true); return immediate();
      case 0xc2:
      case 0xc3: result_.next = Next::returns; return skip(opcode == 0xc2 ? 2 : 0);
      case 0xc6:
        operands();
        reads(reads_address_);
        return skip(1);
      case 0xc7:
        operands();
        reads(reads_address_);
        writes(rm_is_rax());
        return immediate();
      case 0xc9: return;
      case 0xd0:
      case 0xd1:
      case 0xd2:
      case 0xd3: return read_operands(Registers::rm);
      case 0xe8: return jump(Next::calls, 4);
      case 0xe9: return jump(Next::jumps, 4);
      case 0xeb: return jump(Next::jumps, 1);
      case 0xf6:
      case 0xf7: return unary(opcode);
      case 0xfe:
      case 0xff: return indirect();
      default: return give_up();
    }
  }

  // push, pop
  void stack(std::uint8_t opcode) {
    const bool is_rax = (opcode & 7u) == rax && (rex_ & 1) == 0;
    if ((opcode & 8u) == 0) reads(is_rax);
    else writes(is_rax);
  }

  // mov register, constant
  void constant(std::uint8_t opcode) {
    if ((opcode & 8u) == 0) return skip(1);
    writes((opcode & 7u) == rax && (rex_ & 1) == 0);
    if (is_wide()) skip(8);
    else immediate();
  }

  // test, not, neg; multiplications and divisions
  void unary(std::uint8_t opcode) {
    read_operands(Registers::rm);
    if (extension_ >= 4) reads(true);
    if (extension_ >= 2) return;
    if (opcode == 0xf6) skip(1);
    else immediate();
  }

  // inc, dec, call, jmp, push
  void indirect() {
    read_operands(Registers::rm);
    if (extension_ < 2 || extension_ == 6) return;
    if (extension_ == 2) result_.next = Next::calls_other;
    else if (extension_ == 4 && is_relative_) result_.next = Next::leaves;
    else give_up();
  }

  void two_bytes(std::uint8_t opcode) {
    if (opcode == 0x0b) {
      result_.next = Next::ends;
      return;
    }
    if (opcode >= 0x18 && opcode <= 0x1f) return operands();  // hints, nop, endbr64
    if (opcode >= 0x80 && opcode <= 0x8f) return jump(Next::branches, 4);
    if (opcode >= 0x90 && opcode <= 0x9f) {
      operands();
      return reads(reads_address_);
    }
    if (opcode >= 0x40 && opcode <= 0x4f) return read_operands(Registers::both);
    switch (opcode) {
      case 0xaf:
      case 0xa3:
      case 0xab:
      case 0xb3:
      case 0xbb:
      case 0xbc:
      case 0xbd:
      case 0xa5:
      case 0xad: return read_operands(Registers::both);
      case 0xa4:
      case 0xac: read_operands(Registers::both); return skip(1);
      case 0xba: read_operands(Registers::rm); return skip(1);
      case 0xb6:
      case 0xb7:
      case 0xbe:
      case 0xbf: return load();
      case 0xc0:
      case 0xc1: return read_operands(Registers::both);
      case 0xc3: return read_operands(Registers::reg);
      default: break;
    }
    if ((opcode & 0xf8u) == 0xc8) return reads(opcode == 0xc8 && (rex_ & 1) == 0);  // bswap
    const bool is_vector = (opcode >= 0x10 && opcode <= 0x17) || (opcode >= 0x28 && opcode <= 0x2f) ||
                           (opcode >= 0x50 && opcode <= 0x7f) || (opcode >= 0xc4 && opcode <= 0xc6) || opcode == 0xc2 ||
                           opcode >= 0xd0;
    return is_vector && opcode != 0xff ? vector(opcode) : give_up();
  }

  // SSE and AVX: most have general registers only in addresses.
  void vector(std::uint8_t opcode) {
    if (opcode == 0x77) return;  // emms, vzeroupper
    operands();
    reads(reads_address_);
    switch (opcode) {
      case 0x2a:
      case 0x6e:
      case 0xc4: reads(rm_is_rax()); break;  // to a vector
      case 0x2c:
      case 0x2d:
      case 0x50:
      case 0xc5:
      case 0xd7: overwrites(reg_is_rax()); break;  // from one
      case 0x7e:
        if (repeats_ != 0xf3) overwrites(rm_is_rax());
        break;
      default: break;
    }
    if ((opcode >= 0x70 && opcode <= 0x73) || opcode == 0xc2 || (opcode >= 0xc4 && opcode <= 0xc6)) skip(1);
  }
  // 0x66 chooses the kind of vector here, not the size of the register.
  void overwrites(bool it_does) { result_.overwrites |= it_does; }

  // The prefix of AVX, with the bits of REX inverted.
  void vex(std::uint8_t opcode) {
    const std::uint8_t first = *at_++;
    rex_ = (first & 0x80) == 0 ? 4 : 0;
    unsigned map = 1;
    std::uint8_t last = first;
    if (opcode == 0xc4) {
      rex_ |= static_cast<std::uint8_t>(((first & 0x40) == 0 ? 2 : 0) | ((first & 0x20) == 0 ? 1 : 0));
      map = first & 0x1fu;
      last = *at_++;
    }
    constexpr std::uint8_t meant[] = {0, 0x66, 0xf3, 0xf2};
    repeats_ = meant[last & 3u];
    const std::uint8_t code = *at_++;
    if (map == 1) return vector(code);
    operands();
    reads(reads_address_ || rm_is_rax());
    if (map == 3) skip(1);
    if (map > 3 || (map == 2 && code >= 0xf0) || (map == 3 && code == 0xf0) || reg_is_general(map, code)) give_up();
  }
  // pextr*: to a general register.
  static bool reg_is_general(unsigned map, std::uint8_t code) { return map == 3 && code >= 0x14 && code <= 0x17; }

  const std::uint8_t* start_;
  const std::uint8_t* at_;
  Instruction result_;
  bool short_operands_ = false;
  std::uint8_t repeats_ = 0, rex_ = 0;
  unsigned mod_ = 0, extension_ = 0, reg_ = 0, rm_ = 0;
  bool is_relative_ = false, reads_address_ = false;
};

}  // namespace

Instruction decode(const std::uint8_t* code) { return Decoder(code).run(); }

}  // namespace rehearse::smpi
