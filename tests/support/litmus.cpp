// SPDX-License-Identifier: MIT
//
// The interpreter of litmus programs: an actor's state is its list of operations, a position and its requests.
#include "tests/support/litmus.hpp"

#include <array>
#include <cstring>
#include <map>
#include <optional>
#include <sstream>

#include "simcore/published.hpp"
#include "simcore/state_image.hpp"
#include "simcore/support/assert.hpp"

namespace rehearse::tests {

namespace {

struct Instruction {
  std::string name;
  std::vector<std::string> args;
  std::map<std::uint32_t, std::vector<Instruction>> cases;  // of onsrc
};

std::string trim(const std::string& s) {
  const auto first = s.find_first_not_of(" \t");
  if (first == std::string::npos) return "";
  return s.substr(first, s.find_last_not_of(" \t") - first + 1);
}

std::vector<Instruction> parse(std::string text) {
  std::vector<Instruction> program;
  text = trim(text);
  while (!text.empty()) {
    if (text.rfind("onsrc", 0) == 0) {
      Instruction branch{"onsrc", {}, {}};
      std::istringstream parts(text.substr(5));
      for (std::string part; std::getline(parts, part, '|');) {
        const auto colon = part.find(':');
        branch.cases[static_cast<std::uint32_t>(std::stoul(part.substr(0, colon)))] = parse(part.substr(colon + 1));
      }
      program.push_back(branch);
      return program;
    }
    const auto semicolon = text.find(';');
    std::istringstream words(text.substr(0, semicolon));
    Instruction instruction;
    words >> instruction.name;
    for (std::string word; words >> word;) instruction.args.push_back(word);
    if (!instruction.name.empty()) program.push_back(instruction);
    text = semicolon == std::string::npos ? "" : trim(text.substr(semicolon + 1));
  }
  return program;
}

struct Request {
  RequestId id;
  bool receive = false;
  bool live = false;
  std::uint32_t room = 4;  // of a receive, in bytes
};

struct State {
  const std::vector<Instruction>* code = nullptr;
  std::size_t at = 0;
  std::uint32_t started = 0;  // requests so far
  std::map<std::string, Request> requests;
  std::uint32_t took = 0;                      // number of messages taken by probes so far
  std::map<std::string, std::uint32_t> taken;  // taken messages that are not received yet
  std::optional<std::uint32_t> last_source;
  std::int32_t last_value = 0;  // of the message received last
  std::int32_t number = 0;      // that `sum`, `mix` and `keep` change
  std::uint32_t bytes = 4;      // of the messages to be sent
  std::uint32_t room = 4;       // of the receives to be posted, in bytes
  bool overflows = false;       // a message did not fit
};

class Litmus final : public Program, public StateImages {
 public:
  Litmus(const std::string& text, bool sites) : sites_(sites) {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
      line = trim(line.substr(0, line.find('#')));
      if (line.empty()) continue;
      const auto colon = line.find(':');
      const std::size_t actor = std::stoul(line.substr(0, colon));
      if (code_.size() <= actor) code_.resize(actor + 1);
      code_[actor] = parse(line.substr(colon + 1));
    }
    for (std::uint32_t a = 0; a < code_.size(); ++a) members_.push_back({a});
    actors_.resize(code_.size());
    for (std::uint32_t a = 0; a < code_.size(); ++a) restart({a});
  }

  std::uint32_t actor_count() const override { return static_cast<std::uint32_t>(code_.size()); }

  const Operation& next(ActorId actor) override {
    Actor& a = actors_[actor.value];
    if (!a.ready) prepare(a, actor);
    return a.operation;
  }

  void resume(ActorId actor, const Observation& observation) override {
    Actor& a = actors_[actor.value];
    next(actor);
    answer(a, actor, observation);
    ++a.state.at;
    a.ready = false;
  }

  void restart(ActorId actor) override {
    Actor& a = actors_[actor.value];
    a = {};
    a.state.code = &code_[actor.value];
  }

  struct Saved final : Snapshot {
    State state;
    std::uint64_t bytes() const override { return sizeof(State); }
  };

  std::unique_ptr<Snapshot> save(ActorId actor) override {
    auto saved = std::make_unique<Saved>();
    next(actor);
    saved->state = actors_[actor.value].state;
    return saved;
  }

  void restore(ActorId actor, const Snapshot& snapshot) override {
    Actor& a = actors_[actor.value];
    a = {};
    a.state = static_cast<const Saved&>(snapshot).state;
  }

