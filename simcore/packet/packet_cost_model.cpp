// SPDX-License-Identifier: MIT
//
// See packet_cost_model.hpp.
#include "simcore/packet/packet_cost_model.hpp"

#include <algorithm>
#include <cmath>

#include "simcore/packet/empty_network.hpp"
#include "simcore/packet/link_packets.hpp"
#include "simcore/packet/platform_links.hpp"
#include "simcore/packet_capture.hpp"
#include "simcore/packet_statistics.hpp"
#include "simcore/support/assert.hpp"
#include "simcore/support/random.hpp"

namespace rehearse::packet {
namespace {

constexpr std::uint64_t envelope_bytes = 32;  // source, tag, communicator, bytes, kind, number

// Beyond it a run has no end (53 days, as of flows).
constexpr Picoseconds horizon = std::int64_t{1} << 62;

// Messages with the same communicator and tag have the same stream.
std::uint32_t stream_of(const MessageLabel& label, std::uint32_t streams) {
  const std::uint64_t key = std::uint64_t{label.context} << 32 | static_cast<std::uint32_t>(label.tag);
  return static_cast<std::uint32_t>(SplitMix(key).next() % streams);
}

}  // namespace

Result<std::unique_ptr<CostModel>> make_packet_cost_model(const ModelOptions& options, const Platform& platform,
                                                          std::unique_ptr<CostModel> others) {
  auto parameters = parse_parameters(options.packet, options.packet_seed);
  if (!parameters) return Error{"--packet: " + parameters.error().text};
  auto links = read_links(platform, parameters.value(), "packet");
  if (!links) return links.error();
  if (const auto added = add_losses(options.packet_losses, platform, links.value()); !added)
    return Error{"--packet-loss: " + added.error().text};
  auto model = std::make_unique<PacketCostModel>(platform, std::move(others), parameters.value(),
                                                 std::move(links.value()), options.changes);
  model->stop_when(options.stop);
  if (options.capture != nullptr)
    if (const auto captured = model->capture(*options.capture); !captured) return captured.error();
  if (options.statistics != nullptr) model->record(*options.statistics);
  return std::unique_ptr<CostModel>(std::move(model));
}

Result<void> PacketCostModel::capture(PacketCapture& capture) {
  auto observer = capture.attach(platform_, network_);
  if (!observer) return observer.error();
  attach(*observer.value());
  return {};
}

void PacketCostModel::record(PacketStatistics& statistics) { attach(statistics.attach(platform_, network_)); }

void PacketCostModel::attach(Observer& observer) {
  observers_.add(observer);
  observer_ = observers_.shared();
  network_.fabric().observe(*observer_);
  network_.ends().observe(*observer_);
}

void PacketCostModel::observe(ResourceObserver& observer, ObserverNeeds needs) {
  others_->observe(observer, needs);
  if (!needs.loads) return;
  loads_.push_back(std::make_unique<LinkPackets>(observer, network_.fabric()));
  attach(*loads_.back());
}

PacketCostModel::PacketCostModel(const Platform& platform, std::unique_ptr<CostModel> others,
                                 const Parameters& parameters, PlatformLinks links, const NetworkChanges& changes)
    : OtherCosts(std::move(others)),
      platform_(platform),
      network_(parameters),
      pair_losses_(parameters.seed),
      routes_(platform, *others_, network_.fabric(), std::move(links.own), changes) {
  others_->observe(*this, {.speeds = links.has_profiles});
  for (const PairRule& pair : links.pairs) pair_losses_.add(pair.source, pair.destination, pair.rule);
  if (!pair_losses_.empty()) network_.fabric().lose_between(pair_losses_);
}

// ---- starts

std::optional<ActivityId> PacketCostModel::start(const Transfer& transfer, TimePoint now) {
  REHEARSE_ASSERT(transfer.rate > 0, "a transfer may have a rate");
  catch_up(now);
  const bool is_stream = transfer.read_from || transfer.write_to;
  if (transfer.source == transfer.destination || is_stream) return start_other(transfer, now);
  REHEARSE_ASSERT(transfer.bytes < static_cast<double>(stream_limit), "packets can count the bytes of a transfer");
  const auto connection = connection_for(transfer, now);
  if (!connection) {
    const auto route = platform_.find_route(transfer.source, transfer.destination);
    if (!route || !route->links.empty()) return std::nullopt;  // or no way back
    return start_other(transfer, now);                         // two hosts without a link between them
  }
  const std::uint32_t index = make_slot();
  Slot& slot = slots_[index];
  slot = {SlotState::active, false, *connection, transfer.source, transfer.destination, transfer.bytes, transfer.rate,
          ++serial_,         now,   {}};
  ++active_;
  if (!is_usable(transfer, now)) {
    slot.state = SlotState::failed;
    failed_.push_back(index);
    report_date_ = now;
    network_.ends().fail(*connection);
    collect();
    streams_.forget(*connection);
    return ActivityId{2 * index + 1};
  }
  if (transfer.rate < unlimited) network_.ends().set_rate(*connection, transfer.rate, now.picoseconds);
  const bool has_envelope = transfer.kind != TransferKind::plain && carries_envelopes();
  const auto bytes = static_cast<std::uint64_t>(std::llround(transfer.bytes)) + (has_envelope ? envelope_bytes : 0);
  if (observer_ != nullptr)
    observer_->on_message(*connection, network_.ends()[*connection].sender.limit, bytes, has_envelope, transfer);
  const std::uint32_t streams = network_.parameters().streams;
  const std::uint32_t stream = streams > 1 ? stream_of(transfer.label, streams) : 0;
  network_.ends().send(*connection, bytes, index, now.picoseconds, stream);
  if (observer_ != nullptr) observer_->on_start(index, *connection, transfer, now.picoseconds);
  return ActivityId{2 * index + 1};
}

bool PacketCostModel::is_usable(const Transfer& transfer, TimePoint now) {
  if (!others_->is_host_on(transfer.source, now) || !others_->is_host_on(transfer.destination, now)) return false;
  return std::ranges::all_of(routes_.route().links, [&](LinkId link) { return others_->is_link_on(link, now); });
}

// Leaves the way there in routes_. No value: there is no route.
std::optional<std::uint32_t> PacketCostModel::connection_for(const Transfer& transfer, TimePoint now) {
  const Parameters& parameters = network_.parameters();
  const auto key = Streams::key_of(transfer, parameters);
  if (key)
    if (const auto found = streams_.find(*key)) {
      const std::uint64_t room = stream_limit - network_.ends()[*found].sender.limit;
      routes_.clear();  // of an open connection all links are on
      if (static_cast<double>(room) > transfer.bytes + envelope_bytes + 1) return *found;
    }
  const std::uint64_t number = key && key->connection != 0 ? key->connection : serial_ + 1;
  const auto choice = [&](HostId from, HostId to) { return Streams::choice(parameters, from, to, number); };
  if (!routes_.find(transfer.destination, transfer.source, choice(transfer.destination, transfer.source)))
    return std::nullopt;
  const std::vector<std::uint32_t> back = routes_.links(2 * number + 1, now);
  if (!routes_.find(transfer.source, transfer.destination, choice(transfer.source, transfer.destination)))
    return std::nullopt;
  const std::vector<std::uint32_t> forward = routes_.links(2 * number, now);
  const std::uint32_t connection = network_.ends().open(forward, back, key.has_value());
  if (!pair_losses_.empty()) {
    pair_losses_.open(2 * connection, transfer.source, transfer.destination);
    pair_losses_.open(2 * connection + 1, transfer.destination, transfer.source);
  }
  if (key) streams_.keep(*key, connection);
  return connection;
}

std::uint32_t PacketCostModel::make_slot() {
  clean_up();
  if (free_.empty()) {
    slots_.emplace_back();
    return static_cast<std::uint32_t>(slots_.size() - 1);
  }
  const std::uint32_t index = free_.back();
  free_.pop_back();
  return index;
}

void PacketCostModel::release(std::uint32_t index) {
  slots_[index].state = SlotState::free;
  free_.push_back(index);
}

// ---- time

void PacketCostModel::catch_up(TimePoint now) {
  const Picoseconds date = network_.run_until(now.picoseconds);
  if (date != no_date) {
    report_date_ = {date};
    collect();
  }
  clean_up();
}

// Takes over the completions of the network, which all happened at report_date_.
void PacketCostModel::collect() {
  for (const Completion& completion : network_.ends().completions()) {
    Slot& slot = slots_[completion.activity];
    if (slot.state != SlotState::active) continue;
    slot.state = completion.has_failed ? SlotState::failed : SlotState::done;
    const FlowTotals& totals = network_.ends()[completion.connection].totals;
    slot.totals = {totals.retransmissions, totals.timeouts, totals.drops};
    (completion.has_failed ? failed_ : done_).push_back(completion.activity);
    if (observer_ != nullptr) observer_->on_end(completion.activity, completion.has_failed, report_date_.picoseconds);
    if (slot.bytes > static_cast<double>(network_.parameters().window)) note_window(slot);
  }
  network_.ends().completions().clear();
}

// A message ended that was longer than the window.
void PacketCostModel::note_window(const Slot& slot) {
  const Parameters& parameters = network_.parameters();
  const Connection& connection = network_.ends()[slot.connection];
  const bool is_free = connection.sender.window.bytes() >= static_cast<double>(parameters.window);
  if (parameters.transport == Transport::raw || slot.rate < unlimited || !is_free) return;
  const Paths& paths = network_.fabric().paths();
  const std::uint64_t needed =
      sufficient_window(network_.fabric(), parameters, paths.links(connection.forward), paths.links(connection.back));
  if (needed <= parameters.window) return;
  ++small_window_.messages;
  small_window_.window_bytes = parameters.window;
  if (needed <= small_window_.needed_bytes) return;
  small_window_.needed_bytes = needed;
  small_window_.source = slot.source;
  small_window_.destination = slot.destination;
}

void PacketCostModel::clean_up() {
  for (const std::uint32_t connection : network_.ends().retired()) {
    routes_.remove_copies(network_.ends()[connection].forward);
    routes_.remove_copies(network_.ends()[connection].back);
    network_.ends().recycle(connection);
  }
  network_.ends().retired().clear();
}

TimePoint PacketCostModel::next_date() {
  if (!failed_.empty() || !done_.empty()) return report_date_;
  const TimePoint date = others_->next_date();
  if (active_ == 0 && network_.ends().relays_inside() == 0) return date;
  const Picoseconds next = network_.next_date();
  return next > horizon ? date : std::min(date, TimePoint{next});
}

TimePoint PacketCostModel::next_end(TimePoint limit) {
  if (failed_.empty() && done_.empty() && active_ > 0) {
    const TimePoint until = std::min({limit, others_->next_date(), TimePoint{horizon}});
    catch_up(until);
  }
  return next_date();
}

void PacketCostModel::advance(TimePoint now, std::vector<Ended>& ended) {
  catch_up(now);
  theirs_.clear();
  others_->advance(now, theirs_);  // may fail transfers of ours
  for (const Ended& end : theirs_) ended.push_back({here(end.activity), end.failed});
  if (failed_.empty() && done_.empty()) return;
  const auto by_start = [&](std::uint32_t index) { return slots_[index].serial; };
  for (std::vector<std::uint32_t>* list : {&failed_, &done_}) {
    std::ranges::sort(*list, {}, by_start);
    for (const std::uint32_t index : *list) {
      ended.push_back({ActivityId{2 * index + 1}, slots_[index].state == SlotState::failed});
      release(index);
      --active_;
    }
    list->clear();
  }
}

// ---- changes of activities

void PacketCostModel::cancel(ActivityId activity, TimePoint now) {
  if (!is_ours(activity)) return others_->cancel(theirs(activity), now);
  catch_up(now);
  const std::uint32_t index = activity.value / 2;
  std::erase(failed_, index);
  std::erase(done_, index);
  if (slots_[index].state == SlotState::active) {
    network_.ends().cancel(slots_[index].connection, index);
    if (observer_ != nullptr) observer_->on_cancel(index, now.picoseconds);
  }
  release(index);
  --active_;
}

void PacketCostModel::suspend(ActivityId activity, TimePoint now) {
  if (!is_ours(activity)) return others_->suspend(theirs(activity), now);
  catch_up(now);
  slot(activity).is_suspended = true;
  if (slot(activity).state == SlotState::active) network_.ends().suspend(slot(activity).connection);
}

void PacketCostModel::resume(ActivityId activity, TimePoint now) {
  if (!is_ours(activity)) return others_->resume(theirs(activity), now);
  catch_up(now);
  slot(activity).is_suspended = false;
  if (slot(activity).state == SlotState::active) network_.ends().resume(slot(activity).connection, now.picoseconds);
}

void PacketCostModel::set_rate(ActivityId activity, double rate, TimePoint now) {
  if (!is_ours(activity)) return others_->set_rate(theirs(activity), rate, now);
  catch_up(now);
  slot(activity).rate = rate;
  if (slot(activity).state == SlotState::active)
    network_.ends().set_rate(slot(activity).connection, rate, now.picoseconds);
}

double PacketCostModel::remaining(ActivityId activity, TimePoint now) {
  if (!is_ours(activity)) return others_->remaining(theirs(activity), now);
  catch_up(now);
  const Slot& asked = slot(activity);
  if (asked.state != SlotState::active) return 0;
  return static_cast<double>(network_.ends().remaining(asked.connection, activity.value / 2));
}

double PacketCostModel::rate(ActivityId activity, TimePoint now) {
  if (!is_ours(activity)) return others_->rate(theirs(activity), now);
  const double rest = remaining(activity, now);
  const Slot& asked = slot(activity);
  return now == asked.started ? 0 : (asked.bytes - rest) / (now - asked.started).seconds();
}

// The longest queue on the way, or else what keeps the sender from sending.
Limit PacketCostModel::limit(ActivityId activity, TimePoint now) {
  if (!is_ours(activity)) return others_->limit(theirs(activity), now);
  catch_up(now);
  const Slot& asked = slot(activity);
  Limit limit;
  limit.flows = 1;
  if (asked.state != SlotState::active) return limit;
  const Connection& connection = network_.ends()[asked.connection];
  if (asked.is_suspended) limit.kind = LimitKind::suspended;
  else if (connection.phase == Phase::connecting) limit.kind = LimitKind::latency;
  if (limit.kind != LimitKind::nothing) return limit;
  const Fabric& fabric = network_.fabric();
  const LinkState* longest = nullptr;
  const LinkState* slowest = nullptr;
  for (const std::uint32_t index : fabric.paths().links(connection.forward)) {
    const LinkState& link = fabric.link(index);
    if (link.waiting > 0 && (longest == nullptr || link.waiting > longest->waiting)) longest = &link;
    if (slowest == nullptr || link.picoseconds_per_byte > slowest->picoseconds_per_byte) slowest = &link;
  }
  const SendingEnd& sender = connection.sender;
  const LinkState* named = longest != nullptr ? longest : slowest;
  if (longest == nullptr && sender.next < sender.limit && sender.offered == 0) {
    const double window = std::min(sender.window.bytes(), static_cast<double>(network_.parameters().window));
    const double round_trip = static_cast<double>(sender.round_trip.smoothed()) * 1e-12;
    limit.kind = sender.may_start > now.picoseconds ? LimitKind::rate : LimitKind::window;
    limit.capacity = limit.kind == LimitKind::rate ? asked.rate : round_trip > 0 ? window / round_trip : unlimited;
    return limit;
  }
  if (longest == nullptr && sender.next == sender.limit) {
    limit.kind = LimitKind::latency;
    return limit;
  }
  limit.kind = LimitKind::link;
  limit.link = {named->is_copy ? fabric.link(named->origin).origin : named->origin};
  limit.capacity = 1e12 / named->picoseconds_per_byte;
  if (!named->is_copy) limit.flows = flows_over(static_cast<std::uint32_t>(named - &fabric.link(0)));
  return limit;
}

// Connections with data on the way, or to send, over the link.
std::uint32_t PacketCostModel::flows_over(std::uint32_t link) const {
  std::uint32_t flows = 0;
  for (std::uint32_t i = 0; i < network_.ends().count(); ++i) {
    const Connection& connection = network_.ends()[i];
    if (connection.phase != Phase::open || connection.delivered == connection.messages.size()) continue;
    if (std::ranges::count(network_.fabric().paths().links(connection.forward), link) > 0) ++flows;
  }
  return flows;
}

std::optional<Duration> PacketCostModel::latency(HostId source, HostId destination, TimePoint now) {
  catch_up(now);
  if (source == destination || !routes_.find(source, destination, 0)) return others_->latency(source, destination, now);
  Picoseconds time = Duration::from_seconds(routes_.route().latency_seconds * routes_.latency_factor()).picoseconds;
  for (const LinkId link : routes_.route().links) {
    const double bandwidth = routes_.changed_bandwidth(others_->bandwidth(link, now));
    time += Duration::from_seconds(network_.parameters().overhead() / bandwidth).picoseconds;
  }
  return Duration{time};
}

TransferTerms PacketCostModel::terms(const Transfer& transfer, TimePoint now) {
  if (transfer.source == transfer.destination) return others_->terms(transfer, now);
  const Parameters& parameters = network_.parameters();
  if (!routes_.find(transfer.source, transfer.destination, 0)) return {};
  TransferTerms terms;
  terms.links = routes_.route().links;
  terms.latency_seconds = routes_.route().latency_seconds;
  terms.bandwidth_factor = static_cast<double>(parameters.payload()) / parameters.full_packet();
  return terms;
}

// ---- changes of resources

void PacketCostModel::set_bandwidth(LinkId link, double bytes_per_second, TimePoint now) {
  catch_up(now);
  others_->set_bandwidth(link, bytes_per_second, now);
  on_link_bandwidth(link, bytes_per_second, now);
}

void PacketCostModel::set_latency(LinkId link, double seconds, TimePoint now) {
  catch_up(now);
  others_->set_latency(link, seconds, now);
  on_link_latency(link, seconds, now);
}

void PacketCostModel::on_link_bandwidth(LinkId link, double bytes_per_second, TimePoint now) {
  const double changed = routes_.changed_bandwidth(bytes_per_second);
  if (changed == unlimited) return;
  catch_up(now);
  routes_.for_each(link, [&](std::uint32_t index) {
    if (network_.fabric().link(index).picoseconds_per_byte != 1e12 / changed)
      network_.fabric().set_bandwidth(index, changed, now.picoseconds);
  });
}

void PacketCostModel::on_link_latency(LinkId link, double seconds, TimePoint) {
  routes_.for_each(link, [&](std::uint32_t index) { network_.fabric().set_latency(index, seconds); });
}

template <class Condition>
void PacketCostModel::fail_if(const Condition& condition, TimePoint now) {
  for (std::uint32_t i = 0; i < network_.ends().count(); ++i) {
    const Connection& connection = network_.ends()[i];
    if (connection.phase == Phase::closed || connection.phase == Phase::relay || !condition(connection)) continue;
    network_.ends().fail(i);
    streams_.forget(i);
  }
  if (network_.ends().completions().empty()) return;
  report_date_ = now;
  collect();
}

void PacketCostModel::on_host_state(HostId host, bool is_on, TimePoint now) {
  if (is_on) return;
  catch_up(now);
  std::vector<std::uint32_t> lost;
  for (const Slot& slot : slots_)
    if (slot.state == SlotState::active && (slot.source == host || slot.destination == host))
      lost.push_back(slot.connection);
  std::ranges::sort(lost);
  fail_if(
      [&](const Connection& connection) {
        const auto index = static_cast<std::uint32_t>(&connection - &network_.ends()[0]);
        return std::ranges::binary_search(lost, index);
      },
      now);
}

void PacketCostModel::on_link_state(LinkId link, bool is_on, TimePoint now) {
  catch_up(now);
  std::vector<std::uint32_t> lost;
  routes_.for_each(link, [&](std::uint32_t index) { lost.push_back(index); });
  if (!is_on)
    fail_if(
        [&](const Connection& connection) {
          const auto crosses = [&](std::uint32_t path) {
            return std::ranges::any_of(network_.fabric().paths().links(path), [&](std::uint32_t index) {
              return std::ranges::find(lost, index) != lost.end();
            });
          };
          return crosses(connection.forward) || crosses(connection.back);
        },
        now);
  for (const std::uint32_t index : lost) network_.fabric().set_on(index, is_on, now.picoseconds);
}

PacketTotals PacketCostModel::totals() const {
  const Fabric& fabric = network_.fabric();
  const FlowTotals flows = network_.ends().totals();
  PacketTotals sum;
  sum.packet_hops = fabric.hops();
  sum.events = fabric.events() + network_.ends().handled();
  for (std::uint32_t i = 0; i < fabric.link_count(); ++i) {
    sum.drops += fabric.link(i).totals.drops;
    sum.losses += fabric.link(i).totals.lost;
  }
  sum.retransmissions = flows.retransmissions;
  sum.timeouts = flows.timeouts;
  sum.timer_wait = {network_.ends().timer_wait()};
  return sum;
}

std::vector<PacketLink> PacketCostModel::links() const {
  const Fabric& fabric = network_.fabric();
  std::vector<PacketLink> all(platform_.links().size());
  for (std::uint32_t i = 0; i < fabric.link_count(); ++i) {
    const LinkId link = routes_.platform_link(i);
    if (link.value >= all.size()) continue;  // a distance
    const LinkTotals& totals = fabric.link(i).totals;
    PacketLink& sum = all[link.value];
    sum.packets += totals.packets;
    sum.bytes += totals.bytes;
    sum.drops += totals.drops;
    sum.losses += totals.lost;
    sum.marks += totals.marks;
    sum.pauses += totals.pauses;
    sum.longest_queue_bytes = std::max(sum.longest_queue_bytes, totals.longest_queue);
    sum.full = sum.full + Duration{totals.full};
  }
  std::vector<PacketLink> used;
  for (std::uint32_t i = 0; i < all.size(); ++i) {
    if (all[i].packets + all[i].drops == 0) continue;
    all[i].link = {i};
    used.push_back(all[i]);
  }
  return used;
}

}  // namespace rehearse::packet
