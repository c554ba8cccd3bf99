// SPDX-License-Identifier: MIT
//
// The trie of local histories, and the replay of an actor up to one of its nodes.
#include "mc/history/history.hpp"

#include <x86intrin.h>

#include <algorithm>
#include <chrono>

#include "mc/history/fingerprint.hpp"
#include "mc/history/local_clock.hpp"
#include "mc/history/local_graph.hpp"
#include "mc/history/own_operation.hpp"
#include "simcore/support/assert.hpp"
#include "simcore/support/format.hpp"

namespace rehearse::mc::history {

namespace {

// A Node farther from the nearest snapshot than this gets its own at once. Unit: the duration of taking a snapshot.
constexpr std::uint64_t dear_replay = 32;
constexpr std::uint64_t first_room = std::uint64_t{256} << 10;  // bytes: about the size of a core's second-level cache

std::uint64_t ticks() { return __rdtsc(); }

bool is_over(const Operation& operation) {
  return std::holds_alternative<End>(operation) || std::holds_alternative<Fail>(operation);
}

}  // namespace

void Reply::seal() {
  if (!remarks.empty()) remarks.resize(parts.size());
  if (completions.empty()) return;
  std::uint32_t begin = 0;
  for (std::size_t i = 0; i < part_ends.size(); ++i) {
    completions[i].contributions = std::span(parts).subspan(begin, part_ends[i] - begin);
    if (!remarks.empty()) completions[i].remarks = std::span(remarks).subspan(begin, part_ends[i] - begin);
    begin = part_ends[i];
  }
}

Observation Reply::observation() const {
  Observation o;
  o.flag = flag;
  o.now = now;
  if (completions.empty()) {
    o.contributions = parts;
    o.remarks = remarks;
  } else {
    o.completions = {completions.data(), completions.size()};
  }
  return o;
}

History::History(Program& program, std::uint64_t max_bytes)
    : program_(program), most_(max_bytes), limit_(std::min(max_bytes, first_room)) {
  roots_.resize(program.actor_count());
  at_.resize(program.actor_count());
}

History::~History() = default;

Node& History::new_node() {
  Node* node;
  if (unused_.empty()) {
    node = &nodes_.emplace_back();
  } else {
    node = unused_.back();
    unused_.pop_back();
  }
  node->is_used = true;
  node->bytes = sizeof(Node);
  return *node;
}

void History::limit_local_seconds(double seconds) {
  local_seconds_ = seconds;
  endless_text_ = fmt::format(
      "goes on for {:g} second{} without a call that concerns another actor: it writes output or reads the clock "
      "(--max-step-seconds allows more)",
      seconds, seconds == 1 ? "" : "s");
}

namespace {

// Decides when an actor has made local operations for too long. `known`: the Node of an earlier run, with its decision;
// null: none.
class Patience {
 public:
  Patience(double seconds, const Node& node, const Node* known)
      : seconds_(seconds), depth_(node.depth), known_(known) {}

  bool is_time_to_ask(const Node& node) const { return node.depth != depth_ && (node.depth - depth_) % 1024 == 0; }

  bool is_over(const Node& node) {
    if (known_ != nullptr) return known_->is_endless && node.depth == known_->depth;
    const std::uint32_t passed = node.depth - depth_;
    if (!is_time_to_ask(node)) return false;
    const auto now = std::chrono::steady_clock::now();
    if (passed == 1024) begin_ = now;
    return std::chrono::duration<double>(now - begin_).count() > seconds_;
  }

