// SPDX-License-Identifier: MIT
//
// See skeleton_program.hpp.
#include <algorithm>
#include <cmath>
#include <limits>

#include "manynode/skeleton/code.hpp"
#include "manynode/skeleton_program.hpp"
#include "simcore/support/assert.hpp"
#include "simcore/support/format.hpp"

namespace rehearse::manynode {
namespace {

constexpr ContextId messages_context{0}, collectives_context{1}, neighbours_context{2};
constexpr std::int64_t bytes_max = std::int64_t{1} << 50;
constexpr std::int64_t turns_max = std::numeric_limits<std::uint32_t>::max();
constexpr double seconds_max = 4e6;  // the range of simulated time is 53 days

std::span<const std::byte> without_data(std::uint64_t bytes) { return {static_cast<const std::byte*>(nullptr), bytes}; }

}  // namespace

Result<std::unique_ptr<SkeletonProgram>> SkeletonProgram::make(std::shared_ptr<const Skeleton> skeleton,
                                                               SkeletonRun run) {
  auto code = SkeletonCode::make(*skeleton, run.ranks);
  if (!code) return code.error();
  return std::unique_ptr<SkeletonProgram>(
      new SkeletonProgram(std::move(skeleton), std::move(run), std::move(code.value())));
}

SkeletonProgram::SkeletonProgram(std::shared_ptr<const Skeleton> skeleton, SkeletonRun run,
                                 std::unique_ptr<SkeletonCode> code)
    : skeleton_(std::move(skeleton)), run_(std::move(run)), code_(std::move(code)), ranks_(run_.ranks) {
  turns_.resize(std::size_t{run_.ranks} * code_->loop_depth());
  draw_states_.resize(std::size_t{run_.ranks} * skeleton_->markers.size());
  if (code_->has_messages()) open_.resize(run_.ranks);
  fixed_.resize(code_->instructions().size());
  find_factors();
  for (std::uint32_t i = 0; i < run_.ranks; ++i) {
    ranks_[i].cluster = code_->cluster_of()[i];
    everyone_.push_back({i});
  }
}

SkeletonProgram::~SkeletonProgram() = default;

void SkeletonProgram::find_factors() {
  for (const Marker& marker : skeleton_->markers) marker_numbers_.push_back(number_of(marker.id));
  for (std::size_t cluster = 0; cluster < skeleton_->clusters.size(); ++cluster)
    for (const Marker& marker : skeleton_->markers) {
      const Draws* draws = marker.of_cluster[cluster].get();
      factors_.push_back(draws == nullptr ? 1 : draws->factor(run_.ranks));
    }
}

std::vector<std::uint32_t> SkeletonProgram::clusters() const {
  return {code_->cluster_of().begin(), code_->cluster_of().end()};
}

std::vector<std::uint64_t> SkeletonProgram::draws_by_cluster() const {
  const std::size_t markers = skeleton_->markers.size();
  std::vector<std::uint64_t> draws(skeleton_->clusters.size() * markers);
  for (std::size_t i = 0; i < draw_states_.size(); ++i)
    draws[ranks_[i / markers].cluster * markers + i % markers] += draw_states_[i].occurrence;
  return draws;
}

Operation& SkeletonProgram::own(Rank& rank) {
  if (unused_.empty()) {
    unused_.push_back(static_cast<std::uint32_t>(own_.size()));
    own_.emplace_back(End{});
  }
  rank.own = unused_.back();
  unused_.pop_back();
  Operation& operation = own_[rank.own];
  rank.operation = &operation;
  return operation;
}

void SkeletonProgram::give_back(Rank& rank) {
  if (rank.own != shared) unused_.push_back(rank.own);
  rank.own = shared;
}

RequestId SkeletonProgram::start(std::uint32_t number, Rank& rank) {
  const RequestId request{rank.requests++};
  open_[number].push_back(request);
  return request;
}

Expression::Variables SkeletonProgram::variables(std::uint32_t number) const {
  Expression::Variables variables;
  variables.rank = number;
  variables.ranks = run_.ranks;
  const std::uint32_t depth = code_->loop_depth();
  for (std::uint32_t i = 0; i < depth; ++i) variables.loops[i] = turns_[std::size_t{number} * depth + i];
  return variables;
}

double SkeletonProgram::value_of(std::uint32_t number, const Expression& expression, std::uint32_t member) const {
  if (expression.is_number()) return expression.value({});
  Expression::Variables named = variables(number);
  named.member = member;
  return expression.value(named);
}

bool SkeletonProgram::fail(Rank& rank, const std::string& what) {
  if (problem_.empty()) problem_ = code_->instructions()[rank.place].place + ": " + what;
  own(rank) = Fail{FailureKind::unsupported, {}, problem_};
  return true;
}

std::optional<std::int64_t> SkeletonProgram::integer(std::uint32_t number, Rank& rank, const Expression& expression,
                                                     const char* what, std::int64_t least, std::int64_t most,
                                                     std::uint32_t member) {
  const double value = value_of(number, expression, member);
  const std::optional<std::int64_t> whole = integer_of(value);
  if (whole && *whole >= least && *whole <= most) return whole;
  fail(rank, fmt::format("{} '{}' is {:.12g} on rank {} of {}; accepted: {} to {}", what, expression.text(), value,
                         number, run_.ranks, least, most));
  return std::nullopt;
}

const Operation& SkeletonProgram::next(ActorId actor) {
  Rank& rank = ranks_[actor.value];
  if (rank.operation == nullptr) advance(actor.value, rank);
  return *rank.operation;
}

void SkeletonProgram::resume(ActorId actor, const Observation& observation) {
  Rank& rank = ranks_[actor.value];
  give_back(rank);
  if (rank.observed_count > 0) end_observation(actor.value, rank, observation);
  advance(actor.value, rank);
}

inline std::optional<std::int64_t> SkeletonProgram::turns_of(std::uint32_t number, Rank& rank,
                                                             const Instruction& loop) {
  if (loop.turns >= 0 && loop.turns <= turns_max) return loop.turns;
  return integer(number, rank, loop.first, "loop", 0, turns_max);
}

// To the next Operation.
void SkeletonProgram::advance(std::uint32_t number, Rank& rank) {
  const std::vector<Instruction>& all = code_->instructions();
  while (true) {
    rank.place = rank.at;
    const Instruction& instruction = all[rank.at];
    switch (instruction.action) {
      case Action::compute:
        if (compute(number, rank)) return;
        break;
      case Action::message:
        if (message(number, rank)) return;
        break;
      case Action::exchange:
        if (exchange(number, rank)) return;
        break;
      case Action::wait:
        if (wait(number, rank)) return;
        break;
      case Action::collective:
        if (collective(number, rank)) return;
        break;
      case Action::neighbours:
        if (neighbours(number, rank)) return;
        break;
      case Action::loop: {
        const auto count = turns_of(number, rank, instruction);
        if (!count) return;
        turns_[std::size_t{number} * code_->loop_depth() + instruction.depth] = 0;
        rank.at = *count > 0 ? rank.at + 1 : instruction.target;
        break;
      }
      case Action::next_turn: {
        std::uint32_t& turn = turns_[std::size_t{number} * code_->loop_depth() + instruction.depth];
        const auto count = turns_of(number, rank, all[instruction.target]);
        if (!count) return;
        rank.at = ++turn < *count ? instruction.target + 1 : rank.at + 1;
        break;
      }
      case Action::branch: rank.at = value_of(number, instruction.first) != 0 ? rank.at + 1 : instruction.target; break;
      case Action::jump: rank.at = instruction.target; break;
      case Action::end:
        if (wait_for_all(number, rank)) return;  // for what it left open
        own(rank) = End{};
        return;
    }
  }
}

double SkeletonProgram::drawn_seconds(std::uint32_t number, const Rank& rank) {
  const Instruction& step = code_->instructions()[rank.place];
  const Marker& marker = skeleton_->markers[step.marker];
  const Draws& draws = *marker.of_cluster[rank.cluster];
  DrawState& state = draw_states_[std::size_t{number} * skeleton_->markers.size() + step.marker];
  ++draws_;
  if (run_.variability == Variability::mean) {
    ++state.occurrence;
    return draws.mean();
  }
  if (run_.variability == Variability::trace) {
    const std::uint32_t who = step.is_common ? 0 : number;
    return run_.recorded->seconds(marker.id, who, state.occurrence++).value_or(0);
  }
  const DrawAddress at{run_.seed, run_.replica, step.is_common ? DrawAddress::all_ranks : number,
                       marker_numbers_[step.marker], 0};
  const double seconds = draw(draws, run_.variability, state, at);
  if (run_.noise == 1) return seconds;
  const double mean = draws.mean();
  return std::max(0.0, mean + run_.noise * (seconds - mean));
}

bool SkeletonProgram::compute(std::uint32_t number, Rank& rank) {
  const Instruction& step = code_->instructions()[rank.place];
  if (skeleton_->markers[step.marker].of_cluster[rank.cluster] == nullptr)
    return fail(rank,
                fmt::format("compute '{}' on rank {}, whose cluster '{}' has no law for it; accepted: markers with "
                            "a law for each cluster that executes them",
                            skeleton_->markers[step.marker].id, number, skeleton_->clusters[rank.cluster].id));
  const double scale = step.first.is_number() ? step.first.number() : value_of(number, step.first);
  const double factor = factors_[rank.cluster * skeleton_->markers.size() + step.marker];
  double seconds = drawn_seconds(number, rank) * factor * scale;
  if (!run_.ranks_of_node.empty()) {
    const Draws& draws = *skeleton_->markers[step.marker].of_cluster[rank.cluster];
    seconds *= draws.factor_on_node(run_.ranks_of_node[number]);
  }
  if (!(seconds >= 0 && seconds <= seconds_max))
    return fail(rank, fmt::format("compute '{}' takes {} s on rank {} with the scale '{}'; accepted: 0 to {} s",
                                  skeleton_->markers[step.marker].id, seconds, number, step.first.text(), seconds_max));
  ++rank.at;
  const double own_seconds = run_.speeds.empty() ? seconds : seconds / run_.speeds[number];
  const Duration duration = Duration::from_seconds(own_seconds);
  computed_picoseconds_ += duration.picoseconds;
  if (duration <= Duration{}) return false;
  if (run_.as_volumes > 0) own(rank) = Compute{own_seconds * run_.as_volumes};
  else own(rank) = Sleep{duration};
  return true;
}

bool SkeletonProgram::message(std::uint32_t number, Rank& rank) {
  const Instruction& step = code_->instructions()[rank.place];
  ++rank.at;
  return ask_message(number, rank, step, step.is_blocking);
}

// The receive is posted first, then the send starts, then the rank waits for both.
bool SkeletonProgram::exchange(std::uint32_t number, Rank& rank) {
  const std::vector<Instruction>& all = code_->instructions();
  switch (rank.part++) {
    case 0: return ask_message(number, rank, all[rank.at + 1], false);
    case 1: return ask_message(number, rank, all[rank.at], false);
    default: break;
  }
  rank.part = 0;
  rank.at += 2;
  observe(number, rank, open_[number].size() - 2, 2, Quantifier::all);
  return true;
}

bool SkeletonProgram::ask_message(std::uint32_t number, Rank& rank, const Instruction& step, bool is_blocking) {
  std::int64_t peer = 0, bytes = std::numeric_limits<std::int64_t>::max(), tag = 0;
  if (step.has_peer) {
    const auto value = integer(number, rank, step.first, "peer", 0, std::int64_t{run_.ranks} - 1);
    if (!value) return true;
    peer = *value;
  }
  if (step.has_bytes) {
    const auto value = integer(number, rank, step.bytes, "bytes", 0, bytes_max);
    if (!value) return true;
    bytes = *value;
  }
  if (step.has_tag) {
    const auto value = integer(number, rank, step.second, "tag", 0, std::numeric_limits<Tag>::max());
    if (!value) return true;
    tag = *value;
  }
  const RequestId request = is_blocking ? RequestId{rank.requests++} : start(number, rank);
  const ContextId context = step.communicator == world ? messages_context : ContextId{4 + 2 * step.communicator};
  const ActorId other{static_cast<std::uint32_t>(peer)};
  if (step.is_send) {
    Send send;
    send.request = request;
    send.context = context;
    send.destination = other;
    send.tag = static_cast<Tag>(tag);
    send.mode = step.mode;
    send.blocking = is_blocking;
    send.data = without_data(static_cast<std::uint64_t>(bytes));
    own(rank) = send;
  } else {
    Post post;
    post.request = request;
    post.pattern.context = context;
    if (step.has_peer) post.pattern.source = other;
    if (step.has_tag) post.pattern.tag = static_cast<Tag>(tag);
    post.capacity_bytes = static_cast<std::uint64_t>(bytes);
    post.blocking = is_blocking;
    own(rank) = post;
  }
  return true;
}

void SkeletonProgram::observe(std::uint32_t number, Rank& rank, std::size_t first, std::size_t count,
                              Quantifier quantifier) {
  rank.observed = static_cast<std::uint32_t>(first);
  rank.observed_count = static_cast<std::uint32_t>(count);
  rank.observes_any = quantifier == Quantifier::any;
  own(rank) = Observe{std::span(open_[number]).subspan(first, count), quantifier};
}

void SkeletonProgram::end_observation(std::uint32_t number, Rank& rank, const Observation& observation) {
  std::vector<RequestId>& open = open_[number];
  auto first = open.begin() + rank.observed;
  std::uint32_t count = rank.observed_count;
  if (rank.observes_any) {
    first += observation.completions.empty() ? 0 : observation.completions.front().index;
    count = 1;
  }
  open.erase(first, first + count);
  rank.observed_count = 0;
}

// False: nothing is open.
bool SkeletonProgram::wait_for_all(std::uint32_t number, Rank& rank) {
  if (open_.empty() || open_[number].empty()) return false;
  observe(number, rank, 0, open_[number].size(), Quantifier::all);
  return true;
}

bool SkeletonProgram::wait(std::uint32_t number, Rank& rank) {
  const Instruction& step = code_->instructions()[rank.at];
  if (step.waits == WaitStep::What::one) {
    const std::int64_t open = open_.empty() ? 0 : static_cast<std::int64_t>(open_[number].size());
    if (open == 0) return fail(rank, fmt::format("wait on rank {}, which has no open request", number));
    const auto which = integer(number, rank, step.first, "wait", 0, open - 1);
    if (!which) return true;
    ++rank.at;
    observe(number, rank, static_cast<std::size_t>(*which), 1, Quantifier::all);
    return true;
  }
  ++rank.at;
  if (step.waits == WaitStep::What::all) return wait_for_all(number, rank);
  if (open_.empty() || open_[number].empty()) return false;
  observe(number, rank, 0, open_[number].size(), Quantifier::any);
  return true;
}

// The operation of all members with these numbers; its segments are filled in when it is new.
Collective SkeletonProgram::make_collective(std::uint32_t number, const Instruction& step,
                                            const CollectiveSizes& sizes) {
  const CollectiveForm form = form_of(step.kind);
  Collective operation;
  const bool is_world = step.communicator == world;
  const std::uint32_t group = is_world ? 0 : code_->groups()[step.communicator].group_of[number];
  operation.context = is_world ? collectives_context : ContextId{(std::uint64_t{step.communicator} + 1) << 32 | group};
  operation.members = is_world ? std::span<const ActorId>(everyone_)
                               : std::span<const ActorId>(code_->groups()[step.communicator].members[group]);
  operation.name = name_of(step.kind);
  operation.flow = form.flow;
  operation.root = sizes.root;
  operation.contribution = without_data(sizes.contribution);
  operation.blocking = step.is_blocking;
  operation.combining = form.is_combining;
  operation.hints.kind = step.kind;
  operation.hints.elements = sizes.elements;
  return operation;
}

// What the rank brings. Nothing: the rank has failed.
std::optional<SkeletonProgram::CollectiveSizes> SkeletonProgram::sizes_of(std::uint32_t number, Rank& rank,
                                                                          const Instruction& step) {
  const CollectiveForm form = form_of(step.kind);
  const bool is_world = step.communicator == world;
  const RankGroups* groups = is_world ? nullptr : &code_->groups()[step.communicator];
  const auto members = is_world ? run_.ranks
                                : static_cast<std::uint32_t>(groups->members[groups->group_of[number]].size());
  const std::uint32_t self = is_world ? number : groups->number_of[number];
  CollectiveSizes sizes;
  const auto elements = integer(number, rank, step.second, "elements", 0, bytes_max);
  if (!elements) return std::nullopt;
  sizes.elements = static_cast<std::uint64_t>(*elements);
  if (form.flow == Flow::root_to_all || form.flow == Flow::all_to_root) {
    const auto root = integer(number, rank, step.first, "root", 0, std::int64_t{members} - 1);
    if (!root) return std::nullopt;
    sizes.root = static_cast<std::uint32_t>(*root);
  }
  if (form.flow == Flow::root_to_all && self != sizes.root) return sizes;
  const auto bytes_of = [&](std::uint32_t member) {
    return integer(number, rank, step.bytes, "bytes", 0, bytes_max, member);
  };
  if (!form.has_segments) {
    const auto bytes = bytes_of(self);
    if (!bytes) return std::nullopt;
    sizes.contribution = static_cast<std::uint64_t>(*bytes);
    return sizes;
  }
  const bool differ = step.bytes.has_member();
  for (std::uint32_t i = 0; i < (differ ? members : 1); ++i) {
    const auto bytes = bytes_of(i);
    if (!bytes) return std::nullopt;
    sizes.segments.push_back(static_cast<std::uint64_t>(*bytes));
    sizes.contribution += sizes.segments.back() * (differ ? 1 : members);
  }
  if (!differ) sizes.repeat = members;
  return sizes;
}

bool SkeletonProgram::collective(std::uint32_t number, Rank& rank) {
  const Instruction& step = code_->instructions()[rank.place];
  if (fixed_[rank.place] != nullptr) {
    ++rank.at;
    rank.operation = fixed_[rank.place];
    return true;
  }
  std::optional<CollectiveSizes> sizes = sizes_of(number, rank, step);
  if (!sizes) return true;
  ++rank.at;
  Collective operation = make_collective(number, step, *sizes);
  const bool is_one_rank = step.bytes.has_member() || !step.is_blocking;
  const std::uint32_t group = step.communicator == world ? 0 : code_->groups()[step.communicator].group_of[number];
  const auto [found, is_new] =
      shared_.try_emplace({rank.place, sizes->contribution, sizes->root, group, is_one_rank ? number : shared});
  SharedCollective& known = found->second;
  if (is_new || step.bytes.has_member()) {
    known.segments = std::move(sizes->segments);
    if (sizes->repeat > 0) known.segments.resize(sizes->repeat, known.segments.front());
  }
  operation.segment_bytes = known.segments;
  if (!step.is_blocking) operation.request = start(number, rank);
  if (is_new || is_one_rank) known.operation = operation;
  rank.operation = &known.operation;
  const bool is_fixed = !is_one_rank && step.communicator == world && operation.flow != Flow::root_to_all &&
                        step.first.constant() && step.bytes.constant() && step.second.constant();
  if (is_fixed) fixed_[rank.place] = rank.operation;
  return true;
}

// First all receives, then all sends, then the wait.
bool SkeletonProgram::neighbours(std::uint32_t number, Rank& rank) {
  const Instruction& step = code_->instructions()[rank.place];
  const auto directions = static_cast<std::uint32_t>(2 * step.sizes.size());
  while (rank.part < 2 * directions) {
    const bool is_send = rank.part >= directions;
    const std::uint32_t direction = rank.part % directions;
    const std::optional<std::uint32_t> other = neighbour_of(number, step, direction);
    if (!other) {
      ++rank.part;
      continue;
    }
    const auto bytes = integer(number, rank, step.bytes, "bytes", 0, bytes_max);
    if (!bytes) return true;
    ++rank.part;
    const RequestId request = start(number, rank);
    if (is_send) {
      Send send;
      send.request = request;
      send.context = neighbours_context;
      send.destination = {*other};
      send.tag = static_cast<Tag>(direction);
      send.data = without_data(static_cast<std::uint64_t>(*bytes));
      own(rank) = send;
    } else {  // what this neighbour sends goes the other way
      Post post;
      post.request = request;
      post.pattern = {neighbours_context, ActorId{*other}, static_cast<Tag>(direction ^ 1)};
      post.capacity_bytes = std::numeric_limits<std::uint64_t>::max();
      own(rank) = post;
    }
    return true;
  }
  rank.part = 0;
  ++rank.at;
  return wait_for_all(number, rank);
}

void SkeletonProgram::restart(ActorId actor) {
  Rank& rank = ranks_[actor.value];
  give_back(rank);
  const std::uint16_t cluster = rank.cluster;
  rank = {};
  rank.cluster = cluster;
  const std::size_t markers = skeleton_->markers.size();
  std::fill_n(draw_states_.begin() + static_cast<std::ptrdiff_t>(actor.value * markers), markers, DrawState{});
  if (!open_.empty()) open_[actor.value].clear();
}

std::unique_ptr<Snapshot> SkeletonProgram::save(ActorId) { return nullptr; }

void SkeletonProgram::restore(ActorId, const Snapshot&) { REHEARSE_ASSERT(false, "save() returned null"); }

std::uint64_t SkeletonProgram::site(ActorId actor) { return std::uint64_t{ranks_[actor.value].place} + 1; }

CallDescription SkeletonProgram::describe(ActorId actor) {
  const Rank& rank = ranks_[actor.value];
  const Instruction& step = code_->instructions()[rank.place];
  CallDescription description;
  const auto named = [&](const char* name) { description.call = fmt::format("{} at {}", name, step.place); };
  switch (step.action) {
    case Action::compute: named("compute"); break;
    case Action::message: named(step.is_send ? "send" : "recv"); break;
    case Action::wait: named("wait"); break;
    case Action::exchange: named("sendrecv"); break;
    case Action::collective: named(std::string(name_of(step.kind)).c_str()); break;
    case Action::neighbours: named("neighbours"); break;
    default: description.call = step.place; break;
  }
  return description;
}

}  // namespace rehearse::manynode
