// SPDX-License-Identifier: MIT
//
// MPI_Open_port, MPI_Close_port, MPI_Comm_accept and MPI_Comm_connect.
//
// Method: the name of a port contains the rank that opened it and its number there. MPI_Comm_connect sends a request to
//         the port: its number, and the members of its group. MPI_Comm_accept receives the first request, from any
//         rank: which one is a choice that explorations make. It answers with an offer, and the other root confirms it
//         or has given up; then the port takes the next request. Each root tells its group the result.
// Time:   MPI_Comm_connect waits as long as the error handler is MPI_ERRORS_ARE_FATAL or MPI_ERRORS_ABORT, and no time
//         limit is given: a program that would end anyway shows what it waits for. Otherwise it gives up after the
//         limit (info key `timeout`, in seconds), by default 180 s, or where time does not pass after many polls.
// Source: MPI 5.0, 11.9.2; the key `timeout` is MPICH's.
#include "smpi/communicator/port.hpp"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "simcore/actor.hpp"
#include "simcore/support/format.hpp"
#include "smpi/abi/calls.hpp"
#include "smpi/arguments.hpp"
#include "smpi/collective/collective.hpp"
#include "smpi/communicator/create.hpp"
#include "smpi/creation_site.hpp"
#include "smpi/error.hpp"
#include "smpi/info/info.hpp"
#include "smpi/library.hpp"
#include "smpi/per_rank.hpp"
#include "smpi/ports.hpp"

namespace rehearse::smpi {
namespace {

constexpr std::string_view name_begin = "rehearse-port:";
constexpr double default_timeout_seconds = 180;
constexpr int most_polls = 1000;

// A port by its name.
struct Port {
  ActorId owner;
  std::uint32_t number = 0;
};

// The ports that this rank has opened, by number, and its calls of MPI_Comm_connect as a root.
struct Ports {
  std::map<std::uint32_t, CreationSite> open;
  std::uint32_t opened = 0;
  std::uint32_t connects = 0;
};

std::string text_of(const Port& port) { return fmt::format("{}{}.{}", name_begin, port.owner.value, port.number); }

// False: it is not the name of a port.
bool read_name(const char* text, Port& port) {
  std::string_view name(text, strnlen(text, MPI_MAX_PORT_NAME));
  if (!name.starts_with(name_begin)) return false;
  name.remove_prefix(name_begin.size());
  const char* const end = name.data() + name.size();
  const auto owner = std::from_chars(name.data(), end, port.owner.value);
  if (owner.ec != std::errc() || owner.ptr == end || *owner.ptr != '.') return false;
  const auto number = std::from_chars(owner.ptr + 1, end, port.number);
  return number.ec == std::errc() && number.ptr == end && port.owner.value < actor_count();
}

// Requests name the port; offers and answers name the call of MPI_Comm_connect by their tag.
ContextId context_of(const Port& port, MeetingStep step) { return meeting_context(port.owner, port.number, step); }

// The contents of messages: numbers, then the members of a group.
std::vector<std::uint64_t> words_of(std::uint64_t context, const Communicator& group) {
  std::vector<std::uint64_t> words = {MPI_SUCCESS, context};
  for (const ActorId member : group.members()) words.push_back(member.value);
  return words;
}

std::vector<std::uint64_t> numbers_in(std::span<const std::byte> bytes) {
  std::vector<std::uint64_t> words(bytes.size() / sizeof(std::uint64_t));
  if (!words.empty()) std::memcpy(words.data(), bytes.data(), bytes.size());
  return words;
}

void send(ContextId context, ActorId to, Tag tag, std::span<const std::uint64_t> words) {
  Send send;
  send.request = library().start_request();
  send.context = context;
  send.destination = to;
  send.tag = tag;
  send.mode = SendMode::buffered;
  send.blocking = true;
  send.data = std::as_bytes(words);
  send.origin = origin_of_call();
  ask(send);
}

Post receive_of(ContextId context, std::optional<ActorId> from, std::optional<Tag> tag) {
  Post post;
  post.request = library().start_request();
  post.pattern = {context, from, tag};
  post.capacity_bytes = (actor_count() + 2) * sizeof(std::uint64_t);
  return post;
}

// A received message, in the rank's memory.
struct Received {
  ActorId source;
  Tag tag = 0;
  std::vector<std::uint64_t> words;  // empty: none came
};

Received receive(ContextId context, std::optional<ActorId> from, std::optional<Tag> tag) {
  Post post = receive_of(context, from, tag);
  post.blocking = true;
  const Completion& got = ask(post).completions.front();
  return {got.source, got.tag, numbers_in(got.data)};
}

double now() { return (ask(Clock{}).now - TimePoint{}).seconds(); }

// Waits for the message, for at most so many seconds.
Received receive_within(double seconds, ContextId context, ActorId from, Tag tag) {
  const Post post = receive_of(context, from, tag);
  ask(post);
  const double end = now() + seconds;
  Observe look;
  const RequestId request[] = {post.request};
  look.requests = request;
  look.blocking = false;
  for (int polls = 1;; ++polls) {
    look.withdraws = polls == most_polls || now() >= end;
    const Observation& answer = ask(look);
    if (!answer.flag && look.withdraws) return {};
    if (!answer.flag) continue;
    const Completion& got = answer.completions.front();
    return {got.source, got.tag, numbers_in(got.data)};
  }
}

// The root's result: an error, or the context of the new communicator and the members of the other group.
std::vector<std::uint64_t> failure(int error) { return {static_cast<std::uint64_t>(error)}; }

std::vector<std::uint64_t> accept_at(const char* name, const Communicator& group, std::string& text) {
  Port port;
  const auto& ports = per_rank<Ports>();
  if (!read_name(name, port) || port.owner != current_actor() || !ports.open.contains(port.number)) {
    text = "the port is not one that the calling process has opened";
    return failure(MPI_ERR_PORT);
  }
  for (;;) {
    const Received request = receive(context_of(port, MeetingStep::request), std::nullopt, std::nullopt);
    const std::uint64_t context = derive_context(context_of(port, MeetingStep::request).value, request.source.value,
                                                 static_cast<std::uint64_t>(request.tag));
    send(context_of(port, MeetingStep::offer), request.source, request.tag, words_of(context, group));
    const Received answer = receive(context_of(port, MeetingStep::answer), request.source, request.tag);
    if (answer.words[0] != MPI_SUCCESS) continue;  // the other side has given up
    std::vector<std::uint64_t> result = request.words;
    result[1] = context;
    return result;
  }
}

double timeout_in(const Hints& hints, bool& is_given) {
  for (const auto& [key, value] : hints) {
    double seconds = 0;
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), seconds);
    if (key != "timeout" || error != std::errc() || end != value.data() + value.size() || seconds < 0) continue;
    is_given = true;
    return seconds;
  }
  return default_timeout_seconds;
}

