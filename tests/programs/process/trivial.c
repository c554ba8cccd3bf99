// SPDX-License-Identifier: MIT
//
// Waits once and ends: what a rank costs.
#include <unistd.h>

int main(void) {
  usleep(1);
  return 0;
}
