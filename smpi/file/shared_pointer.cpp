// SPDX-License-Identifier: MIT
//
// See shared_pointer.hpp.
#include "smpi/file/shared_pointer.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "smpi/creation_site.hpp"
#include "smpi/file/hidden_window.hpp"
#include "smpi/rma/access.hpp"
#include "smpi/rma/operation_message.hpp"

namespace rehearse::smpi {
namespace {

constexpr std::uint64_t counter_kind = 6;  // of the context
constexpr std::uint64_t counter_bytes = sizeof(std::int64_t);

// Adds to the counter; its old value.
std::int64_t add_to_counter(File& file, std::int64_t etypes) {
  Window& window = *find_window(file.shared.counter);
  const CreationSite site = creation_site();
  OperationHeader header;
  header.deed = Deed::fetch;
  header.op = OpCode::sum;
  header.element = MPI_INT64_T;
  header.answer_bytes = counter_bytes;
  header.function = site.function;
  header.place = site.return_address;
  const TargetBlock block{window.part(hidden_owner).base, 1};
  std::int64_t old = 0;
  QueuedOperation operation;
  operation.message = make_message(header, std::span(&block, 1), std::as_bytes(std::span(&etypes, 1)));
  operation.take_answer = [&old](std::span<const std::byte> answer) {
    std::memcpy(&old, answer.data(), sizeof old);
    return Trouble{};
  };
  start_access(window, hidden_owner, std::move(operation), {});
  finish_operations(window, hidden_owner);
  note_complete(window, hidden_owner);
  return old;
}

}  // namespace

void open_shared_pointer(File& file, const char* call) {
  if (file.size() == 1) return;
  file.shared.counter = open_hidden_window(file, call, counter_kind, "shared pointer", counter_bytes);
}

void close_shared_pointer(File& file) { close_hidden_window(file.shared.counter); }

MPI_Offset take_from_shared_pointer(File& file, MPI_Offset etypes) {
  if (file.shared.counter == MPI_WIN_NULL) return std::exchange(file.shared.base, file.shared.base + etypes);
  if (etypes != 0) file.shared.is_used = true;
  return file.shared.base + add_to_counter(file, etypes);
}

MPI_Offset agreed_shared_pointer(File& file, const char* call) {
  if (file.shared.counter == MPI_WIN_NULL) return file.shared.base;
  const std::vector<std::int64_t> used = numbers_of_all(file, call, file.shared.is_used ? 1 : 0);
  if (std::ranges::none_of(used, [](std::int64_t one) { return one != 0; }))
    return file.shared.base + file.shared.known;
  file.shared.is_used = false;
  const std::int64_t counter = file.rank() == hidden_owner ? add_to_counter(file, 0) : 0;
  file.shared.known = number_of_first(file, call, counter);
  return file.shared.base + file.shared.known;
}

void set_shared_pointer(File& file, MPI_Offset agreed, MPI_Offset value) { file.shared.base += value - agreed; }

}  // namespace rehearse::smpi
