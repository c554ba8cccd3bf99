// SPDX-License-Identifier: MIT
//
// C++ in a team: exceptions, thread_local objects, vectors, function-local statics.
// flags: -fopenmp
#include <mpi.h>
#include <omp.h>

#include <cassert>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

struct Counted {
  static inline int made = 0;
  std::vector<int> values;
  Counted() { ++made; }
};

thread_local Counted counted;

static int once() {
  static const int value = [] { return 7; }();
  return value;
}

int main() {
  int provided;
  MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided);
  std::vector<std::string> texts(4);
  std::vector<double> all(1000);
  std::iota(all.begin(), all.end(), 0.0);
  double sum = 0;
#pragma omp parallel reduction(+ : sum)
  {
    const int me = omp_get_thread_num();
    try {
      if (me % 2 == 1) throw std::runtime_error("thrown by " + std::to_string(me));
      texts[me] = "none";
    } catch (const std::exception& error) {
      texts[me] = error.what();
    }
    counted.values.push_back(me + once() - 7);
#pragma omp for
    for (std::size_t i = 0; i < all.size(); ++i) sum += all[i];
  }
  assert(sum == 499500 && texts[1] == "thrown by 1" && texts[3] == "thrown by 3" && texts[2] == "none");
#pragma omp parallel
  assert(counted.values == std::vector<int>{omp_get_thread_num()});
  assert(Counted::made == 4);
  MPI_Finalize();
}
