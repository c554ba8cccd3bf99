// SPDX-License-Identifier: MIT
//
// A platform under construction: names, and clusters spelled out into hosts and links.
//
// Source: names of the parts of a cluster, and the loopback of hosts without one (10e9 bytes per
//         second, no latency, never shared), are those of SimGrid's documentation, so that its users
//         find their links again.
#include "simcore/platform/platform_builder.hpp"

#include "simcore/platform/tables.hpp"

namespace rehearse::platform {

Mistake PlatformBuilder::claim_point(const std::string& name) {
  if (name.empty()) return Error{"a host, router or zone needs a name that is not empty"};
  if (points_.contains(name))
    return Error{"'" + name + "' is already the name of a host, router or zone"};
  return std::nullopt;
}

Mistake PlatformBuilder::add_zone(const std::string& name, std::optional<PointId> parent,
                                  TreeRouting routing) {
  if (Mistake mistake = claim_point(name)) return mistake;
  points_[name] = tree_->add_zone(parent.value_or(PointId{}), routing);
  return std::nullopt;
}

Mistake PlatformBuilder::add_host(PointId zone, Host host) {
  if (Mistake mistake = claim_point(host.name)) return mistake;
  const HostId id{static_cast<std::uint32_t>(hosts_.size())};
  points_[host.name] = tree_->add_host(zone, id);
  hosts_.push_back(std::move(host));
  return std::nullopt;
}

Mistake PlatformBuilder::add_router(PointId zone, const std::string& name) {
  if (Mistake mistake = claim_point(name)) return mistake;
  points_[name] = tree_->add_router(zone);
  return std::nullopt;
}

LinkId PlatformBuilder::append_link(Link link) {
  const LinkId id{static_cast<std::uint32_t>(links_.size())};
  link_names_[link.name] = {id, id, false};
  links_.push_back(std::move(link));
  return id;
}

Mistake PlatformBuilder::add_link(Link link, bool is_duplex) {
  if (link.name.empty()) return Error{"a link needs a name that is not empty"};
  if (link_names_.contains(link.name))
    return Error{"'" + link.name + "' is already the name of a link"};
  if (!is_duplex) {
    append_link(std::move(link));
    return std::nullopt;
  }
  const std::string name = link.name;
  link.name = name + "_UP";
  const LinkId up = append_link(link);
  link.name = name + "_DOWN";
  const LinkId down = append_link(link);
  link_names_[name] = {up, down, true};
  return std::nullopt;
}

ClusterLeg PlatformBuilder::make_leg(const ClusterDescription& description, std::uint32_t number) {
  const std::string name = description.name + "_link_" + std::to_string(number);
  ClusterLeg leg;
  const auto append = [&](const Link& like, const std::string& ending) {
    Link link = like;
    link.name = name + ending;
    return append_link(std::move(link));
  };
  if (description.loopback) leg.loopback = append(*description.loopback, "_loopback");
  if (description.limiter) leg.up = {append(*description.limiter, "_limiter")};
  const std::vector<LinkId> limiter = leg.up;
  if (description.sharing == ClusterSharing::split_duplex) {
    leg.up.push_back(append(description.link, "_UP"));
    leg.down.push_back(append(description.link, "_DOWN"));
    link_names_[name] = {leg.up.back(), leg.down.back(), true};
  } else {
    leg.up.push_back(append(description.link, ""));
    leg.down = {leg.up.back()};
  }
  leg.down.insert(leg.down.end(), limiter.begin(), limiter.end());
  return leg;
}

Mistake PlatformBuilder::add_cluster(std::optional<PointId> parent,
                                     const ClusterDescription& description) {
  if (Mistake mistake = add_zone(description.name, parent, TreeRouting::cluster)) return mistake;
  const PointId zone = points_[description.name];
  for (const std::uint32_t number : description.numbers) {
    const std::string host = description.prefix + std::to_string(number) + description.suffix;
    if (Mistake mistake =
            add_host(zone, {host, description.flops_per_second, description.cores}))
      return mistake;
    tree_->set_leg(zone, points_[host], make_leg(description, number));
  }
  if (description.backbone) {
    Link backbone = *description.backbone;
    backbone.name = description.name + "_backbone";
    tree_->set_backbone(zone, append_link(std::move(backbone)));
  }
  const std::string router = description.router.empty()
                                 ? description.prefix + description.name + "_router" +
                                       description.suffix
                                 : description.router;
  return add_router(zone, router);
}

std::optional<PointId> PlatformBuilder::find_point(const std::string& name) const {
  const auto found = points_.find(name);
  if (found == points_.end()) return std::nullopt;
  return found->second;
}

const NamedLink* PlatformBuilder::find_link(const std::string& name) const {
  const auto found = link_names_.find(name);
  return found == link_names_.end() ? nullptr : &found->second;
}

Platform PlatformBuilder::finish(std::string name) {
  tree_->set_default_loopback(append_link({"__loopback__", 10e9, 0, LinkSharing::fatpipe}));
  auto tables = std::make_unique<PlatformTables>();
  tables->name = std::move(name);
  tables->hosts = std::move(hosts_);
  tables->links = std::move(links_);
  tables->index_names();
  return Platform(std::move(tables), std::move(tree_));
}

}  // namespace rehearse::platform
