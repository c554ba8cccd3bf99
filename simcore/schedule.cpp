// SPDX-License-Identifier: MIT
//
// Schedules as text: one decision after another, in the order of actors and numbers.
#include "simcore/schedule.hpp"

#include <charconv>

#include "simcore/support/format.hpp"

namespace rehearse {

namespace {

constexpr std::uint32_t run_max = 1'000'000;  // limit on the answers in one decision of a text
constexpr std::uint32_t shortest_run = 3;
constexpr std::string_view against = " against ";

std::string name(const SendName& send) { return fmt::format("{}#{}", send.source.value, send.request.value); }

// Reads one schedule text. Every read_* advances, or returns false if the text does not match.
class Reader {
 public:
  explicit Reader(const std::string& text) : at_(text.data()), end_(text.data() + text.size()), begin_(at_) {}

  bool done() const { return at_ == end_; }
  std::size_t offset() const { return static_cast<std::size_t>(at_ - begin_); }

  bool word(std::string_view expected) {
    if (static_cast<std::size_t>(end_ - at_) < expected.size()) return false;
    if (std::string_view(at_, expected.size()) != expected) return false;
    at_ += expected.size();
    return true;
  }

  bool number(std::uint32_t& value) {
    const auto [next, error] = std::from_chars(at_, end_, value);
    if (error != std::errc()) return false;
    at_ = next;
    return true;
  }

  bool send(SendName& send) { return number(send.source.value) && word("#") && number(send.request.value); }

 private:
  const char* at_;
  const char* end_;
  const char* begin_;
};

bool read_answer(Reader& in, Answer& answer) {
  if (in.word("no")) return true;
  answer.flag = true;
  if (in.word("saw ")) return in.send(answer.seen);
  if (!in.word("yes(")) return false;
  while (!in.word(")")) {
    if (!answer.completed.empty() && !in.word(",")) return false;
    if (!in.number(answer.completed.emplace_back())) return false;
  }
  return true;
}

bool read_decision(Reader& in, Schedule& schedule) {
  ActorId actor;
  std::uint32_t number = 0;
  if (!in.number(actor.value) || !in.word(":")) return false;
  if (in.word("r")) {
    SendName send;
    if (!in.number(number) || !in.word("<-") || !in.send(send)) return false;
    return schedule.matches.emplace(std::pair(actor, RequestId{number}), send).second;
  }
  if (in.word("w")) return in.number(number) && schedule.waits.emplace(actor, RequestId{number}).second;
  if (!in.word("o") || !in.number(number)) return false;
  std::uint32_t last = number, step = 1;
  if (in.word("-") && (!in.number(last) || (in.word("/") && !in.number(step)))) return false;
  Answer answer;
  if (!in.word("=") || !read_answer(in, answer)) return false;
  if (last == number) return schedule.answers.emplace(std::pair(actor, number), answer).second;
  if (answer.flag || last < number || step == 0 || (last - number) % step != 0) return false;
  if ((last - number) / step >= run_max) return false;
  for (std::uint64_t each = number; each <= last; each += step)
    if (!schedule.answers.emplace(std::pair(actor, static_cast<std::uint32_t>(each)), answer).second) return false;
  return true;
}

using Answers = std::map<std::pair<ActorId, std::uint32_t>, Answer>;

// Answers "no" of one actor to operations at equal distances, from this one on.
struct Run {
  Answers::const_iterator last;
  std::uint32_t step = 1, length = 1;
};

Run run_from(Answers::const_iterator first, const Answers& answers) {
  Run run{first};
  for (auto next = std::next(first); next != answers.end() && run.length < run_max; run.last = next++) {
    const std::uint32_t step = next->first.second - run.last->first.second;
    if (next->second.flag || next->first.first != first->first.first || (run.length > 1 && step != run.step)) break;
    run.step = step;
    ++run.length;
  }
  return run;
}

std::string answer_text(const Answer& answer) {
  if (!answer.flag) return "no";
  if (answer.completed.empty()) return "saw " + name(answer.seen);
  std::string text = "yes(";
  for (std::size_t i = 0; i < answer.completed.size(); ++i)
    text += fmt::format("{}{}", i ? "," : "", answer.completed[i]);
  return text + ")";
}

}  // namespace

std::string to_text(const Schedule& schedule) {
  std::string text;
  const auto separate = [&text] {
    if (!text.empty()) text += ';';
  };
  for (const auto& [receive, send] : schedule.matches) {
    separate();
    text += fmt::format("{}:r{}<-{}", receive.first.value, receive.second.value, name(send));
  }
  for (auto at = schedule.answers.begin(); at != schedule.answers.end(); ++at) {
    separate();
    const auto& [operation, answer] = *at;
    text += fmt::format("{}:o{}", operation.first.value, operation.second);
    if (!answer.flag)
      if (const Run run = run_from(at, schedule.answers); run.length >= shortest_run) {
        text += fmt::format("-{}", run.last->first.second);
        if (run.step != 1) text += fmt::format("/{}", run.step);
        at = run.last;
      }
    text += "=" + answer_text(answer);
  }
  for (const auto& [actor, request] : schedule.waits) {
    separate();
    text += fmt::format("{}:w{}", actor.value, request.value);
  }
  return text;
}

Result<Schedule> parse_schedule(const std::string& text) {
  Schedule schedule;
  Reader in(text);
  while (!in.done()) {
    const std::size_t start = in.offset();
    if ((start > 0 && !in.word(";")) || !read_decision(in, schedule))
      return Error{fmt::format("schedule: character {}: expected a decision such as 0:r3<-2#5, 0:o7=no, 0:o7=yes(0,2), "
                               "0:o9=saw 2#5 or 0:w3, found '{}'",
                               start, text.substr(start, 20))};
  }
  return schedule;
}

std::string to_text(const Witness& witness) {
  const std::string text = to_text(witness.schedule);
  return witness.compared_with ? text + std::string(against) + to_text(*witness.compared_with) : text;
}

Result<Witness> parse_witness(const std::string& text) {
  const std::size_t at = text.find(against);
  auto schedule = parse_schedule(text.substr(0, at));
  if (!schedule) return schedule.error();
  Witness witness{std::move(schedule.value()), {}};
  if (at == std::string::npos) return witness;
  auto other = parse_schedule(text.substr(at + against.size()));
  if (!other) return other.error();
  witness.compared_with = std::move(other.value());
  return witness;
}

}  // namespace rehearse
