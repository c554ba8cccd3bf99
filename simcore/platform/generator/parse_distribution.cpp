// SPDX-License-Identifier: MIT
//
// Parses distributions of attributes, and files of real values.
#include <charconv>
#include <cmath>
#include <functional>

#include "simcore/attribute_distribution.hpp"
#include "simcore/platform/units.hpp"
#include "simcore/support/format.hpp"
#include "simcore/support/read_file.hpp"

namespace rehearse {

namespace {

using Distribution = AttributeDistribution;

constexpr const char* accepted_forms =
    "a quantity, LOW..HIGH, normal(MEAN,DEVIATION), exponential(MEAN), lognormal(MEDIAN,SIGMA), pareto(LEAST,ALPHA), "
    "choice(A:WEIGHT,B:WEIGHT), file:PATH";

std::string_view stripped(std::string_view text) {
  constexpr std::string_view blanks = " \t\r";
  const std::size_t first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

Result<double> parse_plain(std::string_view text) {
  double value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (code == std::errc() && end == text.data() + text.size() && std::isfinite(value)) return value;
  return Error{fmt::format("'{}' is not a number", text.substr(0, 60))};
}

Result<double> parse_whole(std::string_view text) {
  std::uint32_t value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (code == std::errc() && end == text.data() + text.size()) return static_cast<double>(value);
  return Error{fmt::format("'{}' is not a whole number", text.substr(0, 60))};
}

using Parse = Result<double> (*)(std::string_view);

// value: of single values; parameter: of means and medians, which need not be whole.
class DistributionParser {
 public:
  DistributionParser(std::string text, Parse value, Parse parameter)
      : text_(std::move(text)), value_(value), parameter_(parameter) {}

  Result<Distribution> parse() const {
    const std::string_view text = text_;
    if (text.starts_with("file:")) return parse_file(std::string(text.substr(5)));
    const std::size_t open = text.find('(');
    if (open == std::string_view::npos) return parse_range(text);
    if (!text.ends_with(')')) return refuse("has no ) at its end");
    return parse_call(text.substr(0, open), text.substr(open + 1, text.size() - open - 2));
  }

 private:
  Error refuse(const std::string& what) const {
    return Error{fmt::format("'{}' {}; accepted: {}", text_.substr(0, 100), what, accepted_forms)};
  }

  Result<Distribution> parse_range(std::string_view text) const {
    const std::size_t dots = text.find("..");
    const auto low = value_(text.substr(0, dots));
    if (!low) return low.error();
    if (dots == std::string_view::npos) return Distribution(low.value(), low.value());
    const auto high = value_(text.substr(dots + 2));
    if (!high) return high.error();
    if (high.value() < low.value()) return Error{"'" + text_ + "' ends before it begins; accepted: LOW..HIGH"};
    return Distribution(low.value(), high.value());
  }

  Result<Distribution> parse_call(std::string_view name, std::string_view inside) const {
    if (name == "choice") return parse_choice(inside);
    if (name == "exponential") {
      const auto mean = parameter_(stripped(inside));
      if (!mean) return refuse("has a wrong mean: " + mean.error().text);
      return Distribution(Distribution::Exponential{mean.value()});
    }
    const bool is_normal = name == "normal";
    if (!is_normal && name != "lognormal" && name != "pareto") return refuse("is not a distribution");
    const std::size_t comma = inside.find(',');
    if (comma == std::string_view::npos) return refuse("needs two parameters");
    const auto first = parameter_(stripped(inside.substr(0, comma)));
    if (!first) return refuse("has a wrong parameter: " + first.error().text);
    const std::string_view rest = stripped(inside.substr(comma + 1));
    const auto second = is_normal ? parameter_(rest) : parse_plain(rest);
    if (!second) return refuse("has a wrong parameter: " + second.error().text);
    if (is_normal) return Distribution(Distribution::Normal{first.value(), second.value()});
    if (name == "pareto") return Distribution(Distribution::Pareto{first.value(), second.value()});
    return Distribution(Distribution::Lognormal{first.value(), second.value()});
  }

  // The mistake, or nothing.
  std::string add(std::string_view value, std::string_view weight, Distribution::List& list) const {
    const auto parsed = value_(value);
    if (!parsed) return parsed.error().text;
    const auto share = weight.empty() ? Result<double>(1.0) : parse_plain(weight);
    if (!share || !(share.value() > 0 && share.value() <= 1e15))
      return fmt::format("weight '{}'; accepted: a number greater than 0", weight.substr(0, 60));
    list.values.push_back(parsed.value());
    list.sums.push_back((list.sums.empty() ? 0 : list.sums.back()) + share.value());
    return "";
  }

  Result<Distribution> parse_choice(std::string_view inside) const {
    Distribution::List list;
    while (true) {
      const std::size_t end = inside.find(',');
      const std::string_view item = inside.substr(0, end);
      const std::size_t colon = item.find(':');
      if (colon != std::string_view::npos && stripped(item.substr(colon + 1)).empty())
        return refuse("has an empty weight");
      const std::string mistake =
          add(stripped(item.substr(0, colon)),
              colon == std::string_view::npos ? std::string_view() : stripped(item.substr(colon + 1)), list);
      if (!mistake.empty()) return refuse("has a wrong item: " + mistake);
      if (end == std::string_view::npos) return Distribution(std::move(list));
      inside.remove_prefix(end + 1);
    }
  }

  Result<Distribution> parse_file(const std::string& path) const {
    const std::optional<std::string> content = read_file(path);
    if (!content) return Error{"file '" + path + "': cannot read; accepted: a file with a quantity on each line"};
    Distribution::List list;
    std::string_view rest = *content;
    for (int line = 1; !rest.empty(); ++line) {
      const std::size_t end = rest.find('\n');
      std::string_view text = rest.substr(0, end);
      rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
      text = stripped(text.substr(0, text.find('#')));
      if (text.empty()) continue;
      const std::size_t blank = text.find_first_of(" \t");
      const std::string_view weight = blank == std::string_view::npos ? std::string_view()
                                                                      : stripped(text.substr(blank));
      const std::string mistake = add(text.substr(0, blank), weight, list);
      if (!mistake.empty())
        return Error{fmt::format("{}:{}: {}; accepted on a line: a quantity, a weight behind it if wanted, # comment",
                                 path, line, mistake)};
    }
    if (list.values.empty()) return Error{path + ": no quantity in this file; accepted: a quantity on each line"};
    return Distribution(std::move(list));
  }

  std::string text_;
  Parse value_, parameter_;
};

}  // namespace

Result<AttributeDistribution> parse_speed_distribution(const std::string& text) {
  return DistributionParser(text, platform::parse_flops_per_second, platform::parse_flops_per_second).parse();
}

Result<AttributeDistribution> parse_bandwidth_distribution(const std::string& text) {
  return DistributionParser(text, platform::parse_bytes_per_second, platform::parse_bytes_per_second).parse();
}

Result<AttributeDistribution> parse_latency_distribution(const std::string& text) {
  return DistributionParser(text, platform::parse_seconds, platform::parse_seconds).parse();
}

Result<AttributeDistribution> parse_count_distribution(const std::string& text) {
  return DistributionParser(text, parse_whole, parse_plain).parse();
}

}  // namespace rehearse
