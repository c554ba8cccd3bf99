// SPDX-License-Identifier: MIT
//
// See usage_options.hpp.
#include "app/cli/recording/usage_options.hpp"

#include <ostream>
#include <span>

#include "app/cli/report/output_file.hpp"
#include "app/cli/report/usage_page.hpp"
#include "app/cli/verb_options.hpp"

namespace rehearse::cli {

void declare_usage(OptionSet& app, std::string& file) {
  app.add_option("--usage", file,
                 "file to write the use of hosts and links over time to, by category: FILE.html (treemap and topology, "
                 "for browsers), FILE.json (figures, for rehearse usage)")
      ->check(Rule(
          [](std::string& name) {
            const bool is_known = name.size() > 5 && (name.ends_with(".html") || name.ends_with(".json"));
            return is_known ? std::string() : "'" + name + "' given; accepted: FILE.html, FILE.json";
          },
          "FILE"));
}

Result<void> write_usage(const std::string& file, const app::Usage& usage) {
  const auto written = write_file(file, [&](std::ostream& out) {
    if (file.ends_with(".html")) return write_usage_page(out, std::span(&usage, 1));
    to_json(usage).write(out);
    out << '\n';
  });
  return written ? written : Error{"--usage: " + written.error().text};
}

}  // namespace rehearse::cli