  // Of a waiting receive, what it will overwrite is left out. Requests that are complete are no part of the state.
  std::optional<WideHash> image(ActorId actor, AwaitedBytes awaited) override {
    next(actor);
    const State& s = actors_[actor.value].state;
    std::vector<std::uint64_t> words{reinterpret_cast<std::uintptr_t>(s.code), s.at,    s.started, s.took,
                                     static_cast<std::uint64_t>(s.number),     s.bytes, s.room,    s.overflows};
    for (const auto& [name, request] : s.requests)
      if (request.live)
        words.insert(words.end(), {std::hash<std::string>()(name), request.id.value, request.receive, request.room});
    words.push_back(~0ull);
    for (const auto& [name, number] : s.taken) words.insert(words.end(), {std::hash<std::string>()(name), number});
    const auto* post = std::get_if<Post>(&actors_[actor.value].operation);
    const auto overwritten = [&] {
      return std::min<std::uint64_t>(post->capacity_bytes, static_cast<std::uint64_t>(awaited));
    };
    if (post == nullptr || !post->blocking || overwritten() < sizeof s.last_value)
      words.insert(words.end(), {s.last_source ? *s.last_source + 1 : 0, static_cast<std::uint64_t>(s.last_value)});
    return wide_hash(words.data(), words.size() * sizeof words[0]);
  }

  std::uint64_t site(ActorId actor) override {
    next(actor);
    const State& s = actors_[actor.value].state;
    if (!sites_ || s.at >= s.code->size()) return 0;
    std::string text = (*s.code)[s.at].name;
    for (const std::string& arg : (*s.code)[s.at].args) text += " " + arg;
    return std::hash<std::string>()(text) | 1;
  }

  CallDescription describe(ActorId actor) override {
    next(actor);
    const State& s = actors_[actor.value].state;
    return {s.at < s.code->size() ? (*s.code)[s.at].name : "end", {{"actor", "litmus", int(s.at) + 1}}};
  }

 private:
  struct Actor {
    State state;
    bool ready = false;
    Operation operation = End{};
    std::vector<RequestId> list;     // the span of the Operation points to it
    std::vector<std::string> names;  // the names of these requests
    std::array<std::int32_t, 4> data{};
    std::string reported;  // the Log points to it
  };

  static std::optional<ActorId> source(const std::string& word) {
    if (word == "*") return std::nullopt;
    return ActorId{static_cast<std::uint32_t>(std::stoul(word))};
  }
  static std::optional<rehearse::Tag> tag(const std::string& word) {
    if (word[0] == '*') return std::nullopt;
    return static_cast<rehearse::Tag>(std::stol(word));
  }
  // A tag with a trailing ' is in a second communicator.
  static ContextId context(const std::string& word) { return {word.back() == '\'' ? 2u : 0u}; }
  static Pattern pattern(const Instruction& i) { return {context(i.args[1]), source(i.args[0]), tag(i.args[1])}; }
  static SendMode mode(const std::string& call) {
    switch (call[call[0] == 'i' ? 1 : 0]) {
      case 'b': return SendMode::buffered;
      case 'r': return SendMode::ready;
      default: return call.find("ss") != std::string::npos ? SendMode::synchronous : SendMode::standard;
    }
  }

  // Skips instructions without an operation (branches, waits without requests) and builds the next Operation.
  void prepare(Actor& a, ActorId actor) {
    State& s = a.state;
    a.ready = true;
    if (s.overflows) {
      a.operation = Fail{FailureKind::assertion, "message.truncated", "a message longer than its buffer"};
      return;
    }
    for (;; ++s.at) {
      if (s.at >= s.code->size()) {
        a.operation = End{s.number};
        return;
      }
      const Instruction& i = (*s.code)[s.at];
      if (i.name == "onsrc") {
        const auto chosen = s.last_source ? i.cases.find(*s.last_source) : i.cases.end();
        if (chosen == i.cases.end()) continue;
        s.code = &chosen->second;
        s.at = std::size_t(-1);
        continue;
      }
      if (compute(a, i)) {
        if (std::holds_alternative<Fail>(a.operation)) return;
        continue;
      }
      if (build(a, actor, i)) return;
    }
  }

