// SPDX-License-Identifier: MIT
//
// Thread-local variables of a library in two access models.
__thread int initial_exec __attribute__((tls_model("initial-exec"))) = 41;
static __thread double dynamic[100] __attribute__((tls_model("global-dynamic")));

int next_initial_exec(void) { return ++initial_exec; }
double* general_dynamic(void) { return dynamic; }
