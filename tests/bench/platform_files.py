# SPDX-License-Identifier: MIT
"""The platform files of the comparisons, written into a folder. Hosts are called node-0, node-1, ... in all of them."""
import random
from pathlib import Path

DAY = 86_400
PERIOD = 30 * DAY


def cluster(hosts, backbone=""):
    return (f'  <cluster id="nodes" prefix="node-" suffix="" radical="0-{hosts - 1}" speed="1Gf"\n'
            f'           bw="125MBps" lat="50us"{backbone}/>\n')


def write(path, body):
    path.write_text('<?xml version="1.0"?>\n<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">\n'
                    f'<platform version="4.1">\n{body}</platform>\n')
    return path


def crossbar(folder, hosts):
    """Every host has a link up and one down; nothing else is shared."""
    return write(folder / f"crossbar-{hosts}.xml", cluster(hosts))


def backbone(folder, hosts):
    """All flows cross one more link, which they fill."""
    return write(folder / f"backbone-{hosts}.xml", cluster(hosts, ' bb_bw="1250MBps" bb_lat="500us"'))


def availability(generator):
    """Lines `date speed` of a month: there for 2.5 hours on average, away for one; ends as it begins."""
    lines, there, date = ["0 1.0"], True, generator.uniform(0, 9000)
    while date < PERIOD - 60:
        there = not there
        lines.append(f"{date:.1f} {generator.uniform(0.5, 1):.3f}" if there else f"{date:.1f} 0")
        date += generator.expovariate(1 / 9000 if there else 1 / 3600)
    return "\n".join([f"PERIODICITY {PERIOD}", *lines, f"{PERIOD - 1} 1.0", ""])


def volunteers(folder, hosts):
    """A cluster; the speed of each host but the first follows a trace of its own, in a file of its own."""
    generator = random.Random(5)
    here = folder / f"volunteers-{hosts}"
    here.mkdir(exist_ok=True)
    body = [cluster(hosts)]
    for i in range(1, hosts):
        (here / f"{i}.trace").write_text(availability(generator))
        body.append(f'  <trace id="t{i}" file="{i}.trace" periodicity="-1"/>\n'
                    f'  <trace_connect kind="SPEED" trace="t{i}" element="node-{i}"/>\n')
    return write(here / "platform.xml", "".join(body))


def file_of(folder, kind, hosts):
    """The path of the platform file, written now if it is not there yet."""
    made = Path(folder) / f"{kind}-{hosts}.made"
    if not made.exists():
        made.write_text(str({"crossbar": crossbar, "backbone": backbone, "volunteers": volunteers}[kind](
            Path(folder), hosts)))
    return made.read_text()
