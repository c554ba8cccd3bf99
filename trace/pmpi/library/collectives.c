// SPDX-License-Identifier: MIT
//
// Collectives as records: the bytes that the caller contributes, as a whole or for each member.
#include "trace/pmpi/library/recorder.h"

struct contribution {
  enum rehearse_collective what;
  bool blocking;
  uint32_t comm;
  int root;
  uint64_t bytes, elements, total;
  bool is_commutative;
  bool is_segmented, is_equal;
  uint64_t segment;  // of equal segments
};

static void write_head(const struct contribution* given, size_t more_bytes) {
  rt_begin_operation('c', 128 + more_bytes);
  rt_put((uint64_t)(given->blocking ? rehearse_flag_blocking : 0) |
         (uint64_t)(given->is_commutative ? rehearse_flag_commutative : 0) |
         (uint64_t)(given->is_segmented ? rehearse_flag_segments : 0) |
         (uint64_t)(given->is_equal ? rehearse_flag_equal : 0));
  rt_put((uint64_t)given->what);
  rt_put(given->comm);
  rt_put((uint64_t)given->root);
  rt_put(given->bytes);
  rt_put(given->elements);
  rt_put(given->total);
}

static void finish(const struct contribution* given) {
  rt_end();
  rt_start_number();
  if (given->blocking) rt_await();
}

static void write(const struct contribution* given) {
  write_head(given, 0);
  if (given->is_segmented) rt_put(given->segment);
  finish(given);
}

static struct contribution contribution(enum rehearse_collective what, bool blocking, MPI_Comm comm) {
  return (struct contribution){.what = what, .blocking = blocking, .comm = rt_comm(comm), .is_commutative = true};
}

// The same number of bytes for each member.
static void give_each(struct contribution* given, uint64_t bytes) {
  given->is_segmented = given->is_equal = true;
  given->segment = bytes;
  given->bytes = bytes * (uint64_t)rt_comm_size(given->comm);
}

// Numbers of elements, in the arrays of the program.
struct counts {
  const void* numbers;
  enum rt_width width;
  MPI_Datatype type;
  const MPI_Datatype* types;  // of each; null: `type`
};

static MPI_Count count_at(const struct counts* counts, int i) {
  return counts->width == rt_int ? ((const int*)counts->numbers)[i] : ((const MPI_Count*)counts->numbers)[i];
}
static uint64_t bytes_at(const struct counts* counts, int i) {
  return rt_bytes(count_at(counts, i), counts->types == NULL ? counts->type : counts->types[i]);
}
static uint64_t bytes_of(const struct counts* counts, uint32_t comm) {
  uint64_t bytes = 0;
  for (int i = 0; i < rt_comm_size(comm); ++i) bytes += bytes_at(counts, i);
  return bytes;
}

static void write_segments(struct contribution* given, const struct counts* counts) {
  const int size = rt_comm_size(given->comm);
  given->is_segmented = true;
  given->is_equal = false;
  given->bytes = bytes_of(counts, given->comm);
  write_head(given, 10 * (size_t)size);
  for (int i = 0; i < size; ++i) rt_put(bytes_at(counts, i));
  finish(given);
}

void rt_note_sync_of(bool blocking, uint32_t comm, uint64_t bytes) {
  const struct contribution given = {
      .what = rehearse_sync, .blocking = blocking, .comm = comm, .bytes = bytes, .is_commutative = true};
  if (comm != rt_none) write(&given);
}

void rt_note_sync(bool blocking, MPI_Comm comm, uint64_t bytes) { rt_note_sync_of(blocking, rt_comm(comm), bytes); }

void rt_note_barrier(bool blocking, MPI_Comm comm) {
  const struct contribution given = contribution(rehearse_barrier, blocking, comm);
  if (given.comm != rt_none) write(&given);
}

void rt_note_bcast(bool blocking, struct rt_data data, int root, MPI_Comm comm) {
  struct contribution given = contribution(rehearse_bcast, blocking, comm);
  if (given.comm == rt_none) return;
  given.root = root;
  given.elements = (uint64_t)data.count;
  if (rt_comm_rank(given.comm) == root) given.bytes = rt_bytes(data.count, data.type);
  write(&given);
}

static bool is_commutative(MPI_Op op) {
  int answer = 1;
  PMPI_Op_commutative(op, &answer);
  return answer != 0;
}

void rt_note_reduction(enum rehearse_collective what, bool blocking, struct rt_data data, MPI_Op op, int root,
                       MPI_Comm comm) {
  struct contribution given = contribution(what, blocking, comm);
  if (given.comm == rt_none) return;
  given.root = root;
  given.elements = (uint64_t)data.count;
  given.bytes = rt_bytes(data.count, data.type);
  given.is_commutative = is_commutative(op);
  write(&given);
}

void rt_note_reduce_scatter(bool blocking, const void* counts, enum rt_width width, MPI_Datatype type, MPI_Op op,
                            MPI_Comm comm) {
  struct contribution given = contribution(rehearse_reduce_scatter, blocking, comm);
  if (given.comm == rt_none) return;
  const struct counts pieces = {counts, width, type, NULL};
  for (int i = 0; i < rt_comm_size(given.comm); ++i) given.elements += (uint64_t)count_at(&pieces, i);
  given.is_commutative = is_commutative(op);
  write_segments(&given, &pieces);
}

void rt_note_reduce_scatter_block(bool blocking, struct rt_data data, MPI_Op op, MPI_Comm comm) {
  struct contribution given = contribution(rehearse_reduce_scatter_block, blocking, comm);
  if (given.comm == rt_none) return;
  given.elements = (uint64_t)data.count * (uint64_t)rt_comm_size(given.comm);
  given.is_commutative = is_commutative(op);
  give_each(&given, rt_bytes(data.count, data.type));
  write(&given);
}