std::vector<std::uint64_t> connect_to(const char* name, const Hints& hints, const Communicator& group,
                                      std::string& text) {
  Port port;
  if (!read_name(name, port)) {
    text = "there is no such port";
    return failure(MPI_ERR_PORT);
  }
  const Tag number = static_cast<Tag>(per_rank<Ports>().connects++);
  send(context_of(port, MeetingStep::request), port.owner, number, words_of(0, group));
  const MPI_Errhandler handler = group.error_handler;
  bool is_given = false;
  const double seconds = timeout_in(hints, is_given);
  const bool may_give_up = is_given || (handler != MPI_ERRORS_ARE_FATAL && handler != MPI_ERRORS_ABORT);
  const ContextId offers = context_of(port, MeetingStep::offer);
  Received offer = may_give_up ? receive_within(seconds, offers, port.owner, number)
                               : receive(offers, port.owner, number);
  const bool gave_up = offer.words.empty();
  const std::uint64_t answer[] = {gave_up ? std::uint64_t{MPI_ERR_PORT} : std::uint64_t{MPI_SUCCESS}};
  send(context_of(port, MeetingStep::answer), port.owner, number, answer);
  if (!gave_up) return std::move(offer.words);
  text = "no process has accepted the connection in time";
  return failure(MPI_ERR_PORT);
}

