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
    o.contributions = parts;
    return o;
  }
  std::uint32_t begin = 0;
  for (std::size_t i = 0; i < part_ends.size(); ++i) {
    completions[i].contributions = std::span(parts).subspan(begin, part_ends[i] - begin);
    begin = part_ends[i];
  }
  o.completions = {completions.data(), completions.size()};
  return o;
}

namespace {

// Copies what an Operation points to behind one another, in the node or in one block.
class Owner {
 public:
  explicit Owner(Node& node) : node_(node) {}

  template <class T>
  void take(std::span<const T>& from) {
    parts_.push_back({from.data(), from.size_bytes(), [](void* span, const std::byte* at) {
                        auto& s = *static_cast<std::span<const T>*>(span);
                        s = {reinterpret_cast<const T*>(at), s.size()};
                      }, &from});
  }
  void take(std::string_view& from) {
    parts_.push_back({from.data(), from.size(), [](void* text, const std::byte* at) {
                        auto& t = *static_cast<std::string_view*>(text);
                        t = {reinterpret_cast<const char*>(at), t.size()};
                      }, &from});
  }

  void copy() {
    std::size_t bytes = 0;
    for (const Part& part : parts_) bytes += rounded(part.bytes);
    std::byte* at = node_.few_data.data();
    if (bytes > node_.few_data.size()) {
      node_.data = std::make_unique_for_overwrite<std::byte[]>(bytes);
      node_.bytes += bytes;
      at = node_.data.get();
    }
    for (const Part& part : parts_) {
      if (part.bytes == 0) continue;
      std::memcpy(at, part.from, part.bytes);
      part.point(part.view, at);
      at += rounded(part.bytes);
    }
  }

 private:
  struct Part {
    const void* from;
    std::size_t bytes;
    void (*point)(void* view, const std::byte* at);
    void* view;
  };
  static std::size_t rounded(std::size_t bytes) { return (bytes + 7) & ~std::size_t{7}; }

  Node& node_;
  boost::container::small_vector<Part, 4> parts_;
};

// Makes the node's Operation independent of the actor's memory.
void own_operation(Node& node) {
  Owner owner(node);
  std::visit(
      [&](auto& op) {
        using Op = std::decay_t<decltype(op)>;
        if constexpr (std::is_same_v<Op, Send>) {
          owner.take(op.data);
          node.data_hash = hash_bytes(op.data.data(), op.data.size());
        } else if constexpr (std::is_same_v<Op, Observe>) {
          owner.take(op.requests);
        } else if constexpr (std::is_same_v<Op, Collective>) {
          Words words;
          words.add(op.root, op.flow, op.blocking);
          words.add_text(op.name);
          node.meets = words.hash().low;
          node.data_hash = hash_bytes(op.contribution.data(), op.contribution.size());
          owner.take(op.members);
          owner.take(op.name);
          owner.take(op.contribution);
          owner.take(op.segment_bytes);
        } else if constexpr (std::is_same_v<Op, Choose>) {
          owner.take(op.what);
        } else if constexpr (std::is_same_v<Op, Log>) {
          op.text = {};
        } else if constexpr (std::is_same_v<Op, Report>) {
          node.finding = std::make_unique<Finding>(*op.finding);
          op.finding = node.finding.get();
        } else if constexpr (std::is_same_v<Op, Fail>) {
          owner.take(op.id);
          owner.take(op.what);
        }
      },
      node.operation);
  owner.copy();
}

// An actor's clock is a function of its history. It moves with every operation; reading it again and again makes it
// move faster and faster, so that a loop until a date ends soon.
void set_clock(Node& node) {
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

}  // namespace

History::History(Program& program, std::uint64_t max_bytes) : program_(program), limit_(max_bytes) {
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

// The actor has just reached an Operation that no node stands for yet.
Node* History::read_operation(ActorId actor, Node* parent, Reply reply) {
  Node& node = new_node();
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
  node.bytes += node.reply.parts.size() * sizeof(node.reply.parts[0]) +
                (node.reply.completions.size() > 1 ? node.reply.completions.size() * sizeof(Completion) : 0) +
                (node.reply.sources.size() > 1 ? node.reply.sources.size() * sizeof(Node*) : 0);
  bytes_ += node.bytes;
  ++application_runs_;
  at_[actor.value] = &node;
  return &node;
}

const Node* History::start(ActorId actor) {
  Node*& root = roots_[actor.value];
  if (!root) root = read_operation(actor, nullptr, {});
  return skip_local(root);
}

Node* History::add(Node* node, const Hash128& key, Reply reply) {
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
      node->after_nothing = add(node, {}, std::move(reply));
    }
    node = node->after_nothing;
  }
  return node;
}

const Node* History::advance(const Node* at) {
  Node* node = const_cast<Node*>(at);
  if (!node->after_nothing) node->after_nothing = add(node, {}, {});
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
  if (node->snapshot) return;
  node->snapshot = program_.save(node->actor);
  if (node->snapshot) bytes_ += node->snapshot->bytes();
}

void History::drop_snapshot(Node& node) {
  if (!node.snapshot) return;
  bytes_ -= node.snapshot->bytes();
  node.snapshot.reset();
}

void History::forget(Node& node) {
  drop_snapshot(node);
  bytes_ -= node.bytes;
  if (at_[node.actor.value] == &node) at_[node.actor.value] = nullptr;
  node = Node();
  unused_.push_back(&node);
}

// Among long lines of nodes every second snapshot goes, until those that are left take no more than half of the room.
void History::thin_snapshots() {
  for (std::uint32_t stride = 2; bytes_ > limit_ / 2 && stride < (1u << 20); stride *= 2)
    for (Node& node : nodes_)
      if (node.is_used && node.depth % stride != 0) drop_snapshot(node);
}

void History::collect(std::span<const Node* const> needed) {
  std::vector<Node*> pending;
  const auto keep = [&pending](const Node* node) {
    if (!node || node->is_kept) return;
    const_cast<Node*>(node)->is_kept = true;
    pending.push_back(const_cast<Node*>(node));
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
  limit_ = std::max(limit_, bytes_ * 2);
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
