// SPDX-License-Identifier: MIT
//
// The numbers of the network model library_network where neither the user nor the platform gives one: a messaging
// library over TCP and Ethernet.
//
// Model:    a message of s bytes takes the latency of its route times a factor, the time of its first frame on each
//           link but the narrowest, and (s + envelope) / (payload part * least bandwidth). Only the last term waits for
//           others: for the message before it on its connection, and for a fair share of each link.
// Frames:   a segment of 1448 bytes of payload (1500 of IP, less 20 of IP, 20 of TCP and 12 of timestamps) takes 1538
//           bytes on the wire: 14 of the header, 4 of the checksum, 20 of preamble and gap.
//           Source: IEEE 802.3-2022, clauses 3 and 4; RFC 9293; RFC 7323, appendix A.
// Answers:  an acknowledgement takes 90 bytes on the wire, one for each second segment.
//           Source: RFC 9293, section 3.8.6.3.
// Envelope: 22 bytes of headers of the library, and half of the 90 bytes of the last frame of a message, which is not
//           full: between 0 and 90 are missing in the part of payload above.
//           Source: OpenMPI 4.1: 14 bytes of its matching (OMPI_PML_OB1_MATCH_HDR_LEN in
//           ompi/mca/pml/ob1/pml_ob1_hdr.h; 16 in builds for unlike machines, which Debian's is not), 8 of its TCP
//           transport (mca_btl_tcp_hdr_t in opal/mca/btl/tcp/btl_tcp_hdr.h).
// Eager:    the limit of OpenMPI's TCP transport includes the library's largest header, 56 bytes. So a message of 64
//           KiB is announced.
//           Source: OpenMPI 4.1: 64 KiB in opal/mca/btl/tcp/btl_tcp_component.c; sizeof(mca_pml_ob1_hdr_t), which
//           mca_pml_ob1_send_request_start_btl in ompi/mca/pml/ob1/pml_ob1_sendreq.h subtracts.
// Overheads: estimate: a calibration for SMPI with OpenMPI on a cluster with gigabit Ethernet, as in platform files
//           for SimGrid (method: Degomme et al., IEEE TPDS 28(8), 2017), with three digits. The numbers have not been
//           compared with the original again.
// Units:    bytes.
#pragma once

#include <cstdint>
#include <vector>

#include "simcore/contention.hpp"
#include "simcore/message_costs.hpp"

namespace rehearse::network {

inline constexpr double ethernet_frame_bytes = 1538;
inline constexpr double ethernet_payload_part = 1448.0 / ethernet_frame_bytes;
inline constexpr double ethernet_acknowledgements = 90 / (2 * ethernet_frame_bytes);
inline constexpr double library_envelope_bytes = 64;           // 22 + 45 * ethernet_payload_part
inline constexpr double library_transmit_queue_bytes = 65536;  // see simcore/cost/transmit_queues.hpp
inline constexpr std::uint64_t library_header_bytes = 56;      // the largest one
inline constexpr std::uint64_t library_eager_bytes = 65536 - library_header_bytes;

MessageCosts library_message_costs();

// The part of its capacity that a link has for this number of flows.
double contention_factor(const std::vector<ContentionPiece>& pieces, std::uint32_t flows);

}  // namespace rehearse::network
