// SPDX-License-Identifier: MIT
//
// The stream of one rank: the file that the profiling library writes while a rank runs under a real MPI, and that
// `rehearse trace gather` reads. C and C++ include it.
//
// Layout:  a head, then records. A record is a letter and its fields. Numbers are varints, those marked s are in
// zig-zag
//          order (trace/rtrace/bytes.hpp); a text is its length and its bytes.
//          A  about:      number of pairs, then each key and value (texts)
//          S  site:       call, module (texts), offset in the module. Numbers from 1 in the order of the file
//          C  comm:       parent, form, child (s), tag (s), number of members, runs of world ranks (first, length).
//                         Numbers from 2 in the order of the file; 0 is the world, 1 is the rank alone
//          V  compute:    volume, in tenths of a unit of the counter
//          s  send:       site, flags, comm, peer, tag (s), bytes
//          r  receive:    site, flags, comm, peer, tag (s), capacity in bytes, and the number of the probe if it takes
//          o  observe:    site, flags, number of requests, then each, counted back from the next request
//          a  answer:     of the observe before it, to any or some: number, then the indices of completed requests
//          p  probe:      site, flags, comm, peer, tag (s)
//          e  seen:       of the probe before it: source, tag (s)
//          c  collective: site, flags, what, comm, root, bytes, elements, total bytes; segments: one if they are equal,
//                         else one for each member
//          t  took:       request, counted back; source, tag (s): the message of a receive with a wildcard
//          f  release:    site, request, counted back
//          z  finalize:   site
//          x  abort:      site, error code (s)
//          n  refused:    site, text: a call that cannot be replayed
//          Peers, sources and roots are ranks of the communicator. Each send, receive and collective takes the next
//          number of a request.
// Crash:   `bytes` grows after each record, so a killed rank leaves whole records. in_call: the last operation has no
//          answer.
// Version: grows when an older reader would misunderstand a file.
#ifndef REHEARSE_TRACE_PMPI_STREAM_H
#define REHEARSE_TRACE_PMPI_STREAM_H

#include <stdint.h>

enum { rehearse_stream_version = 1, rehearse_stream_head_bytes = 128 };

struct rehearse_stream_head {
  char magic[8];  // rehearse_stream_magic
  uint32_t version;
  uint32_t counter;  // enum rehearse_counter
  uint32_t rank, ranks;
  uint64_t bytes;          // of whole records
  uint64_t polls;          // tests and probes without success, which have no record
  uint64_t calls;          // recorded calls
  uint32_t in_call;        // 1: the last operation has no answer
  uint32_t other_threads;  // 1: several threads called MPI
  uint32_t has_status;     // 1: the process ended with exit()
  int32_t status;
  uint64_t slow_reads;  // reads of the counter that took a system call
  double overhead;      // of an empty pair of reads, taken off from each volume; in units of the counter
};

#define REHEARSE_STREAM_MAGIC "rpmpi\r\n\x1a"

// seconds: nanoseconds of processor time of the thread. instructions: in user mode.
enum rehearse_counter { rehearse_counter_seconds, rehearse_counter_instructions };

// Flags of records.
enum {
  rehearse_mode_mask = 3,         // send: SendMode; observe: Quantifier
  rehearse_flag_blocking = 4,     // send, receive, observe, probe, collective
  rehearse_flag_any_source = 8,   // receive, probe
  rehearse_flag_any_tag = 16,     // receive, probe
  rehearse_flag_takes = 32,       // receive, probe: matched
  rehearse_flag_yes = 8,          // observe
  rehearse_flag_withdraws = 16,   // observe
  rehearse_flag_commutative = 8,  // collective: the operator
  rehearse_flag_segments = 16,    // collective: each member gets a part
  rehearse_flag_equal = 32        // collective: the segments are equal
};

// Forms of a comm: made by a call of all members of the parent; or the place where the members of a group meet in
// MPI_Comm_create_group, which is the parent of the communicator that they make.
enum { rehearse_comm_of_parent, rehearse_comm_of_group };

// The function behind a collective. `sync`: of no data, such as MPI_Comm_dup.
enum rehearse_collective {
  rehearse_sync,
  rehearse_barrier,
  rehearse_bcast,
  rehearse_reduce,
  rehearse_allreduce,
  rehearse_gather,
  rehearse_gatherv,
  rehearse_scatter,
  rehearse_scatterv,
  rehearse_allgather,
  rehearse_allgatherv,
  rehearse_alltoall,
  rehearse_alltoallv,
  rehearse_scan,
  rehearse_exscan,
  rehearse_reduce_scatter,
  rehearse_reduce_scatter_block,
  rehearse_collectives  // their number
};

#endif
