// SPDX-License-Identifier: MIT
//
// A trace of calls as time-independent text.
//
// Communicators: each rank makes all of them at its beginning, by splits and duplicates of the world. Communicators
//                without common members that follow each other come from one split.
// Types:         an element has the type whose number other readers know, if there is one of its size.
#include <algorithm>
#include <array>
#include <charconv>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "trace/conversion.hpp"
#include "trace/ti/split_lines.hpp"

namespace rehearse::trace {

namespace ti {
namespace {

class TextWriter {
 public:
  TextWriter(const Trace& trace, std::ostream& out)
      : trace_(trace), out_(out), splits_(trace.communicators(), trace.ranks()) {}

  Result<Conversion> write() {
    Conversion done;
    for (std::uint32_t rank = 0; rank < trace_.ranks(); ++rank) {
      prefix_ = std::to_string(rank) + " ";
      const auto reader = trace_.read(rank);
      text_ += prefix_ + "init\n";
      splits_.append(rank, text_);
      rank_ = rank;
      open_.clear();
      for (Action action; reader->next(action);) {
        text_ += prefix_;
        communicator_ = action.communicator;
        member_ = action.member;
        std::visit([this](const auto& what) { append(what); }, action.what);
        if (action.communicator != 0) word("comm=", action.communicator);
        text_ += '\n';
        if (text_.size() >= buffer_bytes) flush();
      }
      done.losses.add(reader->losses());
      if (reader->problem()) return *reader->problem();
      if (reader->unsupported()) {
        done.unsupported = *reader->unsupported();
        return done;
      }
      text_ += prefix_ + "finalize\n";
    }
    flush();
    if (ambiguous_ > 0) done.losses.add(Loss::ambiguous_waits, ambiguous_);
    if (unknown_ > 0) done.losses.add(Loss::unknown_counts, unknown_);
    return done;
  }

 private:
  static constexpr std::size_t buffer_bytes = 1 << 16;

  void flush() {
    out_.write(text_.data(), static_cast<std::streamsize>(text_.size()));
    text_.clear();
  }

  template <class Number>
  void number(Number value) {
    std::array<char, 32> digits;
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
    text_.append(digits.data(), end);
  }
  template <class Number>
  void word(Number value) {
    text_ += ' ';
    number(value);
  }
  template <class Number>
  void word(std::string_view name, Number value) {
    text_ += ' ';
    text_ += name;
    number(value);
  }

  // The numbers of the sizes that other readers know (types.hpp).
  void type(std::uint64_t size) {
    switch (size) {
      case 1: return word(6);
      case 2: return word(3);
      case 4: return word(1);
      case 8: return word(0);
      case 16: return word(14);
      case 32: return word(27);
      default: return word("bytes=", size);
    }
  }

