// SPDX-License-Identifier: MIT
//
// The value of the info key `soft`: the numbers of processes that a call of MPI_Comm_spawn may start.
//
// Source: MPI 5.0, 11.8.4: a list of triplets a:b:c, each the numbers a, a + c, a + 2c... up to b; c and b may be
//         missing, with the values 1 and a.
#pragma once

#include <cstdint>
#include <string_view>

namespace rehearse::smpi {

// The largest number of the list that is at most `wanted`. An empty or wrong list means nothing: `wanted`.
std::uint32_t largest_soft_count(std::string_view list, std::uint32_t wanted);

}  // namespace rehearse::smpi
