// SPDX-License-Identifier: MIT
//
// The actions of one rank of a time-independent trace.
//
// Source:  SimGrid's documentation of its format, and what its tracer writes; docs/traces.md lists actions and fields.
//          Departures: a test that nothing else completes was answered yes, and is a wait; a derived type (-1), of
//          which the format keeps no size, is refused unless bytes=N stands in its place.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "trace/ti/fields.hpp"
#include "trace/ti/index.hpp"
#include "trace/ti/lines.hpp"
#include "trace/trace.hpp"

namespace rehearse::trace::ti {

class Reader final : public ActionReader {
 public:
  Reader(const Index& index, const Communicators& communicators, std::uint32_t rank, std::size_t window);

  bool next(Action& action) override;
  const std::optional<Error>& problem() const override { return problem_; }
  const std::optional<std::string>& unsupported() const override { return unsupported_; }
  std::string text() const override;
  std::string file() const override { return index_.files[index_.ranks[rank_].file].path(); }
  std::string place() const override { return file() + ":" + std::to_string(lines_.number()); }

 private:
  bool parse(Fields& fields, Action& action);
  bool parse_send(Fields& fields, Action& action);
  bool parse_receive(Fields& fields, Action& action);
  bool parse_exchange(Fields& fields, Action& action);
  bool parse_wait(Fields& fields, Action& action);
  bool parse_collective(Fields& fields, Action& action);
  void note_split();
  bool refuse(const std::string& text);
  bool cannot_replay(const Fields& fields, std::string_view why);
  bool find_communicator(Fields& fields, Action& action);

  const Index& index_;
  const Communicators& communicators_;
  std::uint32_t rank_;
  Lines lines_;
  std::vector<std::string_view> words_;
  std::string_view line_;
  std::vector<std::uint64_t> segments_;
  std::uint64_t default_size_ = 1;
  std::size_t splits_ = 0;                      // that were read
  std::map<std::int64_t, Membership> numbers_;  // communicators by this rank's number
  Membership world_;
  std::vector<bool> answered_tests_;  // by test: whether it is a wait
  std::size_t tests_ = 0;             // that were read
  std::optional<Error> problem_;
  std::optional<std::string> unsupported_;
};

// Which of the rank's tests must have been answered yes: no other completion of their request follows before the end or
// the next request of its name. By test, in their order.
std::vector<bool> find_answered_tests(const Index& index, std::uint32_t rank, std::size_t window);

}  // namespace rehearse::trace::ti
