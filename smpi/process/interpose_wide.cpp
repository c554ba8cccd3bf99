// SPDX-License-Identifier: MIT
//
// Wide characters on a rank's standard streams: libc does not support them on streams of our kind (fopencookie), so
// they are written and read as multibyte characters, one by one, in the rank's locale. Other streams are libc's.
//
// Shape: a standard stream is never oriented: wide and narrow output may be mixed.
#include <cerrno>
#include <climits>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <cwchar>
#include <string>

#include "smpi/process/interposers.hpp"

namespace rehearse::smpi {
namespace {

constexpr std::size_t max_text_length = std::size_t{1} << 24;

bool is_standard(FILE* file) {
  const StandardStreams& streams = this_rank().streams;
  return file == streams.input || file == streams.output || file == streams.error;
}

FILE* output() { return this_rank().variable<FILE*>(Variable::standard_output); }
FILE* input() { return this_rank().variable<FILE*>(Variable::standard_input); }

wint_t put(wchar_t character, FILE* file) {
  char bytes[MB_LEN_MAX];
  std::mbstate_t state{};
  const std::size_t count = std::wcrtomb(bytes, character, &state);
  if (count == static_cast<std::size_t>(-1)) return WEOF;
  return std::fwrite(bytes, 1, count, file) == count ? static_cast<wint_t>(character) : WEOF;
}

wint_t rank_putwc(wchar_t character, FILE* file) {
  return is_standard(file) ? put(character, file) : ::fputwc(character, file);
}

wint_t rank_putwchar(wchar_t character) { return rank_putwc(character, output()); }

int rank_fputws(const wchar_t* text, FILE* file) {
  if (!is_standard(file)) return ::fputws(text, file);
  for (; *text != L'\0'; ++text)
    if (put(*text, file) == WEOF) return -1;
  return 1;
}

// vswprintf does not return the length of the text, so the buffer is doubled until it is large enough.
int rank_vfwprintf(FILE* file, const wchar_t* format, va_list arguments) {
  if (!is_standard(file)) return ::vfwprintf(file, format, arguments);
  std::wstring text(256, L'\0');
  while (true) {
    va_list again;
    va_copy(again, arguments);
    errno = 0;
    const int length = std::vswprintf(text.data(), text.size(), format, again);
    va_end(again);
    if (length < 0 && (errno == EILSEQ || text.size() >= max_text_length)) return -1;
    if (length < 0) {
      text.resize(2 * text.size());
      continue;
    }
    text.resize(static_cast<std::size_t>(length));
    for (const wchar_t character : text)
      if (put(character, file) == WEOF) return -1;
    return length;
  }
}

int rank_vwprintf(const wchar_t* format, va_list arguments) { return rank_vfwprintf(output(), format, arguments); }

int rank_fwprintf(FILE* file, const wchar_t* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int result = rank_vfwprintf(file, format, arguments);
  va_end(arguments);
  return result;
}

int rank_wprintf(const wchar_t* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int result = rank_vwprintf(format, arguments);
  va_end(arguments);
  return result;
}

int rank_fwprintf_checked(FILE* file, int, const wchar_t* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int result = rank_vfwprintf(file, format, arguments);
  va_end(arguments);
  return result;
}

int rank_wprintf_checked(int, const wchar_t* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int result = rank_vwprintf(format, arguments);
  va_end(arguments);
  return result;
}

int rank_vfwprintf_checked(FILE* file, int, const wchar_t* format, va_list arguments) {
  return rank_vfwprintf(file, format, arguments);
}

int rank_vwprintf_checked(int, const wchar_t* format, va_list arguments) { return rank_vwprintf(format, arguments); }

wint_t rank_getwc(FILE* file) {
  if (!is_standard(file)) return ::fgetwc(file);
  std::mbstate_t state{};
  for (int byte; (byte = std::getc(file)) != EOF;) {
    const char narrow = static_cast<char>(byte);
    wchar_t character = 0;
    const std::size_t used = std::mbrtowc(&character, &narrow, 1, &state);
    if (used == static_cast<std::size_t>(-1)) return WEOF;
    if (used != static_cast<std::size_t>(-2)) return static_cast<wint_t>(character);
  }
  return WEOF;
}

wint_t rank_getwchar() { return rank_getwc(input()); }

wchar_t* rank_fgetws(wchar_t* to, int room, FILE* file) {
  if (!is_standard(file)) return ::fgetws(to, room, file);
  int count = 0;
  while (count + 1 < room) {
    const wint_t character = rank_getwc(file);
    if (character == WEOF) break;
    to[count++] = static_cast<wchar_t>(character);
    if (character == L'\n') break;
  }
  if (count == 0) return nullptr;
  to[count] = L'\0';
  return to;
}

// The bytes of the character, last first; libc accepts at least one, and more if they were read from the buffer.
wint_t rank_ungetwc(wint_t character, FILE* file) {
  if (!is_standard(file)) return ::ungetwc(character, file);
  if (character == WEOF) return WEOF;
  char bytes[MB_LEN_MAX];
  std::mbstate_t state{};
  std::size_t count = std::wcrtomb(bytes, static_cast<wchar_t>(character), &state);
  if (count == static_cast<std::size_t>(-1)) return WEOF;
  while (count > 0)
    if (std::ungetc(static_cast<unsigned char>(bytes[--count]), file) == EOF) return WEOF;
  return character;
}

int rank_fwide(FILE* file, int mode) { return is_standard(file) ? mode : ::fwide(file, mode); }

}  // namespace

InterposerList wide_interposers() {
  return {{"putwc", function_address(rank_putwc)},
          {"fputwc", function_address(rank_putwc)},
          {"putwc_unlocked", function_address(rank_putwc)},
          {"fputwc_unlocked", function_address(rank_putwc)},
          {"putwchar", function_address(rank_putwchar)},
          {"putwchar_unlocked", function_address(rank_putwchar)},
          {"fputws", function_address(rank_fputws)},
          {"fputws_unlocked", function_address(rank_fputws)},
          {"wprintf", function_address(rank_wprintf)},
          {"fwprintf", function_address(rank_fwprintf)},
          {"vwprintf", function_address(rank_vwprintf)},
          {"vfwprintf", function_address(rank_vfwprintf)},
          {"__wprintf_chk", function_address(rank_wprintf_checked)},
          {"__fwprintf_chk", function_address(rank_fwprintf_checked)},
          {"__vwprintf_chk", function_address(rank_vwprintf_checked)},
          {"__vfwprintf_chk", function_address(rank_vfwprintf_checked)},
          {"getwc", function_address(rank_getwc)},
          {"fgetwc", function_address(rank_getwc)},
          {"getwchar", function_address(rank_getwchar)},
          {"fgetws", function_address(rank_fgetws)},
          {"ungetwc", function_address(rank_ungetwc)},
          {"fwide", function_address(rank_fwide)}};
}

}  // namespace rehearse::smpi
