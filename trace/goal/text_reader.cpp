// SPDX-License-Identifier: MIT
//
// GOAL text, statement by statement.
//
// Source: the grammar of LogGOPSim's txt2bin. Departures: operands of an operation in any order; a rank has one block;
//         a label has one operation.
#include <algorithm>
#include <charconv>

#include "trace/goal.hpp"
#include "trace/goal/goal_builder.hpp"
#include "trace/goal/label_table.hpp"

namespace rehearse::trace {

namespace goal {
namespace {

bool is_word_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || c == '_';
}

constexpr std::uint64_t most_ranks = 1 << 24;
// A malformed number must not make millions of ranks without operations. A rank with a block has more than ten bytes.
constexpr std::uint64_t most_sparse_ranks = 65536;

constexpr std::string_view statements =
    "num_ranks N; rank R {; }; [LABEL:] send Nb to RANK [tag T] [cpu C] [nic I]; [LABEL:] recv Nb from RANK|-1 "
    "[tag T|-1] [cpu C] [nic I]; [LABEL:] calc N [cpu C]; LABEL requires LABEL; LABEL irequires LABEL";

class TextReader {
 public:
  TextReader(std::string_view text, const std::string& path)
      : path_(path), begin_(text.data()), at_(text.data()), end_(text.data() + text.size()), builder_(schedule_) {
    constexpr std::size_t usual_bytes = 20;  // of text for one operation
    schedule_.operations.reserve(text.size() / usual_bytes);
    schedule_.lines.reserve(text.size() / usual_bytes);
    schedule_.successors.reserve(text.size() / usual_bytes);
  }

  Result<GoalSchedule> read() {
    while (skip_blanks(), at_ != end_ && problem_.empty()) {
      if (*at_ == '\n') {
        ++at_;
        ++line_;
        continue;
      }
      line_begin_ = at_;
      statement();
      skip_blanks();
      if (problem_.empty() && at_ != end_ && *at_ != '\n') refuse_statement();
    }
    finish();
    if (!problem_.empty()) return Error{problem_};
    return std::move(schedule_);
  }

 private:
  // Blanks and comments up to the end of the line; a comment may go over lines.
  void skip_blanks() {
    while (at_ != end_) {
      if (*at_ == ' ' || *at_ == '\t' || *at_ == '\r') {
        ++at_;
      } else if (*at_ == '/' && end_ - at_ > 1 && at_[1] == '/') {
        at_ = std::find(at_, end_, '\n');
      } else if (*at_ == '/' && end_ - at_ > 1 && at_[1] == '*') {
        skip_comment();
      } else {
        return;
      }
    }
  }

  void skip_comment() {
    constexpr std::string_view end_of_comment = "*/";
    const std::uint32_t line = line_;
    const char* found = std::search(at_ + 2, end_, end_of_comment.begin(), end_of_comment.end());
    line_ += static_cast<std::uint32_t>(std::count(at_, found, '\n'));
    at_ = found == end_ ? end_ : found + 2;
    if (found == end_) refuse(line, "the comment that begins here has no */");
  }

  std::string_view word() {
    skip_blanks();
    const char* begin = at_;
    while (at_ != end_ && is_word_character(*at_)) ++at_;
    return {begin, static_cast<std::size_t>(at_ - begin)};
  }

  bool take(char c) {
    skip_blanks();
    if (at_ == end_ || *at_ != c) return false;
    ++at_;
    return true;
  }

  // A number; false, and perhaps a problem: there is none of this type.
  template <class Number>
  bool number(Number& value) {
    skip_blanks();
    const auto [end, error] = std::from_chars(at_, end_, value);
    if (error == std::errc::result_out_of_range) refuse(line_, "a number is too large; found: " + line_text());
    if (error != std::errc{}) return false;
    at_ = end;
    return true;
  }

  void statement() {
    if (*at_ == '}') {
      ++at_;
      return close_rank();
    }
    std::string_view first = word(), label;
    if (take(':')) {
      label = first;
      first = word();
    }
    if (first == "send") return operation(GoalKind::send, label);
    if (first == "recv") return operation(GoalKind::receive, label);
    if (first == "calc") return operation(GoalKind::calculation, label);
    if (!label.empty() || first.empty()) return refuse_statement();
    if (first == "num_ranks") return number_of_ranks();
    if (first == "rank" && open_rank()) return;
    const std::string_view verb = word();
    if (verb == "requires" || verb == "irequires") return dependency(first, verb[0] == 'i');
    refuse_statement();
  }

