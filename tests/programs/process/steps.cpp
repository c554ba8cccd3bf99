// SPDX-License-Identifier: MIT
//
// Twenty steps, each of which changes heap, globals, stack and thread-local variables and prints what it knows.
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

static std::vector<std::string> words;
static unsigned long hash = 5381;
static thread_local int calls = 0;

static void step(int n, long* on_stack) {
  words.push_back(std::string(static_cast<std::size_t>(n * 7 % 40), static_cast<char>('a' + n)));
  if (n % 3 == 2) words.erase(words.begin());
  *on_stack += rand() % 1000;
  auto* block = static_cast<char*>(malloc(static_cast<std::size_t>(100 * n + 1)));
  memset(block, n, static_cast<std::size_t>(100 * n + 1));
  for (const std::string& word : words)
    for (char c : word) hash = hash * 33 + static_cast<unsigned char>(c);
  hash += reinterpret_cast<unsigned long>(block) + static_cast<unsigned long>(*on_stack);
  hash += static_cast<unsigned long>(calls++);
  if (n % 2 == 0) free(block);
}

int main() {
  long on_stack = 0;
  for (int n = 0; n < 20; ++n) {
    step(n, &on_stack);
    char line[64];
    const int length = snprintf(line, sizeof line, "%d:%lx\n", n, hash);
    if (write(1, line, static_cast<std::size_t>(length)) != length) return 1;
    printf("%d ", n);
  }
}
