// SPDX-License-Identifier: MIT
//
// An algorithm for each collective; docs/traces.md lists them.
#include "trace/goal/rounds.hpp"

#include <bit>

namespace rehearse::trace::goal {

namespace {

// Of an empty contribution, there need not be a list of parts.
std::uint64_t part_of(const CollectiveAction& action, std::uint32_t member) {
  return member < action.segments.size() ? action.segments[member] : 0;
}

class RoundPlan {
 public:
  RoundPlan(const CollectiveAction& action, std::uint32_t member, std::uint32_t members, Rounds& rounds)
      : action_(action), member_(member), members_(members), rounds_(rounds) {}

  // ---- trees

  void broadcast() {
    if (virtual_rank() != 0) receive_round(parent());
    for_children([this](std::uint32_t child) { send_round(child, action_.named_bytes); });
  }

  void reduce() {
    std::uint32_t bits = 0;  // of the children, in the opposite order
    for_bits([&bits](std::uint32_t bit) { bits |= bit; });
    for (; bits != 0; bits &= bits - 1) receive_round(real(virtual_rank() + (bits & ~(bits - 1))));
    if (virtual_rank() != 0) send_round(parent(), action_.bytes);
  }

  // ---- all at once

  // `bytes` of a member, from the root.
  template <class Bytes>
  void from_root(const Bytes& bytes) {
    if (member_ != action_.root) return receive_round(action_.root);
    for (std::uint32_t i = 0; i < members_; ++i)
      if (i != member_) rounds_.send(i, bytes(i));
    rounds_.end_round();
  }

  void to_root() {
    if (member_ != action_.root) return send_round(action_.root, action_.bytes);
    for (std::uint32_t i = 0; i < members_; ++i)
      if (i != member_) rounds_.receive(i);
    rounds_.end_round();
  }

  // ---- rounds of everybody

  void barrier() {
    for (std::uint32_t distance = 1; distance < members_; distance *= 2)
      exchange_round((member_ + members_ - distance) % members_, (member_ + distance) % members_, 0);
  }

  // Of the first 2 (P - 2^k) members the even ones give theirs to the next one, and get the result last.
  void allreduce() {
    const std::uint32_t power = std::bit_floor(members_), extra = members_ - power;
    const std::uint64_t bytes = action_.bytes;
    const bool has_partner = member_ < 2 * extra;
    if (has_partner && member_ % 2 == 0) {
      send_round(member_ + 1, bytes);
      return receive_round(member_ + 1);
    }
    const std::uint32_t number = has_partner ? member_ / 2 : member_ - extra;
    if (has_partner) receive_round(member_ - 1);
    for (std::uint32_t distance = 1; distance < power; distance *= 2) {
      const std::uint32_t other = number ^ distance;
      const std::uint32_t peer = other < extra ? 2 * other + 1 : other + extra;
      exchange_round(peer, peer, bytes);
    }
    if (has_partner) send_round(member_ - 1, bytes);
  }

  template <class Bytes>
  void ring(const Bytes& bytes) {
    for (std::uint32_t k = 0; k + 1 < members_; ++k)
      exchange_round((member_ + members_ - 1) % members_, (member_ + 1) % members_,
                     bytes((member_ + members_ - k) % members_));
  }

  void pairwise() {
    for (std::uint32_t k = 1; k < members_; ++k) {
      const std::uint32_t destination = (member_ + k) % members_;
      exchange_round((member_ + members_ - k) % members_, destination, part_of(action_, destination));
    }
  }

  void chain() {
    if (member_ != 0) receive_round(member_ - 1);
    if (member_ + 1 < members_) send_round(member_ + 1, action_.bytes);
  }

 private:
  void receive_round(std::uint32_t source) {
    rounds_.receive(source);
    rounds_.end_round();
  }
  void send_round(std::uint32_t destination, std::uint64_t bytes) {
    rounds_.send(destination, bytes);
    rounds_.end_round();
  }
  void exchange_round(std::uint32_t source, std::uint32_t destination, std::uint64_t bytes) {
    rounds_.receive(source);
    rounds_.send(destination, bytes);
    rounds_.end_round();
  }

  // Counted from the root.
  std::uint32_t virtual_rank() const { return (member_ + members_ - action_.root) % members_; }
  std::uint32_t real(std::uint32_t virtual_rank) const { return (virtual_rank + action_.root) % members_; }
  std::uint32_t parent() const { return real(virtual_rank() & (virtual_rank() - 1)); }

  // Of a binomial tree, by their distances, from the largest on.
  template <class Take>
  void for_bits(const Take& take) const {
    const std::uint32_t own = virtual_rank();
    const std::uint32_t top = own == 0 ? std::bit_ceil(members_) : own & ~(own - 1);
    for (std::uint32_t bit = top >> 1; bit != 0; bit >>= 1)
      if (bit < members_ - own) take(bit);
  }
  template <class Take>
  void for_children(const Take& take) const {
    for_bits([&](std::uint32_t bit) { take(real(virtual_rank() + bit)); });
  }

  const CollectiveAction& action_;
  std::uint32_t member_;
  std::uint32_t members_;
  Rounds& rounds_;
};

}  // namespace

void plan_rounds(const CollectiveAction& action, std::uint32_t member, std::uint32_t members,
                 const GoalConversion& options, Rounds& rounds) {
  if (members <= 1) return;
  RoundPlan plan(action, member, members, rounds);
  const auto segment = [&action](std::uint32_t of) { return part_of(action, of); };
  switch (action.kind) {
    case CollectiveKind::by_flow: break;
    case CollectiveKind::barrier: return plan.barrier();
    case CollectiveKind::broadcast:
      if (!options.has_linear_broadcast) return plan.broadcast();
      return plan.from_root([&action](std::uint32_t) { return action.named_bytes; });
    case CollectiveKind::reduce: return options.has_linear_reduce ? plan.to_root() : plan.reduce();
    case CollectiveKind::allreduce: return plan.allreduce();
    case CollectiveKind::gather:
    case CollectiveKind::gatherv: return plan.to_root();
    case CollectiveKind::scatter:
    case CollectiveKind::scatterv: return plan.from_root(segment);
    case CollectiveKind::allgather: return plan.ring([&action](std::uint32_t) { return action.bytes; });
    case CollectiveKind::allgatherv: return plan.ring([&action](std::uint32_t of) { return action.blocks[of]; });
    case CollectiveKind::alltoall:
    case CollectiveKind::alltoallv:
    case CollectiveKind::reduce_scatter:
    case CollectiveKind::reduce_scatter_block: return plan.pairwise();
    case CollectiveKind::scan:
    case CollectiveKind::exscan: return plan.chain();
  }
}

}  // namespace rehearse::trace::goal
