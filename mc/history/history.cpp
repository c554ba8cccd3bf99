// SPDX-License-Identifier: MIT
//
// The trie of local histories, and how an actor is brought to one of its nodes.
#include "mc/history/history.hpp"

#include <xxhash.h>

#include <algorithm>
#include <cstring>

#include "simcore/support/assert.hpp"

namespace rehearse::mc {

namespace {

constexpr std::size_t block_bytes = std::size_t{1} << 16;
constexpr Duration step_of_an_operation{1'000'000};  // 1 us: an actor's clock moves with its operations

Hash128 combine(std::span<const std::uint64_t> words) { return hash_bytes(words.data(), words.size_bytes()); }

// Collects the words that identify an Operation or a Reply.
class Words {
 public:
  template <class... T>
  void add(T... value) {
    (words_.push_back(static_cast<std::uint64_t>(value)), ...);
  }
  void add_hash(const Hash128& h) { add(h.low, h.high); }
  void add_text(std::string_view text) { add_hash(hash_bytes(text.data(), text.size())); }
  Hash128 hash() const { return combine(words_); }

 private:
  std::vector<std::uint64_t> words_;
};

void add_pattern(Words& words, const Pattern& p) {
  words.add(p.context.value, p.source ? p.source->value : ~0ull, p.tag ? static_cast<std::uint64_t>(*p.tag) : ~0ull,
            p.source.has_value(), p.tag.has_value());
}

Hash128 fingerprint(const Node& node) {
  Words words;
  words.add(node.operation.index());
  std::visit(
      [&](const auto& op) {
        using Op = std::decay_t<decltype(op)>;
        if constexpr (std::is_same_v<Op, Send>) {
          words.add(op.context.value, op.destination.value, op.tag, op.mode, op.blocking, op.signature, op.data.size());
          words.add_hash(node.data_hash);
        } else if constexpr (std::is_same_v<Op, Post>) {
          add_pattern(words, op.pattern);
          words.add(op.capacity_bytes, op.blocking, op.taken ? *op.taken + 1 : 0);
        } else if constexpr (std::is_same_v<Op, Observe>) {
          for (const RequestId r : op.requests) words.add(r.value);
          words.add(op.quantifier, op.blocking, op.withdraws);
        } else if constexpr (std::is_same_v<Op, Probe>) {
          add_pattern(words, op.pattern);
          words.add(op.blocking, op.takes);
        } else if constexpr (std::is_same_v<Op, Collective>) {
          words.add(op.context.value, op.root, op.signature, op.flow, op.blocking);
          words.add_text(op.name);
          words.add_hash(node.data_hash);
        } else if constexpr (std::is_same_v<Op, Choose>) {
          words.add(op.count);
          words.add_text(op.what);
        } else if constexpr (std::is_same_v<Op, Fail>) {
          words.add_text(op.id);
        } else if constexpr (std::is_same_v<Op, End>) {
          words.add(op.status);
        } else if constexpr (std::is_same_v<Op, Sleep>) {
          words.add(op.duration.picoseconds);
        } else if constexpr (std::is_same_v<Op, Release>) {
          words.add(op.request.value);
        }
      },
      node.operation);
  return words.hash();
}

Hash128 key_of(const Reply& reply) {
  Words words;
  words.add(reply.flag, reply.now.picoseconds);
  for (const Completion& c : reply.completions) words.add(c.index, c.source.value, c.tag, c.data.size());
  for (const Hash128& h : reply.data_hashes) words.add_hash(h);
  return words.hash();
}

bool is_local(const Operation& operation) {
  return std::holds_alternative<Compute>(operation) || std::holds_alternative<Sleep>(operation) ||
         std::holds_alternative<Clock>(operation) || std::holds_alternative<Log>(operation) ||
         std::holds_alternative<Report>(operation) || std::holds_alternative<Release>(operation);
}

}  // namespace

Hash128 hash_bytes(const void* data, std::size_t size) {
  const XXH128_hash_t h = XXH3_128bits(data, size);
  return {h.low64, h.high64};
}

Observation Reply::observation() {
  Observation o;
  o.flag = flag;
  o.now = now;
  if (completions.empty()) {
    if (!lists.empty()) o.contributions = lists.front();
  } else {
    for (std::size_t i = 0; i < lists.size(); ++i) completions[i].contributions = lists[i];
    o.completions = completions;
  }
  return o;
}

History::History(Program& program, std::uint64_t max_snapshot_bytes)
    : program_(program), snapshot_budget_(max_snapshot_bytes) {
  roots_.resize(program.actor_count());
  at_.resize(program.actor_count());
}

History::~History() = default;

std::byte* History::copy(const void* data, std::size_t size) {
  if (size == 0) return nullptr;
  const std::size_t rounded = (size + 15) & ~std::size_t{15};
  if (rounded > block_left_) {
    const std::size_t bytes = std::max(block_bytes, rounded);
    blocks_.push_back(std::make_unique_for_overwrite<std::byte[]>(bytes));
    block_at_ = blocks_.back().get();
    block_left_ = bytes;
  }
  std::byte* place = block_at_;
  std::memcpy(place, data, size);
  block_at_ += rounded;
  block_left_ -= rounded;
  return place;
}

// Makes the node's Operation independent of the actor's memory.
void History::own_operation(Node& node) {
  const auto span_of = [this]<class T>(std::span<const T> from) {
    return std::span<const T>(reinterpret_cast<const T*>(copy(from.data(), from.size_bytes())), from.size());
  };
  const auto text_of = [this](std::string_view from) {
    return std::string_view(reinterpret_cast<const char*>(copy(from.data(), from.size())), from.size());
  };
  std::visit(
      [&](auto& op) {
        using Op = std::decay_t<decltype(op)>;
        if constexpr (std::is_same_v<Op, Send>) {
          op.data = span_of(op.data);
          node.data_hash = hash_bytes(op.data.data(), op.data.size());
        } else if constexpr (std::is_same_v<Op, Observe>) {
          op.requests = span_of(op.requests);
        } else if constexpr (std::is_same_v<Op, Collective>) {
          op.members = span_of(op.members);
          op.name = text_of(op.name);
          op.contribution = span_of(op.contribution);
          op.segment_bytes = span_of(op.segment_bytes);
          node.data_hash = hash_bytes(op.contribution.data(), op.contribution.size());
        } else if constexpr (std::is_same_v<Op, Choose>) {
          op.what = text_of(op.what);
        } else if constexpr (std::is_same_v<Op, Log>) {
          op.text = {};
        } else if constexpr (std::is_same_v<Op, Report>) {
          op.finding = &findings_.emplace_back(*op.finding);
        } else if constexpr (std::is_same_v<Op, Fail>) {
          op.id = text_of(op.id);
          op.what = text_of(op.what);
        }
      },
      node.operation);
}

// An actor's clock is a function of its history. It moves with every operation; reading it again and again makes it
// move faster and faster, so that a loop until a date ends soon.
void History::set_clock(Node& node) {
  if (!node.parent) return;
  const Node& before = *node.parent;
  node.clock_step = step_of_an_operation;
  if (const auto* sleep = std::get_if<Sleep>(&before.operation)) node.clock_step = sleep->duration;
  if (const auto* compute = std::get_if<Compute>(&before.operation))
    node.clock_step = Duration::from_seconds(compute->flops * 1e-9);
  if (std::holds_alternative<Clock>(before.operation) && before.parent &&
      std::holds_alternative<Clock>(before.parent->operation))
    node.clock_step = {std::min<std::int64_t>(before.clock_step.picoseconds * 2, 3'600'000'000'000'000)};
  node.clock = before.clock + node.clock_step;
}

// The actor has just reached an Operation that no node stands for yet.
Node* History::read_operation(ActorId actor, Node* parent, Reply reply) {
  Node& node = nodes_.emplace_back();
  node.actor = actor;
  node.parent = parent;
  node.operation = program_.next(actor);
  node.site = program_.site(actor);
  node.reply = std::move(reply);
  if (parent) {
    node.depth = parent->depth + 1;
    node.last_report = std::holds_alternative<Report>(parent->operation) ? parent : parent->last_report;
  }
  own_operation(node);
  node.fingerprint = fingerprint(node);
  set_clock(node);
  ++application_runs_;
  at_[actor.value] = &node;
  return &node;
}

const Node* History::start(ActorId actor) {
  Node*& root = roots_[actor.value];
  if (!root) root = read_operation(actor, nullptr, {});
  return skip_local(root);
}

Node* History::child(Node* node, Reply reply) {
  const Hash128 key = key_of(reply);
  for (const Node::Child& c : node->children)
    if (c.key == key) return c.node;
  go_to(node);
  program_.resume(node->actor, reply.observation());
  Node* next = read_operation(node->actor, node, std::move(reply));
  node->children.push_back({key, next});
  return next;
}

Node* History::skip_local(Node* node) {
  while (is_local(node->operation)) {
    if (!node->after_nothing) {
      Reply reply;
      if (std::holds_alternative<Clock>(node->operation)) reply.now = node->clock;
      node->after_nothing = child(node, std::move(reply));
    }
    node = node->after_nothing;
  }
  return node;
}

const Node* History::advance(const Node* node, Reply reply) {
  return skip_local(child(const_cast<Node*>(node), std::move(reply)));
}

const Node* History::advance(const Node* at) {
  Node* node = const_cast<Node*>(at);
  if (!node->after_nothing) node->after_nothing = child(node, {});
  return skip_local(node->after_nothing);
}

void History::visit(const Node* node) { go_to(const_cast<Node*>(node)); }

// Puts the actor to the nearest ancestor with a snapshot, else to its start; `path` is what is left to replay,
// deepest node first. False: the actor stands before its first instruction.
bool History::restore_nearest(Node* node, std::vector<Node*>& path) {
  for (Node* n = node; n; n = n->parent) {
    if (n->snapshot) {
      program_.restore(n->actor, *n->snapshot);
      return true;
    }
    path.push_back(n);
  }
  program_.restart(node->actor);
  return false;
}

void History::go_to(Node* node) {
  if (at_[node->actor.value] == node) return;
  std::vector<Node*> path;
  const bool started = restore_nearest(node, path);
  while (!path.empty()) {
    Node* next = path.back();
    path.pop_back();
    if (next->parent || started) program_.resume(node->actor, next->reply.observation());
    replay(next);
  }
  at_[node->actor.value] = node;
  // A node that is left and come back to is likely to be come back to again.
  if (++node->visits >= 1 && !node->snapshot && snapshot_budget_ > 0) {
    node->snapshot = program_.save(node->actor);
    if (node->snapshot) snapshot_budget_ -= std::min(snapshot_budget_, node->snapshot->bytes());
  }
}

// The actor was given the same answers again: it must ask for the same again.
void History::replay(Node* node) {
  ++application_runs_;
  Node again;
  again.operation = program_.next(node->actor);
  if (const auto* send = std::get_if<Send>(&again.operation))
    again.data_hash = hash_bytes(send->data.data(), send->data.size());
  if (const auto* collective = std::get_if<Collective>(&again.operation))
    again.data_hash = hash_bytes(collective->contribution.data(), collective->contribution.size());
  if (fingerprint(again) == node->fingerprint) return;
  at_[node->actor.value] = nullptr;
  throw Diverged{node->actor, "its operation " + std::to_string(node->depth) +
                                  " differs between two runs with the same messages"};
}

}  // namespace rehearse::mc
