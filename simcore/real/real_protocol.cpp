// SPDX-License-Identifier: MIT
//
// See real_protocol.hpp.
#include "simcore/real/real_protocol.hpp"

namespace rehearse::real {

using remote::Packer;
using remote::Unpacker;

std::string to_bytes(const Ready& ready) {
  return Packer().add(ready.digest).add(ready.platform).add(ready.clock_error).take();
}

bool from_bytes(const std::string& bytes, Ready& ready) {
  Unpacker unpacker(bytes);
  ready.digest = unpacker.text();
  ready.platform = unpacker.text();
  ready.clock_error = unpacker.value<double>();
  return unpacker.is_good();
}

std::string to_bytes(const Status& status) {
  Packer packer;
  packer.add(status.probe).add(status.is_passive).add(status.orders_received).add(status.actors_to_wait_for);
  packer.add(status.has_free_work).add(static_cast<std::uint32_t>(status.sent_to.size()));
  for (const std::uint64_t count : status.sent_to) packer.add(count);
  for (const std::uint64_t count : status.received_from) packer.add(count);
  return packer.take();
}

bool from_bytes(const std::string& bytes, Status& status) {
  Unpacker unpacker(bytes);
  status.probe = unpacker.value<std::uint64_t>();
  status.is_passive = unpacker.value<bool>();
  status.orders_received = unpacker.value<std::uint64_t>();
  status.actors_to_wait_for = unpacker.value<std::uint32_t>();
  status.has_free_work = unpacker.value<bool>();
  const auto processes = unpacker.value<std::uint32_t>();
  for (auto* counts : {&status.sent_to, &status.received_from}) {
    counts->clear();
    for (std::uint32_t i = 0; i < processes && unpacker.is_good(); ++i)
      counts->push_back(unpacker.value<std::uint64_t>());
  }
  return unpacker.is_good();
}

std::string to_bytes(const ProcessReport& report) {
  Packer packer;
  packer.add(remote::to_bytes(report.stop));
  for (const double date : report.failed_dates) packer.add(date);
  packer.add(report.end).add(report.messages).add(report.socket_bytes);
  packer.add(report.bytes).add(report.flops).add(report.flop_seconds);
  packer.add(static_cast<std::uint32_t>(report.actors.size()));
  for (const ActorLine& actor : report.actors)
    packer.add(actor.number).add(actor.name).add(actor.host).add(actor.is_daemon).add(actor.has_ended).add(actor.end);
  return packer.take();
}

bool from_bytes(const std::string& bytes, ProcessReport& report) {
  Unpacker unpacker(bytes);
  if (!remote::from_bytes(unpacker.text(), report.stop)) return false;
  report.failed_dates.clear();
  for (std::size_t i = 0; i < report.stop.failed.size(); ++i) report.failed_dates.push_back(unpacker.value<double>());
  report.end = unpacker.value<double>();
  report.messages = unpacker.value<std::uint64_t>();
  report.socket_bytes = unpacker.value<std::uint64_t>();
  report.bytes = unpacker.value<double>();
  report.flops = unpacker.value<double>();
  report.flop_seconds = unpacker.value<double>();
  report.actors.clear();
  for (auto count = unpacker.value<std::uint32_t>(); count > 0 && unpacker.is_good(); --count) {
    ActorLine& actor = report.actors.emplace_back();
    actor.number = unpacker.value<std::uint32_t>();
    actor.name = unpacker.text();
    actor.host = unpacker.text();
    actor.is_daemon = unpacker.value<bool>();
    actor.has_ended = unpacker.value<bool>();
    actor.end = unpacker.value<double>();
  }
  return unpacker.is_good();
}

}  // namespace rehearse::real