  void append(const ComputeAction& action) {
    text_ += "compute";
    word(action.flops);
  }
  void append(const SleepAction& action) {
    text_ += "sleep";
    word(action.seconds);
  }
  void append(const SendAction& action) {
    constexpr std::array<std::string_view, 4> names = {"send", "ssend", "bsend", "rsend"};
    if (!action.blocking) text_ += 'i';
    text_ += names[static_cast<std::size_t>(action.mode)];
    word(action.destination);
    word(action.tag);
    word(action.bytes);
    type(1);
    const auto destination = static_cast<std::int32_t>(action.destination);
    if (!action.blocking) open(action.name, {static_cast<std::int32_t>(rank_), destination, action.tag});
  }
  void append(const ReceiveAction& action) {
    text_ += action.blocking ? "recv" : "irecv";
    source(action);
    word(action.tag.value_or(any));
    capacity(action);
    type(1);
    const std::int32_t source = action.source ? static_cast<std::int32_t>(*action.source) : any;
    if (!action.blocking)
      open(action.name,
           {source, static_cast<std::int32_t>(rank_), static_cast<std::int32_t>(action.tag.value_or(any))});
  }
  void append(const ExchangeAction& action) {
    const bool has_tags = action.send.tag != 0 || action.receive.tag != 0;
    if (trace_.has_request_numbers() && has_tags) return parts_of_exchange(action);
    text_ += "sendRecv";
    word(action.send.bytes);
    word(action.send.destination);
    capacity(action.receive);
    source(action.receive);
    type(1);
    type(1);
  }
  void source(const ReceiveAction& action) {
    if (action.source) word(*action.source);
    else word(any);
  }
  void capacity(const ReceiveAction& action) {
    if (action.bytes) word(*action.bytes);
    else word(-1);
  }
  // sendRecv has no tags.
  void parts_of_exchange(const ExchangeAction& action) {
    constexpr RequestName received{any, any, -1}, sent{any, any, -2};  // no numbers of a trace
    ExchangeAction parts = action;
    parts.receive.name = received;
    parts.send.name = sent;
    append(parts.receive);
    end_line();
    append(parts.send);
    end_line();
    append(WaitAction{received});
    end_line();
    append(WaitAction{sent});
  }
  void append(const WaitAction& action) {
    const RequestName name = name_of(action.name);
    text_ += "wait";
    word(name.source);
    word(name.destination);
    word(name.tag);
  }
  void append(const WaitAllAction&) { text_ += "waitall"; }
  void append(const WaitAnyAction&) { text_ += "waitAny"; }

  // The size of an element, if so many of them are so many bytes; otherwise a byte.
  static std::uint64_t unit_of(std::uint64_t bytes, std::uint64_t elements) {
    return elements > 0 && bytes % elements == 0 ? bytes / elements : 1;
  }
  static std::uint64_t count_of(std::uint64_t bytes, std::uint64_t unit, std::uint64_t elements) {
    return unit == 0 ? elements : bytes / unit;
  }
  // Also one that divides each of them.
  static std::uint64_t unit_of(std::span<const std::uint64_t> each, std::uint64_t bytes, std::uint64_t elements) {
    const std::uint64_t unit = unit_of(bytes, elements);
    const bool divides = unit > 0 && std::ranges::all_of(each, [unit](std::uint64_t of) { return of % unit == 0; });
    return divides ? unit : 1;
  }
  void list(std::span<const std::uint64_t> bytes, std::uint64_t unit, std::size_t members) {
    for (std::size_t i = 0; i < members; ++i) word(i < bytes.size() ? bytes[i] / unit : 0);
  }

  void append(const CollectiveAction& action) {
    text_ += action.name;
    const std::size_t members = trace_.communicators().members(communicator_).size();
    switch (action.kind) {
      case CollectiveKind::by_flow:
      case CollectiveKind::barrier: return;
      case CollectiveKind::broadcast: return broadcast(action);
      case CollectiveKind::reduce: return reduction(action, true);
      case CollectiveKind::allreduce:
      case CollectiveKind::scan:
      case CollectiveKind::exscan: return reduction(action, false);
      case CollectiveKind::reduce_scatter:
      case CollectiveKind::reduce_scatter_block: return reduce_scatter(action, members);
      case CollectiveKind::gather: return gather(action);
      case CollectiveKind::gatherv: return gatherv(action, members);
      case CollectiveKind::scatter: return scatter(action);
      case CollectiveKind::scatterv: return scatterv(action, members);
      case CollectiveKind::allgather: return equal_parts(action.bytes, 1);
      case CollectiveKind::alltoall: return equal_parts(action.segments.empty() ? 0 : action.segments.front(), 1);
      case CollectiveKind::allgatherv: return allgatherv(action, members);
      case CollectiveKind::alltoallv: return alltoallv(action, members);
    }
  }