  // sum, mix, keep: the number becomes one that depends on the value received last. failif N, failsrc ACTOR: the actor
  // fails if the number is N, or if the last message came from this actor. skipbelow N: skips the next instruction if
  // the number is below N.
  static bool compute(Actor& a, const Instruction& i) {
    State& s = a.state;
    const auto argument = [&i] { return static_cast<std::int32_t>(std::stol(i.args[0])); };
    a.operation = End{};
    if (i.name == "sum") s.number += s.last_value;
    else if (i.name == "mix") s.number = (s.number * 3 + s.last_value) % 1000;
    else if (i.name == "keep") s.number = s.last_value;
    else if (i.name == "set") s.number = argument();
    else if (i.name == "bytes") s.bytes = static_cast<std::uint32_t>(argument());
    else if (i.name == "room") s.room = static_cast<std::uint32_t>(argument());
    else if (i.name == "skipbelow") s.at += s.number < argument();
    else if (i.name == "failif" || i.name == "failsrc") {
      const bool fails = i.name == "failif" ? s.number == argument()
                                            : s.last_source == static_cast<std::uint32_t>(argument());
      if (fails) a.operation = Fail{FailureKind::assertion, "assertion.failed", "a litmus assertion"};
    } else {
      return false;
    }
    return true;
  }

  static bool publishes(Actor& a, const Instruction& i) {
    using Kind = Published::Kind;
    if (i.name != "say" && i.name != "never" && i.name != "always") return false;
    Published reported{i.name == "say" ? Kind::value : i.name == "never" ? Kind::never : Kind::always, i.args[0]};
    if (i.name == "say") reported.value = std::stoll(i.args[1]);
    a.reported = text_of(reported);
    a.operation = Log{published_stream, a.reported};
    return true;
  }

  bool build(Actor& a, ActorId actor, const Instruction& i) {
    State& s = a.state;
    const bool nonblocking = i.name[0] == 'i';
    if (i.name.size() > 3 && i.name.rfind("send") == i.name.size() - 4) {
      Send send;
      send.request = {s.started};
      send.destination = *source(i.args[0]);
      send.context = context(i.args[1]);
      send.tag = *tag(i.args[1]);
      send.mode = mode(i.name);
      send.blocking = !nonblocking;
      a.data = {i.name == "asend" || i.name == "iasend" ? s.number : static_cast<std::int32_t>(actor.value)};
      REHEARSE_ASSERT(s.bytes <= sizeof a.data, "a litmus message of at most 16 bytes");
      send.data = {reinterpret_cast<const std::byte*>(a.data.data()), s.bytes};
      a.operation = send;
      return true;
    }
    if (i.name == "recv" || i.name == "irecv") {
      a.operation = Post{{s.started}, pattern(i), s.room, !nonblocking};
      return true;
    }
    if (i.name == "mprobe" || i.name == "improbe") {
      a.operation = Probe{pattern(i), !nonblocking, true};
      return true;
    }
    if (i.name == "mrecv" || i.name == "imrecv") {
      const auto found = s.taken.find(i.args[0]);
      if (found == s.taken.end()) return false;
      a.operation = Post{{s.started}, {{0}, {}, {}}, s.room, !nonblocking, found->second};
      return true;
    }
    if (i.name == "probe" || i.name == "iprobe") {
      a.operation = Probe{pattern(i), !nonblocking};
      return true;
    }
    if (i.name == "choose") {
      a.operation = Choose{static_cast<std::uint32_t>(std::stoul(i.args[0])), "a branch"};
      return true;
    }
    if (publishes(a, i)) return true;
    if (const auto collective = collective_of(i, actor)) {
      a.operation = *collective;
      auto& operation = std::get<Collective>(a.operation);
      operation.request = {s.started};
      operation.blocking = !nonblocking;
      a.data = {static_cast<std::int32_t>(actor.value)};
      operation.contribution = {reinterpret_cast<const std::byte*>(a.data.data()), sizeof a.data[0]};
      return true;
    }
    a.list.clear();
    a.names.clear();
    for (const std::string& name : i.args) {
      const auto r = s.requests.find(name);
      if (r == s.requests.end() || !r->second.live) continue;
      a.list.push_back(r->second.id);
      a.names.push_back(name);
    }
    const bool cancel = i.name == "cancel";
    const bool waits = i.name.rfind("wait", 0) == 0;
    REHEARSE_ASSERT(waits || cancel || i.name.rfind("test", 0) == 0, "unknown litmus operation");
    const std::string which = cancel ? "" : i.name.substr(4);
    if (a.list.empty()) return false;
    a.operation = Observe{a.list,
                          which == "any"    ? Quantifier::any
                          : which == "some" ? Quantifier::some
                                            : Quantifier::all,
                          waits, cancel};
    return true;
  }

