// SPDX-License-Identifier: MIT
//
// A file, or standard output.
#include "app/cli/report/output_file.hpp"

#include <iostream>

#include "app/output_file.hpp"

namespace rehearse::cli {

Result<void> write_file(const std::string& file, const std::function<void(std::ostream&)>& write) {
  if (file != "-") return app::write_file(file, write);
  write(std::cout);
  std::cout << std::flush;
  return {};
}

Result<void> write_text(const std::string& file, std::string_view text) {
  return write_file(file, [text](std::ostream& out) { out << text; });
}

Result<void> write_json(const std::string& file, const app::Json& document) {
  return write_file(file, [&document](std::ostream& out) {
    document.write(out, 2);
    out << '\n';
  });
}

}  // namespace rehearse::cli
