// SPDX-License-Identifier: MIT
//
// The program of each link test: one component, whole, with nothing but what it says it depends on. That it links is
// the test.
int main() { return 0; }
