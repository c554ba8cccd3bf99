// SPDX-License-Identifier: MIT
//
// Archives of OTF2 as the bytes of their files.
//
// Errors: fuzz::fail.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "simcore/support/random.hpp"

namespace rehearse::fuzz {

// By the end of the name, behind the name of the archive: ".otf2", ".def", "/0.evt", "/0.def".
using ArchiveFiles = std::map<std::string, std::string>;

// Small ones, with every kind of record. They are written to the folder.
std::vector<ArchiveFiles> make_archives(const std::string& folder);

// Bytes of some files; rarely a file is left out, cut short or exchanged with one of the other archive.
void mutate_archive(ArchiveFiles& files, const ArchiveFiles& other, SplitMix& random);

// Replaces the archive with this name in the folder. Returns the path of its anchor file.
std::string write_files(const ArchiveFiles& files, const std::string& folder, const std::string& name);

}  // namespace rehearse::fuzz
