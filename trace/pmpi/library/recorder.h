// SPDX-License-Identifier: MIT
//
// Inside of the profiling library, librehearse_trace_openmpi.so and librehearse_trace_mpich.so: what the generated
// wrappers (generate.py) call, and the parts that these functions share.
//
// Method:   a wrapper enters (the volume since the last call ends), notes the operation, calls the real function, notes
//           its answer, and leaves (the next volume begins).
// Threads:  one thread calls MPI. Calls of others are not recorded, and the stream says that there were some.
// Errors:   a stream that cannot be written is reported once on standard error, and the program runs on unrecorded.
#ifndef REHEARSE_TRACE_PMPI_RECORDER_H
#define REHEARSE_TRACE_PMPI_RECORDER_H

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "trace/pmpi/stream.h"

// ---- meter.c: the volume of the thread so far, in units of the counter

enum rt_side { rt_entering, rt_leaving };

// The process begins. Instructions are counted if the kernel allows it.
void rt_meter_start(bool wants_instructions);
// MPI_Init is over: measures the rate of the processor's clock, and the cost of a pair of reads.
void rt_meter_calibrate(void);
double rt_meter_now(enum rt_side side);
double rt_meter_overhead(void);
enum rehearse_counter rt_meter_counter(void);
uint64_t rt_meter_slow_reads(void);

// ---- map.c: memory, and 64-bit keys to numbers

// The block with so many bytes; ends the process if there is no memory.
void* rt_grown(void* block, size_t bytes);

struct rt_map {
  uint64_t* keys;
  uint32_t* values;  // + 1; 0: free
  uint32_t capacity, used;
};
enum { rt_none = 0xffffffffu };

uint32_t rt_map_find(const struct rt_map* map, uint64_t key);
void rt_map_set(struct rt_map* map, uint64_t key, uint32_t value);
void rt_map_remove(struct rt_map* map, uint64_t key);

// ---- stream.c: the mapped file

bool rt_stream_open(const char* folder, int rank, int ranks);
struct rehearse_stream_head* rt_stream_head(void);
// A record of at most so many bytes follows.
void rt_begin(char kind, size_t most_bytes);
void rt_put(uint64_t value);
void rt_put_signed(int64_t value);
void rt_put_text(const char* text);
void rt_end(void);
void rt_stream_close(void);

// ---- session.c: the life of a rank, and the frame of each call

// Records as text, of a communicator or a call that cannot be replayed.
void rt_refuse(const char* what);
// The call at hand cannot be replayed.
void rt_refuse_call(void);

// A call of the program begins. False: it is not recorded.
bool rt_enter(unsigned call, const void* address);
// The call is over. Returns `code`.
int rt_leave(int code);
// The record of an operation, with its site. The volume before it is written first.
void rt_begin_operation(char kind, size_t most_bytes);
// The operation waits from here on.
void rt_await(void);
// A poll without success.
void rt_count_poll(void);
// The site of the call at hand.
uint32_t rt_site(void);
void rt_use_site(uint32_t site);  // of the next operation, instead

// MPI_Init: before and after the real call.
double rt_before_init(void);
int rt_init(int code, double entered);
void rt_note_finalize(void);
int rt_finalized(int code);
void rt_note_abort(int code);

// ---- communicators.c

// The number of a communicator; rt_none: it cannot be replayed, which is recorded.
uint32_t rt_comm(MPI_Comm comm);
int rt_comm_size(uint32_t comm);
int rt_comm_rank(uint32_t comm);  // the caller's
void rt_add_predefined_comms(void);
// A call that makes a communicator from another, which has made so many before.
struct rt_maker {
  uint32_t parent;  // rt_none: nothing is recorded
  int child;
};
struct rt_maker rt_make_from(MPI_Comm parent);
// The same by the members of a group alone (MPI_Comm_create_group); notes the call.
struct rt_maker rt_make_from_group(MPI_Comm parent, MPI_Group group, int tag);
// What the call made; MPI_COMM_NULL: nothing for this rank.
void rt_made_comm(int code, struct rt_maker maker, const MPI_Comm* made);
void rt_remove_comm(MPI_Comm comm);

// ---- requests.c

enum rt_kind { rt_send_request, rt_receive_request, rt_collective_request };
enum rt_state { rt_inactive, rt_pending, rt_complete };

struct rt_request {
  uint64_t handle;
  const void* variable;  // that got the handle: an MPI may have equal handles for several requests
  uint32_t next;         // with this handle
  uint32_t number;
  uint32_t comm;
  uint32_t cancel_site;  // 0: MPI_Cancel was not called
  uint64_t listing;      // the last list of requests that had it
  enum rt_kind kind;
  enum rt_state state;
  bool is_persistent;
  bool is_wildcard;  // its status names the message
  int mode;          // persistent: to start it
  int peer, tag;
  uint64_t bytes;
  const MPI_Comm* made;  // MPI_Comm_idup: the new communicator, once it is complete
  struct rt_maker maker;
};

// Pointers to requests are valid until the next one is added. The handle is in the variable.
struct rt_request* rt_add_request(const MPI_Request* variable, enum rt_kind kind);
// Null: unknown. A list names each request once.
struct rt_request* rt_find_request(const MPI_Request* variable, uint64_t listing);
void rt_remove_request(struct rt_request* request);
uint64_t rt_next_listing(void);
uint32_t rt_next_number(void);   // of the rank's next request
uint32_t rt_start_number(void);  // takes it

// ---- point_to_point.c

