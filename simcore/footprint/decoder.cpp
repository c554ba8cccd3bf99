// SPDX-License-Identifier: MIT
//
// From Zydis' operands to places and rules.
#include "simcore/footprint/decoder.hpp"

#include <Zydis/Zydis.h>

#include <algorithm>
#include <span>

namespace rehearse::footprint {

struct Decoder::Library {
  ZydisDecoder decoder;
};

namespace {

constexpr std::size_t first_code_slots = 1 << 14;

struct Decoded {
  ZydisDecodedInstruction instruction;
  ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
  std::span<const ZydisDecodedOperand> all() const { return {operands, instruction.operand_count}; }
};

std::uint8_t general_number(ZydisRegister reg) {
  if (reg == ZYDIS_REGISTER_NONE) return no_register;
  const ZydisRegister whole = ZydisRegisterGetLargestEnclosing(ZYDIS_MACHINE_MODE_LONG_64, reg);
  if (ZydisRegisterGetClass(whole) != ZYDIS_REGCLASS_GPR64) return no_register;
  return static_cast<std::uint8_t>(ZydisRegisterGetId(whole));
}

bool is_vector(ZydisRegisterClass of) {
  return of == ZYDIS_REGCLASS_XMM || of == ZYDIS_REGCLASS_YMM || of == ZYDIS_REGCLASS_ZMM;
}

void read_register(ZydisRegister reg, Place& place) {
  const ZydisRegisterClass of = ZydisRegisterGetClass(reg);
  if (is_vector(of)) {
    place.kind = Place::Kind::vector;
    place.number = static_cast<std::uint8_t>(ZydisRegisterGetId(reg));
  } else if (const std::uint8_t number = general_number(reg); number != no_register) {
    place.kind = Place::Kind::general;
    place.number = number;
    place.bytes = static_cast<std::uint16_t>(ZydisRegisterGetWidth(ZYDIS_MACHINE_MODE_LONG_64, reg) / 8);
    place.first_byte = reg >= ZYDIS_REGISTER_AH && reg <= ZYDIS_REGISTER_BH;
  }
}

// False: an address of a kind that is not supported.
bool read_memory(const Decoded& decoded, const ZydisDecodedOperand& operand, std::uint64_t next, Place& place) {
  const ZydisDecodedOperandMem& memory = operand.mem;
  if (memory.type == ZYDIS_MEMOP_TYPE_VSIB || memory.segment == ZYDIS_REGISTER_GS) return false;
  if (memory.type == ZYDIS_MEMOP_TYPE_MIB) return false;
  place.kind = Place::Kind::memory;
  place.in_thread_block = memory.segment == ZYDIS_REGISTER_FS;
  place.is_short = decoded.instruction.address_width == 32;
  place.value = static_cast<std::uint64_t>(memory.disp.value);
  place.scale = memory.scale;
  place.index = general_number(memory.index);
  if (memory.base == ZYDIS_REGISTER_RIP) place.value += next;
  else place.base = general_number(memory.base);
  if (memory.base == ZYDIS_REGISTER_EIP) return false;
  return true;
}

bool in(ZydisMnemonic mnemonic, std::initializer_list<ZydisMnemonic> list) {
  return std::find(list.begin(), list.end(), mnemonic) != list.end();
}

bool is_string(const ZydisDecodedInstruction& i) { return i.meta.category == ZYDIS_CATEGORY_STRINGOP; }

// The rule of copies, or opaque.
Rule copy_rule(const Decoded& decoded, Instruction& into) {
  const ZydisDecodedInstruction& i = decoded.instruction;
  const Place &to = into.places[0], &from = into.places[1];
  if (into.place_count < 2 || i.operand_count_visible != 2 || is_string(i)) return Rule::opaque;
  const auto is_known = [](const Place& place) { return place.kind != Place::Kind::other; };
  if (!is_known(to) || !is_known(from)) return Rule::opaque;
  if (i.encoding == ZYDIS_INSTRUCTION_ENCODING_EVEX && i.avx.mask.reg != ZYDIS_REGISTER_NONE &&
      i.avx.mask.reg != ZYDIS_REGISTER_K0)
    return Rule::opaque;
  if (i.mnemonic == ZYDIS_MNEMONIC_MOV || i.mnemonic == ZYDIS_MNEMONIC_MOVZX) {
    const bool is_plain = to.kind != Place::Kind::vector && from.kind != Place::Kind::vector;
    return is_plain ? Rule::copy : Rule::opaque;
  }
  const bool to_vector = to.kind == Place::Kind::vector, from_vector = from.kind == Place::Kind::vector;
  const bool is_whole =
      in(i.mnemonic, {ZYDIS_MNEMONIC_MOVAPS, ZYDIS_MNEMONIC_MOVUPS, ZYDIS_MNEMONIC_MOVAPD, ZYDIS_MNEMONIC_MOVUPD,
                      ZYDIS_MNEMONIC_MOVDQA, ZYDIS_MNEMONIC_MOVDQU, ZYDIS_MNEMONIC_LDDQU, ZYDIS_MNEMONIC_MOVNTDQ,
                      ZYDIS_MNEMONIC_MOVNTPS, ZYDIS_MNEMONIC_MOVNTPD});
  const bool is_whole_vex =
      in(i.mnemonic, {ZYDIS_MNEMONIC_VMOVAPS, ZYDIS_MNEMONIC_VMOVUPS, ZYDIS_MNEMONIC_VMOVAPD, ZYDIS_MNEMONIC_VMOVUPD,
                      ZYDIS_MNEMONIC_VMOVDQA, ZYDIS_MNEMONIC_VMOVDQU, ZYDIS_MNEMONIC_VLDDQU, ZYDIS_MNEMONIC_VMOVNTDQ,
                      ZYDIS_MNEMONIC_VMOVDQA32, ZYDIS_MNEMONIC_VMOVDQA64, ZYDIS_MNEMONIC_VMOVDQU8,
                      ZYDIS_MNEMONIC_VMOVDQU16, ZYDIS_MNEMONIC_VMOVDQU32, ZYDIS_MNEMONIC_VMOVDQU64});
  const bool is_low = in(i.mnemonic, {ZYDIS_MNEMONIC_MOVQ, ZYDIS_MNEMONIC_MOVD});
  const bool is_low_vex = in(i.mnemonic, {ZYDIS_MNEMONIC_VMOVQ, ZYDIS_MNEMONIC_VMOVD});
  const bool is_scalar = in(i.mnemonic, {ZYDIS_MNEMONIC_MOVSS, ZYDIS_MNEMONIC_MOVSD});
  const bool is_scalar_vex = in(i.mnemonic, {ZYDIS_MNEMONIC_VMOVSS, ZYDIS_MNEMONIC_VMOVSD});
  if (!is_whole && !is_whole_vex && !is_low && !is_low_vex && !is_scalar && !is_scalar_vex) return Rule::opaque;
  if (!to_vector && !from_vector) return Rule::opaque;
  Place &target = into.places[0], &source = into.places[1];
  if (is_scalar || is_scalar_vex) {
    const std::uint16_t bytes = in(i.mnemonic, {ZYDIS_MNEMONIC_MOVSS, ZYDIS_MNEMONIC_VMOVSS}) ? 4 : 8;
    target.bytes = source.bytes = bytes;
    if (to_vector && !from_vector) into.clears_to = is_scalar ? 16 : vector_bytes;
  } else if (is_low || is_low_vex) {
    const std::uint16_t bytes = std::min(to.bytes, from.bytes) < 8 ? 4 : 8;
    target.bytes = source.bytes = bytes;
    if (to_vector) into.clears_to = is_low ? 16 : vector_bytes;
  } else if (to_vector) {
    if (to.bytes != from.bytes) return Rule::opaque;
    into.clears_to = is_whole ? 16 : vector_bytes;
  }
  return Rule::copy;
}

bool same_register(const Place& a, const Place& b) {
  return a.kind == b.kind && a.number == b.number && a.first_byte == b.first_byte &&
         (a.kind == Place::Kind::general || a.kind == Place::Kind::vector);
}

bool is_clearing(const Decoded& decoded, const Instruction& into) {
  const ZydisDecodedInstruction& i = decoded.instruction;
  const bool two = in(i.mnemonic, {ZYDIS_MNEMONIC_XOR, ZYDIS_MNEMONIC_SUB, ZYDIS_MNEMONIC_PXOR, ZYDIS_MNEMONIC_XORPS,
                                   ZYDIS_MNEMONIC_XORPD});
  const bool three = in(i.mnemonic, {ZYDIS_MNEMONIC_VPXOR, ZYDIS_MNEMONIC_VXORPS, ZYDIS_MNEMONIC_VXORPD});
  if (two) return same_register(into.places[0], into.places[1]) && into.places[0].bytes >= 4;
  return three && same_register(into.places[1], into.places[2]);
}

Rule add_rule(const Decoded& decoded, Instruction& into) {
  const ZydisDecodedInstruction& i = decoded.instruction;
  if ((i.attributes & ZYDIS_ATTRIB_HAS_LOCK) != 0) return Rule::opaque;
  Place& to = into.places[0];
  if (to.kind != Place::Kind::general && to.kind != Place::Kind::memory) return Rule::opaque;
  if (to.bytes != 4 && to.bytes != 8) return Rule::opaque;
  if (i.mnemonic == ZYDIS_MNEMONIC_INC || i.mnemonic == ZYDIS_MNEMONIC_DEC) {
    into.places[1] = {};
    into.places[1].kind = Place::Kind::immediate;
    into.places[1].value = 1;
    into.places[1].bytes = to.bytes;
    into.place_count = 2;
    return i.mnemonic == ZYDIS_MNEMONIC_INC ? Rule::add : Rule::subtract;
  }
  if (into.place_count < 2 || into.places[1].kind == Place::Kind::other) return Rule::opaque;
  into.places[1].bytes = to.bytes;
  return i.mnemonic == ZYDIS_MNEMONIC_ADD ? Rule::add : Rule::subtract;
}

// Scalar doubles: in the form of three operands.
Rule double_rule(const Decoded& decoded, Instruction& into) {
  const ZydisDecodedInstruction& i = decoded.instruction;
  const bool adds = in(i.mnemonic, {ZYDIS_MNEMONIC_ADDSD, ZYDIS_MNEMONIC_VADDSD});
  const bool is_legacy = in(i.mnemonic, {ZYDIS_MNEMONIC_ADDSD, ZYDIS_MNEMONIC_SUBSD});
  if (i.encoding == ZYDIS_INSTRUCTION_ENCODING_EVEX) return Rule::opaque;
  if (is_legacy) {
    into.places[2] = into.places[1];
    into.places[1] = into.places[0];
  }
  into.place_count = 3;
  for (Place* place : {&into.places[0], &into.places[1], &into.places[2]}) place->bytes = 8;
  return adds ? Rule::add_double : Rule::sub_double;
}

Rule string_rule(ZydisMnemonic mnemonic) {
  switch (mnemonic) {
    case ZYDIS_MNEMONIC_MOVSB:
    case ZYDIS_MNEMONIC_MOVSW:
    case ZYDIS_MNEMONIC_MOVSD:
    case ZYDIS_MNEMONIC_MOVSQ: return Rule::copy_string;
    case ZYDIS_MNEMONIC_STOSB:
    case ZYDIS_MNEMONIC_STOSW:
    case ZYDIS_MNEMONIC_STOSD:
    case ZYDIS_MNEMONIC_STOSQ: return Rule::fill_string;
    case ZYDIS_MNEMONIC_CMPSB:
    case ZYDIS_MNEMONIC_CMPSW:
    case ZYDIS_MNEMONIC_CMPSD:
    case ZYDIS_MNEMONIC_CMPSQ:
    case ZYDIS_MNEMONIC_SCASB:
    case ZYDIS_MNEMONIC_SCASW:
    case ZYDIS_MNEMONIC_SCASD:
    case ZYDIS_MNEMONIC_SCASQ:
    case ZYDIS_MNEMONIC_LODSB:
    case ZYDIS_MNEMONIC_LODSW:
    case ZYDIS_MNEMONIC_LODSD:
    case ZYDIS_MNEMONIC_LODSQ: return Rule::scan_string;
    default: return Rule::unsupported;
  }
}

Rule system_rule(ZydisMnemonic mnemonic) {
  switch (mnemonic) {
    case ZYDIS_MNEMONIC_SYSCALL: return Rule::enter_system;
    case ZYDIS_MNEMONIC_RDTSC:
    case ZYDIS_MNEMONIC_RDTSCP:
    case ZYDIS_MNEMONIC_RDRAND:
    case ZYDIS_MNEMONIC_RDSEED:
    case ZYDIS_MNEMONIC_RDPMC:
    case ZYDIS_MNEMONIC_FNSAVE:  // with the address of the last instruction, which is that of the copy
    case ZYDIS_MNEMONIC_FNSTENV:
    case ZYDIS_MNEMONIC_RDPID: return Rule::outside;
    case ZYDIS_MNEMONIC_STMXCSR:
    case ZYDIS_MNEMONIC_VSTMXCSR: return Rule::float_status;
    case ZYDIS_MNEMONIC_FXSAVE:
    case ZYDIS_MNEMONIC_FXSAVE64:
    case ZYDIS_MNEMONIC_XSAVE:
    case ZYDIS_MNEMONIC_XSAVE64:
    case ZYDIS_MNEMONIC_XSAVEC:
    case ZYDIS_MNEMONIC_XSAVEC64:
    case ZYDIS_MNEMONIC_XSAVEOPT:
    case ZYDIS_MNEMONIC_XSAVEOPT64: return Rule::save_all;
    case ZYDIS_MNEMONIC_FXRSTOR:
    case ZYDIS_MNEMONIC_FXRSTOR64:
    case ZYDIS_MNEMONIC_XRSTOR:
    case ZYDIS_MNEMONIC_XRSTOR64: return Rule::load_all;
    case ZYDIS_MNEMONIC_VZEROUPPER: return Rule::clear_upper;
    case ZYDIS_MNEMONIC_VZEROALL: return Rule::clear_all;
    case ZYDIS_MNEMONIC_NOP:
    case ZYDIS_MNEMONIC_ENDBR64:
    case ZYDIS_MNEMONIC_PAUSE:
    case ZYDIS_MNEMONIC_LFENCE:
    case ZYDIS_MNEMONIC_MFENCE:
    case ZYDIS_MNEMONIC_SFENCE:
    case ZYDIS_MNEMONIC_PREFETCHNTA:
    case ZYDIS_MNEMONIC_PREFETCHT0:
    case ZYDIS_MNEMONIC_PREFETCHT1:
    case ZYDIS_MNEMONIC_PREFETCHT2:
    case ZYDIS_MNEMONIC_PREFETCH:
    case ZYDIS_MNEMONIC_PREFETCHW: return Rule::nothing;
    case ZYDIS_MNEMONIC_RDFSBASE:
    case ZYDIS_MNEMONIC_WRFSBASE:
    case ZYDIS_MNEMONIC_RDGSBASE:
    case ZYDIS_MNEMONIC_WRGSBASE:
    case ZYDIS_MNEMONIC_XBEGIN:
    case ZYDIS_MNEMONIC_ENTER:
    case ZYDIS_MNEMONIC_INT:
    case ZYDIS_MNEMONIC_INT1:
    case ZYDIS_MNEMONIC_INT3:
    case ZYDIS_MNEMONIC_IRETQ:
    case ZYDIS_MNEMONIC_SYSENTER:
    case ZYDIS_MNEMONIC_POPFQ:
    case ZYDIS_MNEMONIC_PUSHFQ:
    case ZYDIS_MNEMONIC_STD:
    case ZYDIS_MNEMONIC_MASKMOVDQU:
    case ZYDIS_MNEMONIC_VMASKMOVDQU:
    case ZYDIS_MNEMONIC_MASKMOVQ:
    case ZYDIS_MNEMONIC_XLAT: return Rule::unsupported;
    default: return Rule::opaque;
  }
}

Rule jump_rule(const Decoded& decoded, Instruction& into) {
  const ZydisDecodedInstruction& i = decoded.instruction;
  if (i.meta.branch_type == ZYDIS_BRANCH_TYPE_FAR) return Rule::unsupported;
  into.place_count = std::min<std::uint8_t>(into.place_count, 1);
  switch (i.mnemonic) {
    case ZYDIS_MNEMONIC_CALL: return Rule::call;
    case ZYDIS_MNEMONIC_RET:
      if (into.place_count == 1 && into.places[0].kind != Place::Kind::immediate) into.place_count = 0;
      return Rule::give_back;
    case ZYDIS_MNEMONIC_JMP: return Rule::jump;
    case ZYDIS_MNEMONIC_JRCXZ: return Rule::jump_if_zero;
    case ZYDIS_MNEMONIC_LOOPNE: return into.condition = 0, Rule::loop;
    case ZYDIS_MNEMONIC_LOOPE: return into.condition = 1, Rule::loop;
    case ZYDIS_MNEMONIC_LOOP: return into.condition = 2, Rule::loop;
    case ZYDIS_MNEMONIC_JECXZ:
    case ZYDIS_MNEMONIC_JCXZ:
    case ZYDIS_MNEMONIC_XABORT: return Rule::unsupported;
    default: break;
  }
  if (i.meta.category != ZYDIS_CATEGORY_COND_BR) return Rule::unsupported;
  into.condition = i.opcode & 0xf;
  return Rule::jump_if;
}

Rule rule_of(const Decoded& decoded, Instruction& into) {
  const ZydisDecodedInstruction& i = decoded.instruction;
  const ZydisInstructionCategory category = i.meta.category;
  if (category == ZYDIS_CATEGORY_CALL || category == ZYDIS_CATEGORY_RET || category == ZYDIS_CATEGORY_COND_BR ||
      category == ZYDIS_CATEGORY_UNCOND_BR)
    return jump_rule(decoded, into);
  if (is_string(i)) return string_rule(i.mnemonic);
  if (is_clearing(decoded, into)) return Rule::clear;
  switch (i.mnemonic) {
    case ZYDIS_MNEMONIC_PUSH:
      return into.places[0].kind != Place::Kind::other && i.operand_width == 64 ? Rule::push : Rule::unsupported;
    case ZYDIS_MNEMONIC_POP:
      return into.places[0].kind == Place::Kind::general && i.operand_width == 64 ? Rule::pop : Rule::unsupported;
    case ZYDIS_MNEMONIC_LEAVE: return Rule::leave;
    case ZYDIS_MNEMONIC_LEA: return Rule::address;
    case ZYDIS_MNEMONIC_ADD:
    case ZYDIS_MNEMONIC_SUB:
    case ZYDIS_MNEMONIC_INC:
    case ZYDIS_MNEMONIC_DEC: return add_rule(decoded, into);
    case ZYDIS_MNEMONIC_ADDSD:
    case ZYDIS_MNEMONIC_SUBSD:
    case ZYDIS_MNEMONIC_VADDSD:
    case ZYDIS_MNEMONIC_VSUBSD: return double_rule(decoded, into);
    default: break;
  }
  // With a bit number in a register, the instruction reaches memory outside of its operand.
  const bool is_bit_test =
      in(i.mnemonic, {ZYDIS_MNEMONIC_BT, ZYDIS_MNEMONIC_BTC, ZYDIS_MNEMONIC_BTR, ZYDIS_MNEMONIC_BTS});
  if (is_bit_test && into.places[0].kind == Place::Kind::memory && into.places[1].kind == Place::Kind::general)
    return Rule::unsupported;
  const Rule system = system_rule(i.mnemonic);
  return system == Rule::opaque ? copy_rule(decoded, into) : system;
}

bool is_supported(ZydisISAExt extension) {
  switch (extension) {
    case ZYDIS_ISA_EXT_ADOX_ADCX:
    case ZYDIS_ISA_EXT_AES:
    case ZYDIS_ISA_EXT_AMD3DNOW_PREFETCH:
    case ZYDIS_ISA_EXT_AVX:
    case ZYDIS_ISA_EXT_AVX2:
    case ZYDIS_ISA_EXT_AVX512EVEX:
    case ZYDIS_ISA_EXT_AVX512VEX:
    case ZYDIS_ISA_EXT_AVXAES:
    case ZYDIS_ISA_EXT_BASE:
    case ZYDIS_ISA_EXT_BMI1:
    case ZYDIS_ISA_EXT_BMI2:
    case ZYDIS_ISA_EXT_CET:
    case ZYDIS_ISA_EXT_F16C:
    case ZYDIS_ISA_EXT_FMA:
    case ZYDIS_ISA_EXT_LONGMODE:
    case ZYDIS_ISA_EXT_LZCNT:
    case ZYDIS_ISA_EXT_MMX:
    case ZYDIS_ISA_EXT_MOVBE:
    case ZYDIS_ISA_EXT_PAUSE:
    case ZYDIS_ISA_EXT_PCLMULQDQ:
    case ZYDIS_ISA_EXT_PREFETCHWT1:
    case ZYDIS_ISA_EXT_RDPID:
    case ZYDIS_ISA_EXT_RDRAND:
    case ZYDIS_ISA_EXT_RDSEED:
    case ZYDIS_ISA_EXT_RDTSCP:
    case ZYDIS_ISA_EXT_SHA:
    case ZYDIS_ISA_EXT_SSE:
    case ZYDIS_ISA_EXT_SSE2:
    case ZYDIS_ISA_EXT_SSE3:
    case ZYDIS_ISA_EXT_SSE4:
    case ZYDIS_ISA_EXT_SSSE3:
    case ZYDIS_ISA_EXT_X87:
    case ZYDIS_ISA_EXT_XSAVE:
    case ZYDIS_ISA_EXT_XSAVEC:
    case ZYDIS_ISA_EXT_XSAVEOPT: return true;
    default: return false;
  }
}

bool only_general(ZydisISAExt extension) {
  switch (extension) {
    case ZYDIS_ISA_EXT_BASE:
    case ZYDIS_ISA_EXT_LONGMODE:
    case ZYDIS_ISA_EXT_BMI1:
    case ZYDIS_ISA_EXT_BMI2:
    case ZYDIS_ISA_EXT_LZCNT:
    case ZYDIS_ISA_EXT_ADOX_ADCX:
    case ZYDIS_ISA_EXT_MOVBE:
    case ZYDIS_ISA_EXT_CET:
    case ZYDIS_ISA_EXT_PAUSE: return true;
    default: return false;
  }
}

// A call of the system saves the flags in a register.
Touches touched_by(const Decoded& decoded) {
  const ZydisDecodedInstruction& i = decoded.instruction;
  if (!only_general(i.meta.isa_ext)) return Touches::all;
  const bool has_flags = std::ranges::any_of(decoded.all(), [](const ZydisDecodedOperand& operand) {
    return operand.type == ZYDIS_OPERAND_TYPE_REGISTER &&
           ZydisRegisterGetClass(operand.reg.value) == ZYDIS_REGCLASS_FLAGS;
  });
  return has_flags || i.cpu_flags != nullptr || i.mnemonic == ZYDIS_MNEMONIC_SYSCALL ? Touches::flags
                                                                                     : Touches::general;
}

void read_flags(const ZydisDecodedInstruction& i, Instruction& into) {
  if (i.cpu_flags == nullptr) return;
  constexpr ZydisAccessedFlagsMask status = ZYDIS_CPUFLAG_CF | ZYDIS_CPUFLAG_PF | ZYDIS_CPUFLAG_AF | ZYDIS_CPUFLAG_ZF |
                                            ZYDIS_CPUFLAG_SF | ZYDIS_CPUFLAG_OF;
  const ZydisAccessedFlags& flags = *i.cpu_flags;
  const ZydisAccessedFlagsMask written = flags.modified | flags.set_0 | flags.set_1 | flags.undefined;
  into.reads_flags = (flags.tested & status) != 0;
  into.writes_flags = (written & status) != 0;
  // A shift by zero, and a string operation of no element, leave the flags.
  const ZydisInstructionCategory category = i.meta.category;
  into.writes_all_flags = (written & status) == status && category != ZYDIS_CATEGORY_SHIFT &&
                          category != ZYDIS_CATEGORY_ROTATE && category != ZYDIS_CATEGORY_STRINGOP;
}

// All operands; false: one of them is of an unknown kind or size.
bool read_places(const Decoded& decoded, std::uint64_t next, Instruction& into) {
  for (const ZydisDecodedOperand& operand : decoded.all()) {
    if (into.place_count == Instruction::places_max) return false;
    Place& place = into.places[into.place_count++];
    place = {};
    place.bytes = static_cast<std::uint16_t>((operand.size + 7) / 8);
    place.reads = (operand.actions & ZYDIS_OPERAND_ACTION_MASK_READ) != 0;
    place.writes = (operand.actions & ZYDIS_OPERAND_ACTION_MASK_WRITE) != 0;
    place.writes_perhaps = (operand.actions & ZYDIS_OPERAND_ACTION_CONDWRITE) != 0;
    if (operand.type == ZYDIS_OPERAND_TYPE_REGISTER) {
      read_register(operand.reg.value, place);
    } else if (operand.type == ZYDIS_OPERAND_TYPE_IMMEDIATE) {
      place.kind = Place::Kind::immediate;
      place.value = operand.imm.is_relative ? next + operand.imm.value.u : operand.imm.value.u;
    } else if (operand.type == ZYDIS_OPERAND_TYPE_MEMORY) {
      if (!read_memory(decoded, operand, next, place)) return false;
    } else {
      return false;
    }
  }
  return true;
}

// A store of the elements that a mask selects. The others are not accessed: they may be behind the end of an object,
// as in the memset of the C library.
bool read_masked_store(const Decoded& decoded, Instruction& into) {
  const ZydisDecodedInstruction& i = decoded.instruction;
  if (!in(i.mnemonic, {ZYDIS_MNEMONIC_VMOVDQU8, ZYDIS_MNEMONIC_VMOVDQU16, ZYDIS_MNEMONIC_VMOVDQU32,
                       ZYDIS_MNEMONIC_VMOVDQU64, ZYDIS_MNEMONIC_VMOVDQA32, ZYDIS_MNEMONIC_VMOVDQA64,
                       ZYDIS_MNEMONIC_VMOVUPS, ZYDIS_MNEMONIC_VMOVUPD, ZYDIS_MNEMONIC_VMOVAPS, ZYDIS_MNEMONIC_VMOVAPD}))
    return false;
  Place& target = into.places[0];
  const auto element = static_cast<std::uint8_t>(decoded.operands[0].element_size / 8);
  if (target.kind != Place::Kind::memory || element == 0 || target.bytes % element != 0) return false;
  into.mask = static_cast<std::uint8_t>(ZydisRegisterGetId(i.avx.mask.reg));
  into.element_bytes = element;
  target.reads = target.writes_perhaps = false;
  return true;
}

// Writes that may leave a part of the register as it was, although the operand does not say so.
void read_partial_writes(const Decoded& decoded, Instruction& into) {
  const ZydisDecodedInstruction& i = decoded.instruction;
  const bool has_mask = i.encoding == ZYDIS_INSTRUCTION_ENCODING_EVEX && i.avx.mask.reg != ZYDIS_REGISTER_NONE &&
                        i.avx.mask.reg != ZYDIS_REGISTER_K0;
  if (!has_mask && !in(i.mnemonic, {ZYDIS_MNEMONIC_BSF, ZYDIS_MNEMONIC_BSR, ZYDIS_MNEMONIC_VMASKMOVPS,
                                    ZYDIS_MNEMONIC_VMASKMOVPD, ZYDIS_MNEMONIC_VPMASKMOVD, ZYDIS_MNEMONIC_VPMASKMOVQ}))
    return;
  if (has_mask && read_masked_store(decoded, into)) return;
  for (std::uint8_t p = 0; p < into.place_count; ++p) into.places[p].writes_perhaps |= into.places[p].writes;
}

bool is_executed(Rule rule) {
  switch (rule) {
    case Rule::unsupported:
    case Rule::address:
    case Rule::push:
    case Rule::pop:
    case Rule::leave:
    case Rule::call:
    case Rule::jump:
    case Rule::jump_if:
    case Rule::jump_if_zero:
    case Rule::loop:
    case Rule::give_back:
    case Rule::nothing: return false;
    default: return true;
  }
}

// The same instruction with the address of its memory in a register that it does not use.
bool move_address(const Decoded& decoded, Instruction& into, std::span<std::uint8_t> code, ZyanUSize& length) {
  const ZydisDecodedInstruction& i = decoded.instruction;
  std::array<bool, general_count> used = {};
  used[rsp] = true;
  std::uint8_t which = no_register;
  for (std::uint8_t o = 0; o < i.operand_count; ++o) {
    const ZydisDecodedOperand& operand = decoded.operands[o];
    const auto use = [&](ZydisRegister reg) {
      if (const std::uint8_t number = general_number(reg); number != no_register) used[number] = true;
    };
    if (operand.type == ZYDIS_OPERAND_TYPE_REGISTER) use(operand.reg.value);
    if (operand.type != ZYDIS_OPERAND_TYPE_MEMORY) continue;
    use(operand.mem.base);
    use(operand.mem.index);
    if (o < i.operand_count_visible) which = o;
    else return false;  // a hidden operand cannot be moved
  }
  constexpr std::array candidates = {rbx, rsi, rdi, rdx, rcx, rax, rbp};  // they need no prefix, so ah and others work
  const auto free = std::ranges::find_if(candidates, [&](std::uint8_t number) { return !used[number]; });
  if (which == no_register || free == candidates.end()) return false;
  ZydisEncoderRequest request;
  if (!ZYAN_SUCCESS(
          ZydisEncoderDecodedInstructionToEncoderRequest(&i, decoded.operands, i.operand_count_visible, &request)))
    return false;
  request.prefixes &= ~(ZYDIS_ATTRIB_HAS_SEGMENT_FS | ZYDIS_ATTRIB_HAS_SEGMENT_DS | ZYDIS_ATTRIB_HAS_SEGMENT_CS);
  auto& memory = request.operands[which].mem;
  memory.base = static_cast<ZydisRegister>(ZYDIS_REGISTER_RAX + *free);
  memory.index = ZYDIS_REGISTER_NONE;
  memory.scale = 0;
  memory.displacement = 0;
  length = code.size();
  if (!ZYAN_SUCCESS(ZydisEncoderEncodeInstruction(&request, code.data(), &length))) return false;
  into.moved = *free;
  for (std::uint8_t p = 0; p < into.place_count; ++p)
    if (into.places[p].kind == Place::Kind::memory) into.moved_place = p;
  return true;
}

bool is_same_again(const ZydisDecoder& decoder, const Decoded& decoded, std::span<const std::uint8_t> code) {
  Decoded again;
  if (!ZYAN_SUCCESS(ZydisDecoderDecodeFull(&decoder, code.data(), code.size(), &again.instruction, again.operands)))
    return false;
  if (again.instruction.length != code.size() || again.instruction.mnemonic != decoded.instruction.mnemonic ||
      again.instruction.operand_count != decoded.instruction.operand_count ||
      again.instruction.operand_width != decoded.instruction.operand_width)
    return false;
  for (std::uint8_t o = 0; o < again.instruction.operand_count; ++o) {
    const ZydisDecodedOperand &a = again.operands[o], &b = decoded.operands[o];
    if (a.type != b.type || a.size != b.size || a.actions != b.actions) return false;
    if (a.type == ZYDIS_OPERAND_TYPE_REGISTER && a.reg.value != b.reg.value) return false;
    if (a.type == ZYDIS_OPERAND_TYPE_IMMEDIATE && a.imm.value.u != b.imm.value.u) return false;
  }
  return true;
}

}  // namespace

Decoder::Decoder(Machine& machine) : machine_(machine), library_(new Library) {
  ZydisDecoderInit(&library_->decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
  addresses_.resize(first_code_slots);
  numbers_.resize(first_code_slots);
}

Decoder::~Decoder() { delete library_; }

namespace {

std::size_t slot_of_code(std::uint64_t address, std::size_t capacity) {
  return (address * 0x9e3779b97f4a7c15 >> 20) & (capacity - 1);
}

}  // namespace

// An instruction is mostly followed by the one that followed it before.
const Instruction& Decoder::at(std::uint64_t address, std::uint64_t code_number) {
  const std::uint32_t next = last_ < known_.size() ? known_[last_].next : 0;
  if (next < known_.size() && known_[next].address == address) {
    last_ = next;
  } else {
    const std::uint32_t before = last_;
    last_ = find_or_add(address);
    if (before < known_.size()) known_[before].next = last_;
  }
  Instruction& found = known_[last_];
  if (found.compared_in == code_number) return found;
  const auto* code = reinterpret_cast<const std::uint8_t*>(address);
  if (found.compared_in == 0 || !std::equal(code, code + found.length, found.code.begin())) decode(address, found);
  found.compared_in = code_number;
  return found;
}

std::uint32_t Decoder::find_or_add(std::uint64_t address) {
  std::size_t slot = slot_of_code(address, addresses_.size());
  for (; addresses_[slot] != 0; slot = (slot + 1) & (addresses_.size() - 1))
    if (addresses_[slot] == address) return numbers_[slot];
  const auto number = static_cast<std::uint32_t>(known_.size());
  addresses_[slot] = address;
  numbers_[slot] = number;
  known_.emplace_back().address = address;
  if (known_.size() * 2 > addresses_.size()) grow();
  return number;
}

void Decoder::make_room() {
  if (!machine_.is_nearly_full()) return;
  machine_.forget_all();
  std::ranges::fill(addresses_, 0);
  known_.clear();
}

void Decoder::grow() {
  const PageVector<std::uint64_t> addresses = std::move(addresses_);
  const PageVector<std::uint32_t> numbers = std::move(numbers_);
  addresses_.assign(addresses.size() * 2, 0);
  numbers_.assign(addresses.size() * 2, 0);
  for (std::size_t i = 0; i < addresses.size(); ++i) {
    if (addresses[i] == 0) continue;
    std::size_t slot = slot_of_code(addresses[i], addresses_.size());
    while (addresses_[slot] != 0) slot = (slot + 1) & (addresses_.size() - 1);
    addresses_[slot] = addresses[i];
    numbers_[slot] = numbers[i];
  }
}

namespace {

// The bytes from the address on, as far as they are accessible.
std::size_t read_code(const Machine& machine, std::uint64_t address, std::array<std::uint8_t, 15>& into) {
  std::size_t count = 0;
  for (std::uint64_t word; count < into.size() && machine.peek((address + count) / 8 * 8, word);) {
    const std::size_t first = (address + count) % 8;
    for (std::size_t i = first; i < 8 && count < into.size(); ++i)
      into[count++] = static_cast<std::uint8_t>(word >> (8 * i));
  }
  return count;
}

}  // namespace

void Decoder::decode(std::uint64_t address, Instruction& into) {
  into = {.address = address, .next = into.next};
  Decoded decoded;
  const std::size_t accessible = read_code(machine_, address, into.code);
  const std::uint8_t* code = into.code.data();
  if (!ZYAN_SUCCESS(
          ZydisDecoderDecodeFull(&library_->decoder, code, accessible, &decoded.instruction, decoded.operands)))
    return;
  const ZydisDecodedInstruction& i = decoded.instruction;
  into.length = i.length;
  const bool are_known = read_places(decoded, address + i.length, into);
  into.is_vector_encoding = i.encoding == ZYDIS_INSTRUCTION_ENCODING_VEX ||
                            i.encoding == ZYDIS_INSTRUCTION_ENCODING_EVEX;
  into.repeats = (i.attributes & (ZYDIS_ATTRIB_HAS_REP | ZYDIS_ATTRIB_HAS_REPE | ZYDIS_ATTRIB_HAS_REPNE)) != 0;
  read_flags(i, into);
  into.touches = touched_by(decoded);
  read_partial_writes(decoded, into);
  const Rule rule = is_supported(i.meta.isa_ext) ? rule_of(decoded, into) : Rule::unsupported;
  if (!are_known && rule == Rule::opaque) return;
  if (rule == Rule::opaque)
    for (std::uint8_t p = 0; p < into.place_count; ++p)
      if (into.places[p].kind == Place::Kind::memory && into.places[p].bytes == 0) return;
  if (is_executed(rule)) {
    std::array<std::uint8_t, ZYDIS_MAX_INSTRUCTION_LENGTH> moved;
    ZyanUSize length = 0;
    std::span<const std::uint8_t> bytes(code, i.length);
    const bool has_moving_address = std::ranges::any_of(decoded.all(), [](const ZydisDecodedOperand& operand) {
      return operand.type == ZYDIS_OPERAND_TYPE_MEMORY &&
             (operand.mem.base == ZYDIS_REGISTER_RIP || operand.mem.segment == ZYDIS_REGISTER_FS);
    });
    if (has_moving_address) {
      if (!move_address(decoded, into, moved, length)) return;
      bytes = {moved.data(), length};
      if (!is_same_again(library_->decoder, decoded, bytes)) return;
    }
    into.copy = machine_.add(bytes, into.touches);
    if (into.copy == nullptr) return;
  }
  into.rule = rule;
}

}  // namespace rehearse::footprint
