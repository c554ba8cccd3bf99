// SPDX-License-Identifier: MIT
//
// getopt and getopt_long with all their state per rank.
//
// Behaviour: POSIX getopt and the GNU extensions: arguments are permuted so that options come first (unless the list
//            begins with '+' or POSIXLY_CORRECT is set; with '-', other arguments are returned as option 1), "--" ends
//            the options, x:: has an optional argument, long names may be abbreviated, optind = 0 starts again.
// Source:    IEEE Std 1003.1 getopt; getopt(3).
#include <getopt.h>

#include <algorithm>
#include <cstring>

#include "smpi/process/interposers.hpp"

namespace rehearse::smpi {
namespace {

struct LongOptions {
  const option* options = nullptr;
  int* index = nullptr;
  bool single_dash = false;  // getopt_long_only
};

class Scanner {
 public:
  Scanner(int count, char* const* arguments, const char* list, LongOptions longs)
      : rank_(this_rank()),
        state_(rank_.getopt),
        optind_(rank_.variable<int>(Variable::optind)),
        optarg_(rank_.variable<char*>(Variable::optarg)),
        optopt_(rank_.variable<int>(Variable::optopt)),
        count_(count),
        arguments_(const_cast<char**>(arguments)),
        list_(list),
        longs_(longs) {}

  int run() {
    if (count_ < 1) return -1;
    optarg_ = nullptr;
    start();
    quiet_ = *list_ == ':' || rank_.variable<int>(Variable::opterr) == 0;
    colon_ = *list_ == ':';
    if (state_.rest == nullptr || *state_.rest == '\0') {
      int result = 0;
      if (!next_argument(result)) return result;
    }
    return short_option();
  }

 private:
  void start() {
    if (optind_ == 0 || !state_.started) {
      if (optind_ == 0) optind_ = 1;
      state_ = {};
      state_.started = true;
      state_.first_other = state_.last_other = optind_;
    }
    using Order = GetoptState::Order;
    if (*list_ == '-') state_.order = Order::in_order;
    else if (*list_ == '+' || posixly_correct()) state_.order = Order::stop;
    else state_.order = Order::permute;
    if (*list_ == '-' || *list_ == '+') ++list_;
  }

  bool posixly_correct() const {
    for (char** entry = rank_.variable<char**>(Variable::environment); entry != nullptr && *entry != nullptr; ++entry)
      if (std::strncmp(*entry, "POSIXLY_CORRECT=", 16) == 0) return true;
    return false;
  }

  static bool is_option(const char* argument) { return argument[0] == '-' && argument[1] != '\0'; }

  // Moves the options that were just read in front of the other arguments that were skipped.
  void exchange() {
    std::rotate(arguments_ + state_.first_other, arguments_ + state_.last_other, arguments_ + optind_);
    state_.first_other += optind_ - state_.last_other;
    state_.last_other = optind_;
  }

  // Goes to the next argument. True: state_.rest is a cluster of short options. False: `result` is the answer.
  bool next_argument(int& result) {
    state_.last_other = std::min(state_.last_other, optind_);
    state_.first_other = std::min(state_.first_other, optind_);
    if (state_.order == GetoptState::Order::permute) {
      if (state_.first_other != state_.last_other && state_.last_other != optind_) exchange();
      else if (state_.last_other != optind_) state_.first_other = optind_;
      while (optind_ < count_ && !is_option(arguments_[optind_])) ++optind_;
      state_.last_other = optind_;
    }
    result = -1;
    if (optind_ < count_ && std::strcmp(arguments_[optind_], "--") == 0) {
      ++optind_;
      if (state_.first_other != state_.last_other && state_.last_other != optind_) exchange();
      else if (state_.first_other == state_.last_other) state_.first_other = optind_;
      state_.last_other = optind_ = count_;
    }
    if (optind_ >= count_) {
      if (state_.first_other != state_.last_other) optind_ = state_.first_other;
      return false;
    }
    char* argument = arguments_[optind_];
    if (!is_option(argument)) {
      if (state_.order == GetoptState::Order::stop) return false;
      optarg_ = argument;
      ++optind_;
      result = 1;
      return false;
    }
    return open_option(argument, result);
  }

