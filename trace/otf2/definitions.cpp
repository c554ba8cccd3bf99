// SPDX-License-Identifier: MIT
//
// Collects the records, and resolves their references afterwards.
#include "trace/otf2/definitions.hpp"

#include <algorithm>
#include <map>

namespace rehearse::trace::otf2 {
namespace {

constexpr const char* instruction_counter = "PAPI_TOT_INS";

struct RegionRecord {
  OTF2_StringRef name = 0;
  bool is_mpi = false;
};

struct Records {
  std::unordered_map<OTF2_StringRef, std::string> texts;
  std::unordered_map<OTF2_RegionRef, RegionRecord> regions;
  std::unordered_map<OTF2_GroupRef, std::vector<std::uint64_t>> groups;  // of members of communicators
  std::unordered_map<OTF2_GroupRef, bool> is_self;
  std::map<OTF2_CommRef, OTF2_GroupRef> communicators;
  std::map<OTF2_MetricMemberRef, OTF2_StringRef> metrics;
  std::map<OTF2_MetricRef, std::vector<OTF2_MetricMemberRef>> metric_classes;
  std::vector<OTF2_LocationRef> threads, mpi_locations;
  std::uint64_t ticks_per_second = 0;
};

Records& records_of(void* data) { return *static_cast<Records*>(data); }

OTF2_CallbackCode on_clock(void* data, std::uint64_t resolution, std::uint64_t, std::uint64_t, std::uint64_t) {
  records_of(data).ticks_per_second = resolution;
  return OTF2_CALLBACK_SUCCESS;
}

OTF2_CallbackCode on_string(void* data, OTF2_StringRef self, const char* text) {
  records_of(data).texts[self] = text;
  return OTF2_CALLBACK_SUCCESS;
}

OTF2_CallbackCode on_region(void* data, OTF2_RegionRef self, OTF2_StringRef name, OTF2_StringRef, OTF2_StringRef,
                            OTF2_RegionRole, OTF2_Paradigm paradigm, OTF2_RegionFlag, OTF2_StringRef, std::uint32_t,
                            std::uint32_t) {
  records_of(data).regions[self] = {name, paradigm == OTF2_PARADIGM_MPI};
  return OTF2_CALLBACK_SUCCESS;
}

OTF2_CallbackCode on_location(void* data, OTF2_LocationRef self, OTF2_StringRef, OTF2_LocationType type, std::uint64_t,
                              OTF2_LocationGroupRef) {
  if (type == OTF2_LOCATION_TYPE_CPU_THREAD) records_of(data).threads.push_back(self);
  return OTF2_CALLBACK_SUCCESS;
}

OTF2_CallbackCode on_group(void* data, OTF2_GroupRef self, OTF2_StringRef, OTF2_GroupType type, OTF2_Paradigm paradigm,
                           OTF2_GroupFlag, std::uint32_t count, const std::uint64_t* members) {
  Records& records = records_of(data);
  if (paradigm != OTF2_PARADIGM_MPI) return OTF2_CALLBACK_SUCCESS;
  if (type == OTF2_GROUP_TYPE_COMM_LOCATIONS) records.mpi_locations.assign(members, members + count);
  if (type == OTF2_GROUP_TYPE_COMM_GROUP) records.groups[self].assign(members, members + count);
  if (type == OTF2_GROUP_TYPE_COMM_SELF) records.is_self[self] = true;
  return OTF2_CALLBACK_SUCCESS;
}

OTF2_CallbackCode on_communicator(void* data, OTF2_CommRef self, OTF2_StringRef, OTF2_GroupRef group, OTF2_CommRef,
                                  OTF2_CommFlag) {
  records_of(data).communicators[self] = group;
  return OTF2_CALLBACK_SUCCESS;
}

OTF2_CallbackCode on_metric(void* data, OTF2_MetricMemberRef self, OTF2_StringRef name, OTF2_StringRef, OTF2_MetricType,
                            OTF2_MetricMode, OTF2_Type, OTF2_Base, std::int64_t, OTF2_StringRef) {
  records_of(data).metrics[self] = name;
  return OTF2_CALLBACK_SUCCESS;
}

OTF2_CallbackCode on_metric_class(void* data, OTF2_MetricRef self, std::uint8_t count,
                                  const OTF2_MetricMemberRef* members, OTF2_MetricOccurrence, OTF2_RecorderKind) {
  records_of(data).metric_classes[self].assign(members, members + count);
  return OTF2_CALLBACK_SUCCESS;
}

OTF2_ErrorCode read_records(OTF2_Reader* reader, Records& records) {
  OTF2_GlobalDefReader* definitions = OTF2_Reader_GetGlobalDefReader(reader);
  if (definitions == nullptr) return OTF2_ERROR_INTEGRITY_FAULT;
  OTF2_GlobalDefReaderCallbacks* callbacks = OTF2_GlobalDefReaderCallbacks_New();
  OTF2_GlobalDefReaderCallbacks_SetClockPropertiesCallback(callbacks, on_clock);
  OTF2_GlobalDefReaderCallbacks_SetStringCallback(callbacks, on_string);
  OTF2_GlobalDefReaderCallbacks_SetRegionCallback(callbacks, on_region);
  OTF2_GlobalDefReaderCallbacks_SetLocationCallback(callbacks, on_location);
  OTF2_GlobalDefReaderCallbacks_SetGroupCallback(callbacks, on_group);
  OTF2_GlobalDefReaderCallbacks_SetCommCallback(callbacks, on_communicator);
  OTF2_GlobalDefReaderCallbacks_SetMetricMemberCallback(callbacks, on_metric);
  OTF2_GlobalDefReaderCallbacks_SetMetricClassCallback(callbacks, on_metric_class);
  OTF2_ErrorCode code = OTF2_Reader_RegisterGlobalDefCallbacks(reader, definitions, callbacks, &records);
  OTF2_GlobalDefReaderCallbacks_Delete(callbacks);
  std::uint64_t read = 0;
  if (code == OTF2_SUCCESS) code = OTF2_Reader_ReadAllGlobalDefinitions(reader, definitions, &read);
  OTF2_Reader_CloseGlobalDefReader(reader, definitions);
  return code;
}

}  // namespace

Result<Definitions> read_definitions(OTF2_Reader* reader) {
  Records records;
  if (const OTF2_ErrorCode code = read_records(reader, records); code != OTF2_SUCCESS)
    return Error{std::string("the definitions cannot be read: ") + OTF2_Error_GetDescription(code)};
  if (records.mpi_locations.empty()) return Error{"no ranks of MPI; accepted: archives of MPI programs"};
  if (records.ticks_per_second == 0) return Error{"no clock properties"};
  Definitions result;
  result.ticks_per_second = records.ticks_per_second;
  result.locations = records.mpi_locations;
  for (const auto& [self, region] : records.regions) result.regions[self] = {records.texts[region.name], region.is_mpi};
  for (const auto& [self, group] : records.communicators) {
    if (records.is_self.contains(group)) continue;
    std::vector<std::uint32_t> members;
    for (const std::uint64_t member : records.groups[group]) {
      if (member >= result.locations.size())
        return Error{"communicator " + std::to_string(self) + " has member " + std::to_string(member) + " of " +
                     std::to_string(result.locations.size()) + " ranks"};
      members.push_back(static_cast<std::uint32_t>(member));
    }
    result.communicators[self] = std::move(members);
  }
  for (const auto& [self, members] : records.metric_classes)
    for (std::size_t i = 0; i < members.size(); ++i)
      if (records.texts[records.metrics[members[i]]] == instruction_counter) result.instructions = {self, i};
  return result;
}

}  // namespace rehearse::trace::otf2
