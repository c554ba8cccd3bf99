// SPDX-License-Identifier: MIT
//
// See collective_battery.hpp. A persistent collective is started twice, the second time with other data.
#include "tests/support/collective_battery.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <vector>

#include "smpi/abi/calls.hpp"
#include "smpi/abi/forms.hpp"

namespace rehearse::tests {

namespace {

namespace calls = smpi::calls;
namespace forms = smpi::forms;
using smpi::Completing;
using Ints = std::vector<int>;

const MPI_Comm world = MPI_COMM_WORLD;

// The map x -> a x + b. Composition of maps depends on their order, but not on their grouping.
struct Map {
  unsigned a = 1, b = 0;
  bool operator==(const Map&) const = default;
};
using Maps = std::vector<Map>;

Map after(const Map& first, const Map& second) { return {second.a * first.a, second.a * first.b + second.b}; }

void compose(void* in, void* inout, int* length, MPI_Datatype*) {
  const Map* left = static_cast<const Map*>(in);
  Map* right = static_cast<Map*>(inout);
  for (int i = 0; i < *length; ++i) right[i] = after(left[i], right[i]);
}

void add(void* in, void* inout, int* length, MPI_Datatype*) {
  const int* left = static_cast<const int*>(in);
  int* right = static_cast<int*>(inout);
  for (int i = 0; i < *length; ++i) right[i] += left[i];
}

class Battery {
 public:
  explicit Battery(const BatteryOptions& options) : options_(options), count_(options.count), root_(options.root) {
    calls::Comm_rank(world, &rank_);
    calls::Comm_size(world, &size_);
    calls::Type_contiguous(2, MPI_UNSIGNED, &map_);
    calls::Type_commit(&map_);
    calls::Op_create(compose, 0, &compose_);
    calls::Op_create(add, 1, &add_);
  }
  Battery(const Battery&) = delete;
  Battery& operator=(const Battery&) = delete;
  ~Battery() {
    calls::Op_free(&add_);
    calls::Op_free(&compose_);
    calls::Type_free(&map_);
  }

  std::string run() {
    move_from_root();
    move_to_root();
    move_everywhere();
    exchange();
    reduce_ints(MPI_SUM);
    reduce_ints(add_);
    reduce_maps();
    neighbours();
    return problem_;
  }

 private:
  using Start = std::function<int(const Completing&)>;

  // One collective: calls `fill` for the buffers, starts and completes it, and checks the result with `is_right`.
  void once(const char* name, const Start& start, const std::function<void()>& fill,
            const std::function<bool()>& is_right) {
    MPI_Request request = MPI_REQUEST_NULL;
    const Completing completing{name, options_.form, &request};
    const bool persists = options_.form == Completing::Form::persistent;
    if (persists) expect(start(completing) == MPI_SUCCESS, name, "cannot be made");
    for (version_ = 0; version_ < (persists ? 2 : 1); ++version_) {
      fill();
      const int error = persists ? calls::Start(&request) : start(completing);
      if (options_.form != Completing::Form::blocking) calls::Wait(&request, MPI_STATUS_IGNORE);
      expect(error == MPI_SUCCESS, name, "returns an error");
      expect(is_right(), name, "ends with data that differs from its definition");
    }
    if (persists) calls::Request_free(&request);
  }

  void expect(bool is_right, const char* name, const char* what) {
    if (is_right || !problem_.empty()) return;
    problem_ = std::string(name) + " of " + std::to_string(size_) + " ranks, " + std::to_string(count_) +
               " elements, root " + std::to_string(root_) + ": " + what + " on rank " + std::to_string(rank_);
  }

