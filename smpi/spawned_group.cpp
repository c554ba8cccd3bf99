// SPDX-License-Identifier: MIT
//
// Groups as text.
#include "smpi/spawned_group.hpp"

#include <charconv>

#include "simcore/support/format.hpp"

namespace rehearse::smpi {
namespace {

constexpr std::string_view digits = "0123456789ABCDEF";
constexpr std::string_view plain = "./_-+=:";

bool is_plain(char letter) {
  return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') || (letter >= '0' && letter <= '9') ||
         plain.find(letter) != std::string_view::npos;
}

void append_escaped(std::string& to, std::string_view text) {
  for (const char letter : text) {
    if (is_plain(letter)) {
      to += letter;
      continue;
    }
    const auto byte = static_cast<unsigned char>(letter);
    to += {'%', digits[byte >> 4], digits[byte & 15]};
  }
}

// Reads the text from the front, field by field. A wrong text makes it fail from then on.
class Reader {
 public:
  explicit Reader(std::string_view text) : rest_(text) {}

  bool has_failed() const { return has_failed_; }
  bool is_at_end() const { return rest_.empty(); }
  bool take(char mark) {
    if (rest_.empty() || rest_.front() != mark) return false;
    rest_.remove_prefix(1);
    return true;
  }
  void need(char mark) { has_failed_ |= !take(mark); }

  std::uint32_t number() {
    std::uint32_t value = 0;
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
    has_failed_ |= error != std::errc();
    rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    return value;
  }

  std::string text() {
    std::string out;
    while (!rest_.empty() && (is_plain(rest_.front()) || rest_.front() == '%')) {
      if (!take('%')) {
        out += rest_.front();
        rest_.remove_prefix(1);
        continue;
      }
      const std::size_t high = rest_.size() < 2 ? std::string_view::npos : digits.find(rest_[0]);
      const std::size_t low = rest_.size() < 2 ? std::string_view::npos : digits.find(rest_[1]);
      has_failed_ |= high == std::string_view::npos || low == std::string_view::npos;
      if (has_failed_) return out;
      out += static_cast<char>(high << 4 | low);
      rest_.remove_prefix(2);
    }
    return out;
  }

 private:
  std::string_view rest_;
  bool has_failed_ = false;
};

}  // namespace

// PARENT.NUMBER followed by ~RANKS,FOLDER,HOST,PATH,ARGV0,ARGV1... for each command.
std::string to_text(const SpawnedGroup& group) {
  std::string text = fmt::format("{}.{}", group.parent.value, group.number);
  for (const SpawnCommand& command : group.commands) {
    text += fmt::format("~{},", command.ranks);
    append_escaped(text, command.folder);
    text += ',';
    append_escaped(text, command.host);
    text += ',';
    append_escaped(text, command.path);
    for (const std::string& argument : command.argv) {
      text += ',';
      append_escaped(text, argument);
    }
  }
  return text;
}

std::optional<SpawnedGroup> parse_spawned_group(std::string_view text) {
  Reader reader(text);
  SpawnedGroup group;
  group.parent = {reader.number()};
  reader.need('.');
  group.number = reader.number();
  while (!reader.has_failed() && reader.take('~')) {
    SpawnCommand& command = group.commands.emplace_back();
    command.ranks = reader.number();
    reader.need(',');
    command.folder = reader.text();
    reader.need(',');
    command.host = reader.text();
    reader.need(',');
    command.path = reader.text();
    while (!reader.has_failed() && reader.take(',')) command.argv.push_back(reader.text());
    if (command.ranks == 0 || command.path.empty() || command.argv.empty()) return std::nullopt;
  }
  if (reader.has_failed() || !reader.is_at_end() || group.commands.empty()) return std::nullopt;
  return group;
}

std::uint32_t ranks_of(const std::vector<SpawnedGroup>& groups) {
  std::uint32_t sum = 0;
  for (const SpawnedGroup& group : groups) sum += group.ranks();
  return sum;
}

}  // namespace rehearse::smpi
