// SPDX-License-Identifier: MIT
//
// See ns3_cost_model.hpp.
#include "simcore/ns3/ns3_cost_model.hpp"

#include <algorithm>
#include <cmath>

#include "simcore/support/assert.hpp"
#include "simcore/support/format.hpp"

namespace rehearse::ns3 {
namespace {

constexpr std::uint64_t envelope_bytes = 32;             // as in the model `packet`
constexpr std::int64_t horizon = std::int64_t{1} << 62;  // beyond it a run has no end (53 days)

}  // namespace

Ns3CostModel::Ns3CostModel(const Platform& platform, std::unique_ptr<CostModel> others,
                           const packet::Parameters& parameters, std::vector<packet::LinkParameters> own,
                           const NetworkChanges& changes, bool has_profiles, std::unique_ptr<SimulatorProcess> process)
    : OtherCosts(std::move(others)),
      platform_(platform),
      parameters_(parameters),
      process_(std::move(process)),
      paths_(platform, *process_, parameters_, std::move(own), changes),
      next_event_(never) {
  others_->observe(*this, {.speeds = has_profiles});
}

const std::string* Ns3CostModel::problem() const {
  if (!process_->problem().empty()) return &process_->problem();
  return problem_.empty() ? nullptr : &problem_;
}

// ---- starts

std::optional<ActivityId> Ns3CostModel::start(const Transfer& transfer, TimePoint now) {
  REHEARSE_ASSERT(transfer.rate > 0, "a transfer may have a rate");
  catch_up(now);
  if (transfer.source == transfer.destination || transfer.read_from || transfer.write_to)
    return start_other(transfer, now);
  const bool has_envelope = transfer.kind != TransferKind::plain;
  const auto bytes = static_cast<std::uint64_t>(std::llround(transfer.bytes)) + (has_envelope ? envelope_bytes : 0);
  const auto connection = connection_for(transfer, now);
  if (!connection && problem_.empty()) {
    const auto route = platform_.find_route(transfer.source, transfer.destination);
    if (!route || !route->links.empty()) return std::nullopt;  // or no way back
    return start_other(transfer, now);                         // two hosts without a link between them
  }
  const std::uint32_t index = make_slot();
  const std::uint64_t message = ++messages_;
  slots_[index] = {SlotState::active,
                   connection.value_or(0),
                   transfer.source,
                   transfer.destination,
                   transfer.bytes,
                   transfer.rate,
                   message,
                   now,
                   {}};
  slot_of_[message] = index;
  ++active_;
  if (!problem_.empty()) return ActivityId{2 * index + 1};
  if (!is_usable(transfer, *connection, now)) {
    close(*connection);
    fail(index, now);
    return ActivityId{2 * index + 1};
  }
  if (transfer.rate < unlimited) process_->add(Pace{*connection, transfer.rate});
  process_->add(Send{*connection, bytes, message});
  has_news_ = true;
  return ActivityId{2 * index + 1};
}

bool Ns3CostModel::is_usable(const Transfer& transfer, std::uint32_t connection, TimePoint now) {
  if (!others_->is_host_on(transfer.source, now) || !others_->is_host_on(transfer.destination, now)) return false;
  return std::ranges::all_of(paths_.links_of(connections_[connection].path),
                             [&](LinkId link) { return others_->is_link_on(link, now); });
}

std::optional<std::uint32_t> Ns3CostModel::connection_for(const Transfer& transfer, TimePoint now) {
  const auto key = packet::Streams::key_of(transfer, parameters_);
  if (key)
    if (const auto found = streams_.find(*key)) return found;
  const std::uint64_t number = key && key->connection != 0 ? key->connection : messages_ + 1;
  const auto path = paths_.find_path(transfer.source, transfer.destination, number, *others_, now);
  if (!path) {
    if (const auto twice = paths_.repeated())
      problem_ = fmt::format("the route from host '{}' to host '{}' crosses link '{}' twice, which network model ns3 "
                             "does not support",
                             platform_.host(transfer.source).name, platform_.host(transfer.destination).name,
                             platform_.link(*twice).name);
    return std::nullopt;
  }
  const auto connection = static_cast<std::uint32_t>(connections_.size());
  connections_.push_back({*path, key.has_value(), false, {}});
  process_->add(NewConnection{*path});
  if (key) streams_.keep(*key, connection);
  return connection;
}

std::uint32_t Ns3CostModel::make_slot() {
  if (free_.empty()) {
    slots_.emplace_back();
    return static_cast<std::uint32_t>(slots_.size() - 1);
  }
  const std::uint32_t index = free_.back();
  free_.pop_back();
  return index;
}

void Ns3CostModel::release(std::uint32_t index) {
  slots_[index].state = SlotState::free;
  free_.push_back(index);
  --active_;
}

void Ns3CostModel::close(std::uint32_t connection) {
  if (connections_[connection].is_closed) return;
  connections_[connection].is_closed = true;
  streams_.forget(connection);
  process_->add(Close{connection});
  has_news_ = true;
}

void Ns3CostModel::fail(std::uint32_t index, TimePoint now) {
  slots_[index].state = SlotState::failed;
  slot_of_.erase(slots_[index].message);
  failed_.push_back(index);
  report_date_ = now;
}

// ---- time

void Ns3CostModel::end_message(const Done& done) {
  const auto found = slot_of_.find(done.message);
  if (found == slot_of_.end()) return;  // cancelled
  const std::uint32_t index = found->second;
  Slot& slot = slots_[index];
  slot_of_.erase(found);
  slot.state = SlotState::done;
  slot.totals = {done.retransmissions, done.timeouts, done.drops};
  PacketFlow& before = connections_[slot.connection].totals;
  retransmissions_ += slot.totals.retransmissions - before.retransmissions;
  timeouts_ += slot.totals.timeouts - before.timeouts;
  before = slot.totals;
  done_.push_back(index);
  report_date_ = date_;
  if (!connections_[slot.connection].is_persistent) close(slot.connection);
}

// Up to the limit, or to the first end of a transfer.
void Ns3CostModel::run_until(TimePoint limit) {
  At at;
  do {
    has_news_ = false;
    if (!process_->ask(Until{limit.picoseconds}, at)) return;
    date_ = {at.date};
    next_event_ = at.next == no_date ? never : TimePoint{at.next};
    for (const Done& done : at.done) end_message(done);
  } while (date_ < limit && done_.empty());
}

void Ns3CostModel::catch_up(TimePoint now) {
  if (date_ < now && problem() == nullptr) run_until(now);
}

TimePoint Ns3CostModel::next_date() {
  if (problem() != nullptr) return date_;
  if (failed_.empty() && done_.empty() && active_ > 0 && has_news_) run_until(date_);
  if (!failed_.empty() || !done_.empty()) return report_date_;
  const TimePoint date = others_->next_date();
  if (active_ == 0 || next_event_.picoseconds > horizon) return date;
  return std::min(date, next_event_);
}

TimePoint Ns3CostModel::next_end(TimePoint limit) {
  if (problem() == nullptr && failed_.empty() && done_.empty() && active_ > 0) {
    const TimePoint until = std::min({limit, others_->next_date(), TimePoint{horizon}});
    if (next_event_ <= until || has_news_) run_until(until);
  }
  return next_date();
}

void Ns3CostModel::advance(TimePoint now, std::vector<Ended>& ended) {
  catch_up(now);
  theirs_.clear();
  others_->advance(now, theirs_);  // may fail transfers of ours
  for (const Ended& end : theirs_) ended.push_back({here(end.activity), end.failed});
  for (std::vector<std::uint32_t>* list : {&failed_, &done_}) {
    std::ranges::sort(*list, {}, [&](std::uint32_t index) { return slots_[index].message; });
    for (const std::uint32_t index : *list) {
      ended.push_back({ActivityId{2 * index + 1}, slots_[index].state == SlotState::failed});
      release(index);
    }
    list->clear();
  }
}

// ---- changes of activities

void Ns3CostModel::cancel(ActivityId activity, TimePoint now) {
  if (!is_ours(activity)) return others_->cancel(theirs(activity), now);
  catch_up(now);
  const std::uint32_t index = activity.value / 2;
  std::erase(failed_, index);
  std::erase(done_, index);
  Slot& cancelled = slots_[index];
  slot_of_.erase(cancelled.message);
  // A stream carries the rest of the message, as TCP does.
  if (cancelled.state == SlotState::active && !connections_[cancelled.connection].is_persistent)
    close(cancelled.connection);
  release(index);
}

void Ns3CostModel::suspend(ActivityId activity, TimePoint now) {
  if (!is_ours(activity)) return others_->suspend(theirs(activity), now);
  catch_up(now);
  if (slot(activity).state != SlotState::active) return;
  process_->add(Pace{slot(activity).connection, 0});
  has_news_ = true;
}

void Ns3CostModel::resume(ActivityId activity, TimePoint now) {
  if (!is_ours(activity)) return others_->resume(theirs(activity), now);
  set_rate(activity, slot(activity).rate, now);
}

void Ns3CostModel::set_rate(ActivityId activity, double rate, TimePoint now) {
  if (!is_ours(activity)) return others_->set_rate(theirs(activity), rate, now);
  catch_up(now);
  slot(activity).rate = rate;
  if (slot(activity).state != SlotState::active) return;
  process_->add(Pace{slot(activity).connection, rate});
  has_news_ = true;
}

double Ns3CostModel::remaining(ActivityId activity, TimePoint now) {
  if (!is_ours(activity)) return others_->remaining(theirs(activity), now);
  catch_up(now);
  const Slot& asked = slot(activity);
  Left left;
  if (asked.state != SlotState::active || !process_->ask(Ask{asked.message}, left)) return 0;
  return std::min(static_cast<double>(left.bytes), asked.bytes);  // without the envelope, which comes first
}

double Ns3CostModel::rate(ActivityId activity, TimePoint now) {
  if (!is_ours(activity)) return others_->rate(theirs(activity), now);
  const double rest = remaining(activity, now);
  const Slot& asked = slot(activity);
  return now == asked.started ? 0 : (asked.bytes - rest) / (now - asked.started).seconds();
}

Limit Ns3CostModel::limit(ActivityId activity, TimePoint now) {
  return is_ours(activity) ? Limit{} : others_->limit(theirs(activity), now);
}

std::optional<Duration> Ns3CostModel::latency(HostId source, HostId destination, TimePoint now) {
  if (source == destination || !paths_.find_route(source, destination, 0))
    return others_->latency(source, destination, now);
  const NetworkChanges& changes = paths_.changes();
  const Route& route = paths_.route();
  std::int64_t time = Duration::from_seconds(route.latency_seconds * changes.latency_factor).picoseconds;
  if (changes.has_bandwidths())
    for (const LinkId link : route.links)
      time += Duration::from_seconds(parameters_.overhead() / others_->bandwidth(link, now)).picoseconds;
  return Duration{time};
}

TransferTerms Ns3CostModel::terms(const Transfer& transfer, TimePoint now) {
  if (transfer.source == transfer.destination) return others_->terms(transfer, now);
  if (!paths_.find_route(transfer.source, transfer.destination, 0)) return {};
  TransferTerms terms;
  terms.links = paths_.route().links;
  terms.latency_seconds = paths_.route().latency_seconds;
  terms.bandwidth_factor = static_cast<double>(parameters_.payload()) / parameters_.full_packet();
  return terms;
}

// ---- changes of resources

void Ns3CostModel::set_bandwidth(LinkId link, double bytes_per_second, TimePoint now) {
  catch_up(now);
  others_->set_bandwidth(link, bytes_per_second, now);
  on_link_bandwidth(link, bytes_per_second, now);
}

void Ns3CostModel::set_latency(LinkId link, double seconds, TimePoint now) {
  catch_up(now);
  others_->set_latency(link, seconds, now);
  on_link_latency(link, seconds, now);
}

void Ns3CostModel::on_link_bandwidth(LinkId link, double, TimePoint now) {
  catch_up(now);
  paths_.change(link, *others_, now);
}

void Ns3CostModel::on_link_latency(LinkId link, double, TimePoint now) {
  catch_up(now);
  paths_.change(link, *others_, now);
}

template <class Condition>
void Ns3CostModel::fail_if(const Condition& condition, TimePoint now) {
  for (std::uint32_t i = 0; i < connections_.size(); ++i) {
    if (connections_[i].is_closed || !condition(i)) continue;
    close(i);
    for (std::uint32_t index = 0; index < slots_.size(); ++index)
      if (slots_[index].state == SlotState::active && slots_[index].connection == i) fail(index, now);
  }
}

void Ns3CostModel::on_host_state(HostId host, bool is_on, TimePoint now) {
  if (is_on) return;
  catch_up(now);
  std::vector<std::uint32_t> lost;
  for (const Slot& slot : slots_)
    if (slot.state == SlotState::active && (slot.source == host || slot.destination == host))
      lost.push_back(slot.connection);
  std::ranges::sort(lost);
  fail_if([&](std::uint32_t connection) { return std::ranges::binary_search(lost, connection); }, now);
}

void Ns3CostModel::on_link_state(LinkId link, bool is_on, TimePoint now) {
  catch_up(now);
  paths_.change(link, *others_, now);
  if (is_on) return;
  fail_if(
      [&](std::uint32_t connection) {
        const std::vector<LinkId>& links = paths_.links_of(connections_[connection].path);
        return std::ranges::find(links, link) != links.end();
      },
      now);
}

// ---- counts

Totals Ns3CostModel::counts() const {
  Totals counts;
  process_->ask(GetTotals{}, counts);
  return counts;
}

PacketTotals Ns3CostModel::totals() const {
  const Totals counted = counts();
  PacketTotals sum;
  sum.events = counted.events;
  for (const LinkTotals& link : counted.links) {
    sum.packet_hops += link.packets;
    sum.drops += link.drops;
    sum.losses += link.losses;
  }
  sum.retransmissions = retransmissions_;
  sum.timeouts = timeouts_;
  return sum;
}

std::vector<PacketLink> Ns3CostModel::links() const {
  std::vector<PacketLink> all(platform_.links().size());
  const Totals counted = counts();
  for (std::size_t i = 0; i < counted.links.size(); ++i) {
    const auto link = paths_.platform_link(i);
    if (!link) continue;  // a distance
    const LinkTotals& totals = counted.links[i];
    PacketLink& sum = all[link->value];
    sum.packets += totals.packets;
    sum.bytes += totals.bytes;
    sum.drops += totals.drops;
    sum.losses += totals.losses;
    sum.marks += totals.marks;
    sum.longest_queue_bytes = std::max(sum.longest_queue_bytes, totals.longest_queue_bytes);
  }
  std::vector<PacketLink> used;
  for (std::uint32_t i = 0; i < all.size(); ++i) {
    if (all[i].packets + all[i].drops == 0) continue;
    all[i].link = {i};
    used.push_back(all[i]);
  }
  return used;
}

}  // namespace rehearse::ns3
