// SPDX-License-Identifier: MIT
//
// A pass over the lines of one rank that looks only at how requests begin and end.
#include <algorithm>
#include <map>
#include <string>
#include <tuple>

#include "trace/ti/reader.hpp"
#include "trace/ti/spelling.hpp"
#include "trace/ti/words.hpp"

namespace rehearse::trace::ti {

namespace {

using Name = std::tuple<std::int64_t, std::int64_t, std::int64_t>;  // source, destination, tag

// The last test of each request, until it is known what follows.
class OpenTests {
 public:
  void test(const Name& name) {
    decide(name, false);  // another test of the same follows
    open_[name] = answered_.size();
    answered_.push_back(false);
  }
  void begin(const Name& name) { decide(name, true); }
  void wait(const Name& name) { decide(name, false); }
  void wait_for_any() { open_.clear(); }

  std::vector<bool> finish() {
    for (const auto& [name, test] : open_) answered_[test] = true;
    return std::move(answered_);
  }

 private:
  void decide(const Name& name, bool answer) {
    const auto found = open_.find(name);
    if (found == open_.end()) return;
    answered_[found->second] = answer;
    open_.erase(found);
  }

  std::vector<bool> answered_;
  std::map<Name, std::size_t> open_;
};

}  // namespace

std::vector<bool> find_answered_tests(const Index& index, std::uint32_t rank, std::size_t window) {
  const RankLines& of_rank = index.ranks[rank];
  Lines lines(index.files[of_rank.file], of_rank.runs, window);
  OpenTests tests;
  std::vector<std::string_view> words;
  while (const auto line = lines.next()) {
    split(*line, words);
    if (words.size() < 2) continue;
    const Spelling verb(words[1]);
    const auto field = [&words](std::size_t i) { return i < words.size() ? whole_number(words[i]).value_or(0) : 0; };
    const std::string_view name = verb.text();
    if (name == "test") tests.test({field(2), field(3), field(4)});
    else if (name == "wait") tests.wait({field(2), field(3), field(4)});
    else if (name == "waitall" || name == "waitany" || name == "waitsome") tests.wait_for_any();
    else if (name == "isend" || name == "issend" || name == "ibsend" || name == "irsend")
      tests.begin({rank, field(2), field(3)});
    else if (name == "irecv") tests.begin({field(2), rank, field(3)});
  }
  return tests.finish();
}

}  // namespace rehearse::trace::ti
