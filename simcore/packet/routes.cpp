// SPDX-License-Identifier: MIT
//
// See routes.hpp.
#include "simcore/packet/routes.hpp"

namespace rehearse::packet {

bool Routes::find(HostId source, HostId destination, std::uint64_t choice) {
  route_.links.clear();
  route_.latency_seconds = 0;
  route_.choice = choice;
  return platform_.find_route(source, destination, route_) && !route_.links.empty();
}

std::uint32_t Routes::index_of(LinkId link, TimePoint now) {
  if (index_of_.empty()) index_of_.resize(platform_.links().size(), nothing);
  std::uint32_t& index = index_of_[link.value];
  if (index == nothing) {
    index = fabric_.add({link.value, changed_bandwidth(states_.bandwidth(link, now)), states_.link_latency(link, now),
                         !is_private(link), own_.empty() ? LinkParameters{} : own_[link.value]});
    if (!states_.is_link_on(link, now)) fabric_.set_on(index, false, now.picoseconds);
  }
  return index;
}

std::vector<std::uint32_t> Routes::links(std::uint64_t connection, TimePoint now) {
  std::vector<std::uint32_t> links;
  double rest = route_.latency_seconds;
  std::uint64_t place = 0;
  for (const LinkId link : route_.links) {
    const std::uint32_t index = index_of(link, now);
    links.push_back(is_private(link) ? fabric_.add_copy(index, (connection << 16) + ++place) : index);
    rest -= platform_.link(link).latency_seconds;
  }
  rest *= changes_.latency_factor;
  if (rest <= 1e-12) return links;
  if (distance_ == nothing) {
    LinkParameters none;
    none.loss = none.error = 0;
    distance_ = fabric_.add({distance_origin, unlimited, 0, false, none});
  }
  links.push_back(fabric_.add_copy(distance_, 0));
  fabric_.set_latency(links.back(), rest);
  return links;
}

void Routes::remove_copies(std::uint32_t path) {
  for (const std::uint32_t index : fabric_.paths().links(path))
    if (fabric_.link(index).is_copy) fabric_.remove_copy(index);
}

}  // namespace rehearse::packet
