// SPDX-License-Identifier: MIT
//
// The binary form of GOAL schedules.
//
// Layout: little endian, without gaps. u64 4223; u32 ranks; u8 highest cpu; u8 highest nic; for each rank u64 begin and
//         u64 end, counted from behind the first 8 bytes. A rank: u32 operations, u32 roots; the roots, u32 each; the
//         operations, 39 bytes each: u32 needs, u8 kind, u32 peer, u64 size, u32 tag, u8 cpu, u8 nic, u32 number and
//         u32 first of the successors that wait until it is done, the same two of those that wait until it begins; the
//         successors, u32 each, numbers of operations of the rank. A root is an operation that waits for none.
// Source: LogGOPSim's txt2bin, whose files these are, byte for byte.
#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <ostream>

#include "trace/goal.hpp"
#include "trace/goal/goal_builder.hpp"

namespace rehearse::trace {

static_assert(std::endian::native == std::endian::little);

namespace goal {
namespace {

constexpr std::uint64_t magic = 4223;
constexpr std::size_t magic_bytes = 8, header_bytes = 6, range_bytes = 16, operation_bytes = 39;

// Numbers one after the other; past the end there are zeros, and is_past_end().
class NumberReader {
 public:
  NumberReader(std::string_view bytes, std::uint64_t at) : bytes_(bytes), at_(at) {}

  template <class Number>
  Number next() {
    Number value = 0;
    if (has(sizeof value)) std::memcpy(&value, bytes_.data() + at_, sizeof value);
    else is_past_end_ = true;
    at_ += sizeof value;
    return value;
  }
  void skip(std::uint64_t bytes) {
    is_past_end_ = is_past_end_ || !has(bytes);
    at_ += is_past_end_ ? 0 : bytes;
  }
  bool has(std::uint64_t bytes) const { return at_ <= bytes_.size() && bytes <= bytes_.size() - at_; }
  bool is_past_end() const { return is_past_end_; }
  std::uint64_t at() const { return at_; }

 private:
  std::string_view bytes_;
  std::uint64_t at_;
  bool is_past_end_ = false;
};

class BinaryReader {
 public:
  BinaryReader(std::string_view bytes, const std::string& path)
      : path_(path), bytes_(bytes.substr(magic_bytes)), builder_(schedule_) {
    schedule_.operations.reserve(bytes_.size() / operation_bytes + 1);
    schedule_.successors.reserve(bytes_.size() / operation_bytes);  // usually enough
  }

  Result<GoalSchedule> read() {
    NumberReader header(bytes_, 0);
    const auto ranks = header.next<std::uint32_t>();
    header.skip(2);
    if (ranks == 0 || !header.has(range_bytes * ranks))
      return Error{path_ + ": the file has " + std::to_string(bytes_.size() + magic_bytes) +
                   " bytes, which is not enough for the table of its " + std::to_string(ranks) + " ranks"};
    schedule_.blocks.resize(ranks);
    for (std::uint32_t rank = 0; rank < ranks && problem_.empty(); ++rank) {
      const auto begin = header.next<std::uint64_t>(), end = header.next<std::uint64_t>();
      read_rank(rank, begin, end);
    }
    if (!problem_.empty()) return Error{problem_};
    builder_.finish();
    schedule_.format = "goal-binary";
    schedule_.files = {path_};
    return std::move(schedule_);
  }

 private:
  void read_rank(std::uint32_t rank, std::uint64_t begin, std::uint64_t end) {
    if (begin > end || end > bytes_.size())
      return refuse(rank, "its bytes " + std::to_string(begin) + " to " + std::to_string(end) +
                              " are not in the file, which is cut short or damaged");
    NumberReader at(bytes_.substr(0, end), begin);
    const auto count = at.next<std::uint32_t>(), roots = at.next<std::uint32_t>();
    at.skip(std::uint64_t{4} * roots);
    if (at.is_past_end() || !at.has(std::uint64_t{operation_bytes} * count))
      return refuse(rank, std::to_string(count) + " operations and " + std::to_string(roots) +
                              " roots are more than its bytes hold");
    if (schedule_.operations.size() + count > GoalSchedule::most_operations)
      return refuse(rank, "more than " + std::to_string(GoalSchedule::most_operations) + " operations");
    // In files of txt2bin no two ranks share bytes; damaged ones could have many more operations than bytes.
    if (schedule_.operations.size() + count > bytes_.size() / operation_bytes)
      return refuse(rank, "its operations are also those of another rank");
    const std::uint64_t successors = at.at() + std::uint64_t{operation_bytes} * count;
    builder_.begin_rank(rank);
    needs_.clear();
    for (std::uint32_t i = 0; i < count && problem_.empty(); ++i) read_operation(rank, i, at);
    at = NumberReader(bytes_.substr(0, end), begin + 8 + std::uint64_t{4} * roots);
    for (std::uint32_t i = 0; i < count && problem_.empty(); ++i) read_successors(rank, i, count, successors, end, at);
    if (!problem_.empty()) return;
    builder_.end_rank();
    const GoalOperation* operations = schedule_.operations.data() + schedule_.blocks[rank].first;
    for (std::uint32_t i = 0; i < count; ++i)
      if (operations[i].needs != needs_[i])
        return refuse(rank, of_operation(i) + "waits for " + std::to_string(needs_[i]) + " others, but " +
                                std::to_string(operations[i].needs) + " name it as a successor");
  }