  bool open_option(char* argument, int& result) {
    if (longs_.options != nullptr && argument[1] == '-') {
      result = long_option(argument + 2, "--");
      return false;
    }
    const bool maybe_long = longs_.options != nullptr && longs_.single_dash &&
                            (argument[2] != '\0' || find_short(argument[1]) == nullptr);
    if (maybe_long) {
      const option* match = find_long(argument + 1);
      if (match != nullptr || ambiguous_ || find_short(argument[1]) == nullptr) {
        result = long_option(argument + 1, "-");
        return false;
      }
    }
    state_.rest = argument + 1;
    return true;
  }

  const char* find_short(char c) const { return c == ':' || c == ';' || c == '\0' ? nullptr : std::strchr(list_, c); }

  const option* find_long(const char* name) {
    const std::size_t length = std::strcspn(name, "=");
    const option* match = nullptr;
    ambiguous_ = false;
    for (const option* o = longs_.options; o->name != nullptr; ++o) {
      if (std::strncmp(o->name, name, length) != 0) continue;
      if (std::strlen(o->name) == length) {
        ambiguous_ = false;
        return o;
      }
      if (match != nullptr && (match->has_arg != o->has_arg || match->flag != o->flag || match->val != o->val))
        ambiguous_ = true;
      if (match == nullptr) match = o;
    }
    return ambiguous_ ? nullptr : match;
  }

  template <class... Values>
  void print_error(const char* format, Values... values) const {
    if (!quiet_) std::fprintf(rank_.streams.error, format, arguments_[0], values...);
  }

  int long_option(char* name, const char* dashes) {
    const option* found = find_long(name);
    ++optind_;
    state_.rest = nullptr;
    if (found == nullptr) {
      optopt_ = 0;
      if (ambiguous_) print_error("%s: option '%s%s' is ambiguous\n", dashes, name);
      else print_error("%s: unrecognized option '%s%s'\n", dashes, name);
      return '?';
    }
    char* value = std::strchr(name, '=');
    if (value != nullptr && found->has_arg == no_argument) {
      print_error("%s: option '%s%s' doesn't allow an argument\n", dashes, found->name);
      optopt_ = found->val;
      return '?';
    }
    if (value != nullptr) optarg_ = value + 1;
    else if (found->has_arg == required_argument && optind_ < count_) optarg_ = arguments_[optind_++];
    else if (found->has_arg == required_argument) {
      print_error("%s: option '%s%s' requires an argument\n", dashes, found->name);
      optopt_ = found->val;
      return colon_ ? ':' : '?';
    }
    if (longs_.index != nullptr) *longs_.index = static_cast<int>(found - longs_.options);
    if (found->flag == nullptr) return found->val;
    *found->flag = found->val;
    return 0;
  }

  int short_option() {
    const char c = *state_.rest++;
    const char* known = find_short(c);
    if (*state_.rest == '\0') ++optind_;
    if (known == nullptr) {
      print_error("%s: invalid option -- '%c'\n", c);
      optopt_ = c;
      return '?';
    }
    if (known[1] != ':') return c;
    if (*state_.rest != '\0') {
      optarg_ = state_.rest;
      ++optind_;
    } else if (known[2] != ':') {
      if (optind_ >= count_) {
        print_error("%s: option requires an argument -- '%c'\n", c);
        optopt_ = c;
        state_.rest = nullptr;
        return colon_ ? ':' : '?';
      }
      optarg_ = arguments_[optind_++];
    }
    state_.rest = nullptr;
    return c;
  }

  RankState& rank_;
  GetoptState& state_;
  int& optind_;
  char*& optarg_;
  int& optopt_;
  int count_;
  char** arguments_;
  const char* list_;
  LongOptions longs_;
  bool quiet_ = false;
  bool colon_ = false;
  bool ambiguous_ = false;
};

int rank_getopt(int count, char* const* arguments, const char* list) {
  return Scanner(count, arguments, list, {}).run();
}

int rank_getopt_long(int count, char* const* arguments, const char* list, const option* longs, int* index) {
  return Scanner(count, arguments, list, {longs, index, false}).run();
}

int rank_getopt_long_only(int count, char* const* arguments, const char* list, const option* longs, int* index) {
  return Scanner(count, arguments, list, {longs, index, true}).run();
}

}  // namespace

InterposerList getopt_interposers() {
  return {{"getopt", function_address(rank_getopt)},
          {"__posix_getopt", function_address(rank_getopt)},
          {"getopt_long", function_address(rank_getopt_long)},
          {"getopt_long_only", function_address(rank_getopt_long_only)}};
}

}  // namespace rehearse::smpi
