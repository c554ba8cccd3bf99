// SPDX-License-Identifier: MIT
//
// See recorded_trace.hpp.
#include "trace/rtrace/recorded_trace.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <unordered_map>
#include <utility>

#include "trace/computation.hpp"
#include "trace/rtrace/call_reader.hpp"

namespace rehearse::trace::rtrace {

namespace {

std::vector<ActorId> all_ranks(std::uint32_t ranks) {
  std::vector<ActorId> all;
  for (std::uint32_t rank = 0; rank < ranks; ++rank) all.push_back({rank});
  return all;
}

// Contexts 2k and 2k+1.
std::uint64_t pair_of(const Context& context) { return context.id.value >> 1; }

// The pair of contexts that is the world. The recorders use pair 0 or 1 for it; a program may use only duplicates.
std::optional<std::uint64_t> find_world(const std::vector<Context>& contexts, const std::vector<ActorId>& all) {
  constexpr std::uint64_t last_reserved = 1;
  std::array<bool, last_reserved + 1> may_be_world{true, true};  // a context of messages has no list of members
  for (const Context& context : contexts)
    if (pair_of(context) <= last_reserved && !context.members.empty() && context.members != all)
      may_be_world[pair_of(context)] = false;
  std::optional<std::uint64_t> reserved, other;
  for (const Context& context : contexts) {
    const std::uint64_t pair = pair_of(context);
    if (pair <= last_reserved && may_be_world[pair]) reserved = std::min(pair, reserved.value_or(pair));
    if (context.members == all && !other) other = pair;
  }
  return reserved ? reserved : other;
}

}  // namespace

RecordedTrace::RecordedTrace(std::unique_ptr<File> file, Wildcards wildcards)
    : file_(std::move(file)), wildcards_(wildcards) {
  const std::vector<Context>& contexts = file_->tables().contexts();
  const std::vector<ActorId> all = all_ranks(file_->ranks());
  std::vector<std::vector<ActorId>> members = {all};
  std::unordered_map<std::uint64_t, std::uint32_t> communicator_of_pair;
  if (const auto world = find_world(contexts, all)) communicator_of_pair[*world] = 0;
  for (const Context& context : contexts) {
    const auto [found, is_new] =
        communicator_of_pair.try_emplace(pair_of(context), static_cast<std::uint32_t>(members.size()));
    if (is_new) members.emplace_back();
    if (found->second != 0 && !context.members.empty()) members[found->second] = context.members;
    communicator_of_context_.push_back(found->second);
  }
  for (std::vector<ActorId>& each : members)
    if (each.empty()) each = all;
  communicators_ = Communicators::of(std::move(members));
}

Result<std::unique_ptr<Trace>> RecordedTrace::open(const std::string& path, Wildcards wildcards) {
  auto file = File::open(path);
  if (!file) return file.error();
  return std::unique_ptr<Trace>(new RecordedTrace(std::move(file.value()), wildcards));
}

std::unique_ptr<ActionReader> RecordedTrace::read(std::uint32_t rank) const {
  return std::make_unique<CallReader>(*this, rank);
}

std::string RecordedTrace::site_name(std::uint32_t site) const {
  const std::vector<Site>& sites = file_->tables().sites();
  if (site == 0 || site >= sites.size()) return {};
  return call_name(sites[site].call, sites[site].function, sites[site].file, sites[site].line);
}

const Contributions* RecordedTrace::contributions() const {
  if (!std::exchange(has_read_contributions_, true)) {
    auto made = Contributions::make(*file_);
    if (made) contributions_ = std::make_unique<Contributions>(std::move(made.value()));
  }
  return contributions_.get();
}

}  // namespace rehearse::trace::rtrace
