// SPDX-License-Identifier: MIT
//
// See schedule_interpreter.hpp. The data of a member is a table of cells, one for each origin (unless combining),
// target and smallest part. A cell contains one bit for each contribution in it.
#include "tests/support/schedule_interpreter.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <numeric>
#include <utility>
#include <vector>

namespace rehearse::testing {

namespace {

using Bits = std::uint64_t;

bool is_run(Bits bits) {
  while (bits && !(bits & 1)) bits >>= 1;
  return (bits & (bits + 1)) == 0;
}

struct Message {
  std::map<std::uint32_t, Bits> cells;
  Bits heard = 0;  // the members whose data has reached the source
};

struct Table {
  std::vector<Bits> cells;
  std::vector<bool> is_spoiled;  // combined from members that are not consecutive, although the order matters
  std::vector<Bits> prefix;      // of a scan: the contributions of earlier members and of the member itself
  Bits heard = 0;
  std::uint32_t round = 0;
  bool is_in_round = false;
  std::uint32_t open_sends = 0;
  std::vector<std::pair<ScheduledReceive, bool>> receives;  // receives of the round, and whether they are complete
  std::vector<Message> came;
};

class Interpreter {
 public:
  Interpreter(const CollectiveSchedule& schedule, const CollectiveShape& shape, bool is_buffered)
      : schedule_(schedule), shape_(shape), is_buffered_(is_buffered), members_(shape.members) {
    find_parts();
    origins_ = shape.is_combining ? 1 : members_;
    targets_ = has_targets() ? members_ : 1;
    for (std::uint32_t me = 0; me < members_; ++me) tables_.push_back(first_table(me));
  }

  std::string run() {
    bool goes_on = true;
    while (goes_on && problem_.empty()) {
      goes_on = false;
      for (std::uint32_t me = 0; me < members_; ++me) goes_on |= advance(me);
    }
    if (problem_.empty()) check_end();
    return problem_;
  }

 private:
  using Kind = CollectiveKind;

  bool is_from_root() const {
    return shape_.kind == Kind::broadcast || shape_.kind == Kind::scatter || shape_.kind == Kind::scatterv;
  }
  bool is_between() const { return shape_.first_group != 0; }
  bool is_apart(std::uint32_t a, std::uint32_t b) const { return (a < shape_.first_group) != (b < shape_.first_group); }
  // The contributions that a member needs: all, or those of the other group.
  Bits needed(std::uint32_t me) const {
    Bits bits = 0;
    for (std::uint32_t i = 0; i < members_; ++i)
      if (!is_between() || is_apart(me, i)) bits |= Bits{1} << i;
    return bits;
  }
  bool has_targets() const {
    if (is_between() && shape_.is_combining) return false;  // each member takes its own piece of the whole
    return shape_.kind == Kind::scatter || shape_.kind == Kind::scatterv || shape_.kind == Kind::alltoall ||
           shape_.kind == Kind::alltoallv || shape_.kind == Kind::reduce_scatter ||
           shape_.kind == Kind::reduce_scatter_block;
  }
  Bits everybody() const { return members_ == 64 ? ~Bits{0} : (Bits{1} << members_) - 1; }

  void find_parts() {
    Round round;
    for (std::uint32_t me = 0; me < members_; ++me)
      for (std::uint32_t r = 0; r < schedule_.rounds(); ++r) {
        round.clear();
        schedule_.plan(me, r, round);
        for (const ScheduledSend& send : round.sends) parts_ = std::lcm(parts_, send.payload.of_parts);
      }
  }

  std::uint32_t cell(std::uint32_t origin, std::uint32_t target, std::uint32_t part) const {
    return ((shape_.is_combining ? 0 : origin) * targets_ + (targets_ > 1 ? target : 0)) * parts_ + part;
  }

  Table first_table(std::uint32_t me) const {
    Table table;
    table.cells.resize(std::size_t{origins_} * targets_ * parts_);
    table.prefix.resize(table.cells.size());
    table.is_spoiled.resize(table.cells.size());
    table.heard = Bits{1} << me;
    if (is_from_root() && me != shape_.root) return table;
    for (std::uint32_t target = 0; target < targets_; ++target)
      for (std::uint32_t part = 0; part < parts_; ++part) table.cells[cell(me, target, part)] = Bits{1} << me;
    if (shape_.kind == Kind::scan) table.prefix = table.cells;
    return table;
  }

  void complain(std::uint32_t me, const std::string& what) {
    if (problem_.empty())
      problem_ = "member " + std::to_string(me) + " in round " + std::to_string(tables_[me].round) + ": " + what;
  }

