// SPDX-License-Identifier: MIT
//
// Wide characters on the standard streams, from C and from C++, and the rank's own locale.
#include <clocale>
#include <cstdio>
#include <cwchar>
#include <iostream>
#include <string>
#include <unistd.h>

int main() {
  std::printf("%s ", std::setlocale(LC_ALL, nullptr));
  if (getpid() % 2 == 0) std::setlocale(LC_CTYPE, "C.UTF-8");
  usleep(1);  // others change theirs meanwhile
  std::printf("%s ", std::setlocale(LC_CTYPE, nullptr));
  std::printf("%d ", std::setlocale(LC_ALL, "no such locale") == nullptr);
  std::wprintf(L"%ls %d ", L"wide", 1);
  std::fputws(L"text ", stdout);
  std::wcout << L"stream " << 2 << std::endl;
  std::printf("%d ", std::putwchar(L'\u00e9') == WEOF);  // only with UTF-8
  std::wprintf(L"%s", std::string(5000, 'x').c_str());
}