  void broadcast(const CollectiveAction& action) {
    const std::uint64_t unit = unit_of(action.named_bytes, action.elements);
    word(count_of(action.named_bytes, unit, action.elements));
    word(action.root);
    type(unit);
  }
  void reduction(const CollectiveAction& action, bool has_root) {
    const std::uint64_t unit = unit_of(action.bytes, action.elements);
    word(count_of(action.bytes, unit, action.elements));
    word(action.flops);
    if (has_root) word(action.root);
    type(unit);
  }
  void reduce_scatter(const CollectiveAction& action, std::size_t members) {
    const std::uint64_t unit = unit_of(action.segments, action.bytes, action.elements);
    list(action.segments, unit, members);
    word(action.flops);
    type(unit);
  }
  void equal_parts(std::uint64_t bytes, std::uint64_t unit) {
    word(bytes);
    word(bytes);
    type(unit);
    type(unit);
  }
  void gather(const CollectiveAction& action) {
    const std::uint64_t unit = unit_of(action.bytes, action.elements);
    const std::uint64_t count = count_of(action.bytes, unit, action.elements);
    word(count);
    word(member_ == action.root ? count : 0);
    word(action.root);
    type(unit);
    type(unit);
  }
  void scatter(const CollectiveAction& action) {
    word(member_ == action.root ? action.received_bytes : 0);
    word(action.received_bytes);
    word(action.root);
    type(1);
    type(1);
  }
  void gatherv(const CollectiveAction& action, std::size_t members) {
    word(action.bytes);
    if (member_ == action.root) need(action.blocks);
    list(action.blocks, 1, members);
    word(action.root);
    type(1);
    type(1);
  }
  void scatterv(const CollectiveAction& action, std::size_t members) {
    const std::uint64_t unit = unit_of(action.segments, action.bytes, action.elements);
    list(action.segments, unit, members);
    word(action.received_bytes / unit);
    word(action.root);
    type(unit);
    type(unit);
  }
  void allgatherv(const CollectiveAction& action, std::size_t members) {
    word(action.bytes);
    need(action.blocks);
    list(action.blocks, 1, members);
    type(1);
    type(1);
  }
  void alltoallv(const CollectiveAction& action, std::size_t members) {
    const std::uint64_t unit = unit_of(action.segments, action.bytes, action.elements);
    word(action.bytes / unit);
    list(action.segments, unit, members);
    std::uint64_t received = 0;
    for (const std::uint64_t bytes : action.blocks) received += bytes;
    need(action.blocks);
    word(received);
    list(action.blocks, 1, members);
    type(unit);
    type(1);
  }

  void end_line() {
    if (communicator_ != 0) word("comm=", communicator_);
    text_ += '\n' + prefix_;
  }

  void open(const RequestName& number, const RequestName& name) {
    if (trace_.has_request_numbers()) open_.push_back({number, name});
  }
  // The name that means the request with this number.
  RequestName name_of(const RequestName& number) {
    if (!trace_.has_request_numbers() || number == collective_name) return number;
    const auto meant = std::ranges::find(open_, number, &OpenRequest::number);
    if (meant == open_.end()) return number;
    const RequestName name = meant->name;
    ambiguous_ += std::ranges::find(open_, name, &OpenRequest::name) != meant;
    open_.erase(meant);
    return name;
  }

  void need(std::span<const std::uint64_t> blocks) { unknown_ += blocks.empty() ? 1 : 0; }

  struct OpenRequest {
    RequestName number, name;
  };

  const Trace& trace_;
  std::ostream& out_;
  SplitLines splits_;
  std::string text_, prefix_;
  std::uint32_t communicator_ = 0, member_ = 0;  // of the action at hand
  std::uint64_t unknown_ = 0;                    // collectives with sizes that nobody knows
  std::uint32_t rank_ = 0;
  std::vector<OpenRequest> open_;  // of a trace with numbers of requests
  std::uint64_t ambiguous_ = 0;    // waits whose name means an earlier request
};

}  // namespace
}  // namespace ti

Result<Conversion> write_text(const Trace& trace, std::ostream& out) { return ti::TextWriter(trace, out).write(); }

}  // namespace rehearse::trace