  template <class Visit>
  static void each(const Range& range, std::uint32_t modulus, Visit visit) {
    for (std::uint32_t i = 0; i < range.count; ++i)
      visit(static_cast<std::uint32_t>((range.first + std::uint64_t{i} * range.stride) % modulus));
  }

  std::uint32_t member_at(std::uint32_t place) const {
    return schedule_.order().empty() ? place : schedule_.order()[place];
  }

  void pack(std::uint32_t me, const Payload& payload, Message& message) {
    if (payload.origins.count == 0) return;
    const std::uint32_t unit = parts_ / payload.of_parts;
    Range origins = payload.origins, targets = payload.targets;
    if (shape_.is_combining) origins = {0, 1, 1};
    if (targets_ == 1) targets = {0, 1, 1};
    each(origins, members_, [&](std::uint32_t o) {
      each(targets, members_, [&](std::uint32_t t) {
        each(payload.parts, payload.of_parts, [&](std::uint32_t p) {
          for (std::uint32_t i = 0; i < unit; ++i) {
            const std::uint32_t index = cell(member_at(o), member_at(t), p * unit + i);
            if (tables_[me].cells[index] == 0)
              complain(me, "sends of " + std::to_string(member_at(o)) + " for " + std::to_string(member_at(t)) +
                               " what it does not have");
            if (tables_[me].is_spoiled[index]) complain(me, "sends what was combined in another order");
            if (!message.cells.emplace(index, tables_[me].cells[index]).second) complain(me, "sends something twice");
          }
        });
      });
    });
  }

  // Returns whether the member made progress.
  bool advance(std::uint32_t me) {
    Table& table = tables_[me];
    if (!table.is_in_round) {
      if (table.round == schedule_.rounds()) return false;
      begin_round(me);
      return true;
    }
    bool has_changed = false;
    for (std::size_t i = 0; i < table.receives.size(); ++i) {
      auto& [receive, has_come] = table.receives[i];
      auto& channel = channels_[{receive.source, me}];
      const bool has_earlier =
          std::any_of(table.receives.begin(), table.receives.begin() + static_cast<std::ptrdiff_t>(i),
                      [&](const auto& earlier) { return earlier.first.source == receive.source && !earlier.second; });
      if (has_come || has_earlier || channel.empty()) continue;
      table.came[i] = std::move(channel.front());
      channel.pop_front();
      has_come = has_changed = true;
      if (!is_buffered_) --tables_[receive.source].open_sends;
    }
    const bool is_over = table.open_sends == 0 &&
                         std::ranges::all_of(table.receives, [](const auto& each) { return each.second; });
    if (is_over) end_round(me);
    return has_changed || is_over;
  }

  void begin_round(std::uint32_t me) {
    Table& table = tables_[me];
    Round round;
    schedule_.plan(me, table.round, round);
    table.is_in_round = true;
    table.receives.clear();
    for (const ScheduledReceive& receive : round.receives) {
      if (receive.source >= members_ || receive.source == me) return complain(me, "receives from nowhere");
      table.receives.emplace_back(receive, false);
    }
    table.came.assign(table.receives.size(), {});
    for (const ScheduledSend& send : round.sends) {
      if (send.destination >= members_ || send.destination == me) return complain(me, "sends to nowhere");
      Message message;
      message.heard = table.heard;
      pack(me, send.payload, message);
      pack(me, send.more, message);
      channels_[{me, send.destination}].push_back(std::move(message));
      if (!is_buffered_) ++table.open_sends;
    }
  }

  void end_round(std::uint32_t me) {
    Table& table = tables_[me];
    for (std::size_t i = 0; i < table.receives.size(); ++i) {
      const std::uint32_t combinations = table.receives[i].first.combinations;
      table.heard |= table.came[i].heard;
      for (const auto& [index, bits] : table.came[i].cells) take(me, index, bits, combinations);
    }
    for (std::size_t i = 0; i < table.cells.size(); ++i)
      if (shape_.is_combining && !shape_.is_commutative && !is_run(table.cells[i])) table.is_spoiled[i] = true;
    table.is_in_round = false;
    ++table.round;
  }

  void take(std::uint32_t me, std::uint32_t index, Bits bits, std::uint32_t combinations) {
    Table& table = tables_[me];
    if (!shape_.is_combining || combinations == 0) {
      table.cells[index] = bits;
      table.is_spoiled[index] = false;
      return;
    }
    if (table.cells[index] & bits) complain(me, "combines a contribution twice");
    table.cells[index] |= bits;
    const bool is_before = bits < Bits{1} << me;
    if (is_before) table.prefix[index] |= bits;
  }

