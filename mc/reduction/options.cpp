// SPDX-License-Identifier: MIT
//
// Minimal closed sets of matches, by backtracking over what the non-overtaking rule demands.
#include "mc/reduction/options.hpp"

#include <algorithm>

#include "simcore/support/assert.hpp"

namespace rehearse::mc {

namespace {

bool overlap(const Pattern& a, const Pattern& b) {
  return a.context == b.context && (!a.source || !b.source || *a.source == *b.source) &&
         (!a.tag || !b.tag || *a.tag == *b.tag);
}

bool less(const Option& a, const Option& b) {
  if (a.flag != b.flag) return !a.flag;
  if (a.completed != b.completed) return a.completed < b.completed;
  if (a.seen != b.seen) return a.seen < b.seen;
  return a.matches < b.matches;
}

}  // namespace

// What is pending at the actor in this view: what is now, and what its later events decided.
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
    const Event& event = a.events[i];
    for (const Match& m : event.option.matches) {
      if (m.post < view.limit) posts_.push_back(m.post);
      reopen_send(m.send);
    }
    if (event.kind != EventKind::observe) continue;
    if (event.option.seen.event != no_event && std::get<Probe>(event.node->operation).takes)
      reopen_send(event.option.seen);
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

// The usual case: no earlier receive is pending, so each channel offers its first message that fits.
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

// What must be matched before `post` can take `send`.
void Options::force(EventIndex post, EventRef send, std::vector<Demand>& demands) const {
  const Send& message = graph_->send_of(send);
  for (const EventIndex earlier : posts_) {
    if (earlier >= post) break;
    if (accepts(graph_->pattern_of(actor_, earlier), send.actor, message)) demands.push_back({earlier, {}, 0});
  }
  const Pattern& pattern = graph_->pattern_of(actor_, post);
  for (const EventRef other : sends_)
    if (other.actor == send.actor && other.event < send.event &&
        accepts(pattern, other.actor, graph_->send_of(other)))
      demands.push_back({no_event, other, post});
}

void Options::close_post(const Demand& demand, const std::vector<Demand>& rest, const std::vector<Pair>& pairs) {
  for (const Pair& p : pairs)
    if (p.post == demand.post) return close(rest, pairs);
  const Pattern& pattern = graph_->pattern_of(actor_, demand.post);
  for (const EventRef send : sends_) {
    if (!accepts(pattern, send.actor, graph_->send_of(send))) continue;
    if (std::any_of(pairs.begin(), pairs.end(), [&](const Pair& p) { return p.send == send; })) continue;
    std::vector<Demand> demands = rest;
    force(demand.post, send, demands);
    std::vector<Pair> more = pairs;
    more.push_back({demand.post, send});
    close(std::move(demands), std::move(more));
  }
}

void Options::close_send(const Demand& demand, const std::vector<Demand>& rest, const std::vector<Pair>& pairs) {
  for (const Pair& p : pairs)
    if (p.send == demand.send) return close(rest, pairs);
  for (const EventIndex post : posts_) {
    if (post >= demand.limit) break;
    if (!accepts(graph_->pattern_of(actor_, post), demand.send.actor, graph_->send_of(demand.send))) continue;
    if (std::any_of(pairs.begin(), pairs.end(), [&](const Pair& p) { return p.post == post; })) continue;
    std::vector<Demand> demands = rest;
    force(post, demand.send, demands);
    std::vector<Pair> more = pairs;
    more.push_back({post, demand.send});
    close(std::move(demands), std::move(more));
  }
}

void Options::close(std::vector<Demand> demands, std::vector<Pair> pairs) {
  if (demands.empty()) {
    solutions_.push_back(std::move(pairs));
    return;
  }
  const Demand demand = demands.back();
  demands.pop_back();
  if (demand.post != no_event)
    close_post(demand, demands, pairs);
  else
    close_send(demand, demands, pairs);
}

// The rule itself: first message of its channel that the receive takes, first receive that takes the message.
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

// Can the matching engine make these matches in some order (and a probe posted at `limit` then see `seen`)?
// Making one never forbids another of the set, so any order that works will do.
bool Options::realisable(const std::vector<Pair>& pairs, const Pattern* probe, EventRef seen, EventIndex limit) {
  std::vector<std::uint8_t> post_gone(posts_.size()), send_gone(sends_.size()), made(pairs.size());
  for (std::size_t left = pairs.size(); left > 0;) {
    const std::size_t before = left;
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      if (made[i] || !allowed(pairs[i].post, pairs[i].send, post_gone, send_gone)) continue;
      made[i] = post_gone[post_position(pairs[i].post)] = send_gone[send_position(pairs[i].send)] = 1;
      --left;
    }
    if (left == before) return false;
  }
  if (!probe) return true;
  if (send_gone[send_position(seen)]) return false;
  for (std::size_t i = 0; i < sends_.size(); ++i)
    if (!send_gone[i] && sends_[i].actor == seen.actor && sends_[i].event < seen.event &&
        accepts(*probe, seen.actor, graph_->send_of(sends_[i])))
      return false;
  for (std::size_t i = 0; i < posts_.size() && posts_[i] < limit; ++i)
    if (!post_gone[i] && accepts(graph_->pattern_of(actor_, posts_[i]), seen.actor, graph_->send_of(seen)))
      return false;
  return true;
}

