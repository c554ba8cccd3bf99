// SPDX-License-Identifier: MIT
//
// See page_text.hpp.
#include "app/cli/report/page_text.hpp"

namespace rehearse::cli {

std::string for_script(const app::Json& json) {
  std::string text = json.dump();
  for (std::size_t at = 0; (at = text.find("</", at)) != std::string::npos;) text.replace(at, 2, "<\\/");
  for (std::size_t at = 0; (at = text.find("<!--", at)) != std::string::npos;) text.replace(at, 4, "<\\u0021--");
  return text;
}

std::string for_html(const std::string& text) {
  std::string result;
  for (const char letter : text) {
    if (letter == '<') result += "&lt;";
    else if (letter == '&') result += "&amp;";
    else result += letter;
  }
  return result;
}

void add_base64(std::string& out, std::span<const std::byte> bytes) {
  constexpr const char* digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const auto at = [&](std::size_t k) { return i + k < bytes.size() ? static_cast<unsigned>(bytes[i + k]) : 0u; };
    const unsigned group = at(0) << 16 | at(1) << 8 | at(2);
    out += digits[group >> 18];
    out += digits[group >> 12 & 63];
    out += i + 1 < bytes.size() ? digits[group >> 6 & 63] : '=';
    out += i + 2 < bytes.size() ? digits[group & 63] : '=';
  }
}

}  // namespace rehearse::cli