  bool has(std::uint32_t me, std::uint32_t origin, std::uint32_t target, Bits expected) const {
    for (std::uint32_t part = 0; part < parts_; ++part) {
      const std::uint32_t index = cell(origin, target, part);
      if (tables_[me].cells[index] != expected || tables_[me].is_spoiled[index]) return false;
    }
    return true;
  }

  // Whether it has its own piece, if the members of a group divide the result.
  bool has_piece(std::uint32_t me) const {
    const bool is_first = me < shape_.first_group;
    const std::uint32_t size = is_first ? shape_.first_group : members_ - shape_.first_group;
    const std::uint32_t place = is_first ? me : me - shape_.first_group;
    for (std::uint32_t i = 0; i < parts_ / size; ++i)
      if (tables_[me].cells[cell(0, 0, place * (parts_ / size) + i)] != needed(me)) return false;
    return true;
  }

  bool is_right_between(std::uint32_t me) const {
    const bool is_root = me == shape_.root, is_near = !is_apart(me, shape_.root);
    switch (shape_.kind) {
      case Kind::barrier: return (tables_[me].heard & needed(me)) == needed(me);
      case Kind::broadcast:
      case Kind::scatter:
      case Kind::scatterv: return is_near || has(me, shape_.root, me, Bits{1} << shape_.root);
      case Kind::reduce: return !is_root || has(me, 0, 0, needed(me));
      case Kind::allreduce: return has(me, 0, 0, needed(me));
      case Kind::reduce_scatter:
      case Kind::reduce_scatter_block: return has_piece(me);
      case Kind::gather:
      case Kind::gatherv:
        if (!is_root) return true;
        break;
      default: break;
    }
    for (std::uint32_t o = 0; o < members_; ++o)
      if (is_apart(me, o) && !has(me, o, me, Bits{1} << o)) return false;
    return true;
  }

  bool is_right(std::uint32_t me) const {
    if (is_between()) return is_right_between(me);
    const bool is_root = me == shape_.root;
    const auto all_origins = [&](std::uint32_t last) {
      for (std::uint32_t o = 0; o < last; ++o)
        if (!has(me, o, me, Bits{1} << o)) return false;
      return true;
    };
    switch (shape_.kind) {
      case Kind::by_flow: return false;
      case Kind::barrier: return tables_[me].heard == everybody();
      case Kind::broadcast:
      case Kind::scatter:
      case Kind::scatterv: return has(me, shape_.root, me, Bits{1} << shape_.root);
      case Kind::reduce: return !is_root || has(me, 0, 0, everybody());
      case Kind::allreduce:
      case Kind::reduce_scatter:
      case Kind::reduce_scatter_block: return has(me, 0, me, everybody());
      case Kind::gather:
      case Kind::gatherv: return !is_root || all_origins(members_);
      case Kind::allgather:
      case Kind::allgatherv:
      case Kind::alltoall:
      case Kind::alltoallv: return all_origins(members_);
      case Kind::scan:
      case Kind::exscan: break;
    }
    if (!shape_.is_combining) return all_origins(me + 1);
    const Bits before = (Bits{1} << me) - 1;
    const Bits expected = shape_.kind == Kind::scan ? before | Bits{1} << me : before;
    return std::ranges::all_of(tables_[me].prefix, [&](Bits bits) { return bits == expected; });
  }

  void check_end() {
    for (std::uint32_t me = 0; me < members_; ++me) {
      if (tables_[me].round < schedule_.rounds()) complain(me, "never gets through");
      if (!is_right(me)) complain(me, "does not end with what it should");
    }
    for (const auto& [pair, channel] : channels_)
      if (!channel.empty()) complain(pair.first, "sends what is never received");
  }

  const CollectiveSchedule& schedule_;
  const CollectiveShape& shape_;
  bool is_buffered_;
  std::uint32_t members_, origins_ = 1, targets_ = 1, parts_ = 1;
  std::vector<Table> tables_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::deque<Message>> channels_;
  std::string problem_;
};

}  // namespace

std::string problem_of(const CollectiveSchedule& schedule, const CollectiveShape& shape) {
  const std::string problem = Interpreter(schedule, shape, true).run();
  return problem.empty() ? Interpreter(schedule, shape, false).run() : problem;
}

std::uint64_t count_messages(const CollectiveSchedule& schedule, std::uint32_t members) {
  std::uint64_t count = 0;
  Round round;
  for (std::uint32_t me = 0; me < members; ++me)
    for (std::uint32_t r = 0; r < schedule.rounds(); ++r) {
      round.clear();
      schedule.plan(me, r, round);
      count += round.sends.size();
    }
  return count;
}

}  // namespace rehearse::testing
