// SPDX-License-Identifier: MIT
//
// Grows the net over words to its fixpoint.
#include "mc/footprints/word_net.hpp"

#include <algorithm>
#include <iterator>

namespace rehearse::mc::footprints {

namespace {

bool is_own(Word word) { return word >= first_own_word; }

Values without_own(const Values& values) { return Values(values.begin(), values.lower_bound(first_own_word)); }

}  // namespace

void WordNet::clear() {
  points_.clear();
  steps_.clear();
  messages_.clear();
  point_by_key_.clear();
  step_by_key_.clear();
  channels_.clear();
  by_actor_.assign(machine_.actor_count(), {});
  taken_sets_ = {{}};
  taken_numbers_ = {{{}, 0}};
  added_to_.clear();
  dropped_.clear();
  summed_.clear();
  queue_.clear();
  is_queued_.clear();
  ++version_;
}

void WordNet::grow(Oracle& oracle, const GoesOn& goes_on) {
  oracle_ = &oracle;
  goes_on_ = &goes_on;
  for (;;) {
    clear();
    try {
      begin();
      do grow_once();
      while (rules_.asks_again && has_changed_answers());
      return;
    } catch (const NotASum&) {  // the words that are no sums are known better now
    }
  }
}

void WordNet::begin() {
  for (std::uint32_t actor = 0; actor < machine_.actor_count(); ++actor) {
    Effect effect = machine_.start(actor);
    for (std::uint32_t other = 0; other < machine_.actor_count(); ++other)
      effect.writes[taken_from(other)] = effect.writes[sent_to(other)] = 0;
    Step step;
    step.actor = actor;
    for (const Emission& sent : effect.sends) {
      Value& number = effect.writes[sent_to(sent.destination)];
      step.sends.push_back(message_of(actor, sent, static_cast<std::uint32_t>(number++)));
    }
    step.writes = effect.writes;
    const auto id = static_cast<StepId>(steps_.size());
    for (const MessageId message : step.sends) messages_[message].senders.push_back(id);
    Values control;
    for (const Word word : samples_.control_words(actor, effect.next)) {
      control[word] = effect.writes[word];
      no_sums_.insert({actor, word});
    }
    step.to = point_of(actor, effect.next, std::move(control));
    steps_.push_back(std::move(step));
    reach(steps_.back().to, id, {});
  }
}

void WordNet::grow_once() {
  while (!queue_.empty()) {
    const PointId point = queue_.front();
    queue_.pop_front();
    if (rules_.looks_again) is_queued_[point] = false;
    look_at(point);
  }
}

// Asks everything again that was answered for a smaller net. True: something has changed.
bool WordNet::has_changed_answers() {
  std::set<PointId> changed;
  for (auto it = dropped_.begin(); it != dropped_.end();) {
    const auto& [point, message, word, value] = it->first;
    std::set<StepId> writers;
    for (const StepId writer : points_[point].writers.at(word))
      if (steps_[writer].writes.at(word) == value) writers.insert(writer);
    if (oracle_->is_possible(point, message, word, writers)) {
      changed.insert(point);
      it = dropped_.erase(it);
    } else {
      ++it;
    }
  }
  for (const auto& [key, value] : summed_) {
    const auto& [point, message, word] = key;
    const std::uint32_t actor = points_[point].actor;
    const auto amount = static_cast<std::int64_t>(value - steps_[actor].writes.at(word));
    if (oracle_->is_sum(point, message, word, amount)) continue;
    strike_off(actor, word);
    throw NotASum{};
  }
  for (const PointId point : changed) put(point);
  return !changed.empty();
}

void WordNet::put(PointId point) {
  if (is_queued_[point] || points_[point].place.kind != Place::Kind::receives) return;
  is_queued_[point] = true;
  queue_.push_back(point);
}

void WordNet::look_at(PointId point) {
  const std::uint32_t actor = points_[point].actor;
  for (std::uint32_t source = 0; source < machine_.actor_count(); ++source) {
    const auto channel = channels_.find({source, actor});
    if (channel == channels_.end()) continue;
    const std::vector<std::vector<MessageId>> numbers = channel->second;
    for (const std::vector<MessageId>& alternatives : numbers)
      for (const MessageId message : alternatives)
        if (points_[point].place.accepts(source, messages_[message].content.tag)) try_message(point, message);
  }
}

// The step with the message, for all combinations of what it reads.
void WordNet::try_message(PointId point, MessageId message) {
  const std::uint32_t source = messages_[message].source, actor = points_[point].actor;
  std::vector<Branch> branches{{points_[point].control, {}}};
  while (!branches.empty()) {
    if (++branches_ > limits_.branches) throw NoProof{"too many combinations of values"};
    if (*goes_on_ && !(*goes_on_)()) throw NoProof{"it took too long"};
    const Branch branch = std::move(branches.back());
    branches.pop_back();
    if (const auto taken = branch.values.find(taken_from(source)); taken == branch.values.end()) {
      branch_over(point, message, taken_from(source), branch, branches);
      continue;
    } else if (!is_next(point, message, taken->second)) {
      continue;
    }
    const Effect effect = run(point, message, without_own(branch.values));
    note_words(actor, effect);
    const std::optional<Word> open = open_word(point, message, branch, effect);
    if (!open) finish(point, message, branch, effect);
    else if (is_added_to(*open, actor)) read_sum(point, message, *open, effect, branch, branches);
    else branch_over(point, message, *open, branch, branches);
  }
}

// A word whose value the step depends on, and which the branch has not chosen.
std::optional<Word> WordNet::open_word(PointId point, MessageId, const Branch& branch, const Effect& effect) {
  const std::uint32_t actor = points_[point].actor;
  for (const auto& [word, value] : effect.reads)
    if (!branch.values.contains(word)) return word;
  if (!effect.trouble.empty()) return {};
  for (const auto& [word, amount] : effect.sums)
    if (!is_added_to(word, actor) && !branch.values.contains(word)) return word;
  for (const Emission& sent : effect.sends)
    if (!branch.values.contains(sent_to(sent.destination))) return sent_to(sent.destination);
  return open_control_word(branch, effect, actor);
}

std::optional<Word> WordNet::open_control_word(const Branch& branch, const Effect& effect, std::uint32_t actor) {
  for (const Word word : samples_.control_words(actor, effect.next)) {
    if (is_added_to(word, actor)) {
      strike_off(actor, word);
      throw NotASum{};
    }
    no_sums_.insert({actor, word});
    if (!effect.writes.contains(word) && !branch.values.contains(word)) return word;
  }
  return {};
}

// Which words are sums: those that steps add to, unless a step wrote or read them before.
void WordNet::note_words(std::uint32_t actor, const Effect& effect) {
  bool is_new = false;
  for (const auto& [word, value] : effect.writes) is_new = strike_off(actor, word) || is_new;
  if (is_new) throw NotASum{};
  for (const auto& [word, value] : effect.reads)
    if (!is_added_to(word, actor)) no_sums_.insert({actor, word});
  for (const auto& [word, amount] : effect.sums)
    if (!no_sums_.contains({actor, word})) added_to_.insert({actor, word});
}

// True: it was taken for a sum.
bool WordNet::strike_off(std::uint32_t actor, Word word) {
  no_sums_.insert({actor, word});
  return added_to_.erase({actor, word}) != 0;
}

// The samples propose a value: what the word usually is after such a step, without the amount of this step. Whether it
// is right is asked when the net has grown.
void WordNet::read_sum(PointId point, MessageId message, Word word, const Effect& effect, const Branch& branch,
                       std::vector<Branch>& into) {
  const std::uint32_t actor = points_[point].actor;
  const auto key = std::tuple(point, message, word);
  auto known = summed_.find(key);
  if (known == summed_.end()) {
    std::optional<Value> usual = samples_.usual_value_after(actor, points_[point].place, word);
    if (const auto added = effect.sums.find(word); usual && added != effect.sums.end())
      *usual -= static_cast<Value>(added->second);
    if (!usual) {
      strike_off(actor, word);
      throw NotASum{};
    }
    known = summed_.emplace(key, *usual).first;
  }
  Branch chosen = branch;
  chosen.values[word] = known->second;
  into.push_back(std::move(chosen));
}

void WordNet::branch_over(PointId point, MessageId message, Word word, const Branch& branch,
                          std::vector<Branch>& into) {
  std::map<Value, std::set<StepId>> values;
  if (!points_[point].writers.contains(word))
    throw NoProof{"a step that reads memory which was not there at the start"};
  for (const StepId writer : points_[point].writers.at(word)) {
    if (have_same_message(steps_[writer].taken, message)) continue;
    const bool fits = std::ranges::all_of(branch.picks, [&](const auto& pick) {
      return std::ranges::any_of(pick.second, [&](StepId u) { return are_together(writer, word, u, pick.first); });
    });
    if (fits) values[steps_[writer].writes.at(word)].insert(writer);
  }
  if (!rules_.tries_all_values && !is_own(word))
    while (values.size() > 1) values.erase(std::prev(values.end()));
  const bool asks = values.size() > 1 && !is_own(word);
  for (const auto& [value, writers] : values) {
    const auto key = std::tuple(point, message, word, value);
    if (asks) {
      // The question is about all writers of the value at this point, so that it can be asked again.
      std::set<StepId> all;
      for (const StepId writer : points_[point].writers.at(word))
        if (steps_[writer].writes.at(word) == value) all.insert(writer);
      const auto known = dropped_.find(key);
      if (known != dropped_.end() && known->second == all) continue;
      if (!oracle_->is_possible(point, message, word, all)) {
        dropped_[key] = all;
        continue;
      }
      if (known != dropped_.end()) dropped_.erase(known);
    }
    if (word == taken_from(messages_[message].source) && !is_next(point, message, value)) continue;
    Branch chosen = branch;
    chosen.values[word] = value;
    chosen.picks[word] = writers;
    chosen.picks = narrowed(chosen.picks);
    if (std::ranges::any_of(chosen.picks, [](const auto& pick) { return pick.second.empty(); })) continue;
    into.push_back(std::move(chosen));
  }
}

const Effect& WordNet::run(PointId point, MessageId message, const Values& values) {
  const Point& at = points_[point];
  const Message& taken = messages_[message];
  const RunKey key(at.actor, at.place, taken.source, taken.content, values);
  const auto known = known_runs_.find(key);
  if (known != known_runs_.end()) return known->second;
  ++runs_;
  return known_runs_.emplace(key, machine_.step(at.actor, at.place, {taken.source, taken.content}, values))
      .first->second;
}

// The rule of order: the first message of the channel that the receive accepts.
bool WordNet::is_next(PointId point, MessageId id, Value taken) const {
  const Message& message = messages_[id];
  const std::vector<std::uint32_t>& numbers = taken_sets_[taken];
  const auto is_taken = [&](std::uint32_t number) { return std::ranges::binary_search(numbers, number); };
  if (is_taken(message.number)) return false;
  const auto& channel = channels_.at({message.source, message.destination});
  for (std::uint32_t earlier = 0; earlier < message.number; ++earlier) {
    if (is_taken(earlier)) continue;
    const auto is_passed_over = [&](MessageId other) {
      return !points_[point].place.accepts(message.source, messages_[other].content.tag);
    };
    if (std::ranges::none_of(channel[earlier], is_passed_over)) return false;
  }
  return true;
}

Value WordNet::with_taken(Value before, std::uint32_t number) {
  std::vector<std::uint32_t> numbers = taken_sets_[before];
  numbers.insert(std::ranges::lower_bound(numbers, number), number);
  const auto [found, is_new] = taken_numbers_.emplace(numbers, taken_sets_.size());
  if (is_new) taken_sets_.push_back(std::move(numbers));
  return found->second;
}

// All that the step reads is chosen.
void WordNet::finish(PointId point, MessageId message, const Branch& branch, const Effect& effect) {
  Step step;
  step.actor = points_[point].actor;
  step.from = point;
  step.taken = message;
  Place next = effect.next;
  if (effect.trouble.empty()) {
    step.writes = effect.writes;
    const Word taken = taken_from(messages_[message].source);
    step.writes[taken] = with_taken(branch.values.at(taken), messages_[message].number);
    for (const auto& [word, amount] : effect.sums) {
      if (is_added_to(word, step.actor)) step.sums[word] = amount;
      else step.writes[word] = branch.values.at(word) + static_cast<Value>(amount);
    }
    for (const Emission& sent : effect.sends) {
      const Word counter = sent_to(sent.destination);
      const auto before = step.writes.emplace(counter, branch.values.at(counter)).first;
      step.sends.push_back(message_of(step.actor, sent, static_cast<std::uint32_t>(before->second++)));
    }
  } else {
    next = {Place::Kind::failed, {}, {}, 0, effect.trouble};
  }
  Values control;
  for (const Word word : samples_.control_words(step.actor, next))
    control[word] = step.writes.contains(word) ? step.writes.at(word) : branch.values.at(word);
  step.to = point_of(step.actor, next, std::move(control));
  const StepKey key(step.actor, point, message, step.writes, step.sums, step.to, step.sends);
  const auto [known, is_new] = step_by_key_.emplace(key, static_cast<StepId>(steps_.size()));
  const StepId id = known->second;
  if (is_new) {
    if (steps_.size() >= limits_.steps) throw NoProof{"too many steps"};
    for (const MessageId sent : step.sends) messages_[sent].senders.push_back(id);
    step.reads = branch.picks;
    steps_.push_back(std::move(step));
    ++version_;
  } else {
    // The same step after other combinations: what all of them read, by any of the writers.
    Picks& reads = steps_[id].reads;
    const Picks before = reads;
    std::erase_if(reads, [&](const auto& read) { return !branch.picks.contains(read.first); });
    for (auto& [word, writers] : reads) writers.insert(branch.picks.at(word).begin(), branch.picks.at(word).end());
    if (reads != before) ++version_;
  }
  reach(steps_[id].to, id, branch.picks);
}

PointId WordNet::point_of(std::uint32_t actor, const Place& place, Values control) {
  const auto [found, is_new] =
      point_by_key_.emplace(std::tuple(actor, place, control), static_cast<PointId>(points_.size()));
  if (!is_new) return found->second;
  points_.push_back({actor, place, std::move(control), {}});
  by_actor_[actor].push_back(found->second);
  is_queued_.push_back(false);
  ++version_;
  return found->second;
}

MessageId WordNet::message_of(std::uint32_t source, const Emission& emission, std::uint32_t number) {
  auto& channel = channels_[{source, emission.destination}];
  if (channel.size() <= number) channel.resize(number + 1);
  for (const MessageId known : channel[number])
    if (messages_[known].content == emission.content) return known;
  const auto id = static_cast<MessageId>(messages_.size());
  messages_.push_back({source, emission.destination, number, emission.content, {}});
  channel[number].push_back(id);
  for (const PointId point : by_actor_[emission.destination]) put(point);
  ++version_;
  return id;
}

// Who may have written each word last at the new point.
void WordNet::reach(PointId to, StepId id, const Picks& picks) {
  const Step& step = steps_[id];
  bool grows = points_[to].writers.empty();
  const auto add = [&](Word word, StepId writer) {
    const bool is_new = points_[to].writers[word].insert(writer).second;
    if (is_new) ++version_;
    grows = grows || is_new;
  };
  for (const auto& [word, value] : step.writes) add(word, id);
  if (step.from != none) {
    const std::map<Word, std::set<StepId>> before = points_[step.from].writers;
    for (const auto& [word, writers] : before) {
      if (step.writes.contains(word)) continue;
      for (const StepId writer : writers)
        if (may_stay(writer, word, step, picks)) add(word, writer);
    }
  }
  if (grows) put(to);
}

bool WordNet::may_stay(StepId writer, Word word, const Step& step, const Picks& picks) const {
  if (const auto picked = picks.find(word); picked != picks.end()) return picked->second.contains(writer);
  if (have_same_message(steps_[writer].taken, step.taken)) return false;
  return std::ranges::all_of(picks, [&](const auto& pick) {
    return std::ranges::any_of(pick.second, [&](StepId u) { return are_together(writer, word, u, pick.first); });
  });
}

bool WordNet::have_same_message(MessageId a, MessageId b) const {
  if (a == none || b == none) return false;
  return messages_[a].source == messages_[b].source && messages_[a].destination == messages_[b].destination &&
         messages_[a].number == messages_[b].number;
}

// May t be the last writer of w while u is the last writer of v?
bool WordNet::are_together(StepId t, Word w, StepId u, Word v) const {
  if (t == u) return true;
  const Step &first = steps_[t], &second = steps_[u];
  if (have_same_message(first.taken, second.taken)) return false;
  const bool first_writes = first.writes.contains(v), second_writes = second.writes.contains(w);
  if (first.from == none) return !second_writes;
  if (second.from == none) return !first_writes;
  return !(first_writes && second_writes);
}

WordNet::Picks WordNet::narrowed(const Picks& picks) const {
  Picks result;
  for (const auto& [word, writers] : picks)
    for (const StepId writer : writers) {
      const bool fits = std::ranges::all_of(picks, [&, w = word](const auto& pick) {
        return pick.first == w ||
               std::ranges::any_of(pick.second, [&](StepId u) { return are_together(writer, w, u, pick.first); });
      });
      if (fits) result[word].insert(writer);
      else result[word];
    }
  return result;
}

}  // namespace rehearse::mc::footprints
