// SPDX-License-Identifier: MIT
//
// See amount.hpp.
#include "smpi/datatype/amount.hpp"

#include "simcore/support/format.hpp"
#include "smpi/datatype/table.hpp"
#include "smpi/report.hpp"

namespace rehearse::smpi {

std::string amount_text(MPI_Count count, const Datatype& type) {
  return fmt::format("{} {} ({})", count, describe(type), bytes_text(static_cast<std::uint64_t>(type.size() * count)));
}

std::string amount_text(SignatureNumber signature, std::uint64_t bytes) {
  if (!signature.is_special() && signature.form() == SignatureForm::uniform) {
    const auto element = signature.element_at(0);
    const auto first = reinterpret_cast<std::uintptr_t>(MPI_DATATYPE_NULL);
    const Datatype* type = element ? predefined_datatype(reinterpret_cast<MPI_Datatype>(first + *element)) : nullptr;
    const std::uint64_t count = signature.body() & SignatureNumber::longest_uniform;
    if (type != nullptr && static_cast<std::uint64_t>(type->size()) * count == bytes)
      return amount_text(static_cast<MPI_Count>(count), *type);
  }
  return bytes_text(bytes);
}

std::string amount_text_like(const Datatype& type, std::uint64_t bytes) {
  const auto size = static_cast<std::uint64_t>(type.size());
  if (size == 0 || bytes == 0 || bytes % size != 0) return bytes_text(bytes);
  return fmt::format("{} (as much as {} {})", bytes_text(bytes), bytes / size, describe(type));
}

}  // namespace rehearse::smpi