  void number_of_ranks() {
    std::uint64_t count = 0;
    if (!number(count)) return refuse_statement();
    if (count == 0 || count > most_ranks)
      return refuse(line_, "num_ranks is a number from 1 to " + std::to_string(most_ranks) + "; found: " + line_text());
    if (is_too_sparse(count)) return refuse_sparse("num_ranks", count);
    if (ranks_ != 0 && ranks_ != count) return refuse(line_, "num_ranks has another value above");
    ranks_ = static_cast<std::uint32_t>(count);
  }

  bool is_too_sparse(std::uint64_t ranks) const {
    return ranks > most_sparse_ranks && ranks > static_cast<std::uint64_t>(end_ - begin_);
  }
  void refuse_sparse(const std::string& what, std::uint64_t number) {
    refuse(line_, what + " " + std::to_string(number) + " in a file of " + std::to_string(end_ - begin_) +
                      " bytes, so most ranks have no operations; accepted: up to " + std::to_string(most_sparse_ranks) +
                      " ranks, or one for each byte");
  }

  // False: this is no beginning of a rank.
  bool open_rank() {
    std::uint64_t rank = 0;
    if (!number(rank) || !take('{')) return false;
    const std::uint64_t ranks = ranks_ == 0 ? most_ranks : ranks_;
    if (rank >= ranks) {
      refuse(line_, "rank " + std::to_string(rank) + " is not one of the " + std::to_string(ranks) + " ranks");
    } else if (is_too_sparse(rank + 1)) {
      refuse_sparse("rank", rank);
    } else if (is_open_) {
      refuse(line_, "rank " + std::to_string(rank_) + ", which begins at line " + std::to_string(opened_) +
                        ", is not closed: } is missing");
    } else if (rank < openings_.size() && openings_[rank] != 0) {
      refuse(line_,
             "rank " + std::to_string(rank) + " has a block already, at line " + std::to_string(openings_[rank]));
    } else {
      is_open_ = true;
      rank_ = static_cast<std::uint32_t>(rank);
      opened_ = line_;
      if (rank >= openings_.size()) openings_.resize(rank + 1);
      openings_[rank] = line_;
      labels_.clear();
      builder_.begin_rank(rank_);
    }
    return true;
  }

  void close_rank() {
    if (!is_open_) return refuse(line_, "} without rank R { above");
    builder_.end_rank();
    is_open_ = false;
  }

  void operation(GoalKind kind, std::string_view label) {
    GoalOperation operation;
    operation.kind = kind;
    if (!is_open_) return refuse(line_, "an operation stands between rank R { and }; found: " + line_text());
    if (!number(operation.size)) return refuse_statement();
    if (kind != GoalKind::calculation && !peer(operation)) return;
    if (!operands(operation)) return;
    if (builder_.is_full())
      return refuse(line_, "more than " + std::to_string(GoalSchedule::most_operations) + " operations");
    const std::uint32_t number = builder_.add(operation, line_);
    if (label.empty() || labels_.add(label, number)) return;
    const std::uint32_t other = schedule_.lines[schedule_.lines.size() - 1 - (number - *labels_.find(label))];
    refuse(line_, of_rank() + "the label " + std::string(label) + " is in use, at line " + std::to_string(other));
  }

  // b to RANK, b from RANK|-1
  bool peer(GoalOperation& operation) {
    const bool is_send = operation.kind == GoalKind::send;
    std::int64_t rank = 0;
    if (word() != "b" || word() != (is_send ? "to" : "from") || !number(rank)) return refuse_statement(), false;
    if (rank == -1 && !is_send) {
      operation.peer = goal_any;
      return true;
    }
    const std::uint64_t ranks = ranks_ == 0 ? most_ranks : ranks_;
    operation.peer = static_cast<std::uint32_t>(rank);
    highest_peer_ = std::max(highest_peer_, operation.peer);
    if (rank >= 0 && static_cast<std::uint64_t>(rank) < ranks) return true;
    refuse(line_, of_rank() + "rank " + std::to_string(rank) + " is not one of the " + std::to_string(ranks) +
                      " ranks; found: " + line_text());
    return false;
  }

