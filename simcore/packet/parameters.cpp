// SPDX-License-Identifier: MIT
//
// The table of keys.
#include "simcore/packet/parameters.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <set>
#include <utility>

#include "simcore/support/format.hpp"

namespace rehearse::packet {
namespace {

using Problem = std::optional<std::string>;

struct Suffix {
  std::string_view name;
  double factor;
};
constexpr std::array size_suffixes{Suffix{"", 1},        Suffix{"B", 1},       Suffix{"k", 1e3},
                                   Suffix{"kB", 1e3},    Suffix{"M", 1e6},     Suffix{"MB", 1e6},
                                   Suffix{"G", 1e9},     Suffix{"GB", 1e9},    Suffix{"Ki", 1024},
                                   Suffix{"KiB", 1024},  Suffix{"Mi", 0x1p20}, Suffix{"MiB", 0x1p20},
                                   Suffix{"Gi", 0x1p30}, Suffix{"GiB", 0x1p30}};
constexpr std::array time_suffixes{Suffix{"", 1}, Suffix{"s", 1}, Suffix{"ms", 1e-3}, Suffix{"us", 1e-6},
                                   Suffix{"ns", 1e-9}};
constexpr std::array no_suffixes{Suffix{"", 1}};

template <std::size_t count>
std::optional<double> quantity(std::string_view text, const std::array<Suffix, count>& suffixes) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || !std::isfinite(value)) return std::nullopt;
  const std::string_view rest(end, static_cast<std::size_t>(text.data() + text.size() - end));
  for (const Suffix& suffix : suffixes)
    if (suffix.name == rest) return value * suffix.factor;
  return std::nullopt;
}

std::string refuse(std::string_view text, std::string_view accepted) {
  return fmt::format("'{}' given; accepted: {}", text, accepted);
}

template <class Whole>
Problem take_size(std::string_view text, double least, double most, const char* accepted, Whole& target) {
  const auto value = quantity(text, size_suffixes);
  if (!value || *value < least || *value > most || *value != std::floor(*value)) return refuse(text, accepted);
  target = static_cast<Whole>(*value);
  return std::nullopt;
}

Problem take_time(std::string_view text, double least, Picoseconds& target) {
  const auto value = quantity(text, time_suffixes);
  if (!value || *value < least || *value > 1e4)
    return refuse(text, fmt::format("seconds from {} to 10000, or with a suffix ms, us, ns", least));
  target = static_cast<Picoseconds>(std::llround(*value * 1e12));
  return std::nullopt;
}

Problem take_share(std::string_view text, double& target) {
  const auto value = quantity(text, no_suffixes);
  if (!value || *value < 0 || *value > 1) return refuse(text, "a probability from 0 to 1");
  target = *value;
  return std::nullopt;
}

Problem take_window(std::string_view text, std::optional<TimeWindow>& target) {
  const auto window = parse_time_window(text);
  if (!window) return window.error().text;
  target = window.value();
  return std::nullopt;
}

Problem take_switch(std::string_view text, bool& target) {
  if (text != "0" && text != "1") return refuse(text, "0, 1");
  target = text == "1";
  return std::nullopt;
}

template <class Choice, std::size_t count>
Problem take_name(std::string_view text, const std::array<std::pair<std::string_view, Choice>, count>& names,
                  Choice& target) {
  std::string accepted;
  for (const auto& [name, choice] : names) {
    if (name == text) {
      target = choice;
      return std::nullopt;
    }
    accepted += (accepted.empty() ? "" : ", ") + std::string(name);
  }
  return refuse(text, accepted);
}

using Named = std::string_view;
constexpr std::array transports{std::pair{Named("tcp"), Transport::tcp}, std::pair{Named("window"), Transport::window},
                                std::pair{Named("raw"), Transport::raw}, std::pair{Named("rdma"), Transport::rdma}};
constexpr std::array lossless_names{std::pair{Named("off"), Lossless::off},
                                    std::pair{Named("credit"), Lossless::credit},
                                    std::pair{Named("pfc"), Lossless::pfc}};
