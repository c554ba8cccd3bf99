// SPDX-License-Identifier: MIT
//
// See launch_plan.hpp.
#include "app/attach/launch_plan.hpp"

#include <algorithm>
#include <array>

#include "app/attach/addresses.hpp"
#include "simcore/support/format.hpp"

namespace rehearse::app {
namespace {

std::string base_name(const std::string& path) { return path.substr(path.rfind('/') + 1); }

std::string joined(const std::vector<std::string>& words, char between) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : std::string(1, between)) + word;
  return text;
}

// For all programs of the job.
std::vector<std::string> common_environment(const LaunchSubject& subject) {
  std::vector<std::string> names, addresses;
  for (const std::uint32_t host : subject.placement) {
    names.push_back(subject.hosts[host]);
    addresses.push_back(address_text(address_of(host)));
  }
  std::vector<std::string> all = {fmt::format("REHEARSE_ATTACH={}/{}", subject.folder, socket_file),
                                  fmt::format("REHEARSE_SIZE={}", subject.placement.size()),
                                  "REHEARSE_HOSTS=" + joined(names, ','),
                                  "REHEARSE_ADDRESSES=" + joined(addresses, ',')};
  if (subject.factor > 1) {
    all.push_back("LD_PRELOAD=" + subject.slowing_library);
    all.push_back(fmt::format("REHEARSE_DILATION={} {} {}", subject.factor, subject.realtime_ns, subject.monotonic_ns));
  }
  return all;
}

// The slots of each host, with `between` in front of their number.
std::string host_list(const LaunchSubject& subject, const char* between) {
  std::string text;
  for (std::uint32_t host = 0; host < subject.hosts.size(); ++host)
    text += fmt::format("{}{}{}\n", subject.hosts[host], between, std::ranges::count(subject.placement, host));
  return text;
}

std::string setting_for(const char* variable, const LaunchSubject& subject, const char* file) {
  return fmt::format("{}={}/{}", variable, subject.folder, file);
}

// https://docs.open-mpi.org, MCA parameters; tested with 4.1.
std::vector<std::string> openmpi_environment(const LaunchSubject& subject) {
  std::vector<std::string> all = {setting_for("OMPI_MCA_plm_rsh_agent", subject, agent_file),
                                  setting_for("OMPI_MCA_orte_default_hostfile", subject, host_list_file),
                                  setting_for("TMPDIR", subject, temporary_folder),
                                  "OMPI_MCA_rmaps_base_mapping_policy=slot",
                                  "OMPI_MCA_plm_rsh_no_tree_spawn=1",
                                  "OMPI_MCA_plm=rsh",
                                  "OMPI_MCA_oob_tcp_if_include=eth0",
                                  "OMPI_MCA_btl_tcp_if_include=eth0",
                                  "OMPI_MCA_btl=tcp,self",
                                  "OMPI_MCA_pml=ob1",
                                  "OMPI_MCA_hwloc_base_binding_policy=none",
                                  "OMPI_MCA_mpi_yield_when_idle=1"};
  if (subject.is_root) {
    all.emplace_back("OMPI_ALLOW_RUN_AS_ROOT=1");
    all.emplace_back("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1");
  }
  return all;
}

// Hydra, the launcher of MPICH; tested with 4.0 on UCX.
std::vector<std::string> mpich_environment(const LaunchSubject& subject) {
  return {setting_for("HYDRA_LAUNCHER_EXEC", subject, agent_file),
          setting_for("HYDRA_HOST_FILE", subject, host_list_file),
          setting_for("TMPDIR", subject, temporary_folder),
          "HYDRA_LAUNCHER=rsh",
          "HYDRA_IFACE=eth0",
          "HYDRA_BINDING=none",
          "UCX_TLS=tcp,self",
          "UCX_NET_DEVICES=eth0",
          "FI_PROVIDER=tcp",
          "FI_TCP_IFACE=eth0",
          "MPIR_CVAR_NOLOCAL=1"};
}

}  // namespace

bool is_launcher(const std::string& program) {
  constexpr std::array names = {"mpirun",          "mpiexec",      "orterun",       "mpirun.openmpi",
                                "mpiexec.openmpi", "mpirun.mpich", "mpiexec.mpich", "mpiexec.hydra"};
  return std::ranges::find(names, base_name(program)) != names.end();
}

Result<LaunchKind> launch_kind(const std::string& program, std::string_view version) {
  if (version.find("HYDRA") != std::string_view::npos) return LaunchKind::mpich;
  for (const std::string_view title : {"(Open MPI) ", "(OpenRTE) "}) {
    const std::size_t at = version.find(title);
    if (at == std::string_view::npos) continue;
    const std::string_view number = version.substr(at + title.size());
    if (number.starts_with("4.")) return LaunchKind::openmpi;
    return Error{
        fmt::format("{}: is of Open MPI {}; accepted: Open MPI 4, MPICH, or another launcher with --start once",
                    program, number.substr(0, number.find_first_of(" \n")))};
  }
  return Error{program + ": is the launcher of neither Open MPI 4 nor MPICH; name the way to start it with --start"};
}

LaunchPlan make_plan(const LaunchSubject& given) {
  LaunchSubject subject = given;
  if (subject.kind != LaunchKind::copies) std::ranges::sort(subject.placement);
  LaunchPlan plan;
  std::vector<std::string> common = common_environment(subject);
  if (subject.kind == LaunchKind::copies) {
    for (std::uint32_t rank = 0; rank < subject.placement.size(); ++rank) {
      const std::uint32_t host = subject.placement[rank];
      std::vector<std::string> own = common;
      own.push_back(fmt::format("REHEARSE_RANK={}", rank));
      own.push_back("REHEARSE_HOST=" + subject.hosts[host]);
      own.push_back("REHEARSE_ADDRESS=" + address_text(address_of(host)));
      plan.programs.push_back({fmt::format("rank {}", rank), host, subject.program, std::move(own)});
    }
  } else {
    std::vector<std::string> added;
    if (subject.kind == LaunchKind::openmpi) added = openmpi_environment(subject);
    if (subject.kind == LaunchKind::mpich) added = mpich_environment(subject);
    common.insert(common.end(), added.begin(), added.end());
    const std::uint32_t first = subject.placement.empty() ? 0 : subject.placement[0];
    plan.programs.push_back({base_name(subject.program[0]), first, subject.program, common});
  }
  plan.agent_environment = common;
  plan.files.emplace_back(host_list_file, host_list(subject, subject.kind == LaunchKind::mpich ? ":" : " slots="));
  plan.files.emplace_back("hosts", hosts_file(subject.hosts));
  return plan;
}

std::vector<std::string> environment_with(std::vector<std::string> base, const std::vector<std::string>& added) {
  for (const std::string& setting : added) {
    const std::string name = setting.substr(0, setting.find('=') + 1);
    const auto old = std::ranges::find_if(base, [&](const std::string& each) { return each.starts_with(name); });
    if (old == base.end()) base.push_back(setting);
    else if (name == "LD_PRELOAD=" && old->size() > name.size()) *old = setting + ':' + old->substr(name.size());
    else *old = setting;
  }
  return base;
}

}  // namespace rehearse::app
