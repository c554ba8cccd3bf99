// SPDX-License-Identifier: MIT
//
// Reads the models to compare.
#include <algorithm>
#include <cctype>

#include "app/model_comparison.hpp"
#include "simcore/cost_model.hpp"
#include "simcore/support/format.hpp"

namespace rehearse::app {
namespace {

Result<ModelChoice> parse_choice(const std::string& text) {
  const std::size_t colon = text.find(':');
  ModelChoice choice{text, text.substr(0, colon), colon == std::string::npos ? "" : text.substr(colon + 1)};
  std::ranges::transform(choice.network, choice.network.begin(),
                         [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
  if (std::ranges::find(network_models(), choice.network, &ModelDescription::name) == network_models().end())
    return Error{fmt::format("model '{}' given; accepted: {}, each at most with keys of --packet behind it, such as "
                             "packet:queue=64KiB+congestion=dctcp",
                             choice.network, cost_model_names())};
  if (colon != std::string::npos && choice.packet_keys.find('=') == std::string::npos)
    return Error{fmt::format("'{}' given; accepted: MODEL:KEY=VALUE+KEY=VALUE", text)};
  std::ranges::replace(choice.packet_keys, '+', ',');
  return choice;
}

}  // namespace

Result<std::vector<ModelChoice>> parse_model_choices(const std::string& text) {
  std::vector<ModelChoice> choices;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(',', at), text.size());
    auto choice = parse_choice(text.substr(at, end - at));
    if (!choice) return choice.error();
    if (std::ranges::find(choices, choice.value().label, &ModelChoice::label) != choices.end())
      return Error{fmt::format("model '{}' is given twice", choice.value().label)};
    choices.push_back(std::move(choice.value()));
    at = end + 1;
  }
  return choices;
}

}  // namespace rehearse::app
