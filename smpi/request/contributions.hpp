// SPDX-License-Identifier: MIT
//
// The contributions of the members of a collective, as views of the driver's Observation, and a copy of them.
//
// Ownership: Contributions is a view of the Observation; KeptContributions owns its bytes.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "simcore/observation.hpp"
#include "simcore/operation.hpp"

namespace rehearse::smpi {

// The contributions of a collective, by rank (see Observation).
class Contributions {
 public:
  using Data = std::span<const std::byte>;

  Contributions(std::span<const Data> all, SharedResult* shared = nullptr, std::span<const Remark> remarks = {})
      : all_(all), shared_(shared), remarks_(remarks) {}

  std::size_t size() const { return all_.size(); }
  bool empty() const { return all_.empty(); }
  Data operator[](std::size_t rank) const { return all_[rank]; }
  auto begin() const { return all_.begin(); }
  auto end() const { return all_.end(); }
  std::span<const Data> all() const { return all_; }
  SharedResult* shared() const { return shared_; }
  // The remark of each member (Collective::remark). Empty: no member gave one, or they are no longer known.
  std::span<const Remark> remarks() const { return remarks_; }

 private:
  std::span<const Data> all_;
  SharedResult* shared_;
  std::span<const Remark> remarks_;
};

// A copy of the contributions, which stays valid while the program runs.
class KeptContributions {
 public:
  explicit KeptContributions(Contributions from);
  KeptContributions(KeptContributions&&) = default;
  KeptContributions& operator=(KeptContributions&&) = default;

  Contributions all() const { return {views_}; }

 private:
  std::vector<std::byte> data_;
  std::vector<Contributions::Data> views_;  // into data_
};

}  // namespace rehearse::smpi
