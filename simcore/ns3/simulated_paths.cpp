// SPDX-License-Identifier: MIT
//
// See simulated_paths.hpp.
#include "simcore/ns3/simulated_paths.hpp"

#include <algorithm>

#include "simcore/packet/streams.hpp"

namespace rehearse::ns3 {

bool SimulatedPaths::find_route(HostId source, HostId destination, std::uint64_t choice) {
  route_.links.clear();
  route_.latency_seconds = 0;
  route_.choice = choice;
  return platform_.find_route(source, destination, route_) && !route_.links.empty();
}

double SimulatedPaths::bandwidth(LinkId link, CostModel& states, TimePoint now) const {
  return changes_.has_bandwidths() ? states.bandwidth(link, now) : unlimited;
}

std::uint32_t SimulatedPaths::add(std::optional<LinkId> link, double latency_seconds, CostModel& states,
                                  TimePoint now) {
  const auto number = static_cast<std::uint32_t>(platform_links_.size());
  platform_links_.push_back(link);
  NewLink made;
  made.latency = Duration::from_seconds(latency_seconds).picoseconds;
  made.bytes_per_second = link ? bandwidth(*link, states, now) : unlimited;
  if (link) {
    const packet::LinkParameters own = own_.empty() ? packet::LinkParameters{} : own_[link->value];
    made.queue_bytes = own.queue.value_or(parameters_.queue);
    made.queue_packets = own.queue_packets.value_or(parameters_.queue_packets);
    made.ecn_bytes = own.ecn.value_or(parameters_.ecn);
    made.packet_loss = own.loss.value_or(parameters_.loss);
    made.bit_error = own.error.value_or(parameters_.error);
    if (is_private(*link)) made.queue_bytes = made.queue_packets = 0;
  }
  process_.add(made);
  return number;
}

SimulatedPaths::Links SimulatedPaths::links_of_route(bool& is_private_path, CostModel& states, TimePoint now) {
  if (copies_.empty()) copies_.resize(platform_.links().size());
  Links links;
  double rest = route_.latency_seconds;
  for (const LinkId link : route_.links) {
    std::vector<std::uint32_t>& copies = copies_[link.value];
    if (is_private(link) || copies.empty()) {
      copies.push_back(add(link, states.link_latency(link, now), states, now));
      if (!states.is_link_on(link, now)) change(link, states, now);
    }
    is_private_path = is_private_path || is_private(link);
    links.push_back(copies.back());
    rest -= platform_.link(link).latency_seconds;
  }
  rest *= changes_.latency_factor;
  if (rest <= 1e-12) return links;
  links.push_back(add(std::nullopt, rest, states, now));
  is_private_path = true;
  return links;
}

std::optional<LinkId> SimulatedPaths::find_repeated() const {
  std::vector<LinkId> links = route_.links;
  std::ranges::sort(links);
  const auto twice = std::ranges::adjacent_find(links);
  return twice == links.end() ? std::nullopt : std::optional(*twice);
}

std::optional<std::uint32_t> SimulatedPaths::find_path(HostId source, HostId destination, std::uint64_t connection,
                                                       CostModel& states, TimePoint now) {
  const auto choice = [&](HostId from, HostId to) {
    return packet::Streams::choice(parameters_, from, to, connection);
  };
  bool is_private_path = false;
  NewPath path{source.value, destination.value, {}, {}};
  if (!find_route(destination, source, choice(destination, source))) return std::nullopt;
  repeated_ = find_repeated();
  std::vector<LinkId> links = route_.links;
  if (!repeated_) path.back = links_of_route(is_private_path, states, now);
  if (!find_route(source, destination, choice(source, destination))) return std::nullopt;
  if (!repeated_) repeated_ = find_repeated();
  if (repeated_) return std::nullopt;
  path.forward = links_of_route(is_private_path, states, now);
  links.insert(links.end(), route_.links.begin(), route_.links.end());
  const auto next = static_cast<std::uint32_t>(paths_.size());
  if (!is_private_path) {
    const auto [found, is_new] = shared_.try_emplace({path.forward, path.back}, next);
    if (!is_new) return found->second;
  }
  paths_.push_back(std::move(links));
  process_.add(path);
  return next;
}

void SimulatedPaths::change(LinkId link, CostModel& states, TimePoint now) {
  if (link.value >= copies_.size()) return;
  ChangeLink change;
  change.bytes_per_second = bandwidth(link, states, now);
  change.latency = Duration::from_seconds(states.link_latency(link, now)).picoseconds;
  change.is_on = states.is_link_on(link, now);
  for (const std::uint32_t copy : copies_[link.value]) {
    change.link = copy;
    process_.add(change);
  }
}

}  // namespace rehearse::ns3