uint64_t rt_bytes(MPI_Count count, MPI_Datatype type);
void rt_note_send(int mode, bool blocking, MPI_Count count, MPI_Datatype type, int peer, int tag, MPI_Comm comm);
// True: the status is needed to know the message.
bool rt_note_receive(bool blocking, MPI_Count count, MPI_Datatype type, int peer, int tag, MPI_Comm comm);
// True, as of rt_note_receive().
bool rt_note_exchange(MPI_Count sent, MPI_Datatype sent_type, int to, int send_tag, MPI_Count received,
                      MPI_Datatype received_type, int from, int receive_tag, MPI_Comm comm);
// The last receive, or the one with this number, had a wildcard and got this message.
void rt_note_took(const MPI_Status* status);
void rt_write_took(uint32_t request, const MPI_Status* status);
void rt_made_send(int code, const MPI_Request* request, int peer, MPI_Comm comm);
void rt_made_receive(int code, const MPI_Request* request, int peer, int tag, MPI_Comm comm);
void rt_made_persistent(int code, const MPI_Request* request, enum rt_kind kind, int mode, MPI_Count count,
                        MPI_Datatype type, int peer, int tag, MPI_Comm comm);
void rt_note_start(const MPI_Request* requests, int count);
void rt_note_probe(bool takes, int peer, int tag, MPI_Comm comm);
// A probe has found a message. `is_noted`: the probe was noted before. `message`: what it took; null: nothing.
void rt_note_seen(bool is_noted, int peer, int tag, MPI_Comm comm, const MPI_Status* status,
                  const MPI_Message* message);
// False: nothing is received (MPI_MESSAGE_NO_PROC).
bool rt_note_matched_receive(bool blocking, MPI_Count count, MPI_Datatype type, MPI_Message message);
void rt_made_matched_receive(int code, const MPI_Request* request, bool is_started);

// ---- completion.c: the calls that complete requests, in two halves around the real call

enum rt_quantifier { rt_all, rt_any, rt_some };

// What a call knows about its requests before the real one changes them.
struct rt_list {
  int count;
  bool needs_statuses;
};
// Blocking: notes the operation.
struct rt_list rt_list_requests(int count, const MPI_Request* requests, enum rt_quantifier quantifier, bool blocking);
// Where the real call shall write statuses: those that the program ignores may be needed.
MPI_Status* rt_statuses(MPI_Status* given, const MPI_Status* ignored, const struct rt_list* list);
// Requests with these indices are complete; null: all. Statuses are in the order of the indices. `peeks`: the requests
// remain.
void rt_note_completed(const struct rt_list* list, enum rt_quantifier quantifier, int completed, const int* indices,
                       const MPI_Status* statuses, bool peeks);
void rt_note_cancel(const MPI_Request* request);
void rt_note_free(const MPI_Request* request);

// ---- collectives.c

struct rt_data {
  MPI_Count count;
  MPI_Datatype type;
};
enum rt_width { rt_int, rt_count };  // of the numbers in an array

void rt_note_sync(bool blocking, MPI_Comm comm, uint64_t bytes);
void rt_note_sync_of(bool blocking, uint32_t comm, uint64_t bytes);
void rt_note_barrier(bool blocking, MPI_Comm comm);
void rt_note_bcast(bool blocking, struct rt_data data, int root, MPI_Comm comm);
void rt_note_reduction(enum rehearse_collective what, bool blocking, struct rt_data data, MPI_Op op, int root,
                       MPI_Comm comm);
void rt_note_reduce_scatter(bool blocking, const void* counts, enum rt_width width, MPI_Datatype type, MPI_Op op,
                            MPI_Comm comm);
void rt_note_reduce_scatter_block(bool blocking, struct rt_data data, MPI_Op op, MPI_Comm comm);
void rt_note_gather(bool blocking, const void* buffer, struct rt_data sent, struct rt_data received, int root,
                    MPI_Comm comm);
void rt_note_gatherv(bool blocking, const void* buffer, struct rt_data sent, const void* counts, enum rt_width width,
                     MPI_Datatype type, int root, MPI_Comm comm);
void rt_note_scatter(bool blocking, struct rt_data sent, int root, MPI_Comm comm);
void rt_note_scatterv(bool blocking, const void* counts, enum rt_width width, MPI_Datatype type, int root,
                      MPI_Comm comm);
void rt_note_allgather(bool blocking, const void* buffer, struct rt_data sent, struct rt_data received, MPI_Comm comm);
void rt_note_allgatherv(bool blocking, const void* buffer, struct rt_data sent, const void* counts, enum rt_width width,
                        MPI_Datatype type, MPI_Comm comm);
void rt_note_alltoall(bool blocking, const void* buffer, struct rt_data sent, struct rt_data received, MPI_Comm comm);
void rt_note_alltoallv(bool blocking, const void* buffer, const void* sent, MPI_Datatype sent_type,
                       const void* received, MPI_Datatype received_type, enum rt_width width, MPI_Comm comm);
void rt_note_alltoallw(bool blocking, const void* buffer, const void* sent, const MPI_Datatype* sent_types,
                       const void* received, const MPI_Datatype* received_types, enum rt_width width, MPI_Comm comm);
void rt_made_collective(int code, const MPI_Request* request, MPI_Comm comm);
void rt_made_idup(int code, const MPI_Request* request, struct rt_maker maker, const MPI_Comm* made);

// The names of all calls with a wrapper, in the order of their numbers (generated).
extern const char* const rt_call_names[];

#endif
