// SPDX-License-Identifier: MIT
//
// Reads the events of each actor in program order.
#include "mc/predict/course.hpp"

#include <algorithm>

#include "mc/counterexample/ending.hpp"
#include "simcore/support/format.hpp"

namespace rehearse::mc::predict {

using graph::Event;
using graph::EventIndex;
using graph::EventKind;
using graph::EventRef;
using graph::Graph;

namespace {

bool is_same(const Pattern& a, const Pattern& b) {
  return a.context == b.context && a.source == b.source && a.tag == b.tag;
}

void add_once(std::vector<std::string>& list, std::string text) {
  if (std::ranges::find(list, text) == list.end()) list.push_back(std::move(text));
}

class Reader {
 public:
  Reader(const Graph& graph, const std::string& noun) : graph_(graph), noun_(noun) {
    course_.waits.resize(graph.actor_count());
    started_.resize(graph.actor_count());
  }

  Course read() {
    for (Index a = 0; a < graph_.actor_count(); ++a) read_actor(a);
    find_taken_messages();
    for (Index r = 0; r < course_.receives.size(); ++r)
      if (!is_awaited_[r]) say(course_.open, course_.receives[r].actor, "posts a receive that it does not wait for");
    return std::move(course_);
  }

 private:
  void say(std::vector<std::string>& list, Index actor, const char* what) const {
    add_once(list, fmt::format("{} {} {}", noun_, actor, what));
  }

  void read_actor(Index a) {
    actor_ = a;
    chain_.reset();
    is_fresh_ = false;
    const Graph::Actor& actor = graph_.actor(a);
    if (!std::holds_alternative<End>(actor.node->operation)) say(course_.unsupported, a, "did not come to its end");
    started_[a].resize(actor.events.size());
    for (EventIndex i = 0; i < actor.events.size(); ++i) {
      const Event& event = actor.events[i];
      switch (event.kind) {
        case EventKind::send: add_message(i, event); break;
        case EventKind::post: add_receive(i, event); break;
        case EventKind::arrive: add_arrival(i); break;
        case EventKind::decide: break;
        case EventKind::observe: add_observation(event); break;
      }
    }
  }

  std::vector<Wait>& waits() { return course_.waits[actor_]; }
  Index segment() { return static_cast<Index>(waits().size()); }

  void start(EventIndex event, Request::Kind kind, std::size_t index) {
    started_[actor_][event] = {kind, static_cast<Index>(index)};
    is_fresh_ = false;
  }

  void add_message(EventIndex i, const Event& event) {
    const auto& send = std::get<Send>(event.node->operation);
    start(i, Request::Kind::message, course_.messages.size());
    course_.messages.push_back({actor_, send.destination.value, segment(), event.request, send.context, send.tag,
                                send.mode, send.data.size(), send.signature});
    if (send.mode == SendMode::ready) say(course_.open, actor_, "sends in ready mode");
    chain_.reset();
    if (send.blocking) add_wait_for({started_[actor_][i]});
  }

  // A receive that continues a chain belongs to the segment of the chain, whose last wait it joins.
  void add_receive(EventIndex i, const Event& event) {
    const auto& post = std::get<Post>(event.node->operation);
    if (post.taken) say(course_.unsupported, actor_, "receives a message that a probe took");
    const bool continues = is_fresh_ && post.blocking && chain_ && is_same(*chain_, post.pattern);
    start(i, Request::Kind::receive, course_.receives.size());
    Receive receive{actor_, segment(), event.request, post.pattern, post.capacity_bytes, event.node->site};
    if (continues) --receive.segment;
    course_.receives.push_back(receive);
    is_awaited_.push_back(false);
    joins_ = continues;
    if (!continues) chain_.reset();
  }

  void add_arrival(EventIndex i) {
    start(i, Request::Kind::arrival, course_.arrivals.size());
    course_.arrivals.push_back({actor_, segment(), {actor_, i}});
    chain_.reset();
  }

  Request request(RequestId id) const { return started_[actor_][graph_.actor(actor_).requests[id.value]]; }

