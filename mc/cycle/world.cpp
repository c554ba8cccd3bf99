// SPDX-License-Identifier: MIT
//
// See world.hpp.
#include "mc/cycle/world.hpp"

#include <algorithm>
#include <utility>

#include "mc/graph/collective_instance.hpp"
#include "simcore/support/assert.hpp"

namespace rehearse::mc::cycle {
namespace {

class Hasher {
 public:
  template <class... T>
  void add(T... words) {
    (words_.push_back(static_cast<std::uint64_t>(words)), ...);
  }
  // What others can notice of an operation.
  void add_effect(const Node* node) {
    if (node == nullptr) return add(0);
    add(1, node->fingerprint.low, node->fingerprint.high, node->site);
  }
  void add(const Actor& actor) {
    add(reinterpret_cast<std::uintptr_t>(actor.node), actor.is_issued, actor.published, actor.started.size());
    for (const Started& started : actor.started) {
      add(started.kind, started.request.value, started.is_matched, started.is_noticeable, started.source);
      add_effect(started.node);
      add_effect(started.message);
    }
    add(actor.inbox.size());
    for (const Message& message : actor.inbox) {
      add(message.source, message.request, message.is_visible);
      add_effect(message.sent);
    }
  }
  void add(const Instance& instance) {
    add(instance.context.value, instance.arrivals.size());
    for (std::size_t i = 0; i < instance.arrivals.size(); ++i) {
      add(static_cast<bool>(instance.done[i]));
      add_effect(instance.arrivals[i]);
    }
  }
  history::Hash128 hash() const { return history::hash_bytes(words_.data(), words_.size() * sizeof words_[0]); }

 private:
  std::vector<std::uint64_t> words_;
};

}  // namespace

history::Hash128 World::hash() const {
  Hasher hasher;
  for (const Actor& actor : actors) hasher.add(actor);
  std::vector<const Instance*> sorted;  // only the order in each context matters
  for (const Instance& instance : instances) sorted.push_back(&instance);
  std::ranges::stable_sort(sorted, {}, [](const Instance* instance) { return instance->context; });
  for (const Instance* instance : sorted) hasher.add(*instance);
  return hasher.hash();
}

const Started* World::find(std::uint32_t actor, RequestId request) const {
  const auto& all = actors[actor].started;
  const auto found = std::ranges::find(all, request, &Started::request);
  return found == all.end() ? nullptr : &*found;
}

Started* World::find(std::uint32_t actor, RequestId request) {
  return const_cast<Started*>(std::as_const(*this).find(actor, request));
}

// The collectives of one context that the actor has started and not seen complete are the instances of the context at
// which it has arrived and that it has not done, in the same order.
std::size_t World::instance_of(std::uint32_t actor, RequestId request) const {
  const Started* wanted = find(actor, request);
  REHEARSE_ASSERT(wanted != nullptr, "a started collective");
  const Collective& op = std::get<Collective>(wanted->node->operation);
  std::size_t before = 0;  // those that the actor started earlier
  for (const Started& started : actors[actor].started) {
    if (&started == wanted) break;
    if (const auto* other = std::get_if<Collective>(&started.node->operation))
      before += other->context == op.context ? 1 : 0;
  }
  const std::size_t self = graph::position_in(op, actor);
  for (std::size_t i = 0; i < instances.size(); ++i) {
    const Instance& instance = instances[i];
    if (instance.context != op.context || instance.arrivals[self] == nullptr || instance.done[self]) continue;
    if (before-- == 0) return i;
  }
  REHEARSE_ASSERT(false, "a started collective has an instance");
  return instances.size();
}

std::vector<const Published*> published_before(const Node& node) {
  std::vector<const Published*> values;
  if (node.published)
    for (const Published& each : *node.published)
      if (each.kind == Published::Kind::value) values.push_back(&each);
  return values;
}

}  // namespace rehearse::mc::cycle
