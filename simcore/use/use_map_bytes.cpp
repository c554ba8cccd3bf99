// SPDX-License-Identifier: MIT
//
// A map as bytes.
#include <algorithm>

#include "simcore/remote/wire.hpp"
#include "simcore/use_map.hpp"

namespace rehearse {
namespace {

using remote::Packer;
using remote::Unpacker;

template <class Item, class Add>
void pack_all(Packer& packer, const std::vector<Item>& items, const Add& add) {
  packer.add(static_cast<std::uint64_t>(items.size()));
  for (const Item& item : items) add(item);
}

// Items are added while the bytes last, so that a wrong count allocates nothing.
template <class Item, class Read>
void unpack_all(Unpacker& unpacker, std::vector<Item>& items, const Read& read) {
  for (auto count = unpacker.value<std::uint64_t>(); count > 0 && unpacker.is_good(); --count) {
    Item item{};
    read(item);
    if (unpacker.is_good()) items.push_back(std::move(item));
  }
}

void add_use_rows(Packer& packer, const std::vector<UseRow>& rows) {
  pack_all(packer, rows, [&](const UseRow& row) {
    packer.add(row.subject).add(row.category);
    pack_all(packer, row.cells, [&](const UseCell& cell) { packer.add(cell.slice).add(cell.amount); });
  });
}

void read_use_rows(Unpacker& unpacker, std::vector<UseRow>& rows) {
  unpack_all(unpacker, rows, [&](UseRow& row) {
    row.subject = unpacker.value<std::uint32_t>();
    row.category = unpacker.value<std::uint32_t>();
    unpack_all(unpacker, row.cells, [&](UseCell& cell) {
      cell.slice = unpacker.value<std::uint32_t>();
      cell.amount = unpacker.value<double>();
    });
  });
}

bool are_rows(const std::vector<UseRow>& rows, std::size_t subjects, const UseTable& uses) {
  return std::ranges::all_of(rows, [&](const UseRow& row) {
    return row.subject < subjects && row.category < uses.categories.size() && !row.cells.empty() &&
           std::ranges::all_of(row.cells, [&](const UseCell& cell) { return cell.slice < uses.slices; });
  });
}

bool is_map(const UseMap& map) {
  const std::size_t points = map.hosts.size() + map.nodes.size();
  for (std::size_t i = 0; i < map.zones.size(); ++i)
    if (map.zones[i].parent != MapZone::none && map.zones[i].parent >= i) return false;
  const auto has_zone = [&](const auto& item) { return item.zone < map.zones.size(); };
  const auto is_wire = [&](const MapWire& wire) {
    return wire.from < points && wire.to < points &&
           std::ranges::all_of(wire.links, [&](std::uint32_t link) { return link < map.links.size(); });
  };
  return !map.zones.empty() && map.uses.slices > 0 && map.uses.slice.picoseconds > 0 &&
         std::ranges::all_of(map.hosts, has_zone) && std::ranges::all_of(map.nodes, has_zone) &&
         std::ranges::all_of(map.wires, is_wire) && are_rows(map.uses.hosts, map.hosts.size(), map.uses) &&
         are_rows(map.uses.links, map.links.size(), map.uses);
}

}  // namespace

std::string to_bytes(const UseMap& map) {
  Packer packer;
  packer.add(map.platform);
  pack_all(packer, map.zones, [&](const MapZone& zone) { packer.add(zone.name).add(zone.parent); });
  pack_all(packer, map.hosts,
           [&](const MapHost& host) { packer.add(host.name).add(host.zone).add(host.flops_per_second); });
  pack_all(packer, map.links, [&](const MapLink& link) { packer.add(link.name).add(link.bytes_per_second); });
  pack_all(packer, map.nodes, [&](const MapNode& node) { packer.add(node.name).add(node.zone); });
  pack_all(packer, map.wires, [&](const MapWire& wire) {
    packer.add(wire.from).add(wire.to);
    pack_all(packer, wire.links, [&](std::uint32_t link) { packer.add(link); });
  });
  packer.add(map.wires_more).add(map.uses.slices).add(map.uses.slice.picoseconds).add(map.uses.end.picoseconds);
  pack_all(packer, map.uses.categories, [&](const std::string& name) { packer.add(name); });
  add_use_rows(packer, map.uses.hosts);
  add_use_rows(packer, map.uses.links);
  return packer.take();
}

bool from_bytes(std::string_view bytes, UseMap& map) {
  Unpacker unpacker(bytes);
  map = {};
  map.platform = unpacker.text();
  unpack_all(unpacker, map.zones, [&](MapZone& zone) {
    zone.name = unpacker.text();
    zone.parent = unpacker.value<std::uint32_t>();
  });
  unpack_all(unpacker, map.hosts, [&](MapHost& host) {
    host.name = unpacker.text();
    host.zone = unpacker.value<std::uint32_t>();
    host.flops_per_second = unpacker.value<double>();
  });
  unpack_all(unpacker, map.links, [&](MapLink& link) {
    link.name = unpacker.text();
    link.bytes_per_second = unpacker.value<double>();
  });
  unpack_all(unpacker, map.nodes, [&](MapNode& node) {
    node.name = unpacker.text();
    node.zone = unpacker.value<std::uint32_t>();
  });
  unpack_all(unpacker, map.wires, [&](MapWire& wire) {
    wire.from = unpacker.value<std::uint32_t>();
    wire.to = unpacker.value<std::uint32_t>();
    unpack_all(unpacker, wire.links, [&](std::uint32_t& link) { link = unpacker.value<std::uint32_t>(); });
  });
  map.wires_more = unpacker.value<std::uint64_t>();
  map.uses.slices = unpacker.value<std::uint32_t>();
  map.uses.slice.picoseconds = unpacker.value<std::int64_t>();
  map.uses.end.picoseconds = unpacker.value<std::int64_t>();
  unpack_all(unpacker, map.uses.categories, [&](std::string& name) { name = unpacker.text(); });
  read_use_rows(unpacker, map.uses.hosts);
  read_use_rows(unpacker, map.uses.links);
  return unpacker.is_good() && is_map(map);
}

}  // namespace rehearse