constexpr std::array congestion_names{
    std::pair{Named("reno"), Congestion::reno},   std::pair{Named("newreno"), Congestion::newreno},
    std::pair{Named("cubic"), Congestion::cubic}, std::pair{Named("dctcp"), Congestion::dctcp},
    std::pair{Named("none"), Congestion::none},   std::pair{Named("dcqcn"), Congestion::dcqcn}};
constexpr std::array scopes{std::pair{Named("rank"), ConnectionScope::rank},
                            std::pair{Named("host"), ConnectionScope::host},
                            std::pair{Named("message"), ConnectionScope::message}};
constexpr std::array arbitrations{std::pair{Named("turns"), Arbitration::turns},
                                  std::pair{Named("fifo"), Arbitration::fifo}};
constexpr std::array switchings{std::pair{Named("store-and-forward"), false}, std::pair{Named("cut-through"), true}};

struct Key {
  const char* name;
  Problem (*take)(std::string_view text, Parameters& to);
};

constexpr double packet_most = 65'535, size_most = 0x1p40, count_most = 1e9, window_most = 4'294'967'295.0;
constexpr const char* sizes = "bytes, 0 or more, at most 1 TiB";

constexpr std::array keys{
    Key{"transport", [](Named t, Parameters& to) { return take_name(t, transports, to.transport); }},
    Key{"mtu", [](Named t, Parameters& to) { return take_size(t, 1, packet_most, "bytes from 1 to 65535", to.mtu); }},
    Key{"header", [](Named t, Parameters& to) { return take_size(t, 0, 1000, "bytes from 0 to 1000", to.header); }},
    Key{"framing", [](Named t, Parameters& to) { return take_size(t, 0, 1000, "bytes from 0 to 1000", to.framing); }},
    Key{"switching", [](Named t, Parameters& to) { return take_name(t, switchings, to.is_cut_through); }},
    Key{"cut_bytes",
        [](Named t, Parameters& to) { return take_size(t, 0, packet_most, "bytes from 0 to 65535", to.cut_bytes); }},
    Key{"switch_delay", [](Named t, Parameters& to) { return take_time(t, 0, to.switch_delay); }},
    Key{"queue", [](Named t, Parameters& to) { return take_size(t, 0, size_most, sizes, to.queue); }},
    Key{"queue_packets",
        [](Named t, Parameters& to) {
          return take_size(t, 0, count_most, "packets, 0 (no bound) or more", to.queue_packets);
        }},
    Key{"lossless", [](Named t, Parameters& to) { return take_name(t, lossless_names, to.lossless); }},
    Key{"buffer", [](Named t, Parameters& to) { return take_size(t, 1, size_most, "bytes, 1 or more", to.buffer); }},
    Key{"xoff", [](Named t, Parameters& to) { return take_size(t, 0, size_most, sizes, to.xoff); }},
    Key{"xon", [](Named t, Parameters& to) { return take_size(t, 0, size_most, sizes, to.xon); }},
    Key{"ecn", [](Named t, Parameters& to) { return take_size(t, 0, size_most, sizes, to.ecn); }},
    Key{"loss", [](Named t, Parameters& to) { return take_share(t, to.loss); }},
    Key{"error", [](Named t, Parameters& to) { return take_share(t, to.error); }},
    Key{"jitter", [](Named t, Parameters& to) { return take_time(t, 0, to.jitter); }},
    Key{"window",
        [](Named t, Parameters& to) { return take_size(t, 1, window_most, "bytes from 1 to 4294967295", to.window); }},
    Key{"initial_window",
        [](Named t, Parameters& to) { return take_size(t, 1, 1e6, "segments from 1 to 1000000", to.initial_window); }},
    Key{"delayed_ack",
        [](Named t, Parameters& to) { return take_size(t, 1, 1000, "segments from 1 to 1000", to.delayed_ack); }},
    Key{"delayed_ack_timeout", [](Named t, Parameters& to) { return take_time(t, 0, to.delayed_ack_timeout); }},
    Key{"congestion", [](Named t, Parameters& to) { return take_name(t, congestion_names, to.congestion); }},
    Key{"sack", [](Named t, Parameters& to) { return take_switch(t, to.has_sack); }},
    Key{"min_rto", [](Named t, Parameters& to) { return take_time(t, 1e-6, to.min_rto); }},
    Key{"connect", [](Named t, Parameters& to) { return take_switch(t, to.connects); }},
    Key{"streams",
        [](Named t, Parameters& to) { return take_size(t, 1, packet_most, "streams from 1 to 65535", to.streams); }},
    Key{"nagle", [](Named t, Parameters& to) { return take_switch(t, to.has_nagle); }},
    Key{"slow_start_after_idle", [](Named t, Parameters& to) { return take_switch(t, to.slow_start_after_idle); }},
    Key{"connections", [](Named t, Parameters& to) { return take_name(t, scopes, to.connections); }},
    Key{"arbitration", [](Named t, Parameters& to) { return take_name(t, arbitrations, to.arbitration); }},
    Key{"ecmp", [](Named t, Parameters& to) { return take_switch(t, to.has_ecmp); }},
    Key{"seed", [](Named t, Parameters& to) -> Problem {
          const auto [end, error] = std::from_chars(t.data(), t.data() + t.size(), to.seed);
          if (error == std::errc{} && end == t.data() + t.size()) return std::nullopt;
          return refuse(t, "a whole number from 0 on");
        }}};

