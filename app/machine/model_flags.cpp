// SPDX-License-Identifier: MIT
//
// The table of options of cost models.
#include "app/model_flags.hpp"

#include <array>
#include <cctype>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>
#include <fstream>
#include <sstream>

#include "simcore/cost_model.hpp"
#include "simcore/support/format.hpp"

namespace rehearse::app {
namespace {

using Problem = std::optional<std::string>;  // the value and the accepted values

std::optional<double> number_in(const std::string& text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

Problem refuse(const std::string& text, const std::string& accepted) {
  return "'" + text + "' given; accepted: " + accepted;
}

template <class Target>
Problem take_number(const std::string& text, double least, double most, const char* accepted, Target& target) {
  const auto value = number_in(text);
  if (!value || *value < least || *value > most) return refuse(text, accepted);
  target = *value;
  return std::nullopt;
}

Problem take_factors(const std::string& text, std::vector<FactorPiece>& target) {
  auto factors = parse_factors(text);
  if (!factors) return factors.error().text;
  target = std::move(factors.value());
  return std::nullopt;
}

// L=1e-6,o=1e-7,g=1e-7,G=1e-9,S=65536, any of them.
Problem take_loggps(const std::string& text, LogGpsOptions& loggps) {
  const char* accepted = "L=SECONDS,o=SECONDS,g=SECONDS,G=SECONDS,S=BYTES, any of them";
  std::istringstream items(text);
  for (std::string item; std::getline(items, item, ',');) {
    if (item.size() < 3 || item[1] != '=') return refuse(text, accepted);
    const auto value = number_in(item.substr(2));
    if (!value || *value < 0) return refuse(text, accepted);
    switch (item[0]) {
      case 'L': loggps.latency = *value; break;
      case 'o': loggps.overhead = *value; break;
      case 'g': loggps.gap = *value; break;
      case 'G': loggps.gap_per_byte = *value; break;
      case 'S': loggps.eager_bytes = *value; break;
      default: return refuse(text, accepted);
    }
  }
  return std::nullopt;
}

constexpr double most = 1e300;

struct Flag {
  const char* name;
  const char* help;
  Problem (*take)(const std::string& text, ModelOptions& options);
  bool is_repeatable = false;
};

const std::array flags = {
    Flag{"network",
         "network model (rehearse list models); default: that of the platform file, otherwise mpi, and lv08 for flows",
         [](const std::string& text, ModelOptions& options) -> Problem {
           options.network.clear();  // papers write LV08 and CM02
           for (const char c : text) options.network += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
           return std::nullopt;  // checked where all the names are known
         }},
    Flag{"cross-traffic",
         "fraction of each byte that returns as acknowledgements (default: the value of "
         "the model, otherwise 0.05)",
         [](const std::string& text, ModelOptions& options) {
           return take_number(text, 0, 1, "a number from 0 to 1", options.cross_traffic);
         }},
    Flag{"tcp-window", "largest number of bytes of a flow in flight; 0: no limit",
         [](const std::string& text, ModelOptions& options) {
           return take_number(text, 0, most, "bytes, 0 or more", options.window_bytes);
         }},
    Flag{"flow-weight", "bytes S in the weight of a flow, latency + sum of S/bandwidth; 0: equal weights",
         [](const std::string& text, ModelOptions& options) {
           return take_number(text, 0, most, "bytes, 0 or more", options.weight_bytes);
         }},
    Flag{"latency-factor", "factor applied to latencies; by message size: BOUND:FACTOR;BOUND:FACTOR;...",
         [](const std::string& text, ModelOptions& options) { return take_factors(text, options.latency_factors); }},
    Flag{"bandwidth-factor", "factor applied to bandwidths, in the same form",
         [](const std::string& text, ModelOptions& options) { return take_factors(text, options.bandwidth_factors); }},
    Flag{"loopback-bandwidth", "loopback bandwidth of hosts for which the platform has none, in bytes per second",
         [](const std::string& text, ModelOptions& options) {
           return take_number(text, 1e-9, most, "a number greater than 0", options.loopback_bandwidth);
         }},
    Flag{"loopback-latency", "loopback latency of hosts for which the platform has none, in seconds",
         [](const std::string& text, ModelOptions& options) {
           return take_number(text, 0, 4e6, "seconds, 0 or more", options.loopback_latency);
         }},
    Flag{"contention-factor",
         "with --network mpi: part of a link's capacity that several flows get together: FLOWS:FACTOR;FLOWS:FACTOR;... "
         "(default: all of it)",
         [](const std::string& text, ModelOptions& options) -> Problem {
           auto pieces = parse_contention(text);
           if (!pieces) return pieces.error().text;
           options.contention = std::move(pieces.value());
           return std::nullopt;
         }},
    Flag{"envelope", "with --network mpi: bytes in front of the data of each message, and of an announcement (64)",
         [](const std::string& text, ModelOptions& options) {
           return take_number(text, 0, most, "bytes, 0 or more", options.envelope_bytes);
         }},
    Flag{"store-and-forward",
         "with --network mpi: bytes of a frame that each further link stores before it sends them on (1538); 0: none",
         [](const std::string& text, ModelOptions& options) {
           return take_number(text, 0, most, "bytes, 0 or more", options.frame_bytes);
         }},
    Flag{"transmit-queue",
         "with --network mpi: largest message that leaves its host in turn, after those sent before it, in bytes "
         "(65536); 0: all share the link",
         [](const std::string& text, ModelOptions& options) {
           return take_number(text, 0, most, "bytes, 0 or more", options.transmit_queue_bytes);
         }},
    Flag{"delay", "duration of every transfer with --network constant, in seconds (default 1)",
         [](const std::string& text, ModelOptions& options) {
           return take_number(text, 0, 4e6, "seconds, 0 or more", options.delay_seconds);
         }},
    Flag{"loggps",
         "parameters of --network loggps: L=..,o=..,g=..,G=.. in seconds, S=.. largest eager message "
         "in bytes",
         [](const std::string& text, ModelOptions& options) { return take_loggps(text, options.loggps); }},
    Flag{"packet", "parameters of --network packet and ns3: KEY=VALUE,... such as transport=tcp,queue=256KiB,loss=1e-4",
         [](const std::string& text, ModelOptions& options) -> Problem {
           if (!options.packet.empty()) options.packet += ',';
           options.packet += text;  // checked by the model
           return std::nullopt;
         }},
    Flag{"packet-loss",
         "with --network packet: HOST-HOST=PROBABILITY loses packets from the first host to the second one, "
         "links:REGEX=PROBABILITY on each link whose name matches; with @FROM:TO in this window of simulated seconds. "
         "Repeatable",
         [](const std::string& text, ModelOptions& options) -> Problem {
           auto loss = parse_packet_loss(text);
           if (!loss) return loss.error().text;
           options.packet_losses.push_back(std::move(loss.value()));
           return std::nullopt;
         },
         true},
    Flag{"slow",
         "HOST=bandwidth:FACTOR,latency:FACTOR or HOST=latency:+TIME; change the links that this host has for itself. "
         "Repeatable",
         [](const std::string& text, ModelOptions& options) -> Problem {
           auto host = parse_slow_host(text);
           if (!host) return host.error().text;
           options.slow_hosts.push_back(std::move(host.value()));
           return std::nullopt;
         },
         true},
    Flag{"parallel-sharing", "sharing between parallel tasks with --network ptask: bmf or fair-bottleneck",
         [](const std::string& text, ModelOptions& options) -> Problem {
           if (text != "bmf" && text != "fair-bottleneck") return refuse(text, "bmf, fair-bottleneck");
           options.parallel = text;
           return std::nullopt;
         }},
    Flag{"profile-seed", "seed of random profiles (default 1)",
         [](const std::string& text, ModelOptions& options) -> Problem {
           const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), options.seed);
           if (error == std::errc{} && end == text.data() + text.size()) return std::nullopt;
           return refuse(text, "a whole number from 0 on");
         }},
    Flag{"compat", "simgrid: behave as SimGrid does where it differs from its documentation",
         [](const std::string& text, ModelOptions& options) -> Problem {
           if (text != "simgrid") return refuse(text, "simgrid");
           options.simgrid_quirks = true;
           return std::nullopt;
         }}};

const Flag* find_flag(const std::string& name) {
  for (const Flag& flag : flags)
    if (name == flag.name) return &flag;
  return nullptr;
}

Problem take_given(const Flag& flag, const std::string& text, ModelOptions& options) {
  if (!flag.is_repeatable) return flag.take(text, options);
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    if (const Problem problem = flag.take(line, options)) return problem;
  return std::nullopt;
}

// The file's values, by name.
std::optional<Error> read_model_file(const std::string& file, ModelOptions& options) {
  std::ifstream in(file);
  if (!in) return Error{"--network-file: " + file + ": cannot read: " + std::strerror(errno)};
  std::string line;
  for (int number = 1; std::getline(in, line); ++number) {
    std::istringstream words(line.substr(0, line.find('#')));
    std::string name, value, rest;
    if (!(words >> name)) continue;
    const std::string place = fmt::format("{}:{}: ", file, number);
    const Flag* flag = find_flag(name);
    if (flag == nullptr) {
      std::string names;
      for (const Flag& known : flags) names += (names.empty() ? "" : ", ") + std::string(known.name);
      return Error{place + "unknown option '" + name + "'; accepted: " + names};
    }
    if (!(words >> value) || words >> rest) return Error{place + "'" + line + "' given; accepted: " + name + " VALUE"};
    if (const Problem problem = flag->take(value, options)) return Error{place + name + ": " + *problem};
  }
  return std::nullopt;
}

}  // namespace

