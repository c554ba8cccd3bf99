// SPDX-License-Identifier: MIT
//
// See call_operations.hpp.
#include "trace/call_operations.hpp"

#include <limits>

namespace rehearse::trace {

namespace {

// As many bytes, of which nobody knows the values.
std::span<const std::byte> without_data(std::uint64_t bytes) {
  return {static_cast<const std::byte*>(nullptr), static_cast<std::size_t>(bytes)};
}

}  // namespace

Send operation_of(const SendAction& send, RequestId request, ContextId context) {
  Send operation;
  operation.request = request;
  operation.context = context;
  operation.destination = {send.destination};
  operation.tag = send.tag;
  operation.mode = send.mode;
  operation.blocking = send.blocking;
  operation.data = without_data(send.bytes);
  return operation;
}

Post operation_of(const ReceiveAction& receive, RequestId request, ContextId context) {
  Post operation;
  operation.request = request;
  operation.pattern.context = context;
  if (receive.source) operation.pattern.source = ActorId{*receive.source};
  operation.pattern.tag = receive.tag;
  operation.capacity_bytes = receive.bytes.value_or(std::numeric_limits<std::uint64_t>::max());
  operation.blocking = receive.blocking;
  return operation;
}

Collective operation_of(const CollectiveAction& collective, RequestId request, std::uint32_t communicator,
                        const Communicators& communicators) {
  Collective operation;
  operation.request = request;
  operation.context = {message_context(communicator).value + 1};
  operation.members = communicators.members(communicator);
  operation.name = collective.name;
  operation.flow = collective.flow;
  operation.root = collective.root;
  operation.signature = collective.agreement;
  operation.contribution = without_data(collective.bytes);
  operation.segment_bytes = collective.segments;
  operation.blocking = collective.blocking;
  operation.combining = collective.combining;
  operation.hints = {collective.kind, true, collective.elements, collective.total_bytes};
  return operation;
}

std::string without_request(const RequestName& name) {
  if (name == collective_name) return "no nonblocking collective is open";
  return "no request from " + std::to_string(name.source) + " to " + std::to_string(name.destination) + " with tag " +
         std::to_string(name.tag) + " is open";
}

}  // namespace rehearse::trace
