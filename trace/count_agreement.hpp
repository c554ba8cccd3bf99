// SPDX-License-Identifier: MIT
//
// The numbers by which members of a collective in a trace of calls agree on a count of bytes (Collective::signature).
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "simcore/signature_number.hpp"

namespace rehearse::trace {

// Equal for equal numbers of bytes, and different from all others.
inline std::uint64_t agreement_on(std::uint64_t bytes) {
  if (bytes == 0) return SignatureNumber::make(SignatureForm::listed, 0, 0).value;
  return SignatureNumber::make(SignatureForm::uniform, 0, std::min(bytes, SignatureNumber::longest_uniform)).value;
}

// Nothing: the number has another source, or is that of too many bytes.
inline std::optional<std::uint64_t> agreed_bytes(std::uint64_t agreement) {
  const std::uint64_t bytes = agreement & SignatureNumber::longest_uniform;
  if (bytes == SignatureNumber::longest_uniform || agreement_on(bytes) != agreement) return std::nullopt;
  return bytes;
}

}  // namespace rehearse::trace
