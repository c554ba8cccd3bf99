// SPDX-License-Identifier: MIT
//
// The table of Extrae's numbers.
#include "app/cli/recording/extrae_numbers.hpp"

#include <algorithm>
#include <array>

namespace rehearse::cli {
namespace {

constexpr auto p2p = ExtraeGroup::point_to_point;
constexpr auto collective = ExtraeGroup::collective;
constexpr auto other = ExtraeGroup::other;
constexpr auto one_sided = ExtraeGroup::one_sided;
constexpr auto files = ExtraeGroup::files;

constexpr auto numbers = std::to_array<ExtraeCall>({
    {"MPI_Send", p2p, 1}, {"MPI_Recv", p2p, 2}, {"MPI_Isend", p2p, 3}, {"MPI_Irecv", p2p, 4}, {"MPI_Wait", p2p, 5},
    {"MPI_Waitall", p2p, 6}, {"MPI_Bcast", collective, 7}, {"MPI_Barrier", collective, 8},
    {"MPI_Reduce", collective, 9}, {"MPI_Allreduce", collective, 10}, {"MPI_Alltoall", collective, 11},
    {"MPI_Alltoallv", collective, 12}, {"MPI_Gather", collective, 13}, {"MPI_Gatherv", collective, 14},
    {"MPI_Scatter", collective, 15}, {"MPI_Scatterv", collective, 16}, {"MPI_Allgather", collective, 17},
    {"MPI_Allgatherv", collective, 18}, {"MPI_Comm_rank", other, 19}, {"MPI_Comm_size", other, 20},
    {"MPI_Comm_create", other, 21}, {"MPI_Comm_dup", other, 22}, {"MPI_Comm_split", other, 23},
    {"MPI_Comm_group", other, 24}, {"MPI_Comm_free", other, 25}, {"MPI_Comm_remote_group", other, 26},
    {"MPI_Comm_remote_size", other, 27}, {"MPI_Comm_test_inter", other, 28}, {"MPI_Comm_compare", other, 29},
    {"MPI_Scan", collective, 30}, {"MPI_Init", other, 31}, {"MPI_Finalize", other, 32}, {"MPI_Bsend", p2p, 33},
    {"MPI_Ssend", p2p, 34}, {"MPI_Rsend", p2p, 35}, {"MPI_Ibsend", p2p, 36}, {"MPI_Issend", p2p, 37},
    {"MPI_Irsend", p2p, 38}, {"MPI_Test", p2p, 39}, {"MPI_Cancel", p2p, 40}, {"MPI_Sendrecv", p2p, 41},
    {"MPI_Sendrecv_replace", p2p, 42}, {"MPI_Cart_create", other, 43}, {"MPI_Cart_shift", other, 44},
    {"MPI_Cart_coords", other, 45}, {"MPI_Cart_get", other, 46}, {"MPI_Cart_map", other, 47},
    {"MPI_Cart_rank", other, 48}, {"MPI_Cart_sub", other, 49}, {"MPI_Cartdim_get", other, 50},
    {"MPI_Dims_create", other, 51}, {"MPI_Graph_get", other, 52}, {"MPI_Graph_map", other, 53},
    {"MPI_Graph_create", other, 54}, {"MPI_Graph_neighbors", other, 55}, {"MPI_Graphdims_get", other, 56},
    {"MPI_Graph_neighbors_count", other, 57}, {"MPI_Topo_test", other, 58}, {"MPI_Waitany", p2p, 59},
    {"MPI_Waitsome", p2p, 60}, {"MPI_Probe", p2p, 61}, {"MPI_Iprobe", p2p, 62}, {"MPI_Win_create", one_sided, 63},
    {"MPI_Win_free", one_sided, 64}, {"MPI_Put", one_sided, 65}, {"MPI_Get", one_sided, 66},
    {"MPI_Accumulate", one_sided, 67}, {"MPI_Win_fence", one_sided, 68}, {"MPI_Win_start", one_sided, 69},
    {"MPI_Win_complete", one_sided, 70}, {"MPI_Win_post", one_sided, 71}, {"MPI_Win_wait", one_sided, 72},
    {"MPI_Win_test", one_sided, 73}, {"MPI_Win_lock", one_sided, 74}, {"MPI_Win_unlock", one_sided, 75},
    {"MPI_Pack", other, 76}, {"MPI_Unpack", other, 77}, {"MPI_Op_create", other, 78}, {"MPI_Op_free", other, 79},
    {"MPI_Reduce_scatter", collective, 80}, {"MPI_Intercomm_create", other, 96}, {"MPI_Intercomm_merge", other, 97},
    {"MPI_Abort", other, 100}, {"MPI_Wtick", other, 109}, {"MPI_Wtime", other, 110}, {"MPI_Bsend_init", other, 112},
    {"MPI_Buffer_attach", other, 113}, {"MPI_Buffer_detach", other, 114}, {"MPI_Request_free", other, 115},
    {"MPI_Recv_init", other, 116}, {"MPI_Send_init", other, 117}, {"MPI_Rsend_init", other, 121},
    {"MPI_Ssend_init", other, 122}, {"MPI_Start", other, 123}, {"MPI_Startall", other, 124},
    {"MPI_Testall", p2p, 125}, {"MPI_Testany", p2p, 126}, {"MPI_Test_cancelled", other, 127},
    {"MPI_Testsome", p2p, 128}, {"MPI_File_open", files, 141}, {"MPI_File_close", files, 142},
    {"MPI_File_read", files, 143}, {"MPI_File_read_all", files, 144}, {"MPI_File_write", files, 145},
    {"MPI_File_write_all", files, 146}, {"MPI_File_read_at", files, 147}, {"MPI_File_read_at_all", files, 148},
    {"MPI_File_write_at", files, 149}, {"MPI_File_write_at_all", files, 150}, {"MPI_Comm_spawn", other, 151},
    {"MPI_Comm_spawn_multiple", other, 152}, {"MPI_Request_get_status", other, 153},
    {"MPI_Ireduce", collective, 154}, {"MPI_Iallreduce", collective, 155}, {"MPI_Ibarrier", collective, 156},
    {"MPI_Ibcast", collective, 157}, {"MPI_Ialltoall", collective, 158}, {"MPI_Ialltoallv", collective, 159},
    {"MPI_Iallgather", collective, 160}, {"MPI_Iallgatherv", collective, 161}, {"MPI_Igather", collective, 162},
    {"MPI_Igatherv", collective, 163}, {"MPI_Iscatter", collective, 164}, {"MPI_Iscatterv", collective, 165},
    {"MPI_Ireduce_scatter", collective, 166}, {"MPI_Iscan", collective, 167}});

}  // namespace

std::span<const ExtraeCall> extrae_calls() { return numbers; }

const ExtraeCall* find_extrae_call(std::string_view function) {
  const auto found = std::ranges::find(numbers, function, &ExtraeCall::function);
  return found == numbers.end() ? nullptr : &*found;
}

}  // namespace rehearse::cli
