// SPDX-License-Identifier: MIT
//
// The table of files, and small steps that all calls share.
#include "smpi/file/file.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "simcore/actor.hpp"
#include "simcore/support/format.hpp"
#include "simcore/support/hash.hpp"
#include "smpi/arguments.hpp"
#include "smpi/collective/collective.hpp"
#include "smpi/creation_site.hpp"
#include "smpi/per_rank.hpp"
#include "smpi/report.hpp"

namespace rehearse::smpi {

Files& files() { return per_rank<Files>(); }

File* find_file(MPI_File handle) {
  Files* all = find_per_rank<Files>();
  std::unique_ptr<File>* found = all == nullptr ? nullptr : all->made.find(handle);
  return found == nullptr ? nullptr : found->get();
}

std::set<std::uint32_t> File::members() const {
  std::set<std::uint32_t> ranks;
  for (const ActorId member : communicator->members()) ranks.insert(member.value);
  return ranks;
}

std::string pending_access(File& file) {
  std::erase_if(file.started, [](const StartedAccess& access) {
    const Request* request = find_request(access.request);
    return request == nullptr || request->id != access.id;
  });
  const auto pending = std::ranges::find_if(file.started, [](const StartedAccess& access) {
    return find_request(access.request)->state == Request::State::pending;
  });
  return pending == file.started.end() ? std::string() : text_of(pending->site);
}

void check_nothing_pending(Arguments& check, File* file, std::string_view action) {
  if (check.failed()) return;
  if (file->split) {
    check.require(false, MPI_ERR_IO,
                  fmt::format("the split collective of {} is not ended {}", text_of(file->split->site), action),
                  "file.split");
    return;
  }
  const std::string pending = pending_access(*file);
  if (!pending.empty())
    check.require(false, MPI_ERR_IO, fmt::format("the access of {} is not complete {}", pending, action),
                  "file.pending");
}

void check_settled(Arguments& check, File* file) {
  if (check.failed() || !file->view.form().is_registered()) return;  // others were checked by MPI_File_set_view
  const std::string error = file->view.settle();
  check.require(error.empty(), MPI_ERR_CONVERSION, error);
  if (check.failed()) return;
  const std::string fault = file->view.fault(file->is_writable());
  check.require(fault.empty(), MPI_ERR_IO, fault, "file.view");
}

void check_no_split(Arguments& check, const File* file) {
  if (check.failed() || !file->split) return;
  check.require(false, MPI_ERR_IO,
                fmt::format("another collective call on the file, while the split collective of {} is not ended",
                            text_of(file->split->site)),
                "file.split");
}

void settle_date() { ask(Compute{}); }

std::int64_t number_of(std::initializer_list<std::int64_t> values) {
  std::uint64_t hash = 1;
  for (const std::int64_t value : values) hash = hash_with(hash, static_cast<std::uint64_t>(value));
  return static_cast<std::int64_t>(hash);
}

Disagreement disagreement_on(const File& file, const char* call, const Agreement& mine,
                             std::span<const Remark> remarks) {
  std::int64_t first = 0;
  if (mine.what == nullptr || file.rank() == 0 || remarks.empty() || remarks[0].text.size() < sizeof first) return {};
  std::memcpy(&first, remarks[0].text.data(), sizeof first);
  if (first == mine.value) return {};
  return {"collective.argument", fmt::format("ranks 0 and {} call {} with another {}", file.rank(), call, mine.what),
          file.communicator->actor_of(0), site_of(remarks[0].origin)};
}

int meet(const File& file, const char* call, const Agreement& agreement, Flow flow) {
  Disagreement found;
  Contribution contribution;
  contribution.flow = flow;
  contribution.hints.kind = CollectiveKind::barrier;
  if (agreement.what != nullptr) contribution.remark = std::as_bytes(std::span(&agreement.value, 1));
  const int error = run_collective(file.communicator, {call}, contribution, {[&](Contributions from) {
                                     found = disagreement_on(file, call, agreement, from.remarks());
                                     return Trouble{};
                                   }});
  report_disagreement(found);
  return error;
}

std::int64_t number_of_first(const File& file, const char* name, std::int64_t mine) {
  if (file.size() == 1) return mine;
  std::int64_t number = mine;
  Contribution contribution;
  contribution.flow = Flow::root_to_all;
  contribution.hints.kind = CollectiveKind::broadcast;
  if (file.rank() == 0) contribution.data = std::as_bytes(std::span(&mine, 1));
  run_collective(file.communicator, {name}, contribution, {[&](Contributions from) {
                   if (from.size() > 0 && from[0].size() == sizeof number)
                     std::memcpy(&number, from[0].data(), sizeof number);
                   return Trouble{};
                 }});
  return number;
}

std::vector<std::int64_t> numbers_of_all(const File& file, const char* name, std::int64_t mine) {
  std::vector<std::int64_t> numbers(static_cast<std::size_t>(file.size()));
  Contribution contribution;
  contribution.data = std::as_bytes(std::span(&mine, 1));
  contribution.hints.kind = CollectiveKind::allgather;
  run_collective(file.communicator, {name}, contribution, {[&](Contributions from) {
                   for (std::size_t i = 0; i < numbers.size(); ++i)
                     std::memcpy(&numbers[i], from[i].data(), sizeof numbers[i]);
                   return Trouble{};
                 }});
  return numbers;
}

}  // namespace rehearse::smpi
