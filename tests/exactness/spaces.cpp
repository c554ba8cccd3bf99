// SPDX-License-Identifier: MIT
//
// Enumerating and drawing litmus programs.
#include "tests/exactness/spaces.hpp"

#include <algorithm>
#include <map>
#include <sstream>

#include "tests/support/random_litmus.hpp"
#include "tests/support/seeded_draws.hpp"

namespace rehearse::tests {

namespace {

struct Draft {
  std::string text;
  std::vector<std::string> open;  // requests
  std::uint32_t requests = 0;
};

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += " " + word;
  return text;
}

void add(Draft& draft, const std::string& operation) { draft.text += (draft.text.empty() ? "" : " ; ") + operation; }

// False: there is no request for it, so the program would be a shorter one.
bool extend(Draft& draft, const std::string& operation) {
  const auto at = operation.find('@');
  if (at == std::string::npos) {
    add(draft, operation);
    return true;
  }
  const std::string call = operation.substr(0, at);
  const bool completes = call.rfind("wait", 0) == 0 || call.rfind("test", 0) == 0;
  if (!completes) {
    draft.open.push_back("r" + std::to_string(draft.requests++));
    add(draft, call + draft.open.back());
    return true;
  }
  if (draft.open.empty()) return false;
  if (call == "test ") {
    add(draft, call + draft.open.back());
  } else if (call == "wait ") {
    add(draft, call + draft.open.front());
    draft.open.erase(draft.open.begin());
  } else {
    add(draft, call.substr(0, call.size() - 1) + joined(draft.open));
  }
  return true;
}

void grow(const Draft& draft, const std::vector<std::string>& alphabet, std::uint32_t length,
          std::vector<std::string>& out) {
  Draft whole = draft;
  if (!whole.open.empty()) add(whole, "waitall" + joined(whole.open));
  out.push_back(whole.text);
  if (length == 0) return;
  for (const std::string& operation : alphabet) {
    Draft longer = draft;
    if (extend(longer, operation)) grow(longer, alphabet, length - 1, out);
  }
}

const std::vector<std::string> receiving = {"recv * 0",  "recv * *",   "recv 1 *", "irecv * 0 @", "irecv 1 * @",
                                            "probe * *", "iprobe * 0", "test @",   "wait @",      "waitany @"};

}  // namespace

std::vector<std::string> bodies(const std::vector<std::string>& alphabet, std::uint32_t length) {
  std::vector<std::string> out;
  grow({}, alphabet, length, out);
  return out;
}

Space Space::two_actors(std::uint32_t length) {
  const auto alphabet = [](const std::string& other) {
    return std::vector<std::string>{"send " + other + " 0",
                                    "send " + other + " 1",
                                    "ssend " + other + " 0",
                                    "recv * 0",
                                    "recv * *",
                                    "irecv * 1 @",
                                    "irecv * * @",
                                    "probe * 0",
                                    "iprobe * *",
                                    "test @",
                                    "wait @",
                                    "waitany @"};
  };
  Space space;
  space.first_ = bodies(alphabet("1"), length);
  space.second_ = bodies(alphabet("0"), length);
  return space;
}

Space Space::three_actors(std::uint32_t length) {
  Space space;
  space.first_ = bodies(receiving, length);
  space.second_ = bodies({"send 0 0", "send 0 1", "send ? 0", "recv ? 0", "recv * *"}, length);
  space.others_ = 2;
  return space;
}

std::uint64_t Space::size() const {
  const std::uint64_t n = second_.size();
  return first_.size() * (others_ == 1 ? n : n * (n + 1) / 2);
}

std::string Space::program(std::uint64_t number) const {
  std::string text = "0: " + first_[number % first_.size()] + "\n";
  std::uint64_t rest = number / first_.size();
  if (others_ == 1) return text + "1: " + second_[rest] + "\n";
  std::uint64_t low = 0;
  while (rest >= second_.size() - low) rest -= second_.size() - low++;
  const auto toward = [](std::string body, char other) {
    std::replace(body.begin(), body.end(), '?', other);
    return body;
  };
  return text + "1: " + toward(second_[low], '2') + "\n2: " + toward(second_[low + rest], '1') + "\n";
}

std::string random_program(std::uint64_t seed) {
  SeededDraws draw(seed);
  LitmusShape shape;
  shape.actors = 2 + draw(3);
  shape.messages = shape.actors == 4 ? 3 + draw(2) : 2 + draw(4);
  for (bool* feature : {&shape.nonblocking, &shape.tags, &shape.synchronous, &shape.waitany, &shape.probes,
                        &shape.polls, &shape.branches, &shape.barriers, &shape.choices, &shape.takes, &shape.cancels,
                        &shape.frees, &shape.collectives, &shape.some})
    *feature = draw(2) == 0;
  shape.groups = shape.collectives && draw(2) == 0;
  return random_litmus(seed, shape);
}

std::string renamed(const std::string& program, const std::vector<std::uint32_t>& order) {
  // Of these the first argument is an actor; `onsrc N:` names one where what was received last decides.
  const std::vector<std::string> to_actors = {"send",   "ssend",   "bsend", "rsend",  "isend",  "issend",
                                              "ibsend", "irsend",  "recv",  "irecv",  "probe",  "iprobe",
                                              "mprobe", "improbe", "bcast", "ibcast", "reduce", "ireduce"};
  std::map<std::uint32_t, std::string> lines;
  std::istringstream in(program);
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line.substr(line.find(':') + 1));
    std::string text, word;
    bool is_actor = false, is_case = false;
    while (words >> word) {
      const bool ends_case = word.back() == ':';
      if ((is_actor && word != "*") || (is_case && ends_case))
        word = std::to_string(order[std::stoul(word)]) + (ends_case ? ":" : "");
      is_actor = std::find(to_actors.begin(), to_actors.end(), word) != to_actors.end();
      is_case = word == "onsrc" || word == "|";
      text += " " + word;
    }
    lines[order[std::stoul(line)]] = text;
  }
  std::string out;
  for (const auto& [actor, text] : lines) out += std::to_string(actor) + ":" + text + "\n";
  return out;
}

}  // namespace rehearse::tests