void rt_note_gather(bool blocking, const void* buffer, struct rt_data sent, struct rt_data received, int root,
                    MPI_Comm comm) {
  struct contribution given = contribution(rehearse_gather, blocking, comm);
  if (given.comm == rt_none) return;
  const bool in_place = buffer == MPI_IN_PLACE && rt_comm_rank(given.comm) == root;
  given.root = root;
  given.bytes = in_place ? rt_bytes(received.count, received.type) : rt_bytes(sent.count, sent.type);
  write(&given);
}

void rt_note_gatherv(bool blocking, const void* buffer, struct rt_data sent, const void* counts, enum rt_width width,
                     MPI_Datatype type, int root, MPI_Comm comm) {
  struct contribution given = contribution(rehearse_gatherv, blocking, comm);
  if (given.comm == rt_none) return;
  const struct counts pieces = {counts, width, type, NULL};
  const bool in_place = buffer == MPI_IN_PLACE && rt_comm_rank(given.comm) == root;
  given.root = root;
  given.bytes = in_place ? bytes_at(&pieces, root) : rt_bytes(sent.count, sent.type);
  write(&given);
}

void rt_note_scatter(bool blocking, struct rt_data sent, int root, MPI_Comm comm) {
  struct contribution given = contribution(rehearse_scatter, blocking, comm);
  if (given.comm == rt_none) return;
  given.root = root;
  if (rt_comm_rank(given.comm) == root) give_each(&given, rt_bytes(sent.count, sent.type));
  write(&given);
}

void rt_note_scatterv(bool blocking, const void* counts, enum rt_width width, MPI_Datatype type, int root,
                      MPI_Comm comm) {
  struct contribution given = contribution(rehearse_scatterv, blocking, comm);
  if (given.comm == rt_none) return;
  const struct counts pieces = {counts, width, type, NULL};
  given.root = root;
  if (rt_comm_rank(given.comm) == root) write_segments(&given, &pieces);
  else write(&given);
}

void rt_note_allgather(bool blocking, const void* buffer, struct rt_data sent, struct rt_data received, MPI_Comm comm) {
  struct contribution given = contribution(rehearse_allgather, blocking, comm);
  if (given.comm == rt_none) return;
  const uint64_t block = rt_bytes(received.count, received.type);
  given.total = block * (uint64_t)rt_comm_size(given.comm);
  given.bytes = buffer == MPI_IN_PLACE ? block : rt_bytes(sent.count, sent.type);
  write(&given);
}

void rt_note_allgatherv(bool blocking, const void* buffer, struct rt_data sent, const void* counts, enum rt_width width,
                        MPI_Datatype type, MPI_Comm comm) {
  struct contribution given = contribution(rehearse_allgatherv, blocking, comm);
  if (given.comm == rt_none) return;
  const struct counts pieces = {counts, width, type, NULL};
  given.total = bytes_of(&pieces, given.comm);
  given.bytes = buffer == MPI_IN_PLACE ? bytes_at(&pieces, rt_comm_rank(given.comm)) : rt_bytes(sent.count, sent.type);
  write(&given);
}

void rt_note_alltoall(bool blocking, const void* buffer, struct rt_data sent, struct rt_data received, MPI_Comm comm) {
  struct contribution given = contribution(rehearse_alltoall, blocking, comm);
  if (given.comm == rt_none) return;
  const struct rt_data data = buffer == MPI_IN_PLACE ? received : sent;
  give_each(&given, rt_bytes(data.count, data.type));
  write(&given);
}

static void note_exchange(bool blocking, const struct counts* pieces, MPI_Comm comm) {
  struct contribution given = contribution(rehearse_alltoallv, blocking, comm);
  if (given.comm != rt_none) write_segments(&given, pieces);
}

void rt_note_alltoallv(bool blocking, const void* buffer, const void* sent, MPI_Datatype sent_type,
                       const void* received, MPI_Datatype received_type, enum rt_width width, MPI_Comm comm) {
  const bool in_place = buffer == MPI_IN_PLACE;
  const struct counts pieces = {in_place ? received : sent, width, in_place ? received_type : sent_type, NULL};
  note_exchange(blocking, &pieces, comm);
}

void rt_note_alltoallw(bool blocking, const void* buffer, const void* sent, const MPI_Datatype* sent_types,
                       const void* received, const MPI_Datatype* received_types, enum rt_width width, MPI_Comm comm) {
  const bool in_place = buffer == MPI_IN_PLACE;
  const struct counts pieces = {in_place ? received : sent, width, MPI_DATATYPE_NULL,
                                in_place ? received_types : sent_types};
  note_exchange(blocking, &pieces, comm);
}

void rt_made_collective(int code, const MPI_Request* variable, MPI_Comm comm) {
  if (code != MPI_SUCCESS || rt_comm(comm) == rt_none) return;
  struct rt_request* request = rt_add_request(variable, rt_collective_request);
  request->state = rt_pending;
  request->number = rt_next_number() - 1;
}

void rt_made_idup(int code, const MPI_Request* variable, struct rt_maker maker, const MPI_Comm* made) {
  if (code != MPI_SUCCESS || maker.parent == rt_none) return;
  struct rt_request* request = rt_add_request(variable, rt_collective_request);
  request->state = rt_pending;
  request->number = rt_next_number() - 1;
  request->maker = maker;
  request->made = made;
}
