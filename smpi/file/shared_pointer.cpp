// SPDX-License-Identifier: MIT
//
// See shared_pointer.hpp.
#include "smpi/file/shared_pointer.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "smpi/collective/collective.hpp"
#include "smpi/communicator/create.hpp"
#include "smpi/creation_site.hpp"
#include "smpi/library.hpp"
#include "smpi/rma/access.hpp"
#include "smpi/rma/operation_message.hpp"
#include "smpi/rma/window.hpp"
#include "smpi/rma/window_hints.hpp"

namespace rehearse::smpi {
namespace {

constexpr int owner = 0;
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
  const TargetBlock block{window.part(owner).base, 1};
  std::int64_t old = 0;
  QueuedOperation operation;
  operation.message = make_message(header, std::span(&block, 1), std::as_bytes(std::span(&etypes, 1)));
  operation.take_answer = [&old](std::span<const std::byte> answer) {
    std::memcpy(&old, answer.data(), sizeof old);
    return Trouble{};
  };
  start_access(window, owner, std::move(operation), {});
  finish_operations(window, owner);
  note_complete(window, owner);
  return old;
}

}  // namespace

void open_shared_pointer(File& file, const char* call) {
  if (file.size() == 1) return;
  auto made = std::make_unique<Window>();
  Window& window = *made;
  window.communicator = make_communicator(derive_context(file.communicator->context(), 0, 6),
                                          file.communicator->local_map(), "shared pointer of " + file.name);
  window.is_hidden = true;
  window.hints = default_window_hints();
  const auto members = static_cast<std::size_t>(window.size());
  window.exposure_count.resize(members);
  window.epochs.started.resize(members);
  window.lock.holds.resize(members);
  window.issued.resize(members);
  window.complete.resize(members);
  WindowPart own{nullptr, 0, 1, &window};
  if (window.rank() == owner) {
    window.own_memory = std::calloc(1, counter_bytes);
    own = {static_cast<std::byte*>(window.own_memory), counter_bytes, 1, &window};
  }
  window.parts.resize(members);
  Contribution contribution;
  contribution.data = std::as_bytes(std::span(&own, 1));
  contribution.hints.kind = CollectiveKind::allgather;
  run_collective(file.communicator, {call}, contribution, {[&](Contributions from) {
                   for (std::size_t i = 0; i < members; ++i)
                     std::memcpy(&window.parts[i], from[i].data(), sizeof window.parts[i]);
                   return Trouble{};
                 }});
  window.heard_before = library().heard;
  window.epochs.lock_all = LockEpoch{MPI_LOCK_SHARED, false, creation_site()};
  file.shared.counter = windows().made.insert(std::move(made), creation_site());
  find_window(file.shared.counter)->handle = file.shared.counter;
}

void close_shared_pointer(File& file) {
  if (file.shared.counter == MPI_WIN_NULL) return;
  std::free(find_window(file.shared.counter)->own_memory);
  windows().made.erase(std::exchange(file.shared.counter, MPI_WIN_NULL));
}

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
  const std::int64_t counter = file.rank() == owner ? add_to_counter(file, 0) : 0;
  file.shared.known = number_of_first(file, call, counter);
  return file.shared.base + file.shared.known;
}

void set_shared_pointer(File& file, MPI_Offset agreed, MPI_Offset value) { file.shared.base += value - agreed; }

}  // namespace rehearse::smpi