std::string key_names() {
  std::string names;
  for (const Key& key : keys) names += (names.empty() ? "" : ", ") + std::string(key.name);
  return names;
}

// Calls take(key, value) for each item; it returns a problem.
template <class Take>
std::optional<Error> for_each_item(std::string_view text, std::string_view names, const Take& take) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(','), text.size());
    const std::string_view item = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const std::size_t equals = item.find('=');
    if (equals == std::string_view::npos)
      return Error{fmt::format("'{}' given; accepted: KEY=VALUE,... with keys {}", item, names)};
    if (const Problem problem = take(item.substr(0, equals), item.substr(equals + 1)))
      return Error{fmt::format("{}", *problem)};
  }
  return std::nullopt;
}

// Defaults of a transport, which keys override.
void set_defaults(Parameters& all, const std::set<std::string_view>& given) {
  if (!given.contains("header"))
    all.header = all.transport == Transport::raw ? 0 : all.transport == Transport::rdma ? 26 : 52;
  if (all.transport != Transport::rdma) return;
  if (!given.contains("mtu")) all.mtu = 4096;
  if (!given.contains("congestion")) all.congestion = Congestion::none;
}

// A lossless link counts the room at its end, and a cut-through switch begins to send before the tail has come: neither
// permits that a packet is held back in between.
Problem check_jitter(const Parameters& all, Picoseconds jitter) {
  if (jitter == 0 || (!all.is_lossless() && !all.is_cut_through)) return std::nullopt;
  return fmt::format("jitter given with {}; accepted: lossless=off and switching=store-and-forward",
                     all.is_lossless() ? "a lossless network" : "switching=cut-through");
}

std::optional<Error> check(const Parameters& all) {
  if (const Problem problem = check_jitter(all, all.jitter)) return Error{*problem};
  if (all.has_nagle && all.transport != Transport::tcp)
    return Error{"nagle=1 given without transport=tcp; accepted: 0, or transport=tcp"};
  if (all.transport != Transport::rdma && all.mtu <= all.header)
    return Error{
        fmt::format("mtu={} given with a header of {} bytes; accepted: more than the header", all.mtu, all.header)};
  if (all.streams > 1 && all.transport != Transport::tcp)
    return Error{fmt::format("streams={} given without transport=tcp; accepted: 1, or transport=tcp", all.streams)};
  const auto check_room = [&](const char* name, std::uint64_t room) -> std::optional<Error> {
    if (room >= all.full_packet()) return std::nullopt;
    return Error{fmt::format("{}={} given, less than a packet; accepted: {} or more", name, room, all.full_packet())};
  };
  if (!all.is_lossless() && all.queue > 0)
    if (auto error = check_room("queue", all.queue)) return error;
  if (all.lossless == Lossless::credit)
    if (auto error = check_room("buffer", all.buffer)) return error;
  if (all.lossless == Lossless::pfc && all.xon > all.xoff)
    return Error{fmt::format("xon={} given, more than xoff; accepted: up to {}", all.xon, all.xoff)};
  if (all.transport != Transport::raw && all.window < all.payload())
    return Error{fmt::format("window={} given, less than the payload of a packet; accepted: {} or more", all.window,
                             all.payload())};
  const bool is_of_rdma = all.congestion == Congestion::none || all.congestion == Congestion::dcqcn;
  if (all.transport == Transport::rdma && !is_of_rdma) return Error{"congestion: transport rdma accepts none, dcqcn"};
  if (all.transport != Transport::rdma && all.congestion == Congestion::dcqcn)
    return Error{"congestion=dcqcn given; accepted with transport=rdma only"};
  return std::nullopt;
}

}  // namespace