  void add_observation(const Event& event) {
    const Operation& operation = event.node->operation;
    if (event.option.starved) return say(course_.unsupported, actor_, "did not come to its end");
    if (const auto* collective = std::get_if<Collective>(&operation))
      return add_wait_for({request(collective->request)});
    if (const auto* post = std::get_if<Post>(&operation)) return add_blocking_receive(*post);
    if (const auto* observe = std::get_if<Observe>(&operation)) return add_observe(event, *observe);
    say(course_.unsupported, actor_,
        std::holds_alternative<Probe>(operation)    ? "probes for messages"
        : std::holds_alternative<Choose>(operation) ? "makes choices that are no matches of messages"
                                                    : "makes a call that predictions do not know");
  }

  void add_blocking_receive(const Post& post) {
    const Request receive = request(post.request);
    is_awaited_[receive.index] = true;
    if (joins_) {
      waits().back().needs.push_back(receive);
      joins_ = false;
    } else {
      waits().push_back({Wait::Kind::all, {receive}, {}});
    }
    chain_ = post.pattern;
    is_fresh_ = true;
  }

  void add_wait_for(std::vector<Request> needs) {
    for (const Request& need : needs)
      if (need.kind == Request::Kind::receive) is_awaited_[need.index] = true;
    chain_.reset();
    if (is_fresh_ && waits().back().kind == Wait::Kind::all) {
      std::vector<Request>& before = waits().back().needs;
      before.insert(before.end(), needs.begin(), needs.end());
    } else {
      waits().push_back({Wait::Kind::all, std::move(needs), {}});
    }
    is_fresh_ = true;
  }

  void add_observe(const Event& event, const Observe& observe) {
    if (observe.withdraws) return say(course_.unsupported, actor_, "cancels a receive");
    std::vector<Request> all;
    for (const RequestId id : observe.requests) all.push_back(request(id));
    if (observe.blocking && observe.quantifier == Quantifier::all) return add_wait_for(std::move(all));
    say(course_.open, actor_, observe.blocking ? "waits for one of several requests" : "polls");
    const auto answer = counterexample::answer_of(graph_, *event.node, event.option);
    const bool is_yes = event.option.flag;
    if (answer) course_.answers.push_back({actor_, segment(), is_yes ? segment() : none, event.node->depth, *answer});
    chain_.reset();
    is_fresh_ = false;
    if (!is_yes) return;
    Wait wait{observe.blocking ? Wait::Kind::some : Wait::Kind::poll, {}, all};
    if (observe.quantifier == Quantifier::all) wait.needs = all;
    else
      for (const std::uint32_t i : event.option.completed) wait.needs.push_back(all[i]);
    for (const Request& need : wait.needs)
      if (need.kind == Request::Kind::receive) is_awaited_[need.index] = true;
    const auto is_arrival = [](const Request& one) { return one.kind == Request::Kind::arrival; };
    if (wait.kind == Wait::Kind::some && std::ranges::any_of(all, is_arrival))
      say(course_.unsupported, actor_, "waits for one of several requests, of which one is a collective");
    waits().push_back(std::move(wait));
  }

  void find_taken_messages() {
    for (Index a = 0; a < graph_.actor_count(); ++a) {
      const std::vector<Event>& events = graph_.actor(a).events;
      for (EventIndex i = 0; i < events.size(); ++i)
        if (events[i].kind == EventKind::post && events[i].partner.event != graph::no_event) {
          const EventRef send = events[i].partner;
          course_.receives[started_[a][i].index].took = started_[send.actor][send.event].index;
        }
    }
  }

  const Graph& graph_;
  const std::string& noun_;
  Course course_;
  std::vector<std::vector<Request>> started_;  // by actor and event
  std::vector<bool> is_awaited_;               // by receive
  Index actor_ = 0;
  bool is_fresh_ = false;         // nothing was started, and no choice made, since the last wait
  bool joins_ = false;            // the receive posted last joins the last wait
  std::optional<Pattern> chain_;  // of the blocking receives that are all of the last wait
};

}  // namespace

Course course_of(const Graph& graph, const std::string& actor_noun) { return Reader(graph, actor_noun).read(); }

}  // namespace rehearse::mc::predict
