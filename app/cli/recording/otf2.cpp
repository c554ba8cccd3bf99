// SPDX-License-Identifier: MIT
//
// Recordings as archives of OTF2: a location for each rank, calls as regions of MPI.
//
// Source: sizes of collectives as Score-P records them: what a member sends to, and receives from, all members.
#include <algorithm>
#include <map>

#include "app/cli/recording/calls.hpp"
#include "app/cli/recording/exports.hpp"
#include "trace/otf2_archive.hpp"

namespace rehearse::cli {
namespace {

using trace::ArchiveContent;
using trace::ArchiveRecord;

class Otf2Export {
 public:
  Otf2Export(const app::Recording& recording, const Subject& subject)
      : recording_(recording), calls_(calls_of(recording)), notes_(calls_.calls.size()) {
    content_.platform = subject.platform.name();
    content_.end = recording.end;
    content_.records.resize(recording.stops.size());
    for (const app::RecordedStop& stop : recording.stops)
      content_.hosts.push_back(subject.platform.host(stop.host).name);
    content_.communicators.emplace_back();
    for (std::uint32_t rank = 0; rank < recording.stops.size(); ++rank) content_.communicators[0].push_back(rank);
  }

  const ArchiveContent& make() {
    find_communicators();
    ArchiveRecord frame;  // the whole life of a rank: the time before its first call is computation, too
    frame.region = region_of("rank");
    for (std::uint32_t rank = 0; rank < recording_.stops.size(); ++rank)
      add(rank, frame, ArchiveRecord::Kind::enter, {});
    for (std::uint32_t i = 0; i < recording_.messages.size(); ++i) note_message(recording_.messages[i], i);
    for (std::uint32_t i = 0; i < recording_.completions.size(); ++i) note_completion(i);
    for (const RecordedCall& call : calls_.calls) note_poll(call);
    for (std::uint32_t i = 0; i < calls_.calls.size(); ++i)
      if (!calls_.calls[i].function.empty()) add_call(i);
    for (std::uint32_t rank = 0; rank < recording_.stops.size(); ++rank)
      add(rank, frame, ArchiveRecord::Kind::leave, std::max(recording_.stops[rank].time, last_date_of(rank)));
    return content_;
  }

  trace::Losses losses() const { return losses_; }

 private:
  TimePoint last_date_of(std::uint32_t rank) const { return content_.records[rank].back().date; }

  // The context of a collective is a communicator. The first one of all ranks in their order is the world.
  void find_communicators() {
    totals_.resize(recording_.collectives.size());
    for (const app::Interval& interval : recording_.intervals)
      if (interval.collective != app::none) totals_[interval.collective] += interval.bytes;
    bool has_world = false;
    for (std::uint32_t context = 0; context < recording_.members.size(); ++context) {
      const std::vector<std::uint32_t>& members = recording_.members[context];
      if (members.empty()) continue;
      if (!has_world && members == content_.communicators[0]) {
        has_world = true;
        continue;  // number 0
      }
      communicators_[context] = static_cast<std::uint32_t>(content_.communicators.size());
      content_.communicators.push_back(members);
    }
  }

  std::uint32_t call_number(std::uint32_t interval) const { return calls_.of_interval[interval]; }

  // Whether another call completes what the call of the first interval starts.
  bool ends_elsewhere(std::uint32_t start, std::uint32_t end) const {
    if (end != app::none) return call_number(start) != call_number(end);
    return calls_.calls[call_number(start)].function.starts_with("MPI_I");
  }

  void note_message(const app::RecordedMessage& message, std::uint32_t number) {
    if (message.sender != app::none) {
      ArchiveRecord record = record_of(message, message.destination, number);
      const bool is_started = ends_elsewhere(message.sender, message.sender_end);
      record.kind = is_started ? ArchiveRecord::Kind::isend : ArchiveRecord::Kind::send;
      notes_[call_number(message.sender)].starts.push_back(record);
      record.kind = ArchiveRecord::Kind::isend_complete;
      if (is_started && message.sender_end != app::none) add_end(message.sender_end, record);
    }
    if (message.receiver == app::none) return losses_.add(trace::Loss::sends_alone);
    ArchiveRecord record = record_of(message, message.source, number);
    const bool is_started = ends_elsewhere(message.receiver, message.receiver_end);
    if (is_started && message.receiver_end == app::none) return losses_.add(trace::Loss::unfinished_requests);
    if (is_started) {
      record.kind = ArchiveRecord::Kind::irecv_request;
      notes_[call_number(message.receiver)].starts.push_back(record);
    }
    record.kind = is_started ? ArchiveRecord::Kind::irecv : ArchiveRecord::Kind::recv;
    add_end(is_started ? message.receiver_end : message.receiver, record);
  }

  void add_end(std::uint32_t interval, const ArchiveRecord& record) {
    Notes& notes = notes_[call_number(interval)];
    notes.ends.push_back(record);
  }

  // The record of a nonblocking collective is in the call that completes it.
  void note_completion(std::uint32_t number) {
    const app::RecordedCompletion& at = recording_.completions[number];
    const app::Interval& start = recording_.intervals[at.start];
    if (!moves_data(calls_.calls[call_number(at.start)], start)) return;
    if (at.end == app::none) return losses_.add(trace::Loss::unfinished_requests);
    ArchiveRecord record = record_of(start);
    record.request = 2 * (recording_.messages.size() + number);
    record.kind = ArchiveRecord::Kind::collective_request;
    notes_[call_number(at.start)].starts.push_back(record);
    record.kind = ArchiveRecord::Kind::collective_complete;
    add_end(at.end, record);
  }

