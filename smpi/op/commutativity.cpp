// SPDX-License-Identifier: MIT
//
// See commutativity.hpp.
#include "smpi/op/commutativity.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <optional>
#include <vector>

#include "simcore/support/format.hpp"

namespace rehearse::smpi {
namespace {

constexpr std::size_t max_numbers = 4096;  // in one element of a datatype

// The format of a number; none: it is not compared.
enum class Number : std::uint8_t { none, int16, int32, int64, uint16, uint32, uint64, float32, float64, float80 };

struct Field {
  Number number = Number::none;
  std::size_t place = 0;  // in the packed element
  std::size_t bytes = 0;
};

Number number_of(Storage storage) {
  switch (storage) {
    case Storage::int16: return Number::int16;
    case Storage::int32: return Number::int32;
    case Storage::int64: return Number::int64;
    case Storage::uint16: return Number::uint16;
    case Storage::uint32: return Number::uint32;
    case Storage::uint64: return Number::uint64;
    case Storage::float32:
    case Storage::complex32: return Number::float32;
    case Storage::float64:
    case Storage::complex64: return Number::float64;
    case Storage::float80:
    case Storage::complex80: return Number::float80;
    default: return Number::none;
  }
}

bool is_numeric(TypeClass type_class) {
  return type_class == TypeClass::c_integer || type_class == TypeClass::fortran_integer ||
         type_class == TypeClass::floating || type_class == TypeClass::complex ||
         type_class == TypeClass::multi_language;
}

// The numbers of one element of a datatype, in the order of packing.
class Fields {
 public:
  explicit Fields(const Datatype& type) { add(type); }

  const std::vector<Field>& all() const { return all_; }
  bool are_too_many() const { return all_.size() > max_numbers; }

 private:
  void add(const Datatype& type) {
    if (type.parts().empty()) return add_basic(type);
    for (const Part& part : type.parts())
      for (std::int64_t i = 0; i < part.count * part.block && !are_too_many(); ++i) add(*part.type);
  }

  void add_basic(const Datatype& type) {
    if (type.basic() == nullptr || type.size() == 0) return;
    const BasicType& basic = *type.basic();
    const auto bytes = static_cast<std::size_t>(basic.size);
    const Number number = is_numeric(basic.type_class) ? number_of(basic.storage) : Number::none;
    const std::size_t numbers = number != Number::none && basic.type_class == TypeClass::complex ? 2 : 1;
    for (std::size_t i = 0; i < numbers; ++i) all_.push_back({number, place_ + i * bytes / numbers, bytes / numbers});
    place_ += bytes;
  }

  std::vector<Field> all_;
  std::size_t place_ = 0;
};

bool is_floating(Number number) { return number >= Number::float32; }

template <class T>
T read(const std::byte* from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

long double value_of(Number number, const std::byte* at) {
  switch (number) {
    case Number::none: break;
    case Number::int16: return read<std::int16_t>(at);
    case Number::int32: return read<std::int32_t>(at);
    case Number::int64: return static_cast<long double>(read<std::int64_t>(at));
    case Number::uint16: return read<std::uint16_t>(at);
    case Number::uint32: return read<std::uint32_t>(at);
    case Number::uint64: return static_cast<long double>(read<std::uint64_t>(at));
    case Number::float32: return read<float>(at);
    case Number::float64: return read<double>(at);
    case Number::float80: return read<long double>(at);
  }
  return 0;
}

std::string text_of(Number number, const std::byte* at) {
  char text[64];
  std::snprintf(text, sizeof text, is_floating(number) ? "%.9Lg" : "%.20Lg", value_of(number, at));
  return text;
}

// One element of the datatype: as both operands, and as the result in both orders.
struct Element {
  const std::byte *left, *right, *in_order, *swapped;
};

bool equal(const Field& field, const std::byte* a, const std::byte* b) {
  return std::memcmp(a + field.place, b + field.place, field.bytes) == 0;
}

// The size of the numbers, relative to which rounding is measured. The function may multiply them.
long double scale_of(const std::vector<Field>& fields, const Element& element) {
  long double most = 0;
  for (const Field& field : fields) {
    if (!is_floating(field.number)) continue;
    for (const std::byte* form : {element.left, element.right, element.in_order, element.swapped}) {
      const long double value = std::fabs(value_of(field.number, form + field.place));
      if (std::isfinite(value)) most = std::max(most, value);
    }
  }
  return most * std::max(1.0L, most);
}

// Whether the results differ by more than rounding, which is far below the square root of the precision.
bool differs(const Field& field, const Element& element, long double scale) {
  if (field.number == Number::none || equal(field, element.in_order, element.swapped)) return false;
  if (!is_floating(field.number)) return true;
  const long double one = value_of(field.number, element.in_order + field.place);
  const long double other = value_of(field.number, element.swapped + field.place);
  const long double share = field.number == Number::float32 ? 1e-3L : 1e-6L;
  if (!std::isfinite(one) || !std::isfinite(other)) return false;
  return std::fabs(one - other) > share * std::max({scale, std::fabs(one), std::fabs(other)});
}

// Whether both results are copies of the number in one of the operands.
bool is_copied(const Field& field, const Element& e) {
  return (equal(field, e.in_order, e.left) && equal(field, e.swapped, e.right)) ||
         (equal(field, e.in_order, e.right) && equal(field, e.swapped, e.left));
}

// The first number that shows that the order matters. If all numbers that differ are copies from an operand, the
// function may have chosen between operands that it treats as equal, or left some numbers unchanged.
std::optional<std::size_t> distinguishing_number(const std::vector<Field>& fields, const Element& element) {
  const long double scale = scale_of(fields, element);
  std::optional<std::size_t> first;
  bool all_differ = true;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (!differs(fields[i], element, scale)) {
      all_differ = false;
      continue;
    }
    if (!is_copied(fields[i], element)) return i;
    if (!first) first = i;
  }
  return all_differ ? first : std::nullopt;
}

}  // namespace

bool has_numbers(const Datatype& type) {
  const Fields fields(type);
  return !fields.are_too_many() &&
         std::ranges::any_of(fields.all(), [](const Field& field) { return field.number != Number::none; });
}

std::string order_matters(const Datatype& type, std::int64_t count, const BothOrders& both) {
  const Fields fields(type);
  if (fields.are_too_many()) return "";
  for (std::int64_t i = 0; i < count; ++i) {
    const auto before = static_cast<std::size_t>(i * type.size());
    const Element element{both.left.data() + before, both.right.data() + before, both.in_order.data() + before,
                          both.swapped.data() + before};
    const auto found = distinguishing_number(fields.all(), element);
    if (!found) continue;
    const Field& field = fields.all()[*found];
    const std::string part = fields.all().size() == 1 ? "" : fmt::format(" (its number {})", *found);
    return fmt::format("element {}{} is {} one way and {} with the operands exchanged ({} and {})", i, part,
                       text_of(field.number, element.in_order + field.place),
                       text_of(field.number, element.swapped + field.place),
                       text_of(field.number, element.left + field.place),
                       text_of(field.number, element.right + field.place));
  }
  return "";
}

}  // namespace rehearse::smpi
