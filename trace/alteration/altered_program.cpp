// SPDX-License-Identifier: MIT
//
// See altered_program.hpp.
#include "trace/alteration/altered_program.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>
#include <utility>
#include <variant>

#include "simcore/support/format.hpp"

namespace rehearse::trace::alteration {

namespace {

constexpr std::size_t most_names = 12;  // in a message

std::string functions_of(const std::vector<ActionPlace>& places) {
  std::set<std::string_view> names;
  for (const ActionPlace& place : places)
    if (!place.function.empty()) names.insert(place.function);
  if (names.empty()) return "the trace names no functions: record a program that is compiled with -g";
  std::string text = "its functions with calls are ";
  std::size_t listed = 0;
  for (const std::string_view name : names) {
    if (++listed > most_names) return text + fmt::format(" and {} more", names.size() - most_names);
    text += (listed > 1 ? ", " : "") + std::string(name);
  }
  return text;
}

// Nothing: each selection fits something.
std::optional<Error> find_void_selection(const ReplayedProgram& program, const Alterations& alterations) {
  const std::vector<ActionPlace> places = program.places();
  for (const ComputeFactor& item : alterations.compute) {
    if (item.first_rank && item.last_rank >= program.actor_count())
      return Error{fmt::format("rank {} given; accepted: 0 to {}", item.last_rank, program.actor_count() - 1)};
    if (!item.has_place()) continue;
    if (places.empty())
      return Error{
          fmt::format("'{}' given, but the trace has no places; accepted: FACTOR or rank:N=FACTOR", text_of(item))};
    const bool fits = std::ranges::any_of(places, [&](const ActionPlace& place) {
      return item.fits_place(place.file, place.function, place.line);
    });
    if (!fits) return Error{fmt::format("no call of the trace is in '{}'; {}", text_of(item), functions_of(places))};
  }
  return std::nullopt;
}

std::span<const std::byte> of_size(std::uint64_t bytes) {
  return {static_cast<const std::byte*>(nullptr), static_cast<std::size_t>(bytes)};
}

}  // namespace

Result<std::unique_ptr<ReplayedProgram>> AlteredProgram::make(std::unique_ptr<ReplayedProgram> program,
                                                              const Alterations& alterations) {
  if (const auto error = find_void_selection(*program, alterations)) return *error;
  return std::unique_ptr<ReplayedProgram>(new AlteredProgram(std::move(program), alterations));
}

AlteredProgram::AlteredProgram(std::unique_ptr<ReplayedProgram> program, const Alterations& alterations)
    : program_(std::move(program)), alterations_(alterations), ranks_(program_->actor_count()) {
  for (std::uint32_t rank = 0; rank < ranks_.size(); ++rank) {
    if (!alterations_.rank_factors.empty()) ranks_[rank].factor = alterations_.rank_factors[rank];
    for (const ComputeFactor& item : alterations_.compute)
      if (!item.has_place() && item.fits_rank(rank)) ranks_[rank].factor *= item.factor;
  }
  const auto has_place = [](const ComputeFactor& item) { return item.has_place(); };
  has_places_ = std::ranges::any_of(alterations_.compute, has_place) ||
                std::ranges::any_of(alterations_.speeds, has_place);
  for (std::uint32_t rank = 0; rank < ranks_.size() && !has_places_; ++rank)
    ranks_[rank].factor *= factor_of_speed({rank}, {});
}

double AlteredProgram::factor_of_speed(ActorId actor, const ActionPlace& place) const {
  const auto rank_of = [](const ComputeFactor& item) { return item.line != 0 ? 2 : item.has_place() ? 1 : 0; };
  const ComputeFactor* best = nullptr;
  for (const ComputeFactor& item : alterations_.speeds)
    if (item.fits_place(place.file, place.function, place.line) && (best == nullptr || rank_of(item) >= rank_of(*best)))
      best = &item;
  return best == nullptr ? 1 : alterations_.host_speeds[actor.value] / best->factor;
}

const Operation& AlteredProgram::next(ActorId actor) {
  Rank& rank = ranks_[actor.value];
  if (rank.asked == nullptr) {
    rank.asked = &program_->next(actor);
    if (const auto* compute = std::get_if<Compute>(rank.asked)) rank.is_altered = alter(actor, rank, *compute);
    else if (alterations_.bytes_factor == 1) rank.is_altered = false;
    else if (const auto* send = std::get_if<Send>(rank.asked)) rank.is_altered = alter(rank, *send);
    else if (const auto* post = std::get_if<Post>(rank.asked)) rank.is_altered = alter(rank, *post);
    else if (const auto* collective = std::get_if<Collective>(rank.asked)) rank.is_altered = alter(rank, *collective);
    else rank.is_altered = false;
  }
  return rank.is_altered ? rank.altered : *rank.asked;
}

void AlteredProgram::resume(ActorId actor, const Observation& observation) {
  ranks_[actor.value].asked = nullptr;
  program_->resume(actor, observation);
}

void AlteredProgram::restart(ActorId actor) {
  ranks_[actor.value].asked = nullptr;
  ranks_[actor.value].bursts = 0;
  program_->restart(actor);
}

bool AlteredProgram::alter(ActorId actor, Rank& rank, const Compute& compute) {
  double factor = rank.factor;
  if (has_places_) factor *= factor_of_place(actor, rank);
  factor *= alterations_.noise.factor(actor.value, rank.bursts++);
  rank.altered = Compute{compute.flops * factor, compute.origin};
  return true;
}

double AlteredProgram::factor_of_place(ActorId actor, Rank& rank) {
  const ActionPlace place = program_->place(actor);
  const auto [known, is_new] = rank.sites.try_emplace(place.site, 1);
  if (!is_new) return known->second;
  known->second = factor_of_speed(actor, place);
  for (const ComputeFactor& item : alterations_.compute)
    if (item.has_place() && item.fits_place(place.file, place.function, place.line)) known->second *= item.factor;
  return known->second;
}

// Rounded, so that a message fits into the capacity of its receive as before.
std::uint64_t AlteredProgram::altered_bytes(std::uint64_t bytes) const {
  constexpr std::uint64_t unbounded = std::numeric_limits<std::uint64_t>::max();
  const double altered = std::round(static_cast<double>(bytes) * alterations_.bytes_factor);
  return bytes == unbounded || altered >= 0x1p63 ? unbounded : static_cast<std::uint64_t>(altered);
}

bool AlteredProgram::alter(Rank& rank, const Send& send) const {
  Send altered = send;
  altered.data = of_size(altered_bytes(send.data.size()));
  rank.altered = altered;
  return true;
}

bool AlteredProgram::alter(Rank& rank, const Post& post) const {
  Post altered = post;
  altered.capacity_bytes = altered_bytes(post.capacity_bytes);
  rank.altered = altered;
  return true;
}

bool AlteredProgram::alter(Rank& rank, const Collective& collective) const {
  Collective altered = collective;
  std::uint64_t bytes = altered_bytes(collective.contribution.size());
  if (!collective.segment_bytes.empty()) {
    const auto& asked = collective.segment_bytes;
    const std::uint64_t sum = std::accumulate(asked.begin(), asked.end(), std::uint64_t{0});
    rank.segments.clear();
    for (const std::uint64_t segment : asked) rank.segments.push_back(altered_bytes(segment));
    // The parts of a contribution make all of it, also when each of them is rounded.
    if (sum == collective.contribution.size())
      bytes = std::accumulate(rank.segments.begin(), rank.segments.end(), std::uint64_t{0});
    altered.segment_bytes = rank.segments;
  }
  altered.contribution = of_size(bytes);
  altered.hints.total_bytes = altered_bytes(collective.hints.total_bytes);
  rank.altered = altered;
  return true;
}

}  // namespace rehearse::trace::alteration

namespace rehearse::trace {

Result<std::unique_ptr<ReplayedProgram>> alter(std::unique_ptr<ReplayedProgram> program,
                                               const Alterations& alterations) {
  if (alterations.are_none()) return program;
  return alteration::AlteredProgram::make(std::move(program), alterations);
}

}  // namespace rehearse::trace
