// SPDX-License-Identifier: MIT
//
// Watched groups, their interleavings, and random ones.
#include "tests/support/group_programs.hpp"

#include <map>
#include <mutex>
#include <random>
#include <stdexcept>

#include "mc/reduction/dependence.hpp"

namespace rehearse::tests {

WatchedGroup::WatchedGroup(const Platform& platform, Setup setup)
    : program_(platform, [this, setup = std::move(setup)](sim::Simulation& simulation) {
        observed_ = std::make_shared<Observed>();
        setup(simulation, observed_);
      }) {}

void WatchedGroup::resume(ActorId actor, const Observation& observation) {
  program_.resume(actor, observation);
  const Operation& next = program_.next(actor);
  const auto* failure = std::get_if<Fail>(&next);
  if (failure == nullptr && !std::holds_alternative<End>(next)) return;
  std::string ending = failure != nullptr ? std::string(failure->id) + ":" : "end:";
  for (const std::string& one : observed_->by_actor) ending += " [" + one + "]";
  endings_.insert(std::move(ending));
}

namespace {

struct Taken {
  std::uint64_t who;
  mc::reduction::Footprint footprint;
  std::set<std::size_t> past;
};

mc::reduction::Footprint footprint_of(const Way& way) {
  mc::reduction::Footprint footprint;
  footprint.anything = way.touches_anything;
  for (const Touch& touch : way.touched()) footprint.touches.push_back(touch);
  return footprint;
}

// Equal for interleavings that differ only in the order of independent steps.
std::string order_of(std::vector<Taken>& steps, const std::vector<std::set<std::uint64_t>>& listed) {
  std::map<std::uint64_t, int> counts;
  std::vector<std::string> names;
  std::set<std::string> lines;
  for (std::size_t j = 0; j < steps.size(); ++j) {
    names.push_back(std::to_string(steps[j].who) + "." + std::to_string(++counts[steps[j].who]));
    std::set<std::string> past;
    for (std::size_t i = 0; i < j; ++i) {
      const bool enables = !listed[i].contains(steps[j].who) && listed[i + 1].contains(steps[j].who);
      if (steps[i].who != steps[j].who && !enables && !mc::reduction::dependent(steps[i].footprint, steps[j].footprint))
        continue;
      steps[j].past.insert(i);
      steps[j].past.insert(steps[i].past.begin(), steps[i].past.end());
    }
    for (const std::size_t i : steps[j].past) past.insert(names[i]);
    std::string line = names[j] + ":";
    for (const std::string& name : past) line += " " + name;
    lines.insert(line);
  }
  std::string order;
  for (const std::string& line : lines) order += line + "\n";
  return order;
}

}  // namespace

AllOrders all_orders(Program& group, std::size_t interleavings_max) {
  AllOrders result;
  const ActorId actor{0};
  std::vector<std::pair<std::uint32_t, std::uint32_t>> path;  // the chosen step, and the number of possible steps
  while (result.interleavings < interleavings_max) {
    group.restart(actor);
    std::vector<Taken> steps;
    std::vector<std::set<std::uint64_t>> listed;
    const auto list = [&] {
      listed.emplace_back();
      for (const Way& way : group.ways(actor).list) listed.back().insert(way.who);
    };
    while (const auto* choose = std::get_if<Choose>(&group.next(actor))) {
      if (steps.size() == path.size()) path.emplace_back(0, choose->count);
      list();
      Completion completion;
      completion.index = path[steps.size()].first;
      const Way& way = group.ways(actor).list[completion.index];
      steps.push_back({way.who, footprint_of(way), {}});
      Observation observation;
      observation.completions = {&completion, 1};
      group.resume(actor, observation);
      if (group.ways(actor).strayed) steps.back().footprint.anything = true;
    }
    list();
    ++result.interleavings;
    result.orders.insert(order_of(steps, listed));
    while (!path.empty() && path.back().first + 1 == path.back().second) path.pop_back();
    if (path.empty()) return result;
    ++path.back().first;
  }
  result.is_complete = false;
  return result;
}

namespace {

struct Objects {
  sim::Mutex mutexes[2];
  sim::Semaphore semaphore{1};
  sim::ConditionVariable condition;
  sim::Barrier barrier{2};
  sim::SharedVariable<int> variables[2];
};

// The acting actor, and its observations.
struct Self {
  std::string& seen;
  bool holds[2] = {};
};
using Action = std::function<void(Objects&, Self&)>;

class RandomGroup {
 public:
  RandomGroup(std::uint64_t seed, const GroupShape& shape) : random_(seed * 7919 + 13), shape_(shape) {
    actors_.resize(shape.actors);
    for (auto& actions : actors_) {
      const std::uint32_t steps = 1 + below(shape.steps);
      for (std::uint32_t i = 0; i < steps; ++i) actions.push_back(action(2));
    }
  }