  // Readers find no messages of probes, and nothing of tests without success.
  void note_poll(const RecordedCall& call) {
    const app::Interval& interval = recording_.intervals[call.first];
    const bool has_success = !notes_[&call - calls_.calls.data()].ends.empty();
    if (call.doing == app::Doing::probe) losses_.add(trace::Loss::probes, interval.times);
    else if (call.function.starts_with("MPI_Test"))
      losses_.add(trace::Loss::failed_tests, interval.times - (has_success ? 1 : 0));
  }

  // Even numbers are requests of sends, odd ones those of receives.
  static ArchiveRecord record_of(const app::RecordedMessage& message, std::uint32_t peer, std::uint32_t number) {
    ArchiveRecord record;
    record.peer = peer;
    record.tag = message.tag;
    record.bytes = message.bytes;
    record.request = 2 * std::uint64_t{number} + (peer == message.source ? 1 : 0);
    return record;
  }

  std::uint32_t region_of(const std::string& function) {
    const auto [known, is_new] = regions_.try_emplace(function, static_cast<std::uint32_t>(content_.regions.size()));
    if (is_new) content_.regions.push_back(function);
    return known->second;
  }

  void add_call(std::uint32_t number) {
    const RecordedCall& call = calls_.calls[number];
    ArchiveRecord frame;
    frame.region = region_of(call.function);
    add(call.rank, frame, ArchiveRecord::Kind::enter, call.begin);
    for (ArchiveRecord& record : notes_[number].starts) add(call.rank, record, record.kind, call.begin);
    add_collective(call, recording_.intervals[call.first]);
    for (ArchiveRecord& record : notes_[number].ends) add(call.rank, record, record.kind, call.end);
    add(call.rank, frame, ArchiveRecord::Kind::leave, call.end);
  }

  void add(std::uint32_t rank, ArchiveRecord record, ArchiveRecord::Kind kind, TimePoint date) {
    record.kind = kind;
    record.date = date;
    content_.records[rank].push_back(record);
  }

  // Calls that make communicators, and the ends of the program, move no data.
  bool moves_data(const RecordedCall& call, const app::Interval& interval) const {
    return interval.collective != app::none && call.function != "MPI_Init" && call.function != "MPI_Finalize" &&
           recording_.collectives[interval.collective].kind != CollectiveKind::by_flow;
  }

  ArchiveRecord record_of(const app::Interval& interval) const {
    const app::RecordedCollective& collective = recording_.collectives[interval.collective];
    const auto communicator = communicators_.find(collective.context);
    ArchiveRecord record;
    record.collective = collective.kind;
    record.communicator = communicator == communicators_.end() ? 0 : communicator->second;
    record.root = collective.root;
    set_sizes(record, interval, content_.communicators[record.communicator]);
    return record;
  }

  void add_collective(const RecordedCall& call, const app::Interval& interval) {
    if (!moves_data(call, interval) || call.function.starts_with("MPI_I")) return;
    add(call.rank, {}, ArchiveRecord::Kind::collective_begin, call.begin);
    add(call.rank, record_of(interval), ArchiveRecord::Kind::collective_end, call.end);
  }

  void set_sizes(ArchiveRecord& record, const app::Interval& interval,
                 const std::vector<std::uint32_t>& members) const {
    const std::uint64_t own = interval.bytes, all = totals_[interval.collective], count = members.size();
    const bool is_root = record.root < count && members[record.root] == interval.rank;
    record.bytes = record.received = own;
    switch (record.collective) {
      case CollectiveKind::broadcast:
        record.bytes = own * count;
        record.received = all;
        break;
      case CollectiveKind::reduce: record.received = is_root ? all : 0; break;
      case CollectiveKind::gather:
      case CollectiveKind::gatherv: record.received = is_root ? all : 0; break;
      case CollectiveKind::scatter:
      case CollectiveKind::scatterv: record.received = all / count; break;
      case CollectiveKind::allgather:
      case CollectiveKind::allgatherv:
        record.bytes = own * count;
        record.received = all;
        break;
      case CollectiveKind::reduce_scatter:
      case CollectiveKind::reduce_scatter_block: record.received = own / count; break;
      default: break;
    }
  }

  // Records of a call besides its frame.
  struct Notes {
    std::vector<ArchiveRecord> starts, ends;
  };

  const app::Recording& recording_;
  RecordedCalls calls_;
  std::vector<Notes> notes_;  // by call
  ArchiveContent content_;
  std::map<std::string, std::uint32_t> regions_;
  std::map<std::uint32_t, std::uint32_t> communicators_;  // by context, without the world
  std::vector<std::uint64_t> totals_;                     // by collective: all contributions
  trace::Losses losses_;
};

}  // namespace

Result<trace::Losses> write_otf2(const std::string& file, const app::Recording& recording, const Subject& subject) {
  Otf2Export exported(recording, subject);
  if (const auto written = trace::write_archive(file, exported.make()); !written) return written.error();
  return exported.losses();
}

}  // namespace rehearse::cli
