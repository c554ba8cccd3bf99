// SPDX-License-Identifier: MIT
//
// rehearse list: lists platforms, models, algorithms and checks, and the calls of a program.
#include <iomanip>
#include <iostream>

#include "app/cli/list_calls.hpp"
#include "app/cli/message.hpp"
#include "app/cli/report/output_file.hpp"
#include "app/cli/verb_options.hpp"
#include "app/cli/verbs.hpp"
#include "app/exit_status.hpp"
#include "app/finding_json.hpp"
#include "properties/catalogue.hpp"
#include "simcore/collective_schedule.hpp"
#include "simcore/cost_model.hpp"
#include "simcore/message_protocol.hpp"
#include "simcore/network_preset.hpp"
#include "simcore/support/format.hpp"

namespace rehearse::cli {
namespace {

struct Entry {
  std::string name;
  std::string text;
};

std::vector<Entry> platforms() {
  return {{"laptop", "one host with several cores"},
          {"cluster:N", "N hosts behind one switch"},
          {"crossbar:N", "N hosts behind a switch without limits"},
          {"fat-tree:N", "N hosts below two levels of switches; or fat-tree:2;4,4;1,2;1,2 as in files"},
          {"torus:AxBxC", "a host at each node of a grid that closes on itself, of any dimension"},
          {"dragonfly:GxCxBxN", "groups x chassis x blades x hosts; or dragonfly:3,4;4,3;5,1;2 as in files"},
          {"NAME@NETWORK", "one of these but laptop, with the links of a network (rehearse list networks)"},
          {"FILE.xml", "hosts, disks, links, routes, clusters and traces from an XML file"}};
}

std::vector<Entry> models() {
  std::vector<Entry> entries;
  for (const ModelDescription& model : network_models()) {
    const char* defaults = model.name == library_network ? " (default of MPI programs and of traces)"
                           : model.name == flow_network  ? " (default of flows and of actors)"
                                                         : "";
    entries.push_back({std::string(model.name), std::string(model.text) + defaults});
  }
  return entries;
}

std::vector<Entry> networks() {
  std::vector<Entry> entries;
  for (const NetworkPreset& each : network_presets()) {
    entries.push_back(
        {std::string(each.name),
         fmt::format("{}: {:.4g} GB/s, half round trip {:.4g} us, of it send {:.4g} and receive {:.4g} us, payload "
                     "{:.4g} %, eager to {} B, {} ({})",
                     each.text, each.bytes_per_second * 1e-9, each.half_trip_seconds * 1e6, each.send_seconds * 1e6,
                     each.receive_seconds * 1e6, each.payload_part * 100, each.eager_bytes,
                     each.frame_bytes > 0 ? "store-and-forward" : "cut-through", each.source)});
  }
  return entries;
}

app::Json numbers_of(const NetworkPreset& preset) {
  return {{"bytes_per_second", preset.bytes_per_second},
          {"link_seconds", preset.link_seconds()},
          {"half_trip_seconds", preset.half_trip_seconds},
          {"send_seconds", preset.send_seconds},
          {"send_seconds_per_byte", preset.send_seconds_per_byte},
          {"receive_seconds", preset.receive_seconds},
          {"receive_seconds_per_byte", preset.receive_seconds_per_byte},
          {"payload_part", preset.payload_part},
          {"frame_bytes", preset.frame_bytes},
          {"envelope_bytes", preset.envelope_bytes},
          {"eager_bytes", preset.eager_bytes},
          {"transmit_queue_bytes", preset.transmit_queue_bytes},
          {"acknowledgements", preset.acknowledgements},
          {"source", std::string(preset.source)}};
}

std::vector<Entry> collectives() {
  std::vector<Entry> entries;
  for (const AlgorithmDescription& each : collective_algorithms()) {
    const std::string text = each.needs.empty() ? "always" : each.needs + "; otherwise " + each.otherwise;
    entries.push_back({each.operation + "=" + each.name, text});
  }
  return entries;
}

std::string_view grade_name(properties::Grade grade) {
  switch (grade) {
    case properties::Grade::error: return "error";
    case properties::Grade::warning: return "warning";
    case properties::Grade::note: return "note";
    case properties::Grade::limit: return "limit";
  }
  return "";
}

std::vector<Entry> checks() {
  std::vector<Entry> entries;
  for (const properties::Check& check : properties::catalogue()) {
    entries.push_back({std::string(check.id), std::string(check.text)});
  }
  return entries;
}

std::vector<Entry> entries_of(const std::string& what) {
  if (what == "platforms") return platforms();
  if (what == "models") return models();
  if (what == "networks") return networks();
  if (what == "collectives") return collectives();
  return checks();
}

}  // namespace

int run_list(const Arguments& arguments) {
  std::string what, program;
  ListOptions options;
  auto& [json, quiet] = options;
  Options parser("list",
                 "platforms|networks|models|collectives|checks [options]\n  rehearse list calls PROGRAM [options]",
                 "Lists platforms, networks of built-in platforms, models, collective algorithms and checks, or the "
                 "MPI functions that a program "
                 "needs.",
                 "rehearse list platforms");
  parser.app()
      .add_option("WHAT", what, "platforms, networks, models, collectives, checks or calls")
      ->required()
      ->check(one_of({"platforms", "networks", "models", "collectives", "checks", "calls"}));
  parser.app().add_option("PROGRAM", program, "program whose calls to list");
  parser.app().add_option("--json", json, "file to write the list to, as JSON (-: standard output)");
  parser.app().add_flag("--quiet", quiet, "print no text");
  if (const auto status = parser.parse(arguments)) return *status;
  if (what == "calls" && program.empty()) return report_error({"list: calls of which program? (rehearse list --help)"});
  if (what == "calls") return list_calls(program, options);
  if (!program.empty()) return report_error({"list: unexpected argument '" + program + "' after " + what});
  const std::vector<Entry> entries = entries_of(what);
  const int width = what == "collectives" ? 48 : 28;
  app::Json document = app::Json::array();
  for (const Entry& entry : entries) {
    app::Json described = {{"name", entry.name}, {"text", entry.text}};
    if (const properties::Check* check = properties::find_check(entry.name); what == "checks" && check != nullptr) {
      described["grade"] = grade_name(check->grade);
      described["clause"] = check->clause;
      described["advice"] = check->advice;
    }
    if (const NetworkPreset* preset = find_network_preset(entry.name); what == "networks" && preset != nullptr)
      described["values"] = numbers_of(*preset);
    document.push_back(std::move(described));
    if (!quiet && json != "-") std::cout << std::left << std::setw(width) << entry.name << ' ' << entry.text << '\n';
  }
  if (!json.empty()) {
    const Result<void> written = write_json(json, {{what, document}});
    if (!written) return report_error({"list: --json: " + written.error().text});
  }
  return app::exit_good;
}

}  // namespace rehearse::cli
