#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""tshark reads the captures of `--pcap`: no malformed frame, right checksums; packets, bytes, retransmissions and
messages as the reports of the run count them. Ctrl-C leaves whole files.

Usage: pcap_test.py --rehearse PROGRAM --cc COMPILER --lua FILE. Ends with 77 if there is no tshark.

tshark counts a repeated segment as a retransmission, a fast one, a spurious one or as out of order, by its date; the
sum of the four on the first link of the sender is the model's count. tshark also counts a repeated SYN, which carries
no data.
The frame of a packet has 24 of its bytes on the wire less: framing is 38 bytes, 14 of them the header of Ethernet.
"""
import argparse
import json
import pathlib
import re
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
import zlib

ROCE_PORT = struct.pack(">H", 4791)
REPEATED = ("tcp.analysis.retransmission", "tcp.analysis.out_of_order")  # all fast and spurious ones are of the first

PROGRAM = """
#include <mpi.h>
int main(int argc, char **argv) {
  static char data[200000];
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) MPI_Send(data, 1000, MPI_CHAR, 1, 5, MPI_COMM_WORLD);
  if (rank == 0) MPI_Send(data, 200000, MPI_CHAR, 1, 6, MPI_COMM_WORLD);
  if (rank == 1) MPI_Recv(data, 1000, MPI_CHAR, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (rank == 1) MPI_Recv(data, 200000, MPI_CHAR, 0, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Bcast(data, 100000, MPI_CHAR, 1, MPI_COMM_WORLD);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
"""


# Messages without an end; after some of them, rank 1 computes without an end if there is an argument.
ENDLESS = """
#include <mpi.h>
int main(int argc, char **argv) {
  static char data[100000];
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (volatile long i = 0;; ++i) {
    if (rank == 0) MPI_Send(data, 100000, MPI_CHAR, 1, 5, MPI_COMM_WORLD);
    else MPI_Recv(data, 100000, MPI_CHAR, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    while (argc > 1 && i > 1000) {}
  }
}
"""


def blocks(path):
    """The types and bytes of the blocks of a pcapng file."""
    data, place = path.read_bytes(), 0
    while place < len(data):
        kind, length = struct.unpack_from("<II", data, place)
        assert struct.unpack_from("<I", data, place + length - 4) == (length,), (path, place)
        yield kind, data[place:place + length]
        place += length
    assert place == len(data), path


def tshark(folder, *fields, options=()):
    """The frames of all files of a folder, with `link` and these fields. The files become one with several interfaces,
    because each start of tshark takes a quarter of a second."""
    joined = folder.with_suffix(".joined")
    heads, packets = [], []
    for number, path in enumerate(sorted(folder.glob("*.pcapng"))):
        for kind, block in blocks(path):
            if kind == 6:
                packets.append(block[:8] + struct.pack("<I", number) + block[12:])
            elif kind == 1 or number == 0:
                heads.append(block)
    packets.sort(key=lambda block: struct.unpack_from("<II", block, 12))
    joined.write_bytes(b"".join(heads + packets))
    names = ["frame.interface_name", *fields]
    done = subprocess.run(["tshark", "-n", "-o", "tcp.check_checksum:TRUE", "-o", "udp.check_checksum:TRUE", "-o",
                           "ip.check_checksum:TRUE", "-r", str(joined), *options, "-T", "fields",
                           *(word for name in names for word in ("-e", name))],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert done.returncode == 0, f"tshark {fields} of {folder}: {done.stderr}"
    return [dict(zip(["link", *fields], line.split("\t"))) for line in done.stdout.splitlines()]


CHECKED = ("_ws.malformed", "_ws.col.Info", "ip.checksum.status", "tcp.checksum.status", "udp.checksum.status")


def check_frames(frames_seen):
    for frame in frames_seen:
        assert not frame["_ws.malformed"] and "alformed" not in frame["_ws.col.Info"], frame
        assert all(frame[field] != "0" for field in CHECKED[2:]), frame


def frames(path):
    """The captured bytes and length of each frame."""
    for kind, block in blocks(path):
        if kind == 6:
            captured, original = struct.unpack_from("<II", block, 20)
            yield block[28:28 + captured], original


def ones_sum(data):
    data += b"\0" * (len(data) % 2)
    total = sum(struct.unpack(f">{len(data) // 2}H", data))
    while total >> 16:
        total = (total & 0xffff) + (total >> 16)
    return total


def roce_crc(frame):
    """Of all behind Ethernet; fields that switches may change count as ones."""
    masked = bytearray(b"\xff" * 8 + frame[14:-4])
    for place in (1, 8, 10, 11, 26, 27, 32):  # service, time to live, checksums, a byte of the BTH
        masked[8 + place] = 0xff
    return struct.pack("<I", zlib.crc32(masked))


def check_checksums(path):
    """tshark checks only segments that were captured whole. The rest of each payload is zeros."""
    for frame, length in frames(path):
        assert ones_sum(frame[14:34]) == 0xffff, f"{path}: checksum of IP"
        protocol = frame[23]
        if protocol == 17 and frame[36:38] == ROCE_PORT:
            assert len(frame) == length and frame[-4:] == roce_crc(frame), f"{path}: CRC of RoCE"
            continue
        pseudo = frame[26:34] + struct.pack(">HH", protocol, length - 34)
        assert ones_sum(pseudo + frame[34:]) == 0xffff, f"{path}: checksum of protocol {protocol}"


def check_flows(rehearse, folder, name, keys, flows, *, has_frames=True):
    where = folder / name
    (folder / "flows.txt").write_text("".join(line + "\n" for line in flows))
    done = subprocess.run([rehearse, "flows", "--on", "crossbar:9", "--network", "packet", "--packet", keys, "--quiet",
                           "--json", "-", "--pcap", str(where), str(folder / "flows.txt")], stdout=subprocess.PIPE,
                          check=True)
    report = json.loads(done.stdout)
    links = {link["name"]: link for link in report["links"] if link["packets"]}
    seen = tshark(where, "frame.len", *CHECKED)
    check_frames(seen)
    assert {path.stem for path in where.glob("*.pcapng")} == {frame["link"] for frame in seen} == set(links), links
    for path in where.glob("*.pcapng"):
        check_checksums(path)
        lengths = [int(frame["frame.len"]) for frame in seen if frame["link"] == path.stem]
        link = links[path.stem]
        assert len(lengths) == link["packets"], (path, len(lengths), link)
        if has_frames:
            assert sum(lengths) == link["bytes"] - 24 * link["packets"], (path, sum(lengths), link)
    return report, seen


def check_losses(rehearse, folder):
    flows = [f"0 node-{sender} node-0 300000" for sender in range(1, 9)]
    report, _ = check_flows(rehearse, folder, "lossy", "loss=0.01,queue=64KiB", flows)
    total = 0
    first = folder / "first links"  # alone, because other links show the same segments again
    first.mkdir()
    for path in (folder / "lossy").glob("*_[1-8]_UP.pcapng"):
        shutil.copy(path, first)
    seen = tshark(first, "tcp.len", *REPEATED)
    for flow in report["flows"]:
        repeated = [frame for frame in seen if frame["link"] == f"cluster_link_{flow['source'][5:]}_UP" and
                    frame["tcp.len"] != "0" and any(frame[name] for name in REPEATED)]
        assert len(repeated) == flow["retransmissions"], (flow, len(repeated))
        total += len(repeated)
    assert total > 0, "a run without losses shows nothing"
    print(f"losses: {total} retransmissions, as tshark counts them")


def build(rehearse, compiler, folder, name, text):
    (folder / f"{name}.c").write_text(text)
    subprocess.run([rehearse, compiler, str(folder / f"{name}.c"), "-o", str(folder / name)], check=True)


def check_messages(seen, report):
    """The data of messages on the first link of each rank are those that the run counts."""
    for rank in report["ranks"]:
        first = f"cluster_link_{rank['rank']}_UP"
        sent = [int(match[1]) for frame in seen if frame["link"] == first
                for match in [re.search(r" (\d+) B (eager|data)", frame["frame.comment"])] if match]
        assert (len(sent), sum(sent)) == (rank["messages"], rank["bytes"]) and sent, (rank, len(sent), sum(sent))


def check_envelopes(rehearse, folder, compiler, lua):
    build(rehearse, compiler, folder, "two", PROGRAM)
    line = next(number for number, text in enumerate(PROGRAM.splitlines(), 1) if "MPI_Send(data, 1000," in text)
    run = [rehearse, "run", "-n", "2", "--on", "crossbar:2", "--network", "packet", "--quiet", "--json", "-"]
    fields = [f"rehearse_mpi.{field}" for field in ("source", "tag", "bytes", "kind")]
    for transport in ("tcp", "window", "rdma"):
        where = folder / f"mpi_{transport}"
        done = subprocess.run([*run, "--packet", f"transport={transport}", "--pcap", str(where), str(folder / "two")],
                              stdout=subprocess.PIPE, check=True)
        seen = tshark(where, "frame.comment", "_ws.lua.error", *fields, *CHECKED, options=["-X", f"lua_script:{lua}"])
        check_frames(seen)
        assert not any(frame["_ws.lua.error"] for frame in seen), where
        check_messages(seen, json.loads(done.stdout))
        expected = {("0", "5", "1000", "1"), ("0", "6", "200000", "2"), ("1", "6", "200000", "3"),
                    ("0", "6", "200000", "4")}
        assert expected <= {tuple(frame[field] for field in fields) for frame in seen}, transport
        comments = [frame["frame.comment"] for frame in seen if frame["frame.comment"]]
        assert any(re.fullmatch(rf"message 0->1 tag 5 comm \d+ 1000 B eager at two.c:{line}", text)
                   for text in comments), comments
        assert any("data at two.c" in text for text in comments), comments
        assert any("collective" in text and "at two.c" in text for text in comments), comments
    trace, where = folder / "two.rtrace", folder / "replayed"
    subprocess.run([rehearse, "trace", "record", "-n", "2", "-o", str(trace), "--quiet", str(folder / "two")],
                   check=True)
    done = subprocess.run([rehearse, "trace", "replay", *run[4:], "--pcap", str(where), str(trace)],
                          stdout=subprocess.PIPE, check=True)
    check_messages(tshark(where, "frame.comment"), json.loads(done.stdout))


def interrupted(arguments, where):
    """The report of a run without an end, which is interrupted when a capture has grown."""
    report = where.with_suffix(".json")
    process = subprocess.Popen([*arguments, "--json", str(report), "--pcap", str(where)], stderr=subprocess.PIPE,
                               stdout=subprocess.DEVNULL, text=True)
    begin = time.monotonic()
    while not any(path.stat().st_size >= 100_000 for path in where.glob("*.pcapng")):
        assert process.poll() is None and time.monotonic() < begin + 60, arguments
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    _, text = process.communicate(timeout=60)
    assert process.returncode == 3 and text.startswith("inconclusive: interrupted after "), (process.returncode, text)
    assert any(True for path in where.glob("*.pcapng") for _ in frames(path)), where
    check_frames(tshark(where, *CHECKED, options=["-c", "5000"]))
    return json.loads(report.read_text())


def check_interrupts(rehearse, folder, compiler):
    (folder / "long.txt").write_text("0 node-1 node-0 1\n0 node-2 node-0 1e13\n")
    on = ["--on", "crossbar:3", "--network", "packet", "--packet", "window=64KiB"]
    report = interrupted([rehearse, "flows", *on, str(folder / "long.txt")], folder / "stopped")
    assert [flow["status"] for flow in report["flows"]] == ["done", "unfinished"], report
    assert report["flows"][1]["end"] is None and report["interrupted_seconds"] > 0, report
    frames_of_two = len(list(frames(folder / "stopped" / "cluster_link_2_UP.pcapng")))
    sent = next(link["packets"] for link in report["links"] if link["name"] == "cluster_link_2_UP")
    assert frames_of_two == sent, (frames_of_two, sent)
    build(rehearse, compiler, folder, "endless", ENDLESS)
    for name, arguments in (("messages", []), ("computation", ["x"])):
        shutil.rmtree(folder / "stopped")
        # Options behind the program are those of the program, so those of interrupted() come first.
        wrapper = folder / f"{name}.sh"
        wrapper.write_text(f'#!/bin/sh\nexec {rehearse} run -n 2 {" ".join(on)} "$@" {folder}/endless '
                           f'{" ".join(arguments)}\n')
        wrapper.chmod(0o755)
        report = interrupted([str(wrapper)], folder / "stopped")
        assert report["interrupted"] and report["simulated_seconds"] > 0, report


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rehearse", required=True)
    parser.add_argument("--cc", default="cc")
    parser.add_argument("--lua", required=True)
    given = parser.parse_args()
    if not shutil.which("tshark"):
        print("tshark is not installed")
        return 77
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        flows = ["0 node-1 node-0 100000", "0 node-2 node-0 1", "1e-3 node-3 node-4 0"]
        for keys in ("transport=tcp", "congestion=reno,header=40", "header=80", "ecn=10KiB,congestion=dctcp",
                     "transport=window"):
            check_flows(given.rehearse, folder, keys.replace("=", "_"), keys, flows)
        for keys in ("transport=raw", "transport=rdma"):
            check_flows(given.rehearse, folder, keys.replace("=", "_"), keys, flows, has_frames=False)
        check_losses(given.rehearse, folder)
        check_envelopes(given.rehearse, folder, given.cc, given.lua)
        check_interrupts(given.rehearse, folder, given.cc)
        bad = subprocess.run([given.rehearse, "flows", "--on", "crossbar:2", "--network", "packet", "--pcap",
                              "/dev/null/x", "/dev/null"], stderr=subprocess.PIPE, text=True)
        assert bad.returncode == 2 and "cannot write into the folder" in bad.stderr, bad
    return 0


if __name__ == "__main__":
    sys.exit(main())