  std::vector<std::vector<Action>> actors() && { return std::move(actors_); }

 private:
  std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>(random_() % n); }

  Action action(std::uint32_t depth) {
    for (;;) {
      const std::uint32_t kind = below(7);
      if (kind == 0 && shape_.failures && below(4) == 0)
        return [](Objects& o, Self& self) {
          std::unique_lock lock(o.mutexes[1], std::defer_lock);
          if (!self.holds[1]) lock.lock();
          if (o.variables[0].load() == 1) throw std::runtime_error("one");
        };
      if (kind == 0 && shape_.locks && depth > 0) return locked(depth);
      if (kind == 1 && shape_.locks && depth > 0) return tried(depth);
      if (kind == 2 && shape_.semaphores) return tokens();
      if (kind == 3 && shape_.conditions) return condition();
      if (kind == 4 && shape_.barriers && below(3) == 0)
        return [](Objects& o, Self& self) { self.seen += o.barrier.wait() ? "L" : "l"; };
      if (kind >= 5 && shape_.variables) return variable(depth);
    }
  }

  Action locked(std::uint32_t depth) {
    const std::uint32_t m = below(2);
    const Action inside = action(depth - 1);
    const bool forgets = below(8) == 0;
    return [m, inside, forgets](Objects& o, Self& self) {
      if (self.holds[m]) return;
      o.mutexes[m].lock();
      self.holds[m] = true;
      inside(o, self);
      if (forgets) return;
      o.mutexes[m].unlock();
      self.holds[m] = false;
    };
  }

  Action tried(std::uint32_t depth) {
    const std::uint32_t m = below(2);
    const Action inside = action(depth - 1);
    return [m, inside](Objects& o, Self& self) {
      const bool got = o.mutexes[m].try_lock();
      self.seen += got ? "T" : "t";
      if (!got) return;
      self.holds[m] = true;
      inside(o, self);
      o.mutexes[m].unlock();
      self.holds[m] = false;
    };
  }

  Action tokens() {
    switch (below(shape_.timeouts ? 4 : 3)) {
      case 0: return [](Objects& o, Self&) { o.semaphore.acquire(); };
      case 1: return [](Objects& o, Self&) { o.semaphore.release(); };
      case 2: return [](Objects& o, Self& self) { self.seen += o.semaphore.try_acquire() ? "A" : "a"; };
      default: return [](Objects& o, Self& self) { self.seen += o.semaphore.acquire_timeout(1) ? "W" : "w"; };
    }
  }

  Action condition() {
    const std::uint32_t kind = below(4);
    if (kind == 0) return [](Objects& o, Self&) { o.condition.notify_one(); };
    if (kind == 1) return [](Objects& o, Self&) { o.condition.notify_all(); };
    const bool in_time = shape_.timeouts && kind == 2;
    return [in_time](Objects& o, Self& self) {
      if (self.holds[0]) return;
      std::unique_lock lock(o.mutexes[0]);
      if (in_time) self.seen += o.condition.wait_for(lock, 1) == std::cv_status::timeout ? "o" : "n";
      else o.condition.wait(lock);
      self.seen += "c";
    };
  }

  Action variable(std::uint32_t depth) {
    const std::uint32_t v = below(2);
    const int value = static_cast<int>(below(3));
    const Action more = depth > 0 && below(3) == 0 ? action(depth - 1) : Action();
    switch (below(4)) {
      case 0: return [v, value](Objects& o, Self&) { o.variables[v].store(value); };
      case 1:
        return [v, value](Objects& o, Self& self) {
          int expected = value;
          self.seen += o.variables[v].compare_exchange(expected, value + 1) ? "=" : std::to_string(expected);
        };
      case 2: return [v](Objects& o, Self& self) { self.seen += std::to_string(o.variables[v].fetch_add(1)); };
      default:
        return [v, value, more](Objects& o, Self& self) {
          const int found = o.variables[v].load();
          self.seen += std::to_string(found);
          if (more && found == value) more(o, self);
        };
    }
  }

  std::mt19937_64 random_;
  GroupShape shape_;
  std::vector<std::vector<Action>> actors_;
};

}  // namespace

WatchedGroup::Setup random_group(std::uint64_t seed, const GroupShape& shape) {
  return [actors = RandomGroup(seed, shape).actors()](sim::Simulation& simulation,
                                                      const std::shared_ptr<Observed>& observed) {
    const auto objects = std::make_shared<Objects>();
    observed->by_actor.resize(actors.size());
    for (std::size_t a = 0; a < actors.size(); ++a)
      simulation.add_actor("actor " + std::to_string(a), simulation.host(HostId{0}),
                           [objects, observed, actions = actors[a], a] {
                             Self self{observed->by_actor[a]};
                             for (const Action& action : actions) action(*objects, self);
                           });
  };
}

}  // namespace rehearse::tests
