// SPDX-License-Identifier: MIT
//
// Short functions for operations. Each copies the needed data from the answer.
#include "tests/support/actor_calls.hpp"

namespace rehearse::testing {

namespace {

std::span<const std::byte> bytes_of(std::string_view text) {
  return std::as_bytes(std::span(text.data(), text.size()));
}

std::string text_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::optional<ActorId> actor(ActorCalls::Anyone number) {
  return number ? std::optional(ActorId{*number}) : std::nullopt;
}

Received received(const Completion& completion) {
  return {completion.source.value, completion.tag, text_of(completion.data)};
}

}  // namespace

RequestId ActorCalls::send(std::uint32_t to, std::string_view text, Tag tag, SendMode mode, bool blocking) {
  Send operation{next(), context, {to}, tag, mode, blocking, false, bytes_of(text), 0};
  ask(operation);
  return operation.request;
}

void ActorCalls::send_bytes(std::uint32_t to, std::size_t bytes, Tag tag) { send(to, std::string(bytes, 'x'), tag); }

RequestId ActorCalls::start_send(std::uint32_t to, std::string_view text, Tag tag, SendMode mode) {
  return send(to, text, tag, mode, false);
}

Received ActorCalls::receive(Anyone from, std::optional<Tag> tag) {
  return received(ask(Post{next(), {context, actor(from), tag}, 0, true}).completions[0]);
}

RequestId ActorCalls::post(Anyone from, std::optional<Tag> tag) {
  Post operation{next(), {context, actor(from), tag}, 0, false};
  ask(operation);
  return operation.request;
}

std::vector<std::uint32_t> ActorCalls::observe(std::vector<RequestId> requests, Quantifier quantifier, bool blocking) {
  const Observation& answer = ask(Observe{requests, quantifier, blocking});
  std::vector<std::uint32_t> indices;
  if (!answer.flag) return indices;
  for (const Completion& completion : answer.completions) indices.push_back(completion.index);
  return indices;
}

std::optional<Received> ActorCalls::probe(Anyone from, std::optional<Tag> tag, bool blocking) {
  const Observation& answer = ask(Probe{{context, actor(from), tag}, blocking});
  if (!answer.flag) return std::nullopt;
  return received(answer.completions[0]);
}

std::vector<std::string> ActorCalls::run(Collective operation) {
  std::vector<ActorId> members;
  for (std::uint32_t i = 0; i < actor_count(); ++i) members.push_back({i});
  operation.members = members;
  operation.request = next();
  operation.context = {context.value + 1000};
  std::vector<std::string> texts;
  for (const auto& contribution : ask(operation).contributions) texts.push_back(text_of(contribution));
  texts.resize(members.size());  // contributions at the end that no member needs may be missing
  return texts;
}

std::vector<std::string> ActorCalls::collective(std::string_view name, Flow flow, std::uint32_t root,
                                                std::string_view contribution, bool combining) {
  Collective operation;
  operation.name = name;
  operation.flow = flow;
  operation.root = root;
  operation.contribution = bytes_of(contribution);
  operation.combining = combining;
  return run(operation);
}

std::vector<std::string> ActorCalls::between(std::string_view name, const Collective& what, std::uint32_t first,
                                             std::string_view contribution) {
  Collective operation = what;
  operation.name = name;
  operation.groups.first = first;
  operation.contribution = bytes_of(contribution);
  return run(operation);
}

std::vector<std::string> ActorCalls::all_to_all(const std::vector<std::string>& segments) {
  std::string whole;
  std::vector<std::uint64_t> sizes;
  for (const std::string& segment : segments) {
    whole += segment;
    sizes.push_back(segment.size());
  }
  Collective operation;
  operation.name = "all_to_all";
  operation.contribution = bytes_of(whole);
  operation.segment_bytes = sizes;
  return run(operation);
}

double ActorCalls::now() { return ask(Clock{}).now.seconds(); }

}  // namespace rehearse::testing
