// SPDX-License-Identifier: MIT
//
// What happens in a step: one operation after the other, until the actor waits or is over.
#include "mc/footprints/traced_run.hpp"

#include <algorithm>
#include <utility>

#include "mc/graph/collective_instance.hpp"
#include "mc/history/answer.hpp"
#include "mc/history/fingerprint.hpp"
#include "simcore/birth.hpp"
#include "simcore/published.hpp"

namespace rehearse::mc::footprints {

namespace {

constexpr std::uint32_t most_passed = 100'000;

// Calls visit(address, bytes) for what the driver sees of an operation that it supports.
template <class Visit>
void for_each_part(const Operation& operation, Visit&& visit) {
  const auto field = [&](const auto&... fields) { (visit(&fields, sizeof fields), ...); };
  const auto content = [&](const auto& span) {
    field(span);
    if (span.data() != nullptr) visit(span.data(), span.size() * sizeof *span.data());
  };
  if (const auto* send = std::get_if<Send>(&operation)) {
    field(send->context, send->destination, send->tag, send->mode, send->blocking, send->signature, send->origin);
    content(send->data);
  } else if (const auto* post = std::get_if<Post>(&operation)) {
    field(post->pattern.context, post->pattern.source, post->pattern.tag, post->blocking, post->taken);
  } else if (const auto* op = std::get_if<Collective>(&operation)) {
    field(op->context, op->flow, op->root, op->signature, op->blocking, op->origin, op->groups.first);
    content(op->members);
    content(op->name);
    content(op->contribution);
    content(op->segment_bytes);
    content(op->remark);
  } else if (const auto* log = std::get_if<Log>(&operation)) {
    field(log->stream);
  } else if (const auto* compute = std::get_if<Compute>(&operation)) {
    field(compute->flops);
  } else if (const auto* sleep = std::get_if<Sleep>(&operation)) {
    field(sleep->duration);
  } else if (const auto* over = std::get_if<End>(&operation)) {
    field(over->status);
  } else if (const auto* fail = std::get_if<Fail>(&operation)) {
    field(fail->kind);
  }
}

std::string text_of(const Fail& fail) {
  return std::string(fail.id) + (fail.what.empty() ? "" : ": ") + std::string(fail.what);
}

// The name of an operation that is not supported.
const char* name_of(const Operation& operation) {
  if (std::holds_alternative<Observe>(operation)) return "requests that are started and completed in different calls";
  if (std::holds_alternative<Probe>(operation)) return "probes";
  if (std::holds_alternative<Choose>(operation)) return "actors that share memory, and cancelled sends";
  if (std::holds_alternative<RemoteAccess>(operation)) return "accesses to the memory of other actors";
  return "an operation of an unknown kind";
}

}  // namespace

// What the driver sees of the operation, the step depends on.
void TracedMachine::note(const Run& run, const Operation& operation) {
  if (!run.is_traced) return;
  for_each_part(operation,
                [&](const void* begin, std::size_t bytes) { footprints_.note_read({run.actor}, begin, bytes); });
}

Value TracedMachine::own_value(Run& run, Word word) {
  Value value = 0;
  if (run.known != nullptr) {
    const auto found = run.known->values.find(word);
    value = found != run.known->values.end() ? found->second : initial(run.actor, word);
    if (!run.effect.writes.contains(word)) run.effect.reads[word] = value;
  }
  if (const auto written = run.effect.writes.find(word); written != run.effect.writes.end()) value = written->second;
  const auto added = run.effect.sums.find(word);
  return added == run.effect.sums.end() ? value : value + static_cast<Value>(added->second);
}

void TracedMachine::add_to_own(Run& run, Word word, Value amount) {
  run.effect.sums[word] += static_cast<std::int64_t>(amount);
}

// From the place to the next one. `message`: the last one that it waits for; null: it starts, or its send is complete.
void TracedMachine::run(Run& run, const Position& position, const Arrived* message) {
  if (run.known != nullptr && message == nullptr) resume(run, {});
  else if (run.known != nullptr && position.awaited.empty()) answer_message(run, *message);
  else if (run.known != nullptr) answer_collective(run, position, message);
  while (advance(run)) {
  }
  add_to_own(run, clock_word, static_cast<Value>(run.clock.now.picoseconds));
}

void TracedMachine::resume(Run& run, const Observation& answer) {
  const Operation& operation = program_.next({run.actor});
  run.clock = history::after(run.clock, operation);
  program_.resume({run.actor}, answer);
}

void TracedMachine::answer_message(Run& run, const Arrived& message) {
  history::Reply reply;
  history::AnswerWriter(reply).message(0, message.source, contents_.node(message.content.payload));
  reply.seal();
  resume(run, reply.observation());
}

// `last`: the arrival that was missing; null: the actor needs nobody else.
void TracedMachine::answer_collective(Run& run, const Position& position, const Arrived* last) {
  const history::Node& own = contents_.node(position.own);
  const auto& op = std::get<Collective>(own.operation);
  const std::size_t self = graph::position_in(op, run.actor);
  const auto arrival_of = [&](std::uint32_t member) {
    const auto index =
        static_cast<std::uint32_t>(std::ranges::find(position.awaited, member) - position.awaited.begin());
    return index + 1 == position.awaited.size() ? last->content.payload : own_value(run, arrival_word(index));
  };
  history::Reply reply;
  history::AnswerWriter writer(reply);
  writer.begin_parts();
  for (std::size_t i = 0; i < op.members.size(); ++i) {
    const history::Node* from = nullptr;
    if (needs(op, self, i)) from = i == self ? &own : &contents_.node(arrival_of(op.members[i].value));
    writer.part(from, from == nullptr ? std::span<const std::byte>()
                                      : history::part_for(std::get<Collective>(from->operation), self));
  }
  writer.end_parts();
  reply.seal();
  resume(run, reply.observation());
}

// Carries out one operation. False: the actor waits, or is over.
bool TracedMachine::advance(Run& run) {
  const Operation& operation = program_.next({run.actor});
  note(run, operation);
  if (const auto* op = std::get_if<Send>(&operation)) return send(run, *op);
  if (awaits_birth(operation)) throw NoProof{started_actors};
  if (const auto* op = std::get_if<Post>(&operation)) return receive(run, *op);
  if (std::holds_alternative<End>(operation) || std::holds_alternative<Fail>(operation)) return end(run, operation);
  if (history::is_local(operation)) return pass(run, operation);
  if (const auto* op = std::get_if<Collective>(&operation)) return join(run, *op);
  throw NoProof{name_of(operation)};
}

bool TracedMachine::send(Run& run, const Send& send) {
  if (!send.blocking) throw NoProof{"sends that do not block"};
  if (send.mode == SendMode::ready) throw NoProof{"sends in ready mode"};
  const Content content{send.tag, contents_.find_or_add({run.actor}, program_.next({run.actor}))};
  run.effect.sends.push_back({send.destination.value, content, contents_.context(send.context, false)});
  if (send.mode == SendMode::synchronous || (send.mode == SendMode::standard && waiting_.sends)) {
    run.effect.next = {Place::Kind::sends, {}, {}, position(run, Stands::at_send, {}), "", 0};
    return false;
  }
  resume(run, {});
  return true;
}

bool TracedMachine::receive(Run& run, const Post& post) {
  if (!post.blocking) throw NoProof{"receives that do not block"};
  if (post.taken) throw NoProof{"matched probes"};
  Place& next = run.effect.next;
  const std::uint64_t context = contents_.context(post.pattern.context, false);
  next = {Place::Kind::receives, {}, {}, position(run, Stands::at_receive, {}), "", context};
  if (post.pattern.source) next.source = post.pattern.source->value;
  if (post.pattern.tag) next.tag = *post.pattern.tag;
  return false;
}

bool TracedMachine::join(Run& run, const Collective& op) {
  if (!op.blocking) throw NoProof{"collectives that do not block"};
  if (op.groups.first != 0) throw NoProof{"collectives between two groups"};
  if (op.flow == Flow::optional) throw NoProof{"collectives that may synchronise without need"};
  const std::uint64_t context = contents_.context(op.context, true);
  const auto number = static_cast<std::uint32_t>(own_value(run, first_count_word + context));
  add_to_own(run, first_count_word + context, 1);
  Position waits;
  waits.own = contents_.find_or_add({run.actor}, program_.next({run.actor}), number);
  waits.number = number;
  contents_.require_agreement(waits.own, number);
  has_partial_collectives_ = has_partial_collectives_ || !needs_everybody(op);
  const std::size_t self = graph::position_in(op, run.actor);
  for (std::size_t i = 0; i < op.members.size(); ++i) {
    const std::uint32_t member = op.members[i].value;
    if (i == self) continue;
    if (waiting_.synchronising || needs(op, self, i)) waits.awaited.push_back(member);
    if (waiting_.synchronising || needs(op, i, self))
      run.effect.sends.push_back({member, {static_cast<std::int64_t>(number), waits.own}, context});
  }
  if (waits.awaited.empty()) {
    answer_collective(run, waits, nullptr);
    return true;
  }
  const std::uint32_t first = waits.awaited.front();
  const std::uint64_t site = position(run, Stands::at_collective, std::move(waits));
  run.effect.next = {Place::Kind::receives, first, number, site, "", context};
  return false;
}

// An operation that concerns no other actor.
bool TracedMachine::pass(Run& run, const Operation& operation) {
  if (++run.passed > most_passed) throw NoProof{"a step with very many operations"};
  Observation answer;
  if (const auto* report = std::get_if<Report>(&operation)) {
    if (run.effect.trouble.empty()) run.effect.trouble = "a report of " + report->finding->id.text();
  } else if (std::holds_alternative<Release>(operation)) {
    throw NoProof{"requests that are released"};
  } else if (std::holds_alternative<Clock>(operation)) {
    answer.now.picoseconds = static_cast<std::int64_t>(own_value(run, clock_word)) + run.clock.now.picoseconds;
  } else if (const auto* log = std::get_if<Log>(&operation)) {
    if (log->stream == published_stream) throw NoProof{"values that are published"};
  }
  resume(run, answer);
  return true;
}

bool TracedMachine::end(Run& run, const Operation& operation) {
  run.effect.next = {};
  if (const auto* over = std::get_if<End>(&operation)) {
    if (over->status != 0 && run.effect.trouble.empty())
      run.effect.trouble = "the exit status " + std::to_string(over->status);
    return false;
  }
  const Fail& fail = std::get<Fail>(operation);
  if (fail.kind == FailureKind::given_up) throw NoProof{"it took too long"};
  if (fail.kind == FailureKind::not_meant) throw NoProof{"an assumption of the program that does not hold"};
  if (fail.kind == FailureKind::unsupported) run.effect.gap = std::string(fail.what) + ", which is not supported";
  else if (run.effect.trouble.empty()) run.effect.trouble = text_of(fail);
  return false;
}

// The position at which the actor is now; a new one gets a snapshot.
std::uint64_t TracedMachine::position(Run& run, Stands stands, Position position) {
  Actor& actor = actors_[run.actor];
  const PositionKey key{program_.site({run.actor}), footprints_.stack_pointer({run.actor}),
                        stands == Stands::at_collective ? position.own : 0, stands};
  const auto [known, is_new] = actor.position_by_key.emplace(key, actor.positions.size());
  if (!is_new) return known->second;
  position.snapshot_of = static_cast<std::uint32_t>(actor.positions.size());
  actor.positions.push_back(std::move(position));
  const auto members = static_cast<std::uint32_t>(actor.positions.back().awaited.size());
  for (std::uint32_t got = 1; got < members; ++got) {
    Position next;
    const Position& first = actor.positions[known->second];
    next.own = first.own;
    next.number = first.number;
    next.awaited = first.awaited;
    next.got = got;
    next.snapshot_of = first.snapshot_of;
    actor.positions.push_back(std::move(next));
  }
  return known->second;
}

}  // namespace rehearse::mc::footprints