  // barrier, bcast ROOT, reduce ROOT, scan; with a leading i they are nonblocking, and the name of the request follows.
  // xbarrier FIRST, xbcast FIRST ROOT, xreduce FIRST ROOT: the same between two groups: the first FIRST actors, and the
  // others.
  std::optional<Collective> collective_of(const Instruction& i, ActorId actor) const {
    std::string name = i.name[0] == 'i' ? i.name.substr(1) : i.name;
    const bool is_between = name[0] == 'x';
    if (is_between) name = name.substr(1);
    static const std::map<std::string, Flow> flows = {{"barrier", Flow::all_to_all},
                                                      {"bcast", Flow::root_to_all},
                                                      {"reduce", Flow::all_to_root},
                                                      {"scan", Flow::prefix}};
    const auto flow = flows.find(name);
    if (flow == flows.end()) return std::nullopt;
    Collective collective;
    collective.context = {1};
    collective.members = members_;
    collective.name = flow->first;
    collective.flow = flow->second;
    if (name == "bcast" || name == "reduce") collective.root = source(i.args[is_between ? 1 : 0])->value;
    if (!is_between) return collective;
    const std::uint32_t first = collective.groups.first = source(i.args[0])->value;
    collective.context = {100 + first};  // each pair of groups has its own communicator
    const bool is_with_root = (actor.value < first) == (collective.root < first);
    if (flow->second != Flow::all_to_all && is_with_root && actor.value != collective.root)
      collective.root = another_root;
    return collective;
  }

  void answer(Actor& a, ActorId actor, const Observation& observation) {
    State& s = a.state;
    const Instruction& i = (*s.code)[s.at];
    const bool nonblocking = i.name[0] == 'i';
    if (nonblocking && (i.name == "irecv" || std::holds_alternative<Send>(a.operation)))
      s.requests[i.args[2]] = {{s.started}, i.name == "irecv", true, s.room};
    if (nonblocking && collective_of(i, actor)) s.requests[i.args.back()] = {{s.started}, false, true};
    if (i.name == "imrecv") s.requests[i.args[1]] = {{s.started}, true, true, s.room};
    if (i.name == "mrecv" || i.name == "imrecv") s.taken.erase(i.args[0]);
    if ((i.name == "mprobe" || i.name == "improbe") && observation.flag) s.taken[i.args[2]] = s.took++;
    if (i.name == "cancel") s.requests[i.args[0]].live = false;
    if (std::holds_alternative<Send>(a.operation) || std::holds_alternative<Post>(a.operation) ||
        std::holds_alternative<Collective>(a.operation))
      ++s.started;
    const bool looks = i.name == "probe" || i.name == "iprobe" || i.name == "mprobe";
    if (i.name == "recv" || i.name == "mrecv") s.overflows = observation.completions[0].data.size() > s.room;
    if (i.name == "recv" || i.name == "mrecv" || (looks && observation.flag))
      s.last_source = observation.completions[0].source.value;
    if ((i.name == "recv" || i.name == "mrecv") && observation.completions[0].data.size() >= sizeof s.last_value)
      std::memcpy(&s.last_value, observation.completions[0].data.data(), sizeof s.last_value);
    if (i.name == "choose") s.last_source = observation.completions[0].index;
    if (!std::holds_alternative<Observe>(a.operation) || !observation.flag) return;
    for (const Completion& c : observation.completions) {
      Request& r = s.requests[a.names[c.index]];
      r.live = false;
      s.overflows = s.overflows || (r.receive && c.data.size() > r.room);
      if (i.name == "wait" && r.receive) s.last_source = c.source.value;
      if (r.receive && c.data.size() >= sizeof s.last_value)
        std::memcpy(&s.last_value, c.data.data(), sizeof s.last_value);
    }
  }

  bool sites_;
  std::vector<std::vector<Instruction>> code_;
  std::vector<ActorId> members_;
  std::vector<Actor> actors_;
};

}  // namespace

std::unique_ptr<Program> make_litmus(const std::string& text, bool sites) {
  return std::make_unique<Litmus>(text, sites);
}

std::string fan_in(std::uint32_t senders, const std::string& more) {
  std::string text = "0: ";
  for (std::uint32_t s = 0; s < senders; ++s) text += "recv * 0 ; ";
  text += more + "\n";
  for (std::uint32_t s = 1; s <= senders; ++s) text += std::to_string(s) + ": send 0 0\n";
  return text;
}

}  // namespace rehearse::tests
