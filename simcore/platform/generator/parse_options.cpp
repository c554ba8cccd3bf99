// SPDX-License-Identifier: MIT
//
// Parses the options of the generator.
#include <charconv>

#include "simcore/platform/generator/flat_graph.hpp"
#include "simcore/platform_generator.hpp"
#include "simcore/support/format.hpp"

namespace rehearse {

namespace {

template <class Number>
bool read_all(std::string_view text, Number& value) {
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  return code == std::errc() && end == text.data() + text.size();
}

// N, N-M or N-.
std::optional<DegreeRange> read_degrees(std::string_view text) {
  DegreeRange range;
  const std::size_t dash = text.find('-');
  if (!read_all(text.substr(0, dash), range.least)) return std::nullopt;
  if (dash == std::string_view::npos) range.most = range.least;
  else if (dash + 1 < text.size() && !read_all(text.substr(dash + 1), range.most)) return std::nullopt;
  return range.most >= range.least ? std::optional(range) : std::nullopt;
}

struct KindName {
  std::string_view text;
  GeneratorOptions::Kind kind;
};

constexpr KindName kind_names[] = {{"star", GeneratorOptions::Kind::star},
                                   {"clique", GeneratorOptions::Kind::clique},
                                   {"uniform", GeneratorOptions::Kind::uniform},
                                   {"waxman", GeneratorOptions::Kind::waxman},
                                   {"exponential", GeneratorOptions::Kind::exponential},
                                   {"barabasi-albert", GeneratorOptions::Kind::barabasi_albert},
                                   {"n-level", GeneratorOptions::Kind::n_level},
                                   {"transit-stub", GeneratorOptions::Kind::transit_stub},
                                   {"clusters", GeneratorOptions::Kind::clusters}};

Result<GeneratorOptions::Kind> find_kind(const std::string& name, bool is_inner) {
  std::string accepted;
  for (const KindName& each : kind_names) {
    if (is_inner && !platform::is_flat(each.kind)) continue;
    if (each.text == name) return each.kind;
    accepted += (accepted.empty() ? "" : ", ") + std::string(each.text);
  }
  return Error{"'" + name + "' is not a kind of graph" + (is_inner ? " of parts" : "") + "; accepted: " + accepted};
}

}  // namespace

Result<GeneratorOptions::Kind> parse_generator_kind(const std::string& name) { return find_kind(name, false); }
Result<GeneratorOptions::Kind> parse_inner_kind(const std::string& name) { return find_kind(name, true); }

Result<DegreeRange> parse_degrees(const std::string& text) {
  if (const auto range = read_degrees(text)) return *range;
  return Error{"'" + text + "' given; accepted: degrees N, N-M or N-"};
}

Result<Promoter> parse_promoter(const std::string& text) {
  const Error error{"promoter '" + text +
                    "'; accepted: ROLE:DEGREES:PROBABILITY with a role host, cluster or router, "
                    "degrees N, N-M or N-, and a probability from 0 to 1"};
  const std::size_t first = text.find(':');
  const std::size_t second = first == std::string::npos ? first : text.find(':', first + 1);
  if (second == std::string::npos) return error;
  Promoter promoter;
  const std::string role = text.substr(0, first);
  if (role == "host") promoter.role = Promoter::Role::host;
  else if (role == "cluster") promoter.role = Promoter::Role::cluster;
  else if (role == "router") promoter.role = Promoter::Role::router;
  else return error;
  const auto degrees = read_degrees(text.substr(first + 1, second - first - 1));
  if (!degrees || !read_all(text.substr(second + 1), promoter.probability)) return error;
  promoter.degree_min = degrees->least;
  promoter.degree_max = degrees->most;
  const bool is_sound = promoter.probability >= 0 && promoter.probability <= 1;
  return is_sound ? Result<Promoter>(promoter) : Result<Promoter>(error);
}

Result<std::vector<SizeRange>> parse_sizes(const std::string& text) {
  std::vector<SizeRange> sizes;
  std::string_view rest = text;
  while (true) {
    const std::size_t end = rest.find('x');
    const std::string_view part = rest.substr(0, end);
    const std::size_t dots = part.find("..");
    SizeRange size(0);
    const bool is_read = read_all(part.substr(0, dots), size.low) &&
                         read_all(dots == std::string_view::npos ? part : part.substr(dots + 2), size.high);
    if (!is_read || size.low == 0 || size.high < size.low)
      return Error{"'" + text +
                   "' given; accepted: numbers with x between them, such as 2x4x16, or ranges, such as "
                   "2x3..5x16"};
    sizes.push_back(size);
    if (end == std::string_view::npos) return sizes;
    rest.remove_prefix(end + 1);
  }
}

}  // namespace rehearse
