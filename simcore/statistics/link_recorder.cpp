// SPDX-License-Identifier: MIT
//
// See link_recorder.hpp.
#include "simcore/statistics/link_recorder.hpp"

#include <algorithm>
#include <bit>

namespace rehearse::statistics {

LinkRecorder::Record& LinkRecorder::record_of(std::uint32_t original) {
  if (original >= records_.size()) records_.resize(original + 1);
  return records_[original];
}

std::uint32_t LinkRecorder::bin_of(std::uint64_t bytes) const {
  if (bytes == 0) return 0;
  const std::uint64_t packets = (bytes - 1) / parameters_.full_packet();  // full ones, without the last part
  return std::min<std::uint32_t>(1 + static_cast<std::uint32_t>(std::bit_width(packets)), bins - 1);
}

// Without --series, the values of links with a queue are kept.
void LinkRecorder::ask(Record& record, std::uint32_t original) {
  record.is_asked = true;
  const LinkId link{fabric_.link(original).origin};
  if (link.value < platform_.links().size() && choice_.takes_link(platform_.link(link).name))
    record.values.emplace(Values{ValueSeries(choice_.points_max()), RateSeries(choice_.points_max())});
}

void LinkRecorder::transmit(std::uint32_t link, const packet::Packet& packet, Picoseconds start) {
  const std::uint32_t original = fabric_.original(link);
  Record& record = record_of(original);
  if (!record.is_asked && !choice_.is_default()) ask(record, original);
  const std::uint32_t bytes = fabric_.wire_bytes(packet);
  const Picoseconds duration = fabric_.link(link).duration(bytes);
  record.busy += duration;
  record.rate.add(start, start + duration, bytes);
  if (record.values) record.values->rate.add(start, start + duration, bytes);
}

void LinkRecorder::hold(Queue& queue, Picoseconds until) {
  if (until <= queue.since) return;
  Record& record = records_[queue.original];
  const Picoseconds time = until - queue.since;
  record.queue_time += static_cast<double>(queue.bytes) * static_cast<double>(time);
  record.histogram[bin_of(queue.bytes)] += time;
  queue.since = until;
}

// Takes out the packets that have left.
void LinkRecorder::pass(Queue& queue, Picoseconds now) {
  while (!queue.leaving.empty() && queue.leaving.front().date <= now) {
    const Leave leave = queue.leaving.front();
    queue.leaving.pop_front();
    hold(queue, leave.date);
    queue.bytes -= leave.bytes;
    if (Record& record = records_[queue.original]; record.values) note_queue(record, leave.date, queue);
  }
  hold(queue, now);
}

void LinkRecorder::note_queue(Record& record, Picoseconds date, Queue& queue) {
  if (queue.leaving.empty() || queue.leaving.front().date > date)
    record.values->queue.note(date, static_cast<double>(queue.bytes));
}

void LinkRecorder::wait(std::uint32_t link, std::uint32_t bytes, Picoseconds from, Picoseconds until) {
  if (until <= from) return;
  if (link >= queues_.size()) queues_.resize(link + 1);
  Queue& queue = queues_[link];
  const std::uint32_t original = fabric_.original(link);
  Record& record = record_of(original);
  if (queue.original != original) {  // the number was that of another copy, whose packets have left
    if (queue.original != packet::nothing) pass(queue, from);
    queue.original = original;
    if (fabric_.link(link).is_copy) queue.since = from;
  }
  pass(queue, from);
  if (!record.is_asked) ask(record, original);
  record.has_queue = true;
  queue.bytes += bytes;
  queue.leaving.push_back({until, bytes});
  if (record.values) record.values->queue.note(from, static_cast<double>(queue.bytes));
  if (queue.bytes <= record.longest) return;
  record.longest = queue.bytes;
  record.longest_at = from;
}

void LinkRecorder::requeue(std::uint32_t link, Picoseconds now) {
  if (link >= queues_.size() || queues_[link].original == packet::nothing) return;
  Queue& queue = queues_[link];
  pass(queue, now);
  queue.leaving.clear();
  queue.bytes = 0;
  if (Record& record = records_[queue.original]; record.values) record.values->queue.note(now, 0);
}

LinkStatistics LinkRecorder::statistics_of(std::uint32_t original, const Record& record, Picoseconds end) const {
  LinkStatistics made;
  made.link = {fabric_.link(original).origin};
  for (std::uint32_t i = original; i < fabric_.link_count(); ++i) {
    if (fabric_.original(i) != original) continue;
    const packet::LinkTotals& totals = fabric_.link(i).totals;
    made.packets += totals.packets;
    made.bytes += totals.bytes;
    made.drops += totals.drops;
    made.losses += totals.lost;
    made.marks += totals.marks;
    made.pauses += totals.pauses;
    made.longest_queue_bytes = std::max(made.longest_queue_bytes, totals.longest_queue);
    made.full_seconds += static_cast<double>(totals.full) * 1e-12;
  }
  const double time = static_cast<double>(std::max<Picoseconds>(end, 1));
  made.utilisation = static_cast<double>(record.busy) / time;
  made.mean_queue_bytes = record.queue_time / time;
  made.longest_at_seconds = static_cast<double>(record.longest_at) * 1e-12;
  std::uint32_t last = bins;
  while (last > 0 && record.histogram[last - 1] == 0) --last;
  for (std::uint32_t i = 0; i < last; ++i)
    made.histogram.push_back({i == 0 ? 0 : std::uint64_t{parameters_.full_packet()} << (i - 1),
                              static_cast<double>(record.histogram[i]) * 1e-12});
  return made;
}

void LinkRecorder::finish(NetworkStatistics& all, Picoseconds end) {
  Picoseconds width = 0;
  for (std::uint32_t i = 0; i < queues_.size(); ++i)
    if (queues_[i].original != packet::nothing) pass(queues_[i], end);
  for (Record& record : records_) {
    record.rate.widen(0, end);
    width = std::max(width, record.rate.width());
  }
  all.slice = {std::max<Picoseconds>(width, 1)};
  records_.resize(fabric_.link_count());
  for (std::uint32_t i = 0; i < fabric_.link_count(); ++i) {
    Record& record = records_[i];
    if (fabric_.link(i).is_copy || fabric_.origin(i) >= packet::distance_origin) continue;
    if (!record.has_queue) record.histogram[0] = end;
    LinkStatistics made = statistics_of(i, record, end);
    if (made.packets + made.drops == 0) continue;
    record.rate.widen(width, end);
    made.rates = record.rate.rates(end);
    const std::string& name = platform_.link(made.link).name;
    if (record.values) {
      if (auto points = record.values->queue.finish(end); !points.empty())
        all.series.push_back({name, "queue", std::move(points)});
      all.series.push_back({name, "rate", record.values->rate.finish(end)});
    }
    all.links.push_back(std::move(made));
  }
  std::ranges::sort(all.links, {}, &LinkStatistics::link);
}

}  // namespace rehearse::statistics
