// SPDX-License-Identifier: MIT
//
// Keys have all fields and bytes, not hashes.
#include "mc/footprints/contents.hpp"

#include "mc/history/own_operation.hpp"
#include "simcore/collective_flow.hpp"

namespace rehearse::mc::footprints {

namespace {

class Key {
 public:
  template <class T>
  void add(const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    text_.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  template <class T>
  void add_all(std::span<const T> values) {
    add(values.size());
    add(values.data() == nullptr);
    if (values.data() == nullptr) return;
    text_.append(reinterpret_cast<const char*>(values.data()), values.size_bytes());
  }
  std::string text() && { return std::move(text_); }

 private:
  std::string text_;
};

std::string key_of(ActorId actor, const Operation& operation, std::uint32_t number) {
  Key key;
  key.add(actor.value);
  key.add(operation.index());
  if (const auto* send = std::get_if<Send>(&operation)) {
    key.add(send->tag);
    key.add(send->signature);
    key.add(send->origin.address);
    key.add_all(send->data);
    return std::move(key).text();
  }
  const auto& op = std::get<Collective>(operation);
  key.add(op.context.value);
  key.add(number);
  key.add_all(op.members);
  key.add_all(std::span<const char>(op.name));
  key.add(op.flow);
  key.add(op.root);
  key.add(op.signature);
  key.add(op.blocking);
  key.add(op.origin.address);
  key.add_all(op.contribution);
  key.add_all(op.segment_bytes);
  key.add_all(op.remark);
  return std::move(key).text();
}

}  // namespace

std::uint64_t Contents::find_or_add(ActorId actor, const Operation& operation, std::uint32_t number) {
  const auto [known, is_new] = known_.emplace(key_of(actor, operation, number), nodes_.size());
  if (!is_new) return known->second;
  history::Node& node = nodes_.emplace_back();
  node.actor = actor;
  node.operation = operation;
  node.data_hash = history::hash_of_data(operation);
  history::own_operation(node, store_);
  return known->second;
}

std::uint64_t Contents::context(ContextId id, bool of_collectives) {
  return contexts_.emplace(std::pair(id, of_collectives), contexts_.size()).first->second;
}

void Contents::require_agreement(std::uint64_t content, std::uint32_t number) {
  const history::Node& node = nodes_[content];
  const auto& op = std::get<Collective>(node.operation);
  auto& calls = calls_[{op.context, number}];
  calls.emplace(node.collective_hash, op.signature);
  for (const auto& [hash, signature] : calls)
    if (hash != node.collective_hash || clash_of(signature, op.signature))
      throw NoProof{"members that may disagree about a collective"};
}

}  // namespace rehearse::mc::footprints