 private:
  double seconds_;
  std::uint32_t depth_;
  const Node* known_;
  std::chrono::steady_clock::time_point begin_;
};

}  // namespace

void add_published(Published published, Node& node) {
  if (published.kind == Published::Kind::result) return node.effects.add(published);
  if (!node.published) node.published = std::make_unique<std::vector<Published>>();
  node.bytes += sizeof(Published) + published.name.size();
  node.published->push_back(std::move(published));
}

// Answers local operations until the actor reaches another one. Records them in the node and moves its clock, which is
// that behind the parent's operation at first. `known`: in a replay, the node of the first run; otherwise null.
void History::pass_local(Node& node, const Node* known) {
  Hash128 passed;
  Patience patience(local_seconds_, node, known);
  for (;;) {
    const Operation& operation = program_.next(node.actor);
    if (!is_local(operation)) break;
    node.is_endless = patience.is_over(node);
    if (node.is_endless) break;
    if (patience.is_time_to_ask(node) && stop_.stop_requested()) leave(node.actor);
    Observation answer;
    if (const auto* report = std::get_if<Report>(&operation)) node.reports.push_back(*report->finding);
    if (const auto* release = std::get_if<Release>(&operation)) node.released.push_back(release->request);
    if (std::holds_alternative<Clock>(operation)) {
      answer.now = node.clock.now;
      node.asked_time = true;
    }
    if (const auto* log = std::get_if<Log>(&operation)) {
      if (log->stream == published_stream) add_published(read_published(log->text), node);
      else node.effects.add(*log);
    }
    passed = fingerprint(operation, {}, passed);
    node.clock = after(node.clock, operation);
    ++node.depth;
    program_.resume(node.actor, answer);
  }
  if (node.is_endless) node.operation = Fail{FailureKind::crash, "progress.step", endless_text_};
  else node.operation = program_.next(node.actor);
  if (const auto* access = std::get_if<RemoteAccess>(&node.operation))  // actors share nothing here but messages
    node.operation = Fail{FailureKind::unsupported, "unsupported.feature", access->origin.call};
  if (std::holds_alternative<StorageAccess>(node.operation))
    node.operation = Fail{FailureKind::unsupported, "unsupported.feature", "the time of accesses to files"};
  if (std::holds_alternative<Work>(node.operation) || std::holds_alternative<Await>(node.operation))
    node.operation = Fail{FailureKind::unsupported, "unsupported.feature", "threads of an actor that wait one by one"};
  const auto* fail = std::get_if<Fail>(&node.operation);
  if (fail && fail->kind == FailureKind::given_up) leave(node.actor);
  node.data_hash = hash_of_data(node.operation);
  node.fingerprint = fingerprint(node.operation, node.data_hash, passed);
  node.asked = node.data_hash == Hash128{} ? node.fingerprint.low : fingerprint(node.operation, {}, passed).low;
}

// The actor is in the middle of a step: its state belongs to no node.
void History::leave(ActorId actor) {
  at_[actor.value] = nullptr;
  throw GivenUp();
}

// The actor has got the node's answer and runs to its next operation, which the node records.
void History::read_operation(Node& node, ActorId actor, const Node* parent) {
  node.actor = actor;
  node.parent = parent;
  if (parent) {
    node.depth = parent->depth + 1;
    node.level = parent->level + 1;
    node.clock = after(parent->clock, parent->operation);
  }
  if (parent) node.effects = parent->effects;
  pass_local(node, nullptr);
  if (const auto* send = std::get_if<Send>(&node.operation)) node.effects.add(*send, node.data_hash);
  node.last_report = !node.reports.empty() ? &node : parent ? parent->last_report : nullptr;
  node.last_published = node.published ? &node : parent ? parent->last_published : nullptr;
  node.site = program_.site(actor);
  node.ways = program_.ways(actor);
  own_operation(node, store_);
  node.bytes += node.reply.parts.size() * sizeof(node.reply.parts[0]) +
                node.reply.remarks.size() * sizeof(node.reply.remarks[0]) +
                (node.reply.completions.size() > 1 ? node.reply.completions.size() * sizeof(Completion) : 0) +
                (node.reply.sources.size() > 1 ? node.reply.sources.size() * sizeof(Node*) : 0);
  bytes_ += node.bytes;
  ++application_runs_;
  at_[actor.value] = &node;
}

const Node* History::start(ActorId actor) {
  const Node*& root = roots_[actor.value];
  if (!root) {
    Fresh fresh(*this);
    program_.restart(actor);  // the caller may have run it before
    read_operation(fresh.node(), actor, nullptr);
    root = &fresh.keep();
  }
  return root;
}

void History::set_limit(std::uint64_t max_bytes) {
  most_ = max_bytes;
  limit_ = std::min(limit_, max_bytes);
}

void History::announce_returns(const Node* at, std::size_t times) {
  const Node& node = *at;
  if (!node.snapshot && at_[node.actor.value] == at && times * node.since_snapshot > save_ticks_) save(node);
}

void History::add(const Node& node, Node& next, std::uint64_t answer) {
  next.name = ((node.name ^ answer) + 1) * 0x9e3779b97f4a7c15;
  next.name ^= next.name >> 32;
  forgotten_.note_made(next.name);
  go_to(&node);
  const std::uint64_t begin = ticks();
  next.reply.seal();
  program_.resume(node.actor, next.reply.observation());
  read_operation(next, node.actor, &node);
  next.since_snapshot = ticks() - begin + (node.snapshot ? 0 : node.since_snapshot);
  if (next.since_snapshot > dear_replay * save_ticks_) save(next);
}

// Takes a snapshot of the actor, which is at the node.
void History::save(const Node& node) {
  if (is_over(node.operation)) return;
  const std::uint64_t begin = ticks();
  node.snapshot = program_.save(node.actor);
  if (node.snapshot) bytes_ += node.snapshot->bytes();
  const std::uint64_t taken = ticks() - begin;
  // Moves towards the median: if another process gets the processor meanwhile, the time is a thousand times as long.
  if (save_ticks_ == 0) save_ticks_ = taken;
  else save_ticks_ += taken > save_ticks_ ? save_ticks_ / 16 + 1 : -(save_ticks_ / 16);
}

const Node* History::advance(const Node* node) {
  if (!node->after_nothing) {
    Fresh next(*this);
    add(*node, next.node(), 0);
    node->after_nothing = local_graph_ == nullptr ? &next.keep() : merged(next);
  }
  return node->after_nothing;
}

// Keeps the new Node, at which its actor is, or drops it because another one represents it. Counting keeps all.
const Node* History::merged(Fresh& next) {
  if (!merges_) {
    local_graph_->count(next.node());
    return &next.keep();
  }
  const Node* known = local_graph_->representative(next.node());
  if (known == &next.node()) return &next.keep();
  drop_snapshot(next.node());
  bytes_ -= next.node().bytes;
  at_[known->actor.value] = known;
  constexpr std::uint64_t all_compared = 256, then_one_in = 16;
  if (++merges_made_ <= all_compared || merges_made_ % then_one_in == 0) compare_future(*known);
  return known;
}

// The actor is in a state that the Node represents, but got there by another history. Gives it an answer whose
// consequence is known: its next operation must be the same.
void History::compare_future(const Node& known) {
  const auto is_own = [&](const Node::Child& child) { return child.node->parent == &known; };
  const auto child = std::ranges::find_if(known.children, is_own);
  if (child == known.children.end()) return;
  program_.resume(known.actor, child->node->reply.observation());
  replay(child->node);
  at_[known.actor.value] = child->node;
}

void History::start_again() {
  local_graph_ = nullptr;
  merges_ = false;
  std::ranges::fill(roots_, nullptr);
  std::ranges::fill(at_, nullptr);
  unused_.clear();
  nodes_.clear();
  forgotten_.reset();
  bytes_ = 0;
}

namespace {

bool is_poll(const Operation& operation) {
  if (const auto* probe = std::get_if<Probe>(&operation)) return !probe->blocking;
  const auto* observe = std::get_if<Observe>(&operation);
  return observe != nullptr && !observe->blocking;
}

}  // namespace

bool History::is_going_round(const Node* node) {
  constexpr int longest_round = 16;  // polls
  if (node->round != Node::Round::unknown) return node->round == Node::Round::yes;
  node->round = Node::Round::no;
  if (!is_poll(node->operation)) return false;
  std::unique_ptr<Snapshot> here;
  const Node* before = node;
  for (int polls = 0; polls < longest_round; ++polls) {
    if (before->asked_time || before->parent == nullptr || before->reply.flag) return false;
    before = before->parent;
    if (!is_poll(before->operation)) return false;
    if (before->site != node->site) continue;
    if (!here) {
      go_to(node);
      here = program_.save(node->actor);
    }
    go_to(before);
    const std::unique_ptr<Snapshot> there = program_.save(node->actor);
    if (!here || !there) return false;
    if (!here->is_same_as(*there)) continue;
    node->round = Node::Round::yes;
    return true;
  }
  return false;
}

void History::visit(const Node* node) { go_to(node); }

// Restores the nearest ancestor with a snapshot, or restarts the actor. Appends the nodes to replay to `path`, the
// deepest first. False: the actor was restarted and has executed nothing.
bool History::restore_nearest(const Node* node, std::vector<const Node*>& path) {
  for (const Node* n = node; n; n = n->parent) {
    if (n->snapshot) {
      program_.restore(n->actor, *n->snapshot);
      return true;
    }
    path.push_back(n);
  }
  program_.restart(node->actor);
  return false;
}

void History::go_to(const Node* node) {
  if (at_[node->actor.value] == node) return;
  const std::uint64_t begin = ticks();
  path_.clear();
  const bool started = restore_nearest(node, path_);
  while (!path_.empty()) {
    const Node* next = path_.back();
    path_.pop_back();
    if (next->parent || started) program_.resume(node->actor, next->reply.observation());
    replay(next);
  }
  at_[node->actor.value] = node;
  if (node->snapshot) return;
  node->replayed += ticks() - begin;
  if (node->replayed >= save_ticks_) save(*node);
}

void History::drop_snapshot(const Node& node) {
  if (!node.snapshot) return;
  bytes_ -= node.snapshot->bytes();
  node.snapshot.reset();
}

void History::drop(Node& node) {
  std::destroy_at(&node);
  unused_.push_back(std::construct_at(&node));
}

void History::forget(Node& node) {
  drop_snapshot(node);
  bytes_ -= node.bytes;
  if (at_[node.actor.value] == &node) at_[node.actor.value] = nullptr;
  forgotten_.add(node.name);
  drop(node);
}

// Drops the snapshots of every second level, then of three levels in four, and so on, until the memory in use is at
// most half of the limit.
void History::thin_snapshots() {
  for (std::uint32_t stride = 2; bytes() > most_ / 2 && stride < (1u << 20); stride *= 2)
    for (Node& node : nodes_)
      if (node.is_used && node.level % stride != 0) drop_snapshot(node);
}

void History::collect(std::span<const Node* const> needed) {
  const bool wants_room = limit_ < most_ && forgotten_.is_missed();
  forgotten_.reset();
  if (wants_room) limit_ = std::min(most_, limit_ * 2);
  if (!is_full()) return;
  std::vector<const Node*> pending;
  const auto keep = [&pending](const Node* node) {
    if (!node || node->is_kept) return;
    node->is_kept = true;
    pending.push_back(node);
  };
  for (const Node* node : needed) keep(node);
  for (const Node* root : roots_) keep(root);
  while (!pending.empty()) {
    const Node* node = pending.back();
    pending.pop_back();
    keep(node->parent);
    for (const Node* source : node->reply.sources) keep(source);
  }
  for (Node& node : nodes_) {
    if (!node.is_kept) continue;
    const auto forgotten = [](const Node::Child& child) { return !child.node->is_kept; };
    node.children.erase(std::remove_if(node.children.begin(), node.children.end(), forgotten), node.children.end());
    if (node.after_nothing && !node.after_nothing->is_kept) node.after_nothing = nullptr;
  }
  for (Node& node : nodes_) {
    if (node.is_used && !node.is_kept) forget(node);
    node.is_kept = false;
  }
  thin_snapshots();
  limit_ = std::max(limit_, bytes() * 2);
}

// The actor has got the same answers again: its next operation must be the same.
void History::replay(const Node* node) {
  ++application_runs_;
  Node again;
  again.actor = node->actor;
  if (node->parent) {
    again.depth = node->parent->depth + 1;
    again.clock = after(node->parent->clock, node->parent->operation);
  }
  pass_local(again, node);
  if (again.fingerprint == node->fingerprint) return;
  const bool asks_the_same = again.asked == node->asked;
  if (asks_the_same && strayed_) return;
  const bool has_other_data = again.data_hash != node->data_hash;
  const std::string_view noun = program_.actor_noun();
  Diverged diverged{node->actor,
                    describe_difference(node->operation, again.operation, has_other_data,
                                        program_.describe(node->actor), noun),
                    std::string(noun)};
  if (asks_the_same) {
    strayed_ = std::move(diverged);
    return;
  }
  at_[node->actor.value] = nullptr;
  throw diverged;
}

}  // namespace rehearse::mc::history