  void read_operation(std::uint32_t rank, std::uint32_t number, NumberReader& at) {
    GoalOperation operation;
    needs_.push_back(at.next<std::uint32_t>());
    const auto kind = at.next<std::uint8_t>();
    operation.peer = at.next<std::uint32_t>();
    operation.size = at.next<std::uint64_t>();
    operation.tag = at.next<std::uint32_t>();
    operation.cpu = at.next<std::uint8_t>();
    operation.nic = at.next<std::uint8_t>();
    at.skip(16);
    if (kind < 1 || kind > 3)
      return refuse(rank, of_operation(number) + "kind " + std::to_string(kind) +
                              "; accepted: 1 (send), 2 (receive), 3 (calculation)");
    operation.kind = static_cast<GoalKind>(kind);
    if (operation.kind == GoalKind::calculation) operation.peer = operation.tag = 0;  // they mean nothing
    const bool may_be_any = operation.kind == GoalKind::receive && operation.peer == goal_any;
    if (operation.kind != GoalKind::calculation && operation.peer >= schedule_.blocks.size() && !may_be_any)
      return refuse(rank, of_operation(number) + "rank " + std::to_string(operation.peer) + " is not one of the " +
                              std::to_string(schedule_.blocks.size()) + " ranks");
    builder_.add(operation);
  }

  void read_successors(std::uint32_t rank, std::uint32_t number, std::uint32_t count, std::uint64_t pool,
                       std::uint64_t end, NumberReader& at) {
    at.skip(operation_bytes - 16);
    for (const bool begun : {false, true}) {
      const auto length = at.next<std::uint32_t>(), first = at.next<std::uint32_t>();
      const std::uint64_t from = pool + std::uint64_t{4} * first;
      if (length != 0 && (from > end || length > (end - from) / 4))
        return refuse(rank, of_operation(number) + "its successors are not within the rank's bytes");
      // In files of txt2bin no two lists share bytes; damaged ones could have many more edges than bytes.
      edges_ += length;
      if (edges_ > bytes_.size() / 4) return refuse(rank, of_operation(number) + "successors are listed twice");
      NumberReader list(bytes_, from);
      for (std::uint32_t i = 0; i < length; ++i) {
        const auto successor = list.next<std::uint32_t>();
        if (successor >= count)
          return refuse(rank, of_operation(number) + "successor " + std::to_string(successor) +
                                  " is not one of the rank's " + std::to_string(count) + " operations");
        builder_.require(successor, number, begun);
      }
    }
  }

  static std::string of_operation(std::uint32_t number) { return "operation " + std::to_string(number) + ": "; }

  void refuse(std::uint32_t rank, const std::string& text) {
    if (problem_.empty()) problem_ = path_ + ": rank " + std::to_string(rank) + ": " + text;
  }

  const std::string& path_;
  std::string_view bytes_;  // behind the magic number
  GoalSchedule schedule_;
  GoalBuilder builder_;
  std::vector<std::uint32_t> needs_;  // as the rank's operations have it
  std::uint64_t edges_ = 0;
  std::string problem_;
};

class NumberWriter {
 public:
  explicit NumberWriter(std::ostream& out) : out_(out) {}
  template <class Number>
  NumberWriter& operator<<(Number value) {
    out_.write(reinterpret_cast<const char*>(&value), sizeof value);
    return *this;
  }

 private:
  std::ostream& out_;
};

void write_rank(const GoalSchedule& schedule, const GoalSchedule::Block& block, NumberWriter& out) {
  const GoalOperation* operations = schedule.operations.data() + block.first;
  std::uint32_t roots = 0;
  for (std::uint32_t i = 0; i < block.count; ++i) roots += operations[i].needs == 0 ? 1 : 0;
  out << block.count << roots;
  for (std::uint32_t i = 0; i < block.count; ++i)
    if (operations[i].needs == 0) out << i;
  const std::uint32_t first = block.count == 0 ? 0 : operations[0].first_done;
  for (std::uint32_t i = 0; i < block.count; ++i) {
    const GoalOperation& each = operations[i];
    const std::uint32_t end = operations[i + 1].first_done;
    out << each.needs << static_cast<std::uint8_t>(each.kind) << each.peer << each.size << each.tag << each.cpu
        << each.nic << each.first_begun - each.first_done << each.first_done - first << end - each.first_begun
        << each.first_begun - first;
  }
  const std::uint32_t end = block.count == 0 ? 0 : operations[block.count].first_done;
  for (std::uint32_t i = first; i < end; ++i) out << schedule.successors[i] - block.first;
}

std::uint64_t bytes_of(const GoalSchedule& schedule, const GoalSchedule::Block& block) {
  const GoalOperation* operations = schedule.operations.data() + block.first;
  const auto roots = static_cast<std::uint64_t>(
      std::count_if(operations, operations + block.count, [](const GoalOperation& each) { return each.needs == 0; }));
  const std::uint64_t edges = block.count == 0 ? 0 : operations[block.count].first_done - operations[0].first_done;
  return 8 + 4 * roots + operation_bytes * block.count + 4 * edges;
}

}  // namespace
}  // namespace goal

Result<GoalSchedule> read_goal_binary(std::string_view bytes, const std::string& path) {
  return goal::BinaryReader(bytes, path).read();
}

void write_goal_binary(const GoalSchedule& schedule, std::ostream& out) {
  goal::NumberWriter numbers(out);
  std::uint8_t cpu = 0, nic = 0;
  for (const GoalOperation& operation : schedule.operations) {
    cpu = std::max(cpu, operation.cpu);
    nic = std::max(nic, operation.nic);
  }
  numbers << goal::magic << schedule.ranks() << cpu << nic;
  std::uint64_t at = goal::header_bytes + goal::range_bytes * schedule.blocks.size();
  for (const GoalSchedule::Block& block : schedule.blocks) {
    const std::uint64_t end = at + goal::bytes_of(schedule, block);
    numbers << at << end;
    at = end;
  }
  for (const GoalSchedule::Block& block : schedule.blocks) goal::write_rank(schedule, block, numbers);
}

}  // namespace rehearse::trace
