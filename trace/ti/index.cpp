// SPDX-License-Identifier: MIT
//
// One pass over the files of a trace: whose is each line, which lines make communicators, which ranks test.
#include "trace/ti/index.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <optional>
#include <string_view>

#include "trace/mapped_file.hpp"
#include "trace/ti/split_words.hpp"
#include "trace/ti/words.hpp"

namespace rehearse::trace::ti {

namespace {

constexpr std::int64_t most_ranks = 1 << 24;
// A malformed number must not make millions of ranks without lines.
constexpr std::int64_t most_sparse_ranks = 65536;
constexpr std::size_t shortest_line = 4;

bool begins_with(std::string_view word, std::string_view lower_case) {
  if (word.size() < lower_case.size()) return false;
  for (std::size_t i = 0; i < lower_case.size(); ++i)
    if (std::tolower(static_cast<unsigned char>(word[i])) != lower_case[i]) return false;
  return true;
}

class IndexPass {
 public:
  explicit IndexPass(Index& index) : index_(index) {}

  // `rank`: the only one that may have lines in it; empty: any.
  std::optional<Error> read(const std::string& path, std::optional<std::uint32_t> rank) {
    MappedFile file(path);
    if (!file.problem().empty()) return Error{path + ": cannot read: " + file.problem()};
    const auto number = static_cast<std::uint32_t>(index_.files.size());
    index_.files.emplace_back(path);
    if (rank) lines_of(*rank).file = number;
    const std::string_view text = file.text();
    std::uint64_t line_number = 0;
    last_ = no_rank;
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = std::min(text.find('\n', at), text.size());
      const std::string_view line = text.substr(at, end - at);
      const std::size_t next = std::min(end + 1, text.size());
      ++line_number;
      if (!is_comment(line)) {
        const std::string place = path + ":" + std::to_string(line_number) + ": ";
        split(line, words_);
        const auto whose = whole_number(words_[0]);
        if (!whose || *whose < 0 || *whose >= most_ranks)
          return Error{place + "a line begins with a rank, a number from 0 on; found: " + std::string(words_[0])};
        if (!rank && *whose >= most_sparse_ranks && static_cast<std::uint64_t>(*whose) > text.size() / shortest_line)
          return Error{place + "rank " + std::string(words_[0]) + " in a file of " + std::to_string(text.size()) +
                       " bytes, so most ranks have no line; the highest rank is the number of ranks less one"};
        if (rank && *whose != *rank)
          return Error{place + "this line is of rank " + std::to_string(*whose) + ", but the file is rank " +
                       std::to_string(*rank) + "'s"};
        if (const auto error = add(static_cast<std::uint32_t>(*whose), {at, next - at, line_number}, number, place))
          return error;
      } else {
        last_ = no_rank;  // a run has no gaps
      }
      at = next;
      file.forget_before(at);
    }
    return std::nullopt;
  }

 private:
  static constexpr std::uint32_t no_rank = ~0u;

  RankLines& lines_of(std::uint32_t rank) {
    if (rank >= index_.ranks.size()) {
      index_.ranks.resize(rank + 1);
      index_.splits.resize(rank + 1);
    }
    return index_.ranks[rank];
  }

  std::optional<Error> add(std::uint32_t rank, const LineRun& line, std::uint32_t file, const std::string& place) {
    RankLines& lines = lines_of(rank);
    lines.file = file;
    if (rank == last_) lines.runs.back().bytes += line.bytes;
    else lines.runs.push_back(line);
    last_ = rank;
    if (words_.size() < 2) return std::nullopt;
    if (begins_with(words_[1], "test")) lines.has_tests = true;
    if (begins_with(words_[1], "comm_")) return add_split(rank, line.line, place);
    return std::nullopt;
  }

  std::optional<Error> add_split(std::uint32_t rank, std::uint64_t line, const std::string& place) {
    Split split;
    split.line = line;
    const SplitWords form = split_words(words_);
    if (form == SplitWords::none) return std::nullopt;
    split.is_duplicate = form == SplitWords::duplicate;
    std::vector<std::int64_t> numbers;
    for (std::size_t i = 2; i < words_.size(); ++i) {
      const auto value = whole_number(words_[i]);
      if (!value)
        return Error{place + "rank " + std::to_string(rank) + ": " + std::string(words_[1]) +
                     " needs whole numbers; found: " + std::string(words_[i])};
      numbers.push_back(*value);
    }
    split.parent = numbers.front();
    split.number = numbers.back();
    if (form == SplitWords::split) {
      split.colour = numbers[1];
      split.key = numbers[2];
    }
    index_.splits[rank].push_back(split);
    return std::nullopt;
  }

  Index& index_;
  std::uint32_t last_ = no_rank;
  std::vector<std::string_view> words_;
};

// The files that an index names; nothing if it is no index.
std::optional<std::vector<std::string>> named_files(const std::string& path, std::string_view text) {
  std::vector<std::string> names;
  std::vector<std::string_view> words;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = text.substr(at, end - at);
    at = end + 1;
    if (is_comment(line)) continue;
    split(line, words);
    if (words.size() != 1) return std::nullopt;
    const std::filesystem::path beside = std::filesystem::path(path).parent_path() / words[0];
    std::error_code ignored;
    names.push_back(std::filesystem::exists(beside, ignored) ? beside.string() : std::string(words[0]));
  }
  return names;
}

}  // namespace

bool looks_like_text_trace(std::string_view beginning) {
  for (const char c : beginning)
    if (c == '\0') return false;
  return true;
}

Result<Index> make_index(const std::string& path) {
  std::optional<std::vector<std::string>> names;
  {
    MappedFile file(path);
    if (!file.problem().empty()) return Error{path + ": cannot read: " + file.problem()};
    names = named_files(path, file.text());
  }
  Index index;
  IndexPass pass(index);
  if (names && names->size() > 1) {
    for (std::uint32_t rank = 0; rank < names->size(); ++rank)
      if (const auto error = pass.read((*names)[rank], rank))
        return Error{path + ": rank " + std::to_string(rank) + ": " + error->text};
  } else {
    const bool names_one = names && names->size() == 1;
    if (const auto error = pass.read(names_one ? names->front() : path, std::nullopt)) return *error;
  }
  constexpr std::size_t most_open = 256;
  if (index.files.size() <= most_open)
    for (TextFile& file : index.files) file.keep_open();
  const bool is_empty = std::ranges::all_of(index.ranks, [](const RankLines& lines) { return lines.runs.empty(); });
  if (is_empty) return Error{path + ": no rank has an action; a line is: RANK ACTION ..., as in: 0 compute 1e9"};
  return index;
}

}  // namespace rehearse::trace::ti