  // The value that one rank sends to another.
  int value(int origin, int target, int i) const { return version_ * 1'000'003 + origin * 10'007 + target * 101 + i; }
  void put(Ints& into, int place, int origin, int target, int count) const {
    for (int i = 0; i < count; ++i) into[static_cast<std::size_t>(place + i)] = value(origin, target, i);
  }
  bool has(const Ints& data, int place, int origin, int target, int count) const {
    for (int i = 0; i < count; ++i)
      if (data[static_cast<std::size_t>(place + i)] != value(origin, target, i)) return false;
    return true;
  }
  static void clear(Ints& data) { std::fill(data.begin(), data.end(), -1); }
  Ints room(int blocks) const { return Ints(static_cast<std::size_t>(blocks * (count_ + 2) + 1), -1); }

  // Counts that vary, from 0 to count_ + 1, and places with gaps.
  int varying(int a, int b = 0) const { return count_ == 0 ? 0 : (count_ + 3 * a + 5 * b) % (count_ + 2); }
  int place(int rank) const { return rank * (count_ + 2); }
  struct Layout {
    Ints counts, places;
  };
  Layout layout(const std::function<int(int)>& count_of) const {
    Layout made;
    for (int i = 0; i < size_; ++i) {
      made.counts.push_back(count_of(i));
      made.places.push_back(place(i));
    }
    return made;
  }
  bool is_root() const { return rank_ == root_; }
  bool is_in_place() const { return options_.in_place; }

  void move_from_root() {
    Ints all = room(size_), mine = room(1);
    once(
        "Barrier", [&](const Completing& c) { return forms::Barrier(world, c); }, [] {}, [] { return true; });
    once(
        "Bcast", [&](const Completing& c) { return forms::Bcast(mine.data(), count_, MPI_INT, root_, world, c); },
        [&] { is_root() ? put(mine, 0, root_, 0, count_) : clear(mine); },
        [&] { return has(mine, 0, root_, 0, count_); });
    void* into = is_in_place() && is_root() ? MPI_IN_PLACE : mine.data();
    once(
        "Scatter",
        [&](const Completing& c) {
          return forms::Scatter(all.data(), count_, MPI_INT, into, count_, MPI_INT, root_, world, c);
        },
        [&] {
          clear(mine);
          for (int i = 0; i < size_ && is_root(); ++i) put(all, i * count_, root_, i, count_);
        },
        [&] { return into == MPI_IN_PLACE || has(mine, 0, root_, rank_, count_); });
    const Layout blocks = layout([&](int i) { return varying(i); });
    once(
        "Scatterv",
        [&](const Completing& c) {
          return forms::Scatterv(all.data(), blocks.counts.data(), blocks.places.data(), MPI_INT, into, varying(rank_),
                                 MPI_INT, root_, world, c);
        },
        [&] {
          clear(mine);
          for (int i = 0; i < size_ && is_root(); ++i) put(all, place(i), root_, i, varying(i));
        },
        [&] { return into == MPI_IN_PLACE || has(mine, 0, root_, rank_, varying(rank_)); });
  }

  void move_to_root() {
    Ints all = room(size_), mine = room(1);
    const bool here = is_in_place() && is_root();
    const void* from = here ? MPI_IN_PLACE : mine.data();
    once(
        "Gather",
        [&](const Completing& c) {
          return forms::Gather(from, count_, MPI_INT, all.data(), count_, MPI_INT, root_, world, c);
        },
        [&] {
          clear(all);
          here ? put(all, rank_ * count_, rank_, 0, count_) : put(mine, 0, rank_, 0, count_);
        },
        [&] {
          for (int i = 0; i < size_ && is_root(); ++i)
            if (!has(all, i * count_, i, 0, count_)) return false;
          return true;
        });
    const Layout blocks = layout([&](int i) { return varying(i); });
    once(
        "Gatherv",
        [&](const Completing& c) {
          return forms::Gatherv(from, varying(rank_), MPI_INT, all.data(), blocks.counts.data(), blocks.places.data(),
                                MPI_INT, root_, world, c);
        },
        [&] {
          clear(all);
          here ? put(all, place(rank_), rank_, 0, varying(rank_)) : put(mine, 0, rank_, 0, varying(rank_));
        },
        [&] {
          for (int i = 0; i < size_ && is_root(); ++i)
            if (!has(all, place(i), i, 0, varying(i))) return false;
          return true;
        });
  }

  void move_everywhere() {
    Ints all = room(size_), mine = room(1);
    const void* from = is_in_place() ? MPI_IN_PLACE : mine.data();
    once(
        "Allgather",
        [&](const Completing& c) {
          return forms::Allgather(from, count_, MPI_INT, all.data(), count_, MPI_INT, world, c);
        },
        [&] {
          clear(all);
          is_in_place() ? put(all, rank_ * count_, rank_, 0, count_) : put(mine, 0, rank_, 0, count_);
        },
        [&] {
          for (int i = 0; i < size_; ++i)
            if (!has(all, i * count_, i, 0, count_)) return false;
          return true;
        });
    const Layout blocks = layout([&](int i) { return varying(i); });
    once(
        "Allgatherv",
        [&](const Completing& c) {
          return forms::Allgatherv(from, varying(rank_), MPI_INT, all.data(), blocks.counts.data(),
                                   blocks.places.data(), MPI_INT, world, c);
        },
        [&] {
          clear(all);
          is_in_place() ? put(all, place(rank_), rank_, 0, varying(rank_)) : put(mine, 0, rank_, 0, varying(rank_));
        },
        [&] {
          for (int i = 0; i < size_; ++i)
            if (!has(all, place(i), i, 0, varying(i))) return false;
          return true;
        });
  }

  void exchange() {
    Ints out = room(size_), in = room(size_);
    const bool here = is_in_place();
    const void* from = here ? MPI_IN_PLACE : out.data();
    once(
        "Alltoall",
        [&](const Completing& c) {
          return forms::Alltoall(from, count_, MPI_INT, in.data(), count_, MPI_INT, world, c);
        },
        [&] {
          clear(in);
          for (int i = 0; i < size_; ++i) put(here ? in : out, i * count_, rank_, i, count_);
        },
        [&] {
          for (int i = 0; i < size_; ++i)
            if (!has(in, i * count_, i, rank_, count_)) return false;
          return true;
        });
    const auto sent = [&](int i) { return varying(rank_ + i, rank_ * i); };  // symmetric, as MPI_IN_PLACE requires
    const Layout blocks = layout(sent);
    const auto fill = [&] {
      clear(in);
      for (int i = 0; i < size_; ++i) put(here ? in : out, place(i), rank_, i, sent(i));
    };
    const auto is_right = [&] {
      for (int i = 0; i < size_; ++i)
        if (!has(in, place(i), i, rank_, sent(i))) return false;
      return true;
    };
    once(
        "Alltoallv",
        [&](const Completing& c) {
          return forms::Alltoallv(from, blocks.counts.data(), blocks.places.data(), MPI_INT, in.data(),
                                  blocks.counts.data(), blocks.places.data(), MPI_INT, world, c);
        },
        fill, is_right);
    Ints bytes = blocks.places;
    for (int& each : bytes) each *= static_cast<int>(sizeof(int));
    const std::vector<MPI_Datatype> types(static_cast<std::size_t>(size_), MPI_INT);
    once(
        "Alltoallw",
        [&](const Completing& c) {
          return forms::Alltoallw(from, blocks.counts.data(), bytes.data(), types.data(), in.data(),
                                  blocks.counts.data(), bytes.data(), types.data(), world, c);
        },
        fill, is_right);
  }

  // The operands of reductions: elements of a type, and the expected combination of several ranks.
  template <class T>
  struct Operands {
    MPI_Op op;
    MPI_Datatype type;
    T (*brought)(int version, int rank, int i);
    T (*combined)(const T& left, const T& right);
  };

  template <class T>
  bool is_combination(const std::vector<T>& data, const Operands<T>& operands, int ranks, int first, int count) const {
    for (int i = 0; i < count; ++i) {
      T expected = operands.brought(version_, 0, first + i);
      for (int rank = 1; rank < ranks; ++rank)
        expected = operands.combined(expected, operands.brought(version_, rank, first + i));
      if (!(data[static_cast<std::size_t>(i)] == expected)) return false;
    }
    return true;
  }

  template <class T>
  void reduce(const Operands<T>& operands) {
    const auto [op, type, brought, combined] = operands;
    std::vector<T> mine(static_cast<std::size_t>(size_ * (count_ + 2))), result(mine.size());
    const auto fill_first = [&](int count, bool here) {
      for (int i = 0; i < count; ++i)
        (here ? result : mine)[static_cast<std::size_t>(i)] = operands.brought(version_, rank_, i);
    };
    const bool here = is_in_place();
    const void* from = here ? MPI_IN_PLACE : mine.data();
    const auto fill = [&] { fill_first(count_, here); };
    const bool root_is_here = here && is_root();
    once(
        "Reduce",
        [&, this, op = op, type = type](const Completing& c) {
          return forms::Reduce(root_is_here ? MPI_IN_PLACE : mine.data(), result.data(), count_, type, op, root_, world,
                               c);
        },
        [&] { fill_first(count_, root_is_here); },
        [&] { return !is_root() || is_combination(result, operands, size_, 0, count_); });
    once(
        "Allreduce",
        [&, this, op = op, type = type](const Completing& c) {
          return forms::Allreduce(from, result.data(), count_, type, op, world, c);
        },
        fill, [&] { return is_combination(result, operands, size_, 0, count_); });
    once(
        "Scan",
        [&, this, op = op, type = type](const Completing& c) {
          return forms::Scan(from, result.data(), count_, type, op, world, c);
        },
        fill, [&] { return is_combination(result, operands, rank_ + 1, 0, count_); });
    once(
        "Exscan",
        [&, this, op = op, type = type](const Completing& c) {
          return forms::Exscan(from, result.data(), count_, type, op, world, c);
        },
        fill, [&] { return rank_ == 0 || is_combination(result, operands, rank_, 0, count_); });
    once(
        "Reduce_scatter_block",
        [&, this, op = op, type = type](const Completing& c) {
          return forms::Reduce_scatter_block(from, result.data(), count_, type, op, world, c);
        },
        [&] { fill_first(size_ * count_, here); },
        [&] { return is_combination(result, operands, size_, rank_ * count_, count_); });
    Ints counts;
    for (int i = 0; i < size_; ++i) counts.push_back(varying(i));
    const int before = std::accumulate(counts.begin(), counts.begin() + rank_, 0);
    once(
        "Reduce_scatter",
        [&, this, op = op, type = type](const Completing& c) {
          return forms::Reduce_scatter(from, result.data(), counts.data(), type, op, world, c);
        },
        [&] { fill_first(std::accumulate(counts.begin(), counts.end(), 0), here); },
        [&] { return is_combination(result, operands, size_, before, varying(rank_)); });
  }

  void reduce_ints(MPI_Op op) {
    reduce<int>({op, MPI_INT, [](int version, int rank, int i) { return version + 7 * rank + 1000 * i; },
                 [](const int& left, const int& right) { return left + right; }});
  }

  void reduce_maps() {
    reduce<Map>({compose_, map_,
                 [](int version, int rank, int i) {
                   const auto bits = static_cast<unsigned>(version + 5 * rank + 77 * i);
                   return Map{2 * bits + 3, bits * bits + 1};
                 },
                 [](const Map& left, const Map& right) { return after(left, right); }});
  }

  // On a ring: the edges are to the left and to the right.
  void neighbours() {
    MPI_Comm ring = MPI_COMM_NULL;
    const int periodic = 1;
    calls::Cart_create(world, 1, &size_, &periodic, 0, &ring);
    const int left = (rank_ + size_ - 1) % size_, right = (rank_ + 1) % size_;
    Ints out = room(2), in = room(2);
    once(
        "Neighbor_allgather",
        [&](const Completing& c) {
          return forms::Neighbor_allgather(out.data(), count_, MPI_INT, in.data(), count_, MPI_INT, ring, c);
        },
        [&] { put(out, 0, rank_, 0, count_); },
        [&] { return has(in, 0, left, 0, count_) && has(in, count_, right, 0, count_); });
    // A block for the left neighbour (1) and one for the right neighbour (2). The block from the left neighbour is the
    // one for its right neighbour.
    const auto fill = [&] {
      put(out, 0, rank_, 1, count_);
      put(out, place(1), rank_, 2, count_);
    };
    const Ints counts{count_, count_}, places{0, place(1)};
    const auto is_right = [&] { return has(in, 0, left, 2, count_) && has(in, place(1), right, 1, count_); };
    once(
        "Neighbor_alltoallv",
        [&](const Completing& c) {
          return forms::Neighbor_alltoallv(out.data(), counts.data(), places.data(), MPI_INT, in.data(), counts.data(),
                                           places.data(), MPI_INT, ring, c);
        },
        fill, is_right);
    const Ints bytes{0, place(1) * static_cast<int>(sizeof(int))};
    const std::vector<MPI_Datatype> types{MPI_INT, MPI_INT};
    const std::vector<MPI_Aint> offsets(bytes.begin(), bytes.end());
    once(
        "Neighbor_alltoallw",
        [&](const Completing& c) {
          return forms::Neighbor_alltoallw(out.data(), counts.data(), offsets.data(), types.data(), in.data(),
                                           counts.data(), offsets.data(), types.data(), ring, c);
        },
        fill, is_right);
    neighbours_of_equal_blocks(ring, left, right);
    calls::Comm_free(&ring);
  }

  void neighbours_of_equal_blocks(MPI_Comm ring, int left, int right) {
    Ints out = room(2), in = room(2);
    once(
        "Neighbor_alltoall",
        [&](const Completing& c) {
          return forms::Neighbor_alltoall(out.data(), count_, MPI_INT, in.data(), count_, MPI_INT, ring, c);
        },
        [&] {
          put(out, 0, rank_, 1, count_);
          put(out, count_, rank_, 2, count_);
        },
        [&] { return has(in, 0, left, 2, count_) && has(in, count_, right, 1, count_); });
    const Ints counts{varying(left), varying(right)}, places{0, place(1)};
    once(
        "Neighbor_allgatherv",
        [&](const Completing& c) {
          return forms::Neighbor_allgatherv(out.data(), varying(rank_), MPI_INT, in.data(), counts.data(),
                                            places.data(), MPI_INT, ring, c);
        },
        [&] { put(out, 0, rank_, 0, varying(rank_)); },
        [&] { return has(in, 0, left, 0, varying(left)) && has(in, place(1), right, 0, varying(right)); });
  }

  BatteryOptions options_;
  int count_, root_, rank_ = 0, size_ = 0, version_ = 0;
  MPI_Datatype map_ = MPI_DATATYPE_NULL;
  MPI_Op compose_ = MPI_OP_NULL, add_ = MPI_OP_NULL;
  std::string problem_;
};

}  // namespace

std::string run_battery(const BatteryOptions& options) { return Battery(options).run(); }

}  // namespace rehearse::tests