  // [tag T] [cpu C] [nic I]
  bool operands(GoalOperation& operation) {
    for (std::string_view name = word(); !name.empty(); name = word()) {
      std::int64_t value = 0;
      if (!number(value)) return refuse_statement(), false;
      if (name == "tag" && operation.kind != GoalKind::calculation) {
        if (value < INT32_MIN || value > UINT32_MAX)
          return refuse(line_, "a tag has 32 bits; found: " + line_text()), false;
        operation.tag = static_cast<std::uint32_t>(value);
      } else if (name == "cpu" || name == "nic") {
        if (value < 0 || value > UINT8_MAX)
          return refuse(line_, std::string(name) + " is a number from 0 to 255; found: " + line_text()), false;
        (name == "cpu" ? operation.cpu : operation.nic) = static_cast<std::uint8_t>(value);
      } else {
        return refuse_statement(), false;
      }
    }
    return true;
  }

  void dependency(std::string_view after, bool begun) {
    const std::string_view before = word();
    if (before.empty()) return refuse_statement();
    if (!is_open_) return refuse(line_, "a dependency stands between rank R { and }; found: " + line_text());
    const std::uint32_t* one = labels_.find(after);
    const std::uint32_t* other = labels_.find(before);
    if (one == nullptr || other == nullptr)
      return refuse(line_, of_rank() + "no operation above has the label " +
                               std::string(one == nullptr ? after : before) + "; found: " + line_text());
    if (builder_.is_full()) return refuse(line_, "more than " + std::to_string(most_edges) + " dependencies");
    builder_.require(*one, *other, begun);
  }

  void finish() {
    if (!problem_.empty()) return;
    if (is_open_) return refuse(opened_, "rank " + std::to_string(rank_) + " is not closed: } is missing");
    if (ranks_ == 0) {
      problem_ = path_ + ": no line has the number of ranks; accepted: num_ranks N";
      return;
    }
    if (schedule_.blocks.size() > ranks_)
      return refuse(openings_[schedule_.blocks.size() - 1], "rank " + std::to_string(schedule_.blocks.size() - 1) +
                                                                " is not one of the " + std::to_string(ranks_) +
                                                                " ranks");
    schedule_.blocks.resize(ranks_);
    if (highest_peer_ >= ranks_) return refuse_peer();
    builder_.finish();
    schedule_.format = "goal";
    schedule_.files = {path_};
  }

  // num_ranks is behind the operation.
  void refuse_peer() {
    for (std::size_t i = 0; i < schedule_.operations.size(); ++i) {
      const GoalOperation& operation = schedule_.operations[i];
      if (operation.peer >= ranks_ && operation.peer != goal_any)
        return refuse(schedule_.lines[i], "rank " + std::to_string(operation.peer) + " is not one of the " +
                                              std::to_string(ranks_) + " ranks");
    }
  }

  std::string of_rank() const { return "rank " + std::to_string(rank_) + ": "; }

  // Of the statement, without what comes behind a reasonable length.
  std::string line_text() const {
    constexpr std::ptrdiff_t most = 80;
    const char* end = std::find(line_begin_, std::min(end_, line_begin_ + std::min(most, end_ - line_begin_)), '\n');
    std::string text(line_begin_, end);
    for (char& c : text)
      if (static_cast<unsigned char>(c) < ' ') c = ' ';
    return text;
  }

  void refuse(std::uint32_t line, const std::string& text) {
    if (problem_.empty()) problem_ = path_ + ":" + std::to_string(line) + ": " + text;
  }

  void refuse_statement() {
    refuse(line_, "not understood: " + line_text() + "; accepted: " + std::string(statements));
  }

  const std::string& path_;
  const char* begin_;
  const char* at_;
  const char* end_;
  const char* line_begin_ = nullptr;
  std::uint32_t line_ = 1;
  GoalSchedule schedule_;
  GoalBuilder builder_;
  LabelTable labels_;
  std::uint32_t ranks_ = 0;  // 0: unknown so far
  std::uint32_t highest_peer_ = 0;
  bool is_open_ = false;  // a rank's block
  std::uint32_t rank_ = 0;
  std::uint32_t opened_ = 0;             // line of the rank's beginning
  std::vector<std::uint32_t> openings_;  // by rank; 0: not so far
  std::string problem_;
};

}  // namespace
}  // namespace goal

Result<GoalSchedule> read_goal_text(std::string_view text, const std::string& path) {
  return goal::TextReader(text, path).read();
}

}  // namespace rehearse::trace
