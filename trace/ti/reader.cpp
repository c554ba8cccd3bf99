// SPDX-License-Identifier: MIT
//
// From lines to actions.
#include "trace/ti/reader.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "trace/ti/collectives.hpp"
#include "trace/ti/split_words.hpp"
#include "trace/ti/words.hpp"

namespace rehearse::trace::ti {

namespace {

constexpr std::array send_names = {"send", "isend", "ssend", "issend", "bsend", "ibsend", "rsend", "irsend"};

// They ask for nothing: what they stand for takes no time, or is said by another action.
constexpr std::array silent_names = {"finalize",   "location",   "comm_size", "comm_split", "comm_dup",
                                     "testany",    "testall",    "testsome",  "send_init",  "ssend_init",
                                     "bsend_init", "rsend_init", "recv_init"};

constexpr std::array one_sided_names = {"win",  "put",         "get",          "accumulate",       "rput",
                                        "rget", "raccumulate", "fetch_and_op", "compare_and_swap", "get_accumulate"};

template <class Names>
bool is_one_of(const Names& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

std::int32_t any_or(std::int64_t value, std::int64_t other_any) {
  return value == any || value == other_any ? any : static_cast<std::int32_t>(value);
}

constexpr std::int64_t any_source_in_file = -333;
constexpr std::int64_t any_tag_in_file = -444;

}  // namespace

Reader::Reader(const Index& index, const Communicators& communicators, std::uint32_t rank, std::size_t window)
    : index_(index),
      communicators_(communicators),
      rank_(rank),
      lines_(index.files[index.ranks[rank].file], index.ranks[rank].runs, window),
      world_{0, rank} {
  if (index.ranks[rank].has_tests) answered_tests_ = find_answered_tests(index, rank, window);
}

std::string Reader::text() const {
  std::string text;
  for (std::size_t i = 1; i < words_.size(); ++i) text += (i > 1 ? " " : "") + std::string(words_[i]);
  return text;
}

bool Reader::refuse(const std::string& text) {
  problem_ = Error{place() + ": rank " + std::to_string(rank_) + ": " + text};
  return false;
}

bool Reader::cannot_replay(const Fields& fields, std::string_view why) {
  unsupported_ = std::string(fields.action()) + " in a trace (" + place() +
                 (why.empty() ? "" : ": " + std::string(why)) + ")";
  return false;
}

bool Reader::next(Action& action) {
  while (const auto line = lines_.next()) {
    line_ = *line;
    split(line_, words_);
    if (words_.size() < 2) return refuse("an action is missing");
    Fields fields(words_[1], std::span(words_).subspan(2), default_size_);
    action.line = lines_.number();
    const bool is_action = parse(fields, action);
    if (!fields.ok()) return refuse(fields.problem());
    if (problem_ || unsupported_) return false;
    if (is_action) return true;
  }
  problem_ = lines_.problem();
  return false;
}

bool Reader::find_communicator(Fields& fields, Action& action) {
  const Membership* at = &world_;
  if (const auto number = fields.communicator(); number && *number != 0) {
    const auto found = numbers_.find(*number);
    if (found == numbers_.end()) {
      fields.refuse("unknown communicator " + std::to_string(*number));
      return false;
    }
    at = &found->second;
  }
  action.communicator = at->communicator;
  action.member = at->member;
  return true;
}

// False: it asks for nothing, or something is wrong.
bool Reader::parse(Fields& fields, Action& action) {
  const Spelling spelling(fields.action());
  const std::string_view name = spelling.text();
  if (!fields.ok() || !find_communicator(fields, action)) return false;
  if (name == "compute") {
    if (fields.need(1, "a volume")) action.what = ComputeAction{fields.amount(0, "the volume")};
    return fields.ok();
  }
  if (is_one_of(send_names, name)) return parse_send(fields, action);
  if (name == "recv" || name == "irecv") return parse_receive(fields, action);
  if (name == "sendrecv" || name == "isendrecv") return parse_exchange(fields, action);
  if (name == "wait" || name == "test") return parse_wait(fields, action);
  if (is_collective(name)) return parse_collective(fields, action);
  if (name == "waitall") {
    action.what = WaitAllAction{};
  } else if (name == "waitany" || name == "waitsome") {
    action.what = WaitAnyAction{};
  } else if (name == "sleep") {
    if (fields.need(1, "seconds")) action.what = SleepAction{fields.amount(0, "the time")};
    return fields.ok();
  } else {
    if (name == "init") default_size_ = fields.size() > 0 ? 8 : 1;
    else if (name == "start" || name == "startall") return cannot_replay(fields, "a send and a receive look the same");
    else if (name == "io" || name == "migrate" || is_one_of(one_sided_names, name)) return cannot_replay(fields, "");
    else if (!is_one_of(silent_names, name)) fields.refuse("unknown action " + std::string(fields.action()));
    if (split_words(words_) != SplitWords::none) note_split();
    return false;
  }
  return true;
}

// The rank's number of a communicator holds from its line on.
void Reader::note_split() {
  const Membership* made = communicators_.made_by(rank_, splits_);
  const std::int64_t number = index_.splits[rank_][splits_++].number;
  if (made == nullptr) numbers_.erase(number);
  else numbers_[number] = *made;
}

bool Reader::parse_send(Fields& fields, Action& action) {
  if (!fields.need(3, "destination, tag and count")) return false;
  const Spelling spelling(fields.action());
  std::string_view name = spelling.text();
  SendAction send;
  send.blocking = name[0] != 'i';
  if (!send.blocking) name.remove_prefix(1);
  send.mode = name[0] == 'b'           ? SendMode::buffered
              : name[0] == 'r'         ? SendMode::ready
              : name.starts_with("ss") ? SendMode::synchronous
                                       : SendMode::standard;
  send.destination = fields.rank(0, static_cast<std::uint32_t>(index_.ranks.size()));
  send.tag = static_cast<Tag>(fields.whole(1, "a tag"));
  send.bytes = fields.bytes(2, 3);
  send.name = {static_cast<std::int32_t>(rank_), static_cast<std::int32_t>(send.destination), send.tag};
  action.what = send;
  return fields.ok();
}

bool Reader::parse_receive(Fields& fields, Action& action) {
  if (!fields.need(3, "source, tag and count")) return false;
  ReceiveAction receive;
  receive.blocking = Spelling(fields.action()).text()[0] != 'i';
  const std::int32_t source = any_or(fields.whole(0, "a source"), any_source_in_file);
  if (source != any) receive.source = fields.rank(0, static_cast<std::uint32_t>(index_.ranks.size()));
  const std::int32_t tag = any_or(fields.whole(1, "a tag"), any_tag_in_file);
  if (tag != any) receive.tag = tag;
  if (const auto count = fields.count_or_unknown(2)) receive.bytes = fields.bytes_of(*count, 3);
  receive.name = {source, static_cast<std::int32_t>(rank_), tag};
  action.what = receive;
  return fields.ok();
}

// count destination count source [dt dt]
bool Reader::parse_exchange(Fields& fields, Action& action) {
  if (!fields.need(4, "count, destination, count and source")) return false;
  const auto ranks = static_cast<std::uint32_t>(index_.ranks.size());
  ExchangeAction exchange;
  exchange.send.destination = fields.rank(1, ranks);
  exchange.send.bytes = fields.bytes(0, 4);
  exchange.send.blocking = exchange.receive.blocking = false;
  const std::int32_t source = any_or(fields.whole(3, "a source"), any_source_in_file);
  if (source != any) exchange.receive.source = fields.rank(3, ranks);
  exchange.receive.tag = 0;
  if (const auto count = fields.count_or_unknown(2)) exchange.receive.bytes = fields.bytes_of(*count, 5);
  action.what = exchange;
  return fields.ok();
}

bool Reader::parse_wait(Fields& fields, Action& action) {
  const bool is_test = Spelling(fields.action()).text() == "test";
  if (!fields.need(3, "source, destination and tag")) return false;
  const bool is_answered = !is_test || answered_tests_[tests_++];
  WaitAction wait;
  wait.name.source = any_or(fields.whole(0, "a source"), any_source_in_file);
  wait.name.destination = static_cast<std::int32_t>(fields.whole(1, "a destination"));
  wait.name.tag = any_or(fields.whole(2, "a tag"), any_tag_in_file);
  if (wait.name.tag == collective_name.tag) wait.name = collective_name;
  wait.is_test = is_test;
  action.what = wait;
  return fields.ok() && is_answered;
}

bool Reader::parse_collective(Fields& fields, Action& action) {
  const Spelling spelling(fields.action());
  const auto members = static_cast<std::uint32_t>(communicators_.members(action.communicator).size());
  action.what = read_collective(spelling.text(), fields, {action.member, members}, segments_);
  return fields.ok();
}

}  // namespace rehearse::trace::ti