std::vector<ModelFlag> model_flags() {
  std::vector<ModelFlag> all;
  for (const Flag& flag : flags) all.push_back({flag.name, flag.help, flag.is_repeatable});
  return all;
}

Result<ModelOptions> make_model_options(const ModelFlags& given) {
  ModelOptions options;
  if (given.seed) options.seed = options.packet_seed = *given.seed;
  if (!given.file.empty())
    if (const auto error = read_model_file(given.file, options)) return *error;
  for (const auto& [name, text] : given.values)
    if (const Problem problem = take_given(*find_flag(name), text, options))
      return Error{"--" + name + ": " + *problem};
  if (given.without_packet_keys) {
    options.packet.clear();
    options.packet_losses.clear();
  }
  if (given.without_slow_hosts) options.slow_hosts.clear();
  if (given.without_library_numbers) {
    options.envelope_bytes = options.frame_bytes = options.transmit_queue_bytes = std::nullopt;
    options.contention.clear();
  }
  if (given.no_cross_traffic) {
    if (given.values.contains("cross-traffic"))
      return Error{"--cross-traffic and --no-crosstraffic exclude each other"};
    options.cross_traffic = 0;
  }
  options.on_progress = given.on_progress;
  return options;
}

RoutesOf routes_of(const ModelOptions& options) {
  return options.simgrid_quirks ? RoutesOf::the_program : RoutesOf::the_documentation;
}

}  // namespace rehearse::app
