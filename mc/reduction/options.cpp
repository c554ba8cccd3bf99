// SPDX-License-Identifier: MIT
//
// Minimal closed sets of matches: begins with the requested receives and adds those that the non-overtaking rule
// forces.
//
// Matches are made in posting order, for this reason. Let receive q take message s. An earlier message of the channel
// that q accepts must be taken by a receive posted before q, because a later receive could get it only after q was
// matched. Receives posted before q that accept s must be matched. So the matches of the receives before q determine
// the messages that q may take, and to make the matches in posting order obeys the rule.
#include "mc/reduction/options.hpp"

#include <algorithm>
#include <utility>

#include "simcore/support/assert.hpp"

namespace rehearse::mc::reduction {

using graph::accepts;
using graph::no_event;

namespace {

bool overlap(const Pattern& a, const Pattern& b) {
  return a.context == b.context && (!a.source || !b.source || *a.source == *b.source) &&
         (!a.tag || !b.tag || *a.tag == *b.tag);
}

// Whether no undecided receive was posted before those of the question.
bool nothing_before(const graph::SortedEvents& open_posts, const Question& question) {
  if (open_posts.empty()) return true;
  return !question.probe && std::all_of(question.targets.begin(), question.targets.end(), [&](const auto& target) {
    return target.post == no_event || open_posts.front() >= target.post;
  });
}

bool less(const Option& a, const Option& b) {
  if (a.flag != b.flag) return !a.flag;
  if (a.completed != b.completed) return a.completed < b.completed;
  if (a.probed != b.probed) return a.probed < b.probed;
  return a.matches < b.matches;
}

}  // namespace

// Sets the pending receives and messages of the actor in this view: those pending now, and those that later events
// decided.
void Options::load(const Graph& graph, const View& view) {
  graph_ = &graph;
  actor_ = view.actor;
  const Graph::Actor& a = graph.actor(view.actor);
  const auto seen_posts = std::lower_bound(a.open_posts.begin(), a.open_posts.end(), view.limit);
  posts_.assign(a.open_posts.begin(), seen_posts);
  sends_.clear();
  for (std::uint32_t source = 0; source < graph.actor_count(); ++source)
    for (const EventIndex send : a.open_inbox[source]) {
      if (send >= view.visible[source]) break;
      sends_.push_back({source, send});
    }
  if (view.limit == a.events.size()) return;
  const std::size_t posts = posts_.size(), sends = sends_.size();
  const auto reopen_send = [&](EventRef send) {
    if (send.event < view.visible[send.actor]) sends_.push_back(send);
  };
  for (EventIndex i = view.limit; i < a.events.size(); ++i) {
    const graph::Event& event = a.events[i];
    for (const graph::Match& m : event.option.matches) {
      if (m.post < view.limit) posts_.push_back(m.post);
      reopen_send(m.send);
    }
    if (event.kind != graph::EventKind::observe) continue;
    if (event.option.probed.event != no_event && std::get<Probe>(event.node->operation).takes)
      reopen_send(event.option.probed);
    const EventIndex withdrawn = graph.withdrawn_by(view.actor, event);
    if (withdrawn != no_event && withdrawn < view.limit) posts_.push_back(withdrawn);
  }
  if (posts_.size() > posts) std::sort(posts_.begin(), posts_.end());
  if (sends_.size() > sends) std::sort(sends_.begin(), sends_.end());
}

std::size_t Options::post_position(EventIndex post) const {
  return static_cast<std::size_t>(std::find(posts_.begin(), posts_.end(), post) - posts_.begin());
}

std::size_t Options::send_position(EventRef send) const {
  return static_cast<std::size_t>(std::find(sends_.begin(), sends_.end(), send) - sends_.begin());
}

// The usual case: the view is the whole graph and no earlier receive is pending. Each channel then offers its first
// message that fits, and needs no further search.
bool Options::first_in_line(const Graph& graph, const View& view, EventIndex post, std::vector<Option>& out) {
  const Graph::Actor& a = graph.actor(view.actor);
  if (view.limit != a.events.size() || a.open_posts.empty() || a.open_posts.front() != post) return false;
  const Pattern& pattern = graph.pattern_of(view.actor, post);
  const auto offer = [&](std::uint32_t source) {
    for (const EventIndex send : a.open_inbox[source]) {
      if (send >= view.visible[source]) return;
      if (!accepts(pattern, source, graph.send_of({source, send}))) continue;
      out.emplace_back().matches.push_back({post, {source, send}});
      return;
    }
  };
  if (pattern.source) offer(pattern.source->value);
  else
    for (std::uint32_t source = 0; source < graph.actor_count(); ++source) offer(source);
  return true;
}

// The same for an earlier view: no earlier receive was pending, so each channel offers its first message that fits.
bool Options::simple(const Graph& graph, EventIndex post, std::vector<Option>& out) {
  if (posts_.empty() || posts_.front() != post) return false;
  const Pattern& pattern = graph.pattern_of(actor_, post);
  std::uint32_t last = ~0u;
  for (const EventRef send : sends_) {
    if (send.actor == last || !accepts(pattern, send.actor, graph.send_of(send))) continue;
    last = send.actor;
    out.emplace_back().matches.push_back({post, send});
  }
  return true;
}

// The non-overtaking rule: the first message of its channel that the receive accepts, the first receive that accepts
// it.
bool Options::allowed(EventIndex post, EventRef send, std::span<const std::uint8_t> post_gone,
                      std::span<const std::uint8_t> send_gone) const {
  const Send& message = graph_->send_of(send);
  const Pattern& pattern = graph_->pattern_of(actor_, post);
  if (!accepts(pattern, send.actor, message)) return false;
  for (std::size_t i = 0; i < sends_.size(); ++i)
    if (!send_gone[i] && sends_[i].actor == send.actor && sends_[i].event < send.event &&
        accepts(pattern, sends_[i].actor, graph_->send_of(sends_[i])))
      return false;
  for (std::size_t i = 0; i < posts_.size() && posts_[i] < post; ++i)
    if (!post_gone[i] && accepts(graph_->pattern_of(actor_, posts_[i]), send.actor, message)) return false;
  return true;
}

// Tries all matches of exactly the receives in `chosen` (positions in posts_, ascending), from `next` on. In this order
// a receive's messages depend on earlier receives only. If a receive that is not chosen would get a message first, the
// set needs that receive, too: grow().
void Options::assign(std::span<const std::uint32_t> chosen, std::size_t next, Demands& demands) {
  if (next == chosen.size()) return finish(chosen, demands);
  const std::uint32_t self = chosen[next];
  const Pattern& pattern = graph_->pattern_of(actor_, posts_[self]);
  std::uint32_t channel = ~0u;
  for (std::size_t i = 0; i < sends_.size(); ++i) {
    const EventRef send = sends_[i];
    if (taken_[i] || send.actor == channel || !accepts(pattern, send.actor, graph_->send_of(send))) continue;
    channel = send.actor;
    if (send == demands.spared) continue;
    if (const auto first = first_other(chosen, self, send)) {
      grow(chosen, *first);
      continue;
    }
    taken_[i] = 1;
    pairs_.push_back({posts_[self], send});
    assign(chosen, next + 1, demands);
    pairs_.pop_back();
    taken_[i] = 0;
  }
}

// The earliest receive before position `limit` that is not chosen and accepts the message.
std::optional<std::uint32_t> Options::first_other(std::span<const std::uint32_t> chosen, std::uint32_t limit,
                                                  EventRef send) const {
  const Send& message = graph_->send_of(send);
  auto at = chosen.begin();
  for (std::uint32_t p = 0; p < limit; ++p) {
    while (at != chosen.end() && *at < p) ++at;
    if (at != chosen.end() && *at == p) continue;
    if (accepts(graph_->pattern_of(actor_, posts_[p]), send.actor, message)) return p;
  }
  return std::nullopt;
}

void Options::grow(std::span<const std::uint32_t> chosen, std::uint32_t more) {
  std::vector<std::uint32_t> larger(chosen.begin(), chosen.end());
  larger.insert(std::upper_bound(larger.begin(), larger.end(), more), more);
  if (known_.insert(larger).second) choices_.push_back(std::move(larger));
}

// All chosen receives have messages. If no receive has a message that one must take, the set needs another receive.
void Options::finish(std::span<const std::uint32_t> chosen, const Demands& demands) {
  for (const EventRef send : demands.sends) {
    if (taken_[send_position(send)]) continue;
    const auto limit = static_cast<std::uint32_t>(posts_.size());
    if (const auto first = first_other(chosen, limit, send)) grow(chosen, *first);
    return;
  }
  if (is_minimal(demands)) solutions_.push_back(pairs_);
}

// Whether the demands force every match of the current attempt. A match forces those of earlier receives that accept
// its message, and those of earlier messages of its channel that its receive accepts.
bool Options::is_minimal(const Demands& demands) const {
  std::vector<std::size_t> pending;
  std::vector<std::uint8_t> needed(pairs_.size());
  const auto need = [&](std::size_t i) {
    if (!std::exchange(needed[i], 1)) pending.push_back(i);
  };
  for (std::size_t i = 0; i < pairs_.size(); ++i)
    if (std::find(demands.posts.begin(), demands.posts.end(), pairs_[i].post) != demands.posts.end() ||
        std::find(demands.sends.begin(), demands.sends.end(), pairs_[i].send) != demands.sends.end())
      need(i);
  std::size_t count = 0;
  for (; !pending.empty(); ++count) {
    const Pair& one = pairs_[pending.back()];
    pending.pop_back();
    const Pattern& pattern = graph_->pattern_of(actor_, one.post);
    const Send& message = graph_->send_of(one.send);
    for (std::size_t i = 0; i < pairs_.size(); ++i) {
      const Pair& other = pairs_[i];
      const bool before_receive = other.post < one.post &&
                                  accepts(graph_->pattern_of(actor_, other.post), one.send.actor, message);
      const bool before_message = other.send.actor == one.send.actor && other.send.event < one.send.event &&
                                  accepts(pattern, other.send.actor, graph_->send_of(other.send));
      if (before_receive || before_message) need(i);
    }
  }
  return count == pairs_.size();
}

// Adds a copy of `as` for each minimal closed set of matches that meets the demands.
void Options::solve(Demands demands, const Option& as, std::vector<Option>& out) {
  solutions_.clear();
  known_.clear();
  choices_.clear();
  pairs_.clear();
  taken_.assign(sends_.size(), 0);
  std::vector<std::uint32_t> first;
  for (const EventIndex post : demands.posts) first.push_back(static_cast<std::uint32_t>(post_position(post)));
  std::sort(first.begin(), first.end());
  first.erase(std::unique(first.begin(), first.end()), first.end());
  known_.insert(first);
  choices_.push_back(std::move(first));
  while (!choices_.empty()) {
    const std::vector<std::uint32_t> chosen = std::move(choices_.back());
    choices_.pop_back();
    assign(chosen, 0, demands);
  }
  for (const std::vector<Pair>& pairs : solutions_) {
    Option option = as;
    for (const Pair& p : pairs) option.matches.push_back({p.post, p.send});
    std::sort(option.matches.begin(), option.matches.end());
    if (std::find(out.begin(), out.end(), option) == out.end()) out.push_back(std::move(option));
  }
}

// Indices of the requests that may be complete: without a decision, or because a message fits the receive.
std::vector<std::uint32_t> Options::possible_targets(const Question& question) const {
  std::vector<std::uint32_t> possible;
  for (std::uint32_t i = 0; i < question.targets.size(); ++i) {
    const Question::Target& target = question.targets[i];
    if (target.impossible) continue;
    const auto is_for_it = [&](EventRef send) {
      return accepts(graph_->pattern_of(actor_, target.post), send.actor, graph_->send_of(send));
    };
    if (target.post == no_event || std::any_of(sends_.begin(), sends_.end(), is_for_it)) possible.push_back(i);
  }
  return possible;
}

void Options::answer_requests(const Question& question, std::vector<Option>& out) {
  const auto& targets = question.targets;
  const auto demand_of = [](const Question::Target& t, Demands& demands) {
    if (t.post != no_event) demands.posts.push_back(t.post);
    return !t.impossible;
  };
  const auto try_subset = [&](std::span<const std::uint32_t> possible, std::uint64_t bits) {
    Demands demands;
    Option option;
    for (std::size_t i = 0; i < possible.size(); ++i) {
      if (!(bits >> i & 1)) continue;
      demand_of(targets[possible[i]], demands);
      option.completed.push_back(possible[i]);
    }
    solve(std::move(demands), option, out);
  };
  switch (question.quantifier) {
    case Quantifier::all: {
      Demands demands;
      for (const Question::Target& t : targets)
        if (!demand_of(t, demands)) return;
      return solve(std::move(demands), {}, out);
    }
    case Quantifier::some: {
      const std::vector<std::uint32_t> possible = possible_targets(question);
      if (possible.size() <= max_subset_targets) {
        for (std::uint64_t bits = 1; bits < (std::uint64_t{1} << possible.size()); ++bits) try_subset(possible, bits);
        return;
      }
      left_out_ = true;
      [[fallthrough]];  // one at a time
    }
    case Quantifier::any:
      for (std::uint32_t i = 0; i < targets.size(); ++i) {
        Demands demands;
        Option option;
        option.completed.push_back(i);
        if (demand_of(targets[i], demands)) solve(std::move(demands), option, out);
      }
      return;
  }
}

void Options::answer_probe(const Question& question, std::vector<Option>& out) {
  for (const EventRef send : sends_) {
    const Send& message = graph_->send_of(send);
    if (!accepts(question.pattern, send.actor, message)) continue;
    Demands demands;
    for (const EventIndex post : posts_)
      if (accepts(graph_->pattern_of(actor_, post), send.actor, message)) demands.posts.push_back(post);
    for (const EventRef other : sends_)
      if (other.actor == send.actor && other.event < send.event &&
          accepts(question.pattern, other.actor, graph_->send_of(other)))
        demands.sends.push_back(other);
    demands.spared = send;
    Option as;
    as.probed = send;
    solve(std::move(demands), as, out);
  }
}

void Options::enumerate(const Graph& graph, const View& view, const Question& question, std::vector<Option>& out) {
  out.clear();
  for (std::uint32_t i = 0; i < question.choices; ++i) out.emplace_back().completed.push_back(i);
  if (question.choices > 0) return;
  if (question.no_is_possible) out.emplace_back().flag = false;
  const bool one = !question.probe && question.targets.size() == 1 && question.quantifier == Quantifier::all &&
                   question.targets[0].post != no_event;
  const bool answered = one && first_in_line(graph, view, question.targets[0].post, out);
  if (!answered) load(graph, view);
  if (question.probe) {
    answer_probe(question, out);
  } else if (!answered) {
    if (!one || !simple(graph, question.targets[0].post, out)) answer_requests(question, out);
  }
  if (out.size() > 1) std::sort(out.begin(), out.end(), less);
}

bool Options::can_starve(const Graph& graph, const View& view, const Question& question) {
  const Graph::Actor& a = graph.actor(view.actor);
  if (view.limit == a.events.size() && nothing_before(a.open_posts, question)) return false;
  load(graph, view);
  const auto steals = [&](const Pattern& wanted, EventIndex before) {
    return std::any_of(posts_.begin(), posts_.end(), [&](EventIndex post) {
      const auto is_target = [post](const Question::Target& t) { return t.post == post; };
      return post < before && std::none_of(question.targets.begin(), question.targets.end(), is_target) &&
             overlap(graph.pattern_of(view.actor, post), wanted);
    });
  };
  if (question.probe) return steals(question.pattern, view.limit);
  return std::any_of(question.targets.begin(), question.targets.end(), [&](const Question::Target& t) {
    return t.post != no_event && steals(graph.pattern_of(view.actor, t.post), t.post);
  });
}

bool Options::visible_to_probe(const Pattern& pattern, EventRef send) const {
  const Send& message = graph_->send_of(send);
  if (!accepts(pattern, send.actor, message)) return false;
  for (const EventRef other : sends_)
    if (other.actor == send.actor && other.event < send.event && accepts(pattern, other.actor, graph_->send_of(other)))
      return false;
  return std::none_of(posts_.begin(), posts_.end(),
                      [&](EventIndex post) { return accepts(graph_->pattern_of(actor_, post), send.actor, message); });
}

bool Options::sees_known(const Graph& graph, const View& view, const Pattern& pattern) {
  const Graph::Actor& a = graph.actor(view.actor);
  if ((view.limit == a.events.size() ? a.open_probed : a.probed) == 0) return false;
  load(graph, view);
  return std::any_of(sends_.begin(), sends_.end(), [&](EventRef send) {
    return graph.event(send).probed_by < view.limit && visible_to_probe(pattern, send);
  });
}

// Depth-first search over the orders in which the engine can match. `targets` must stay unmatched.
bool Options::rest_without(const std::vector<EventIndex>& targets, std::vector<std::uint8_t>& post_gone,
                           std::vector<std::uint8_t>& send_gone, const Question& question) {
  bool at_rest = true;
  for (std::size_t p = 0; p < posts_.size(); ++p) {
    if (post_gone[p]) continue;
    for (std::size_t s = 0; s < sends_.size(); ++s) {
      if (send_gone[s] || !allowed(posts_[p], sends_[s], post_gone, send_gone)) continue;
      at_rest = false;
      if (std::find(targets.begin(), targets.end(), posts_[p]) != targets.end()) continue;
      post_gone[p] = send_gone[s] = 1;
      const bool found = rest_without(targets, post_gone, send_gone, question);
      post_gone[p] = send_gone[s] = 0;
      if (found) return true;
    }
  }
  if (!at_rest || !question.probe) return at_rest;
  for (std::size_t s = 0; s < sends_.size();
       ++s)  // without another match, every remaining message that fits is visible
    if (!send_gone[s] && accepts(question.pattern, sends_[s].actor, graph_->send_of(sends_[s]))) return false;
  return true;
}

bool Options::starves(const Graph& graph, const View& view, const Question& question) {
  load(graph, view);
  std::vector<EventIndex> targets;
  for (const Question::Target& t : question.targets)
    if (t.post != no_event) targets.push_back(t.post);
  std::vector<std::uint8_t> post_gone(posts_.size()), send_gone(sends_.size());
  return rest_without(targets, post_gone, send_gone, question);
}

}  // namespace rehearse::mc::reduction
