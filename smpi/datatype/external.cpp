// SPDX-License-Identifier: MIT
//
// See external.hpp; also the calls that pack in that representation.
#include "smpi/datatype/external.hpp"

#include <algorithm>
#include <cstring>
#include <string>
#include <string_view>

#include "simcore/support/format.hpp"
#include "smpi/abi/calls.hpp"
#include "smpi/arguments.hpp"
#include "smpi/datatype/pack.hpp"
#include "smpi/datatype/table.hpp"
#include "smpi/datatype/type_calls.hpp"

namespace rehearse::smpi {
namespace {

constexpr std::int64_t wide_float = 16;  // bytes of the widest floating-point format

// The numbers of one basic element: `parts` numbers of `bytes` bytes in memory, `external` bytes in external32.
struct Numbers {
  std::int64_t parts = 1;
  std::int64_t bytes = 0;
  std::int64_t external = 0;
  bool extended = false;  // long double
};

Numbers numbers_of(const BasicType& basic) {
  Numbers numbers{1, basic.size, basic.size, false};
  if (basic.type_class == TypeClass::complex) numbers = {2, basic.size / 2, basic.size / 2, false};
  if (basic.storage == Storage::float80 || basic.storage == Storage::complex80) {
    numbers.extended = true;
    numbers.external = wide_float;
  }
  if (basic.handle == MPI_LONG || basic.handle == MPI_UNSIGNED_LONG) numbers.external = 4;
  return numbers;
}

// f(basic) for every basic element, in the order of packing.
template <class F>
void for_each_basic(const Datatype& type, std::int64_t count, F&& f) {
  for (std::int64_t i = 0; i < count; ++i) {
    if (type.basic() != nullptr && type.parts().empty()) {
      f(*type.basic());
      continue;
    }
    for (const Part& part : type.parts()) for_each_basic(*part.type, part.count * part.block, f);
  }
}

void write_number(const Numbers& numbers, const std::byte* from, std::byte* to) {
  std::byte little[wide_float] = {};
  if (numbers.extended) {
    long double value = 0;
    std::memcpy(&value, from, static_cast<std::size_t>(numbers.bytes));
    const __float128 wide = value;
    std::memcpy(little, &wide, sizeof wide);
  } else {
    std::memcpy(little, from, static_cast<std::size_t>(numbers.bytes));
  }
  std::reverse_copy(little, little + numbers.external, to);
}

void read_number(const Numbers& numbers, bool is_signed, const std::byte* from, std::byte* to) {
  std::byte little[wide_float] = {};
  std::reverse_copy(from, from + numbers.external, little);
  if (numbers.extended) {
    __float128 wide = 0;
    std::memcpy(&wide, little, sizeof wide);
    const auto value = static_cast<long double>(wide);
    std::memcpy(to, &value, sizeof value);
    return;
  }
  const bool negative = is_signed && (little[numbers.external - 1] & std::byte{0x80}) != std::byte{};
  for (std::int64_t i = numbers.external; i < numbers.bytes; ++i) little[i] = negative ? std::byte{0xff} : std::byte{0};
  std::memcpy(to, little, static_cast<std::size_t>(numbers.bytes));
}

// A buffer that the program describes with a type, and one of bytes with a position in it.
struct ExternalArguments {
  const char* representation;
  void* typed;
  MPI_Count count;
  MPI_Datatype datatype;
  void* bytes;
  MPI_Count size;
  MPI_Count* position;
};

void check_representation(Arguments& check, const char* name) {
  check.pointer(name, "datarep");
  if (check.failed()) return;
  check.require(std::string_view(name) == "external32", MPI_ERR_ARG, [&] {
    return "the data representation is \"" + std::string(name) + "\"; \"external32\" is the only one";
  });
}

const Datatype* checked(Arguments& check, const ExternalArguments& arguments) {
  check_representation(check, arguments.representation);
  check.count(arguments.count).count(arguments.size, "the size of the packed buffer");
  check.pointer(arguments.position, "position");
  const Datatype* type = check.type(arguments.datatype);
  if (check.failed()) return nullptr;
  check.buffer(arguments.typed, arguments.count, type);
  const MPI_Count needed = external_size(*type) * arguments.count;
  const MPI_Count position = *arguments.position;
  check.require(position >= 0 && needed <= arguments.size - position, MPI_ERR_ARG, [&] {
    return fmt::format("{} bytes do not fit behind position {} of a buffer of {}", needed, position, arguments.size);
  });
  if (needed > 0) check.pointer(arguments.bytes, "the packed buffer");
  return check.failed() ? nullptr : type;
}

int pack_external(const ExternalArguments& arguments) {
  Arguments check;
  const Datatype* type = checked(check, arguments);
  if (type == nullptr) return check.error();
  const PackedData packed(*type, arguments.count, arguments.typed);
  const std::vector<std::byte> external = to_external(*type, arguments.count, packed.bytes());
  if (!external.empty())
    std::memcpy(static_cast<std::byte*>(arguments.bytes) + *arguments.position, external.data(), external.size());
  *arguments.position += static_cast<MPI_Count>(external.size());
  return MPI_SUCCESS;
}

int unpack_external(const ExternalArguments& arguments) {
  Arguments check;
  const Datatype* type = checked(check, arguments);
  if (type == nullptr) return check.error();
  const auto bytes = static_cast<std::size_t>(external_size(*type) * arguments.count);
  const std::span external(static_cast<const std::byte*>(arguments.bytes) + *arguments.position, bytes);
  if (bytes > 0) unpack(*type, arguments.count, from_external(*type, arguments.count, external), arguments.typed);
  *arguments.position += static_cast<MPI_Count>(bytes);
  return MPI_SUCCESS;
}

int get_external_size(const char* representation, MPI_Count count, MPI_Datatype datatype, MPI_Count* size) {
  Arguments check;
  check_representation(check, representation);
  check.count(count, "incount").pointer(size, "size");
  const Datatype* type = any_type(check, datatype);
  if (check.failed()) return check.error();
  *size = external_size(*type) * count;
  return MPI_SUCCESS;
}

}  // namespace

std::int64_t external_size(const BasicType& basic) {
  const Numbers numbers = numbers_of(basic);
  return numbers.parts * numbers.external;
}

std::int64_t external_size(const Datatype& type) {
  if (type.basic() != nullptr && type.parts().empty()) return external_size(*type.basic());
  std::int64_t size = 0;
  for (const Part& part : type.parts())
    if (part.count > 0 && part.block > 0) size += part.count * part.block * external_size(*part.type);
  return size;
}

std::vector<std::byte> to_external(const Datatype& type, std::int64_t count, std::span<const std::byte> packed) {
  std::vector<std::byte> external(static_cast<std::size_t>(external_size(type) * count));
  const std::byte* from = packed.data();
  std::byte* to = external.data();
  for_each_basic(type, count, [&](const BasicType& basic) {
    const Numbers numbers = numbers_of(basic);
    for (std::int64_t i = 0; i < numbers.parts; ++i) {
      write_number(numbers, from, to);
      from += numbers.bytes;
      to += numbers.external;
    }
  });
  return external;
}

std::vector<std::byte> from_external(const Datatype& type, std::int64_t count, std::span<const std::byte> external) {
  std::vector<std::byte> packed(static_cast<std::size_t>(type.size() * count));
  const std::byte* from = external.data();
  std::byte* to = packed.data();
  for_each_basic(type, count, [&](const BasicType& basic) {
    const Numbers numbers = numbers_of(basic);
    for (std::int64_t i = 0; i < numbers.parts; ++i) {
      read_number(numbers, basic.handle == MPI_LONG, from, to);
      from += numbers.external;
      to += numbers.bytes;
    }
  });
  return packed;
}

}  // namespace rehearse::smpi

