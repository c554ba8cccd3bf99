// SPDX-License-Identifier: MIT
//
// The variables of a program and their types, from the debugging information (DWARF) of one ELF file.
//
// Units:     bytes; addresses are the file's own (before a base is added).
// Errors:    unknown information is left out: a type is Kind::opaque, a place Place::unknown.
// Ownership: types and variables live as long as the DebugVariables that returned them.
// Threads:   none.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace rehearse {

// A type of the program. Qualifiers and aliases are resolved, enumerations are integers, and complex numbers are arrays
// of two.
struct DebugType {
  enum class Kind : std::uint8_t {
    opaque,  // unions, bit-fields, incomplete types, and all unsupported types
    scalar,
    array,
    record  // structures and classes
  };
  enum class Scalar : std::uint8_t { signed_integer, unsigned_integer, boolean, enumeration, floating, pointer };
  struct Member {
    std::string name;
    std::uint64_t offset = 0;
    const DebugType* type = nullptr;
  };

  Kind kind = Kind::opaque;
  Scalar scalar = Scalar::signed_integer;
  std::string name{};                  // as in the source: "double", "struct particle", "int[4]"
  std::uint64_t bytes = 0;             // 0: unknown, for instance an array without a bound
  const DebugType* element = nullptr;  // of an array; never itself an array, unless of unknown length
  std::uint64_t count = 0;             // of an array; 0: none, or unknown
  std::vector<Member> members{};       // of a record, ascending
  std::uint64_t target = 0;            // of a pointer: for DebugVariables::target()
};

// A scalar in a type, and its offset.
struct DebugLeaf {
  const DebugType* type = nullptr;
  std::uint64_t begin = 0;
};

// The scalar that contains byte `offset` of the type. Absent: the byte is padding, opaque, or after the end.
std::optional<DebugLeaf> find_leaf(const DebugType& type, std::uint64_t offset);
// The members that lead to it: "position.x"; empty: none.
std::string member_path(const DebugType& type, std::uint64_t offset);

// The place of a variable, or its value.
struct DebugPlace {
  enum class Base : std::uint8_t {
    unknown,
    file,         // `offset` is an address of the file
    frame,        // `offset` is relative to the canonical frame address
    in_register,  // `offset` is relative to the value of the register
    value         // the register is the value
  } base = Base::unknown;
  std::uint8_t number = 0;   // DWARF number of the register: 3 rbx, 6 rbp, 7 rsp, 12 to 15
  bool is_indirect = false;  // the place has the variable's address, not the variable
  bool is_fixed = false;     // while the variable is in scope, so that no other object has this memory
  std::int64_t offset = 0;
};

struct DebugVariable {
  std::string name;
  const DebugType* type = nullptr;  // never null
  DebugPlace place;
};

// The variables at a code address.
struct DebugScope {
  // Parameters and variables in scope: of the function, of functions inlined there, and of the blocks around the
  // address.
  std::vector<DebugVariable> variables;
  // The places of all variables of the function, at any address in it.
  std::vector<DebugPlace> places;
  // True: variables in scope, objects without a name, and copies of arguments of inlined functions may share memory if
  // they are not in use at one time.
  // Objects that share memory begin at the same address.
  bool is_optimized = true;
};

class DebugVariables {
 public:
  explicit DebugVariables(std::string path);
  ~DebugVariables();
  DebugVariables(const DebugVariables&) = delete;
  DebugVariables& operator=(const DebugVariables&) = delete;

  const DebugScope& in_scope(std::uint64_t address);

  // Variables with a fixed address, ascending; also static variables of functions. Reads the whole file at first use.
  std::span<const DebugVariable> globals();
  // Those that contain the address.
  std::vector<const DebugVariable*> globals_at(std::uint64_t address);

  // The target type of a pointer or reference.
  const DebugType& target(const DebugType& pointer);

 private:
  class Reader;
  std::unique_ptr<Reader> reader_;
};

}  // namespace rehearse
