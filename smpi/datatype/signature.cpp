// SPDX-License-Identifier: MIT
//
// Arithmetic of type signatures modulo 2^61 - 1.
#include "smpi/datatype/signature.hpp"

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

// A bijection that spreads every bit of x (the finalizer of splitmix64).
std::uint64_t mixed(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

}  // namespace

Signature Signature::of_basic(std::uint32_t handle) {
  Signature s;
  s.hash_ = reduced(mixed(handle + 1));
  s.weight_ = base;
  s.length_ = 1;
  return s;
}

Signature Signature::wildcard() {
  Signature s = of_basic(0);
  s.any_ = true;
  return s;
}

Signature operator+(const Signature& a, const Signature& b) {
  Signature s;
  s.hash_ = reduced(product(a.hash_, b.weight_) + b.hash_);
  s.weight_ = product(a.weight_, b.weight_);
  s.length_ = a.length_ + b.length_;
  s.any_ = a.any_ || b.any_;
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

std::uint64_t Signature::value() const {
  if (any_) return 0;
  const std::uint64_t v = mixed(hash_ ^ mixed(static_cast<std::uint64_t>(length_) + 0x9e37));
  return v < 2 ? v + 2 : v;  // 0 is `unknown`, 1 is free for callers
}

}  // namespace rehearse::smpi
