// SPDX-License-Identifier: MIT
//
// Writes the parts of generated platforms as XML, and draws their attributes in this order.
//
// Errors: mistake(): the first attribute whose draws were always out of bounds, or more hosts than are accepted.
#pragma once

#include <optional>
#include <string>

#include "simcore/platform_generator.hpp"
#include "simcore/support/random.hpp"

namespace rehearse::platform {

constexpr std::uint64_t generated_hosts_max = 1'000'000;

// The bounds of each attribute, which are those of platform files.
constexpr AttributeBounds rate_bounds{0, 1e30, true, false};
constexpr AttributeBounds latency_bounds{0, 9e6, false, false};
constexpr AttributeBounds core_bounds{1, 4294967295.0, false, true};
constexpr AttributeBounds cluster_bounds{1, static_cast<double>(generated_hosts_max), false, true};

class GeneratedText {
 public:
  GeneratedText(const GeneratorOptions& options, SplitMix& random);

  std::string take() { return std::move(text_) + "</platform>\n"; }
  const std::optional<Error>& mistake() const { return mistake_; }

  void open(const std::string& words);
  void close(const std::string& tag);

  void host(const std::string& name);
  void router(const std::string& name);
  // length: the part of the diagonal of the square; nothing: the latency is drawn.
  void link(const std::string& name, std::optional<double> length);
  // The name of its router is that of the cluster with the suffix _router.
  void cluster(const std::string& name, std::uint64_t hosts);
  void route(const std::string& tag, const std::string& ends, const std::string& link);

  std::uint64_t draw_cluster_hosts();

 private:
  double draw(const char* what, const AttributeDistribution& distribution, const AttributeBounds& bounds);
  std::string draw_latency(std::optional<double> length);
  void count_hosts(std::uint64_t hosts);
  void line(const std::string& words) { text_ += std::string(2 * depth_, ' ') + words + "\n"; }

  const GeneratorOptions& options_;
  SplitMix& random_;
  std::string text_;
  std::size_t depth_ = 1;
  std::uint64_t hosts_ = 0;
  std::optional<Error> mistake_;
};

}  // namespace rehearse::platform
