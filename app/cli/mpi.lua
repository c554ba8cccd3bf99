-- SPDX-License-Identifier: MIT
--
-- Wireshark and tshark: the envelopes of MPI messages in captures of `rehearse --pcap` (docs/packets.md).
--   tshark -X lua_script:mpi.lua -r DIR/LINK.pcapng -Y rehearse_mpi
-- An envelope begins the first segment of each message. All other payload is zeros, so the mark "MSG" is unique.

local mpi = Proto("rehearse_mpi", "MPI message (Rehearse)")

local kinds = { [1] = "eager", [2] = "announcement", [3] = "answer", [4] = "data" }

local f = {
  source = ProtoField.uint32("rehearse_mpi.source", "Source rank"),
  tag = ProtoField.int32("rehearse_mpi.tag", "Tag"),
  communicator = ProtoField.uint32("rehearse_mpi.communicator", "Communicator"),
  bytes = ProtoField.uint64("rehearse_mpi.bytes", "Bytes"),
  kind = ProtoField.uint8("rehearse_mpi.kind", "Kind", base.DEC, kinds, 0x0f),
  collective = ProtoField.bool("rehearse_mpi.collective", "Of a collective", 8, nil, 0x10),
  number = ProtoField.uint64("rehearse_mpi.number", "Number on its connection"),
}
mpi.fields = { f.source, f.tag, f.communicator, f.bytes, f.kind, f.collective, f.number }

local envelope_bytes, port = 32, 30000

local function is_envelope(buffer)
  return buffer:len() >= envelope_bytes and buffer(13, 3):string() == "MSG"
end

local function dissect(buffer, pinfo, tree)
  if not is_envelope(buffer) then return 0 end
  local kind = kinds[buffer(12, 1):uint() % 16] or "unknown kind"
  local tag, bytes = buffer(4, 4):le_int(), buffer(16, 8):le_uint64()
  pinfo.cols.protocol = "MPI"
  pinfo.cols.info = string.format("rank %d tag %d, %s bytes, %s", buffer(0, 4):le_uint(), tag, tostring(bytes), kind)
  local item = tree:add(mpi, buffer(0, envelope_bytes))
  item:add_le(f.source, buffer(0, 4))
  item:add_le(f.tag, buffer(4, 4))
  item:add_le(f.communicator, buffer(8, 4))
  item:add_le(f.bytes, buffer(16, 8))
  item:add(f.kind, buffer(12, 1))
  item:add(f.collective, buffer(12, 1))
  item:add_le(f.number, buffer(24, 8))
  return envelope_bytes
end

function mpi.dissector(buffer, pinfo, tree)
  return dissect(buffer, pinfo, tree)
end
DissectorTable.get("tcp.port"):add(port, mpi)

-- transport=window: behind 24 bytes of the model's own header.
local window = Proto("rehearse_window", "Fixed window (Rehearse)")
function window.dissector(buffer, pinfo, tree)
  if buffer:len() <= 24 then return 0 end
  return dissect(buffer(24):tvb(), pinfo, tree)
end
DissectorTable.get("udp.port"):add(port, window)

-- transport=rdma: the payload of RoCEv2.
mpi:register_heuristic("infiniband.payload", function(buffer, pinfo, tree)
  return dissect(buffer, pinfo, tree) > 0
end)