// Adds `as` with every closed set that meets the demands.
void Options::solve(std::vector<Demand> demands, const Option& as, std::vector<Option>& out) {
  solutions_.clear();
  close(std::move(demands), {});
  const bool probing = as.seen.event != no_event;
  for (const std::vector<Pair>& pairs : solutions_) {
    if (!probing && !realisable(pairs, nullptr, {}, 0)) continue;
    Option option = as;
    for (const Pair& p : pairs) option.matches.push_back({p.post, p.send});
    std::sort(option.matches.begin(), option.matches.end());
    if (std::find(out.begin(), out.end(), option) == out.end()) out.push_back(std::move(option));
  }
}

void Options::answer_requests(const Question& question, std::vector<Option>& out) {
  const auto& targets = question.targets;
  const auto demand_of = [](const Question::Target& t, std::vector<Demand>& demands) {
    if (t.post != no_event) demands.push_back({t.post, {}, 0});
    return !t.impossible;
  };
  const auto try_subset = [&](std::uint64_t bits, bool name) {
    std::vector<Demand> demands;
    Option option;
    for (std::uint32_t i = 0; i < targets.size(); ++i) {
      if (!(bits >> i & 1)) continue;
      if (!demand_of(targets[i], demands)) return;
      if (name) option.completed.push_back(i);
    }
    solve(std::move(demands), option, out);
  };
  switch (question.quantifier) {
    case Quantifier::all: {
      std::vector<Demand> demands;
      for (const Question::Target& t : targets)
        if (!demand_of(t, demands)) return;
      return solve(std::move(demands), {}, out);
    }
    case Quantifier::some:
      if (targets.size() <= max_subset_targets) {
        for (std::uint64_t bits = 1; bits < (std::uint64_t{1} << targets.size()); ++bits) try_subset(bits, true);
        return;
      }
      [[fallthrough]];  // one at a time; whoever asks says that other answers are left out
    case Quantifier::any:
      for (std::uint32_t i = 0; i < targets.size(); ++i) {
        std::vector<Demand> demands;
        Option option;
        option.completed.push_back(i);
        if (demand_of(targets[i], demands)) solve(std::move(demands), option, out);
      }
      return;
  }
}

void Options::answer_probe(const View& view, const Question& question, std::vector<Option>& out) {
  for (const EventRef send : sends_) {
    const Send& message = graph_->send_of(send);
    if (!accepts(question.pattern, send.actor, message)) continue;
    std::vector<Demand> demands;
    for (const EventIndex post : posts_)
      if (accepts(graph_->pattern_of(actor_, post), send.actor, message)) demands.push_back({post, {}, 0});
    for (const EventRef other : sends_)
      if (other.actor == send.actor && other.event < send.event &&
          accepts(question.pattern, other.actor, graph_->send_of(other)))
        demands.push_back({no_event, other, view.limit});
    Option as;
    as.seen = send;
    const std::size_t first = out.size();
    solve(std::move(demands), as, out);
    std::erase_if(out, [&, i = std::size_t{0}](const Option& o) mutable {
      if (i++ < first) return false;
      std::vector<Pair> pairs;
      for (const Match& m : o.matches) pairs.push_back({m.post, m.send});
      for (const Pair& p : pairs)
        if (p.send == send) return true;
      return !realisable(pairs, &question.pattern, send, view.limit);
    });
  }
}

void Options::enumerate(const Graph& graph, const View& view, const Question& question, std::vector<Option>& out) {
  out.clear();
  for (std::uint32_t i = 0; i < question.choices; ++i) out.emplace_back().completed.push_back(i);
  if (question.choices > 0) return;
  if (question.no_is_possible) out.emplace_back().flag = false;
  load(graph, view);
  if (question.probe) {
    answer_probe(view, question, out);
  } else {
    const bool one = question.targets.size() == 1 && question.quantifier == Quantifier::all;
    if (!one || question.targets[0].post == no_event || !simple(graph, question.targets[0].post, out))
      answer_requests(question, out);
  }
  if (out.size() > 1) std::sort(out.begin(), out.end(), less);
}

bool Options::can_starve(const Graph& graph, const View& view, const Question& question) {
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
  return std::none_of(posts_.begin(), posts_.end(), [&](EventIndex post) {
    return accepts(graph_->pattern_of(actor_, post), send.actor, message);
  });
}

bool Options::sees_known(const Graph& graph, const View& view, const Pattern& pattern,
                         std::span<const EventRef> known) {
  if (known.empty()) return false;
  load(graph, view);
  return std::any_of(sends_.begin(), sends_.end(), [&](EventRef send) {
    return std::find(known.begin(), known.end(), send) != known.end() && visible_to_probe(pattern, send);
  });
}

// Depth-first over the orders in which the engine can match; `targets` must stay unmatched.
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
  for (std::size_t s = 0; s < sends_.size(); ++s)  // at rest, every message left that fits is visible
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

}  // namespace rehearse::mc