// All members learn the root's result and make the communicator.
int finish(const CommunicatorRef& group, const char* call, int root, std::vector<std::uint64_t> words,
           std::string_view text, MPI_Comm* newcomm) {
  const bool is_root = group->rank() == root;
  Contribution contribution;
  contribution.flow = Flow::root_to_all;
  contribution.root = static_cast<std::uint32_t>(root);
  contribution.data = std::as_bytes(std::span(words));
  const int error = run_collective(group, {call}, contribution, {[&](Contributions from) {
                                     if (!is_root) words = numbers_in(from[static_cast<std::size_t>(root)]);
                                     return Trouble{};
                                   }});
  if (error != MPI_SUCCESS) return error;
  *newcomm = MPI_COMM_NULL;
  if (words[0] != MPI_SUCCESS)
    return error_on(group->handle, static_cast<int>(words[0]), is_root ? text : "the root could not connect");
  std::vector<ActorId> others;
  for (std::size_t i = 2; i < words.size(); ++i) others.push_back({static_cast<std::uint32_t>(words[i])});
  const bool overlap =
      std::ranges::any_of(others, [&](ActorId actor) { return group->rank_of(actor) != MPI_UNDEFINED; });
  if (overlap) return error_on(group->handle, MPI_ERR_COMM, "the two groups have a process in common");
  *newcomm = communicators().add(make_communicator(words[1], group->local_map(),
                                                   std::string(call) + " on " + group->description(), others),
                                 *group);
  return MPI_SUCCESS;
}

// The common arguments of both calls.
Arguments port_arguments(const char* port_name, MPI_Info info, int root, MPI_Comm comm, const MPI_Comm* newcomm) {
  Arguments check = intracommunicator_arguments(comm);
  check.root(root).pointer(newcomm, "newcomm");
  if (check.failed() || check.communicator()->rank() != root) return check;
  check.pointer(port_name, "port_name")
      .require(find_hints(info) != nullptr, MPI_ERR_INFO, "the info object was freed or never existed");
  return check;
}

}  // namespace

void visit_open_ports(void (*visit)(const CreationSite& site, void* argument), void* argument) {
  const auto* ports = find_per_rank<Ports>();
  if (ports == nullptr) return;
  for (const auto& [number, site] : ports->open) visit(site, argument);
}

}  // namespace rehearse::smpi

namespace rehearse::smpi::calls {

int Open_port(MPI_Info info, char* port_name) {
  Arguments check;
  check.pointer(port_name, "port_name")
      .require(find_hints(info) != nullptr, MPI_ERR_INFO, "the info object was freed or never existed");
  if (check.failed()) return check.error();
  auto& ports = per_rank<Ports>();
  const Port port{current_actor(), ports.opened++};
  ports.open.emplace(port.number, creation_site());
  const std::string name = text_of(port);
  std::memcpy(port_name, name.c_str(), name.size() + 1);
  return MPI_SUCCESS;
}

int Close_port(const char* port_name) {
  Arguments check;
  check.pointer(port_name, "port_name");
  if (check.failed()) return check.error();
  Port port;
  auto& ports = per_rank<Ports>();
  const bool is_open = read_name(port_name, port) && port.owner == current_actor() && ports.open.contains(port.number);
  check.require(is_open, MPI_ERR_PORT, "the port is not one that the calling process has opened");
  if (!check.failed()) ports.open.erase(port.number);
  return check.error();
}

int Comm_accept(const char* port_name, MPI_Info info, int root, MPI_Comm comm, MPI_Comm* newcomm) {
  const Arguments check = port_arguments(port_name, info, root, comm, newcomm);
  if (check.failed()) return check.error();
  const CommunicatorRef group = check.communicator();
  std::string text;
  std::vector<std::uint64_t> words;
  if (group->rank() == root) words = accept_at(port_name, *group, text);
  return finish(group, "MPI_Comm_accept", root, std::move(words), text, newcomm);
}

int Comm_connect(const char* port_name, MPI_Info info, int root, MPI_Comm comm, MPI_Comm* newcomm) {
  const Arguments check = port_arguments(port_name, info, root, comm, newcomm);
  if (check.failed()) return check.error();
  const CommunicatorRef group = check.communicator();
  std::string text;
  std::vector<std::uint64_t> words;
  if (group->rank() == root) words = connect_to(port_name, *find_hints(info), *group, text);
  return finish(group, "MPI_Comm_connect", root, std::move(words), text, newcomm);
}

}  // namespace rehearse::smpi::calls
