// SPDX-License-Identifier: MIT
//
// See calibration_page.hpp. Each page reads one JSON document (page/calibration.js, page/last_mile.js).
#include "app/cli/report/calibration_page.hpp"

#include <ostream>

#include "app/cli/report/page_sources.hpp"
#include "app/cli/report/page_text.hpp"

namespace rehearse::cli {

void write_calibration_page(std::ostream& out, const app::Json& report) {
  out << page::head << "<title>calibration</title>\n<style>\n"
      << page::style << "</style>\n</head>\n"
      << page::calibration_body << "<script type=\"application/json\" id=\"calibration\">" << for_script(report)
      << "</script>\n<script>\n\"use strict\";\n"
      << page::calibration_script << "</script>\n</body>\n</html>\n";
}

void write_last_mile_page(std::ostream& out, const app::Json& report) {
  out << page::head << "<title>last mile</title>\n<style>\n"
      << page::style << "</style>\n</head>\n"
      << page::last_mile_body << "<script type=\"application/json\" id=\"last-mile\">" << for_script(report)
      << "</script>\n<script>\n\"use strict\";\n"
      << page::last_mile_script << "</script>\n</body>\n</html>\n";
}

}  // namespace rehearse::cli