Result<Parameters> parse_parameters(std::string_view text, std::uint64_t seed) {
  Parameters all;
  all.seed = seed;
  std::set<std::string_view> given;
  const auto error = for_each_item(text, key_names(), [&](std::string_view name, std::string_view value) -> Problem {
    for (const Key& key : keys) {
      if (key.name != name) continue;
      given.insert(name);
      if (const Problem problem = key.take(value, all)) return fmt::format("{}: {}", name, *problem);
      return std::nullopt;
    }
    return fmt::format("unknown key '{}'; accepted: {}", name, key_names());
  });
  if (error) return *error;
  set_defaults(all, given);
  if (given.contains("congestion") && (all.transport == Transport::raw || all.transport == Transport::window))
    return Error{"congestion given; accepted with transport=tcp or transport=rdma only"};
  if (const auto problem = check(all)) return *problem;
  return all;
}

std::string_view key_outside(std::string_view text, std::string_view list) {
  while (!text.empty()) {
    const std::string_view item = text.substr(0, text.find(','));
    const std::string_view key = item.substr(0, item.find('='));
    bool is_inside = false;
    for (std::string_view rest = list; !rest.empty() && !is_inside;) {
      const std::string_view word = rest.substr(0, rest.find(", "));
      is_inside = word == key;
      rest.remove_prefix(std::min(word.size() + 2, rest.size()));
    }
    if (!is_inside) return key;
    text.remove_prefix(std::min(item.size() + 1, text.size()));
  }
  return {};
}

Result<LinkParameters> parse_link_parameters(std::string_view text, const Parameters& all) {
  LinkParameters own;
  constexpr const char* names = "queue, queue_packets, ecn, loss, error, loss_window, jitter";
  const auto error = for_each_item(text, names, [&](std::string_view name, std::string_view value) -> Problem {
    Problem problem;
    if (name == "queue") problem = take_size(value, 0, size_most, sizes, own.queue.emplace());
    else if (name == "queue_packets")
      problem = take_size(value, 0, count_most, "packets, 0 (no bound) or more", own.queue_packets.emplace());
    else if (name == "ecn") problem = take_size(value, 0, size_most, sizes, own.ecn.emplace());
    else if (name == "loss") problem = take_share(value, own.loss.emplace());
    else if (name == "error") problem = take_share(value, own.error.emplace());
    else if (name == "loss_window") problem = take_window(value, own.loss_window);
    else if (name == "jitter") problem = take_time(value, 0, own.jitter.emplace());
    else return fmt::format("unknown key '{}'; accepted: {}", name, names);
    if (problem) return fmt::format("{}: {}", name, *problem);
    return std::nullopt;
  });
  if (error) return *error;
  if (const Problem problem = check_jitter(all, own.jitter.value_or(0))) return Error{*problem};
  if (own.loss_window && own.loss.value_or(all.loss) == 0 && own.error.value_or(all.error) == 0)
    return Error{"loss_window given without a loss; accepted: with loss or error"};
  if (own.queue && *own.queue > 0 && *own.queue < all.full_packet())
    return Error{
        fmt::format("queue={} given, less than a packet; accepted: {} or more, or 0", *own.queue, all.full_packet())};
  return own;
}

}  // namespace rehearse::packet
