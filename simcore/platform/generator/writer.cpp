// SPDX-License-Identifier: MIT
//
// Writes elements of platform files, one on each line.
#include "simcore/platform/generator/writer.hpp"

#include "simcore/platform/generator/number_text.hpp"
#include "simcore/support/format.hpp"

namespace rehearse::platform {

GeneratedText::GeneratedText(const GeneratorOptions& options, SplitMix& random) : options_(options), random_(random) {
  text_ = "<?xml version=\"1.0\"?>\n"
          "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
          "<platform version=\"4.1\">\n";
}

void GeneratedText::open(const std::string& words) {
  line(words);
  ++depth_;
}

void GeneratedText::close(const std::string& tag) {
  --depth_;
  line("</" + tag + ">");
}

double GeneratedText::draw(const char* what, const AttributeDistribution& distribution, const AttributeBounds& bounds) {
  const std::optional<double> value = distribution.draw(random_, bounds);
  if (!value && !mistake_)
    mistake_ =
        Error{fmt::format("{}: a thousand draws in a row were out of bounds; accepted: a distribution with values {}",
                          what, bounds.text())};
  return value.value_or(bounds.least);
}

void GeneratedText::count_hosts(std::uint64_t hosts) {
  hosts_ += hosts;
  if (hosts_ > generated_hosts_max && !mistake_)
    mistake_ =
        Error{fmt::format("more than {} hosts; accepted: fewer nodes, or smaller clusters", generated_hosts_max)};
}

std::string GeneratedText::draw_latency(std::optional<double> length) {
  const std::optional<double> longest = options_.latency.upper_end();
  if (length && longest) return number_text(*length * *longest);
  return number_text(draw("latency", options_.latency, latency_bounds));
}

std::uint64_t GeneratedText::draw_cluster_hosts() {
  return static_cast<std::uint64_t>(draw("hosts of clusters", options_.cluster_hosts, cluster_bounds));
}

void GeneratedText::host(const std::string& name) {
  count_hosts(1);
  const std::string speed = number_text(draw("speed", options_.speed, rate_bounds));
  const auto cores = static_cast<std::uint64_t>(draw("cores", options_.cores, core_bounds));
  line(fmt::format(R"(<host id="{}" speed="{}f" core="{}"/>)", name, speed, cores));
}

void GeneratedText::router(const std::string& name) { line("<router id=\"" + name + "\"/>"); }

void GeneratedText::link(const std::string& name, std::optional<double> length) {
  const std::string bandwidth = number_text(draw("bandwidth", options_.bandwidth, rate_bounds));
  const std::string latency = draw_latency(length);
  line(fmt::format(R"(<link id="{}" bandwidth="{}Bps" latency="{}s" sharing_policy="SPLITDUPLEX"/>)", name, bandwidth,
                   latency));
}

void GeneratedText::cluster(const std::string& name, std::uint64_t hosts) {
  count_hosts(hosts);
  const std::string speed = number_text(draw("speed", options_.speed, rate_bounds));
  const auto cores = static_cast<std::uint64_t>(draw("cores", options_.cores, core_bounds));
  const std::string bandwidth = number_text(draw("bandwidth", options_.bandwidth, rate_bounds));
  const std::string latency = number_text(draw("latency", options_.latency, latency_bounds));
  line(fmt::format(R"(<cluster id="{0}" prefix="{0}-" suffix="" radical="0-{1}" speed="{2}f" core="{3}" )"
                   R"(bw="{4}Bps" lat="{5}s" router_id="{0}_router"/>)",
                   name, hosts - 1, speed, cores, bandwidth, latency));
}

void GeneratedText::route(const std::string& tag, const std::string& ends, const std::string& link) {
  line("<" + tag + " " + ends + "><link_ctn id=\"" + link + "\" direction=\"UP\"/></" + tag + ">");
}

}  // namespace rehearse::platform
