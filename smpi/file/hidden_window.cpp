// SPDX-License-Identifier: MIT
//
// See hidden_window.hpp.
#include "smpi/file/hidden_window.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "smpi/collective/collective.hpp"
#include "smpi/communicator/create.hpp"
#include "smpi/creation_site.hpp"
#include "smpi/library.hpp"
#include "smpi/rma/access.hpp"
#include "smpi/rma/operation_message.hpp"
#include "smpi/rma/window_hints.hpp"

namespace rehearse::smpi {
namespace {

std::unique_ptr<Window> make_hidden(const File& file, std::uint64_t kind, const std::string& name) {
  auto made = std::make_unique<Window>();
  made->communicator = make_communicator(derive_context(file.communicator->context(), 0, kind),
                                         file.communicator->local_map(), name + " of " + file.name);
  made->is_hidden = true;
  made->hints = default_window_hints();
  const auto members = static_cast<std::size_t>(made->size());
  made->exposure_count.resize(members);
  made->epochs.started.resize(members);
  made->lock.holds.resize(members);
  made->issued.resize(members);
  made->complete.resize(members);
  made->parts.resize(members);
  return made;
}

OperationHeader hidden_header(Deed deed) {
  const CreationSite site = creation_site();
  OperationHeader header;
  header.deed = deed;
  header.function = site.function;
  header.place = site.return_address;
  return header;
}

// Starts the operation and waits until it is complete at the owner.
void carry_out_hidden(Window& window, QueuedOperation operation) {
  start_access(window, hidden_owner, std::move(operation), {});
  finish_operations(window, hidden_owner);
  note_complete(window, hidden_owner);
}

}  // namespace

MPI_Win open_hidden_window(const File& file, const char* call, std::uint64_t kind, const std::string& name,
                           std::uint64_t bytes) {
  std::unique_ptr<Window> made = make_hidden(file, kind, name);
  Window& window = *made;
  WindowPart own{nullptr, 0, 1, &window};
  if (window.rank() == hidden_owner) {
    window.own_memory = std::calloc(1, bytes);
    own = {static_cast<std::byte*>(window.own_memory), bytes, 1, &window};
  }
  Contribution contribution;
  contribution.data = std::as_bytes(std::span(&own, 1));
  contribution.hints.kind = CollectiveKind::allgather;
  run_collective(file.communicator, {call}, contribution, {[&](Contributions from) {
                   for (std::size_t i = 0; i < window.parts.size(); ++i)
                     std::memcpy(&window.parts[i], from[i].data(), sizeof window.parts[i]);
                   return Trouble{};
                 }});
  window.heard_before = library().heard;
  window.epochs.lock_all = LockEpoch{MPI_LOCK_SHARED, false, creation_site()};
  const MPI_Win handle = windows().made.insert(std::move(made), creation_site());
  find_window(handle)->handle = handle;
  return handle;
}

void close_hidden_window(MPI_Win& window) {
  if (window == MPI_WIN_NULL) return;
  finish_operations(*find_window(window), every_target, true);
  std::free(find_window(window)->own_memory);
  windows().made.erase(std::exchange(window, MPI_WIN_NULL));
}

void get_hidden(Window& window, std::uint64_t place, std::span<std::byte> to) {
  OperationHeader header = hidden_header(Deed::get);
  header.answer_bytes = to.size();
  const TargetBlock block{window.part(hidden_owner).base + place, to.size()};
  QueuedOperation operation;
  operation.message = make_message(header, std::span(&block, 1), {});
  operation.take_answer = [to](std::span<const std::byte> answer) {
    std::memcpy(to.data(), answer.data(), to.size());
    return Trouble{};
  };
  carry_out_hidden(window, std::move(operation));
}

void put_hidden(Window& window, std::uint64_t place, std::span<const std::byte> from) {
  const TargetBlock block{window.part(hidden_owner).base + place, from.size()};
  QueuedOperation operation;
  operation.message = make_message(hidden_header(Deed::put), std::span(&block, 1), from);
  carry_out_hidden(window, std::move(operation));
}

}  // namespace rehearse::smpi
