// SPDX-License-Identifier: MIT
//
// String functions with a state between calls, and functions whose first call makes libc allocate memory for the whole
// process, which must not be a rank's memory.
#include <grp.h>
#include <iconv.h>
#include <libintl.h>
#include <netdb.h>
#include <pwd.h>
#include <regex.h>

#include <cstring>

#include "smpi/process/heap.hpp"
#include "smpi/process/interposers.hpp"

extern "C" int __xpg_strerror_r(int error, char* text, std::size_t size);  // strerror_r of POSIX

namespace rehearse::smpi {
namespace {

char* rank_strtok(char* text, const char* separators) { return strtok_r(text, separators, &this_rank().strtok_rest); }

// register_printf_*: libc would keep functions of one rank in tables of the process, for all ranks. Fails like for a
// full table. The constructor of libquadmath, which all programs of gfortran load, then does without.
int refuse_conversion() { return -1; }

// The function itself, called with the host's allocator.
template <auto function>
void* on_host() {
  return []<class Result, class... Arguments>(Result (*)(Arguments...)) {
    return function_address(+[](Arguments... arguments) -> Result {
      HostAllocation host;
      return function(arguments...);
    });
  }(function);
}

}  // namespace

InterposerList text_interposers() {
  return {{"strtok", function_address(rank_strtok)},
          {"register_printf_function", function_address(refuse_conversion)},
          {"register_printf_specifier", function_address(refuse_conversion)},
          {"register_printf_modifier", function_address(refuse_conversion)},
          {"register_printf_type", function_address(refuse_conversion)},
          {"strerror", on_host<static_cast<char* (*)(int)>(&std::strerror)>()},
          {"strerror_l", on_host<&strerror_l>()},
          {"strerror_r", on_host<static_cast<char* (*)(int, char*, std::size_t)>(&strerror_r)>()},
          {"__xpg_strerror_r", on_host<&__xpg_strerror_r>()},
          {"strsignal", on_host<&strsignal>()},
          {"regerror", on_host<&regerror>()},
          {"gai_strerror", on_host<&gai_strerror>()},
          {"getpwnam", on_host<&getpwnam>()},
          {"getpwuid", on_host<&getpwuid>()},
          {"getpwnam_r", on_host<&getpwnam_r>()},
          {"getpwuid_r", on_host<&getpwuid_r>()},
          {"getgrnam", on_host<&getgrnam>()},
          {"getgrgid", on_host<&getgrgid>()},
          {"gethostbyname", on_host<&gethostbyname>()},
          {"getaddrinfo", on_host<&getaddrinfo>()},
          {"iconv_open", on_host<&iconv_open>()},
          {"iconv_close", on_host<&iconv_close>()},
          {"textdomain", on_host<&textdomain>()},
          {"bindtextdomain", on_host<&bindtextdomain>()},
          {"bind_textdomain_codeset", on_host<&bind_textdomain_codeset>()},
          {"gettext", on_host<&gettext>()},
          {"dgettext", on_host<&dgettext>()},
          {"dcgettext", on_host<&dcgettext>()},
          {"ngettext", on_host<&ngettext>()},
          {"dngettext", on_host<&dngettext>()},
          {"dcngettext", on_host<&dcngettext>()}};
}

}  // namespace rehearse::smpi
