// SPDX-License-Identifier: MIT
//
// Arithmetic of type signatures modulo 2^61 - 1.
#include "smpi/datatype/signature.hpp"

#include "simcore/signature_number.hpp"
#include "simcore/support/hash.hpp"

namespace rehearse::smpi {
namespace {

constexpr std::uint64_t prime = (std::uint64_t{1} << 61) - 1;
constexpr std::uint64_t base = 0x0d2c4b79f1a86e53;  // any number below the prime, far from 0

std::uint64_t reduced(std::uint64_t x) {
  x = (x & prime) + (x >> 61);
  return x >= prime ? x - prime : x;
}

std::uint64_t product(std::uint64_t a, std::uint64_t b) {
  const unsigned __int128 p = static_cast<unsigned __int128>(a) * b;
  return reduced((static_cast<std::uint64_t>(p) & prime) + static_cast<std::uint64_t>(p >> 61));
}

// 0 is `unknown`, 1 is for callers.
std::uint64_t valid_number(std::uint64_t x) {
  const std::uint64_t body = x >> (64 - SignatureNumber::manner_bit);
  return SignatureNumber::make(SignatureForm::hashed, 0, body < 2 ? body + 2 : body).value;
}

}  // namespace

Signature Signature::of_basic(std::uint32_t handle) {
  Signature s;
  s.hash_ = reduced(spread(handle + 1));
  s.weight_ = base;
  s.length_ = 1;
  s.element_ = handle;
  s.kind_ = Kind::uniform;
  return s;
}

Signature Signature::wildcard() {
  Signature s = of_basic(0);
  s.kind_ = Kind::wildcard;
  return s;
}

Signature operator+(const Signature& a, const Signature& b) {
  using Kind = Signature::Kind;
  if (a.kind_ == Kind::empty) return b;
  if (b.kind_ == Kind::empty) return a;
  Signature s;
  s.hash_ = reduced(product(a.hash_, b.weight_) + b.hash_);
  s.weight_ = product(a.weight_, b.weight_);
  s.length_ = a.length_ + b.length_;
  s.element_ = a.element_;
  if (a.kind_ == Kind::wildcard || b.kind_ == Kind::wildcard) {
    s.kind_ = Kind::wildcard;
  } else {
    s.kind_ = a.uniform() && b.uniform() && a.element_ == b.element_ ? Kind::uniform : Kind::mixed;
  }
  return s;
}

Signature Signature::repeated(std::int64_t times) const {
  Signature result, power = *this;
  for (; times > 0; times >>= 1) {
    if (times & 1) result = result + power;
    if (times > 1) power = power + power;
  }
  return result;
}

std::uint64_t Signature::uniform_value(std::int64_t length) const {
  const auto elements = static_cast<std::uint64_t>(length);
  // Elements are handles of the ABI: they differ in their lowest bits.
  if (elements > SignatureNumber::longest_uniform) return valid_number(spread(spread(element_) + elements));
  return SignatureNumber::make(
             SignatureForm::uniform, 0,
             std::uint64_t{element_ % SignatureNumber::most_elements} << SignatureNumber::element_bit | elements)
      .value;
}

std::uint64_t Signature::repeated_value(std::int64_t times) const {
  if (kind_ == Kind::empty || times <= 0) return SignatureNumber::make(SignatureForm::listed, 0, 0).value;
  if (kind_ == Kind::wildcard) return 0;
  if (kind_ == Kind::uniform) return uniform_value(length_ * times);
  if (times != 1) return repeated(times).value();
  return valid_number(spread(hash_ ^ spread(static_cast<std::uint64_t>(length_) + 0x9e37)));
}

}  // namespace rehearse::smpi