namespace rehearse::smpi::calls {

int Pack_external(const char* datarep, const void* inbuf, int incount, MPI_Datatype datatype, void* outbuf,
                  MPI_Aint outsize, MPI_Aint* position) {
  return pack_external({datarep, writable(inbuf), incount, datatype, outbuf, outsize, position});
}

int Pack_external_c(const char* datarep, const void* inbuf, MPI_Count incount, MPI_Datatype datatype, void* outbuf,
                    MPI_Count outsize, MPI_Count* position) {
  return pack_external({datarep, writable(inbuf), incount, datatype, outbuf, outsize, position});
}

int Unpack_external(const char datarep[], const void* inbuf, MPI_Aint insize, MPI_Aint* position, void* outbuf,
                    int outcount, MPI_Datatype datatype) {
  return unpack_external({datarep, outbuf, outcount, datatype, writable(inbuf), insize, position});
}

int Unpack_external_c(const char datarep[], const void* inbuf, MPI_Count insize, MPI_Count* position, void* outbuf,
                      MPI_Count outcount, MPI_Datatype datatype) {
  return unpack_external({datarep, outbuf, outcount, datatype, writable(inbuf), insize, position});
}

int Pack_external_size(const char* datarep, int incount, MPI_Datatype datatype, MPI_Aint* size) {
  return get_external_size(datarep, incount, datatype, size);
}

int Pack_external_size_c(const char* datarep, MPI_Count incount, MPI_Datatype datatype, MPI_Count* size) {
  return get_external_size(datarep, incount, datatype, size);
}

}  // namespace rehearse::smpi::calls
