// SPDX-License-Identifier: MIT
//
// Writes nested clusters, the inner ones first.
#include "simcore/platform/generator/nested_clusters.hpp"

#include "simcore/support/format.hpp"

namespace rehearse::platform {

namespace {

class NestedClusters {
 public:
  NestedClusters(GeneratedText& text, const GeneratorOptions& options, SplitMix& random)
      : text_(text), options_(options), random_(random) {}

  // Returns the router that connects the part.
  std::string write_part(std::size_t level, const std::string& name) {
    const SizeRange size = options_.sizes[level];
    const std::uint32_t count =
        size.low + (size.low == size.high ? 0 : static_cast<std::uint32_t>(random_.below(size.high - size.low + 1)));
    if (level + 1 == options_.sizes.size()) {
      text_.cluster(name, count);
      return name + "_router";
    }
    text_.open("<zone id=\"" + name + "\" routing=\"Floyd\">");
    const std::string hub = name + "-hub";
    text_.open("<zone id=\"" + hub + "\" routing=\"Full\">");
    text_.router(hub + "_router");
    text_.close("zone");
    std::vector<std::string> gateways;
    const auto part = [&](std::uint32_t i) { return fmt::format("{}.{}", name, i); };
    for (std::uint32_t i = 0; i < count; ++i) gateways.push_back(write_part(level + 1, part(i)));
    for (std::uint32_t i = 0; i < count; ++i) text_.link("link-" + part(i), std::nullopt);
    for (std::uint32_t i = 0; i < count; ++i)
      text_.route("zoneRoute",
                  "src=\"" + part(i) + "\" dst=\"" + hub + "\" gw_src=\"" + gateways[i] + "\" gw_dst=\"" + hub +
                      "_router\"",
                  "link-" + part(i));
    text_.close("zone");
    return hub + "_router";
  }

 private:
  GeneratedText& text_;
  const GeneratorOptions& options_;
  SplitMix& random_;
};

}  // namespace

void write_nested_clusters(GeneratedText& text, const GeneratorOptions& options, SplitMix& random) {
  NestedClusters(text, options, random).write_part(0, "part");
}

}  // namespace rehearse::platform
