# SPDX-License-Identifier: MIT
"""Binary packages of Debian 12: those that are installed or, unpacked in the cache folder of debian_source.py, those
that are not. Nothing is installed.

Errors: debian_source.Unavailable, with what apt said.
"""
import hashlib
import shutil
import subprocess
from pathlib import Path

from debian_source import MIRROR, SUITE, Unavailable, apt, apt_settings, cache_folder, source_line

LIBRARIES = Path("usr/lib/x86_64-linux-gnu")


def are_installed(packages):
    if shutil.which("dpkg-query") is None:
        return False
    done = subprocess.run(["dpkg-query", "-W", "-f=${db:Status-Status}\n", *packages], stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, check=False)
    return done.returncode == 0 and done.stdout.split() == ["installed"] * len(packages)


def _unpacked_folder(packages):
    name = hashlib.sha256(" ".join([MIRROR, SUITE, *packages]).encode()).hexdigest()[:12]
    return cache_folder() / "binaries" / name


def are_there(packages):
    """Whether nothing needs to be fetched."""
    return are_installed(packages) or _unpacked_folder(packages).is_dir()


def root(packages):
    """The folder below which the files of the packages are: /, or one in the cache."""
    if are_installed(packages):
        return Path("/")
    place = _unpacked_folder(packages)
    if place.is_dir():
        return place
    if shutil.which("apt-get") is None or shutil.which("dpkg-deb") is None:
        raise Unavailable("no apt-get: this is not a Debian machine")
    settings = apt_settings(cache_folder() / "apt-binary", source_line("deb"))
    wrong = apt(settings, "update")
    if wrong:
        raise Unavailable(wrong)
    fresh = place.with_name(place.name + ".fetching")
    shutil.rmtree(fresh, ignore_errors=True)
    (fresh / "archives").mkdir(parents=True)
    wrong = apt(settings, "download", *packages, cwd=fresh / "archives")
    if wrong:
        raise Unavailable(wrong)
    for archive in sorted((fresh / "archives").glob("*.deb")):
        subprocess.run(["dpkg-deb", "-x", str(archive), str(fresh / "root")], check=True)
    shutil.rmtree(place, ignore_errors=True)
    (fresh / "root").rename(place)
    shutil.rmtree(fresh)
    return place
