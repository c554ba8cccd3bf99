// SPDX-License-Identifier: MIT
//
// See element_types.hpp.
#include "smpi/collective/element_types.hpp"

#include <cstring>

#include "simcore/signature_number.hpp"
#include "simcore/support/format.hpp"
#include "smpi/creation_site.hpp"
#include "smpi/datatype/table.hpp"
#include "smpi/report.hpp"

namespace rehearse::smpi {

namespace {

// Counts may differ between members, so this value replaces all of them. Reports do not print it (call_details.cpp).
constexpr auto some_elements = static_cast<std::int64_t>(SignatureNumber::longest_uniform);

}  // namespace

std::uint64_t element_type(const Buffer& buffer) {
  if (buffer.count == 0 || !buffer.type->signature().uniform()) return 0;
  return buffer.type->signature().uniform_value(some_elements);
}

std::uint64_t element_type(const Blocks& blocks) {
  if (const Buffer* all = blocks.as_one()) return element_type(*all);
  std::uint64_t common = 0;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const Buffer block = blocks[i];
    if (block.count == 0) continue;
    const std::uint64_t type = element_type(block);
    if (type == 0 || (common != 0 && common != type)) return 0;
    common = type;
  }
  return common;
}

std::uint64_t element_type_for_all(const Blocks& blocks) {
  for (std::size_t i = 0; i < blocks.size(); ++i)
    if (blocks[i].count == 0) return 0;
  return element_type(blocks);
}

std::uint64_t element_type(const Blocks& sent, const Blocks& received, const Communicator& communicator) {
  for (std::size_t i = 0; i < sent.size(); ++i)
    if (static_cast<int>(i) != communicator.rank() && sent[i].count == 0 && received[i].count == 0) return 0;
  const std::uint64_t of_sent = element_type(sent);
  return of_sent == element_type(received) ? of_sent : 0;
}

std::vector<std::uint64_t> types_of(const Blocks& blocks) {
  if (blocks.bytes() == 0) return {};
  if (const std::uint64_t common = element_type(blocks); common != 0) return {common};
  if (const Buffer* all = blocks.as_one()) return {blocks.size() == 1 ? all->signature() : blocks[0].signature()};
  std::vector<std::uint64_t> each;
  each.reserve(blocks.size());
  for (std::size_t i = 0; i < blocks.size(); ++i) each.push_back(blocks[i].bytes() == 0 ? 0 : blocks[i].signature());
  return each;
}

namespace {

// The type of the block for this member; 0: not known.
std::uint64_t remark_type(const Remark& remark, int member) {
  const std::size_t count = remark.text.size() / sizeof(std::uint64_t);
  const std::size_t place = count == 1 ? 0 : static_cast<std::size_t>(member);
  std::uint64_t type = 0;
  if (place < count) std::memcpy(&type, remark.text.data() + place * sizeof type, sizeof type);
  return type;
}

// " (MPI_INT)" if the number describes the elements completely; otherwise empty.
std::string first_element(SignatureNumber number) {
  const auto element = number.element_at(0);
  if (!element) return "";
  const std::uintptr_t first = reinterpret_cast<std::uintptr_t>(MPI_DATATYPE_NULL);
  const Datatype* type = predefined_datatype(reinterpret_cast<MPI_Datatype>(first + *element));
  if (type == nullptr || type->basic() == nullptr) return "";
  return std::string(number.form() == SignatureForm::uniform ? " (" : " (first ") + type->basic()->name + ")";
}

}  // namespace

TypeMismatch type_mismatch(const TakenBlock& taken, const Remark& remark) {
  const Buffer& buffer = taken.buffer;
  if (buffer.bytes() == 0) return {};  // no data has no type; counts are compared when the data arrives
  const std::uint64_t given = remark_type(remark, taken.communicator.rank()), wanted = buffer.signature();
  if (given == 0 || wanted == 0 || given == wanted || given == element_type(buffer)) return {};
  return {fmt::format("rank {} sends {}{}, which differ in type from the data that rank {} receives from it ({} of {})",
                      taken.giver, bytes_text(buffer.bytes()), first_element({given}), taken.communicator.rank(),
                      buffer.count, describe(*buffer.type)),
          taken.communicator.peer(taken.giver), site_of(remark.origin), "collective.signature"};
}

void check_own_block(const Buffer& given, const Buffer& taken) {
  if (given.bytes() == 0 || given.bytes() != taken.bytes()) return;  // counts are compared when the data arrives
  const std::uint64_t mine = given.signature(), wanted = taken.signature();
  if (mine == 0 || wanted == 0 || mine == wanted) return;
  report("collective.signature", Severity::error,
         fmt::format("the rank sends {} of {} to itself but receives them as {} of {}", given.count,
                     describe(*given.type), taken.count, describe(*taken.type)));
}

}  // namespace rehearse::smpi
