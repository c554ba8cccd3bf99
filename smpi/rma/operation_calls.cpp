// SPDX-License-Identifier: MIT
//
// The calls that start an operation on a window: put, get, accumulates and their request forms.
//
// Source: MPI 5.0, 12.3.
#include "smpi/abi/calls.hpp"
#include "smpi/rma/start_operation.hpp"

namespace rehearse::smpi {
namespace {

OneSided put(LocalSide origin, TargetSide target, MPI_Win win) {
  return {Deed::put, origin, {}, target, MPI_REPLACE, win};
}

OneSided get(LocalSide result, TargetSide target, MPI_Win win) {
  return {Deed::get, {}, result, target, MPI_REPLACE, win};
}

OneSided accumulate(LocalSide origin, TargetSide target, MPI_Op op, MPI_Win win) {
  return {Deed::accumulate, origin, {}, target, op, win};
}

OneSided fetch(LocalSide origin, LocalSide result, TargetSide target, MPI_Op op, MPI_Win win) {
  return {Deed::fetch, origin, result, target, op, win};
}

int with_request(OneSided call, MPI_Request* request) {
  call.has_request = true;
  call.request = request;
  return start_operation(call);
}

}  // namespace
}  // namespace rehearse::smpi

namespace rehearse::smpi::calls {

int Put(const void* origin_addr, int origin_count, MPI_Datatype origin_datatype, int target_rank, MPI_Aint target_disp,
        int target_count, MPI_Datatype target_datatype, MPI_Win win) {
  return start_operation(put({origin_addr, origin_count, origin_datatype},
                             {target_rank, target_disp, target_count, target_datatype}, win));
}

int Put_c(const void* origin_addr, MPI_Count origin_count, MPI_Datatype origin_datatype, int target_rank,
          MPI_Aint target_disp, MPI_Count target_count, MPI_Datatype target_datatype, MPI_Win win) {
  return start_operation(put({origin_addr, origin_count, origin_datatype},
                             {target_rank, target_disp, target_count, target_datatype}, win));
}

int Rput(const void* origin_addr, int origin_count, MPI_Datatype origin_datatype, int target_rank, MPI_Aint target_disp,
         int target_count, MPI_Datatype target_datatype, MPI_Win win, MPI_Request* request) {
  return with_request(put({origin_addr, origin_count, origin_datatype},
                          {target_rank, target_disp, target_count, target_datatype}, win),
                      request);
}

int Rput_c(const void* origin_addr, MPI_Count origin_count, MPI_Datatype origin_datatype, int target_rank,
           MPI_Aint target_disp, MPI_Count target_count, MPI_Datatype target_datatype, MPI_Win win,
           MPI_Request* request) {
  return with_request(put({origin_addr, origin_count, origin_datatype},
                          {target_rank, target_disp, target_count, target_datatype}, win),
                      request);
}

int Get(void* origin_addr, int origin_count, MPI_Datatype origin_datatype, int target_rank, MPI_Aint target_disp,
        int target_count, MPI_Datatype target_datatype, MPI_Win win) {
  return start_operation(get({origin_addr, origin_count, origin_datatype},
                             {target_rank, target_disp, target_count, target_datatype}, win));
}

int Get_c(void* origin_addr, MPI_Count origin_count, MPI_Datatype origin_datatype, int target_rank,
          MPI_Aint target_disp, MPI_Count target_count, MPI_Datatype target_datatype, MPI_Win win) {
  return start_operation(get({origin_addr, origin_count, origin_datatype},
                             {target_rank, target_disp, target_count, target_datatype}, win));
}

int Rget(void* origin_addr, int origin_count, MPI_Datatype origin_datatype, int target_rank, MPI_Aint target_disp,
         int target_count, MPI_Datatype target_datatype, MPI_Win win, MPI_Request* request) {
  return with_request(get({origin_addr, origin_count, origin_datatype},
                          {target_rank, target_disp, target_count, target_datatype}, win),
                      request);
}

int Rget_c(void* origin_addr, MPI_Count origin_count, MPI_Datatype origin_datatype, int target_rank,
           MPI_Aint target_disp, MPI_Count target_count, MPI_Datatype target_datatype, MPI_Win win,
           MPI_Request* request) {
  return with_request(get({origin_addr, origin_count, origin_datatype},
                          {target_rank, target_disp, target_count, target_datatype}, win),
                      request);
}

int Accumulate(const void* origin_addr, int origin_count, MPI_Datatype origin_datatype, int target_rank,
               MPI_Aint target_disp, int target_count, MPI_Datatype target_datatype, MPI_Op op, MPI_Win win) {
  return start_operation(accumulate({origin_addr, origin_count, origin_datatype},
                                    {target_rank, target_disp, target_count, target_datatype}, op, win));
}

int Accumulate_c(const void* origin_addr, MPI_Count origin_count, MPI_Datatype origin_datatype, int target_rank,
                 MPI_Aint target_disp, MPI_Count target_count, MPI_Datatype target_datatype, MPI_Op op, MPI_Win win) {
  return start_operation(accumulate({origin_addr, origin_count, origin_datatype},
                                    {target_rank, target_disp, target_count, target_datatype}, op, win));
}

int Raccumulate(const void* origin_addr, int origin_count, MPI_Datatype origin_datatype, int target_rank,
                MPI_Aint target_disp, int target_count, MPI_Datatype target_datatype, MPI_Op op, MPI_Win win,
                MPI_Request* request) {
  return with_request(accumulate({origin_addr, origin_count, origin_datatype},
                                 {target_rank, target_disp, target_count, target_datatype}, op, win),
                      request);
}

int Raccumulate_c(const void* origin_addr, MPI_Count origin_count, MPI_Datatype origin_datatype, int target_rank,
                  MPI_Aint target_disp, MPI_Count target_count, MPI_Datatype target_datatype, MPI_Op op, MPI_Win win,
                  MPI_Request* request) {
  return with_request(accumulate({origin_addr, origin_count, origin_datatype},
                                 {target_rank, target_disp, target_count, target_datatype}, op, win),
                      request);
}

int Get_accumulate(const void* origin_addr, int origin_count, MPI_Datatype origin_datatype, void* result_addr,
                   int result_count, MPI_Datatype result_datatype, int target_rank, MPI_Aint target_disp,
                   int target_count, MPI_Datatype target_datatype, MPI_Op op, MPI_Win win) {
  return start_operation(fetch({origin_addr, origin_count, origin_datatype},
                               {result_addr, result_count, result_datatype, "result_addr"},
                               {target_rank, target_disp, target_count, target_datatype}, op, win));
}

int Get_accumulate_c(const void* origin_addr, MPI_Count origin_count, MPI_Datatype origin_datatype, void* result_addr,
                     MPI_Count result_count, MPI_Datatype result_datatype, int target_rank, MPI_Aint target_disp,
                     MPI_Count target_count, MPI_Datatype target_datatype, MPI_Op op, MPI_Win win) {
  return start_operation(fetch({origin_addr, origin_count, origin_datatype},
                               {result_addr, result_count, result_datatype, "result_addr"},
                               {target_rank, target_disp, target_count, target_datatype}, op, win));
}

int Rget_accumulate(const void* origin_addr, int origin_count, MPI_Datatype origin_datatype, void* result_addr,
                    int result_count, MPI_Datatype result_datatype, int target_rank, MPI_Aint target_disp,
                    int target_count, MPI_Datatype target_datatype, MPI_Op op, MPI_Win win, MPI_Request* request) {
  return with_request(fetch({origin_addr, origin_count, origin_datatype},
                            {result_addr, result_count, result_datatype, "result_addr"},
                            {target_rank, target_disp, target_count, target_datatype}, op, win),
                      request);
}

int Rget_accumulate_c(const void* origin_addr, MPI_Count origin_count, MPI_Datatype origin_datatype, void* result_addr,
                      MPI_Count result_count, MPI_Datatype result_datatype, int target_rank, MPI_Aint target_disp,
                      MPI_Count target_count, MPI_Datatype target_datatype, MPI_Op op, MPI_Win win,
                      MPI_Request* request) {
  return with_request(fetch({origin_addr, origin_count, origin_datatype},
                            {result_addr, result_count, result_datatype, "result_addr"},
                            {target_rank, target_disp, target_count, target_datatype}, op, win),
                      request);
}

int Fetch_and_op(const void* origin_addr, void* result_addr, MPI_Datatype datatype, int target_rank,
                 MPI_Aint target_disp, MPI_Op op, MPI_Win win) {
  return start_operation(fetch({origin_addr, 1, datatype}, {result_addr, 1, datatype, "result_addr"},
                               {target_rank, target_disp, 1, datatype}, op, win));
}

int Compare_and_swap(const void* origin_addr, const void* compare_addr, void* result_addr, MPI_Datatype datatype,
                     int target_rank, MPI_Aint target_disp, MPI_Win win) {
  OneSided call = fetch({origin_addr, 1, datatype}, {result_addr, 1, datatype, "result_addr"},
                        {target_rank, target_disp, 1, datatype}, MPI_REPLACE, win);
  call.deed = Deed::swap;
  call.compare = compare_addr;
  return start_operation(call);
}

}  // namespace rehearse::smpi::calls
