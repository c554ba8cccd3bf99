// SPDX-License-Identifier: MIT
//
// Declares the options of a machine and reads their values.
#include "app/cli/machine_options.hpp"

#include <limits>

#include "app/cli/verb_options.hpp"

namespace rehearse::cli {

void declare(OptionSet& parser, app::ModelFlags& given) {
  for (const app::ModelFlag& flag : app::model_flags()) {
    const auto take = [&given, name = flag.name](const std::string& text) {
      given.values[name] = text;
      return std::string();
    };
    Option* option = parser.add_option_function(std::string("--") + flag.name, take, flag.help);
    if (flag.is_repeatable) option->joins_lines();
  }
  parser.add_flag("--no-crosstraffic,--no-cross-traffic", given.no_cross_traffic,
                  "send no acknowledgements, as --cross-traffic 0");
  parser.add_option("--network-file", given.file, "file with options of the models: lines NAME VALUE");
}

void declare_capture(OptionSet& parser, std::string& pcap) {
  parser.add_option("--pcap", pcap,
                    "with --network packet: DIR or DIR:REGEX; write the packets of each link whose name matches to the "
                    "file DIR/LINK.pcapng, for Wireshark and tshark");
}

void declare_energy(OptionSet& parser, bool& energy) {
  parser.add_flag("--energy", energy,
                  "report the energy of hosts, links and ranks: the platform says what hosts and links consume");
}

void declare_file_system(OptionSet& parser, app::FileSystemOptions& options) {
  parser.add_option("--file-system", options.where,
                    "disks of the files of MPI: none (accesses take no time), local (those of each rank's host), or "
                    "the hosts whose disks have the files in stripes: HOST[,HOST...] (default: that of the platform "
                    "file, or none)");
  parser
      .add_option("--stripe-bytes", options.stripe_bytes,
                  "bytes of a stripe of a file on one disk (default: as the platform file, or 1048576)")
      ->check(whole_number(1, std::uint64_t{1} << 40));
}

void declare_network_changes(OptionSet& app, NetworkChanges& changes) {
  app.add_option("--scale-latency", changes.latency_factor, "factor of all latencies of the network (default 1)")
      ->check(number_from_zero());
  app.add_option_function(
      "--scale-bandwidth",
      [&changes](const std::string& text) {
        if (text == "inf") {
          changes.bandwidth_factor = std::numeric_limits<double>::infinity();
          return std::string();
        }
        std::string value = text;
        const std::string fault = positive_number().fault(value);
        if (!fault.empty()) return fault + ", or inf";
        changes.bandwidth_factor = std::stod(text);
        return std::string();
      },
      "factor of all bandwidths of the network, or inf (default 1)");
  app.add_option_function(
         "--contention",
         [&changes](const std::string& word) {
           changes.has_contention = word == "yes";
           return std::string();
         },
         "whether messages take bandwidth from each other: yes (default) or no")
      ->check(one_of({"yes", "no"}));
}

void declare(OptionSet& parser, app::ComputeOptions& options, bool samples) {
  options.what = "measured";
  std::vector<std::string> words = {"measured", "instructions", "none"};
  if (samples) words.emplace_back("sampled");
  parser
      .add_option("--compute", options.what,
                  std::string("simulated time of the computation between two calls: measured on this machine "
                              "(default), from its instructions, ") +
                      (samples ? "sampled from the measured times of this place, or none" : "or none"))
      ->check(one_of(std::move(words)));
  parser.add_option("--compute-scale", options.scale, "factor applied to measured computation (default 1)")
      ->check(positive_number());
  parser
      .add_option("--instruction-rate", options.instructions_per_second,
                  "instructions per second with --compute instructions (default 3e9)")
      ->check(positive_number());
}

void declare_statistics(OptionSet& parser, app::StatisticsRequest& request) {
  parser.add_option("--statistics", request.file,
                    "with --network packet: FILE.json, FILE.csv or FILE.html to write statistics of links, connections "
                    "and messages to");
  parser.add_option("--series", request.series,
                    "with --statistics: links:REGEX, connections:REGEX, or both with a comma between them; also write "
                    "the values over time of those whose name matches");
}

std::string given_compute_option(const OptionSet& parser) {
  for (const char* name : {"--compute", "--compute-scale", "--instruction-rate"})
    if (parser.count(name) > 0) return name;
  return "";
}

void declare_platform(OptionSet& parser, app::MachineOptions& options) {
  parser.add_option("--on", options.on, "platform: a built-in one (rehearse list platforms) or an XML file");
  declare(parser, options.models);
  Option* hostfile = parser.add_option("--hostfile", options.hostfile,
                                       "file that names the host of each rank: lines HOST, HOST:SLOTS");
  parser
      .add_option(
          "--map", options.map,
          "host of each rank: block (fills the cores of a host before the next), cyclic (default), random:SEED, "
          "or a file with lines RANK HOST")
      ->excludes(hostfile);
}

void declare_algorithms(OptionSet& parser, const std::string& names, app::MachineOptions& options) {
  parser.add_option(names, options.collectives,
                    "algorithms of collectives: generic, ompi, mpich, a file of rules, or OPERATION=ALGORITHM,...");
}

void declare(OptionSet& parser, app::MachineOptions& options, bool samples) {
  declare_platform(parser, options);
  // The second name is the old one, which has another meaning for `check`.
  declare_algorithms(parser, "--collective-algorithms,--collectives", options);
  declare(parser, options.compute, samples);
}

}  // namespace rehearse::cli
