// A server's life whose lease runs as a test says, and who has tables and duties where there is no
// store.
#pragma once

#include <atomic>
#include <boost/asio/awaitable.hpp>
#include <cstdint>
#include <vector>

#include "engine/core/result.h"
#include "server/store/life.h"
#include "server/store/only_life.h"

namespace tesela::store {

/// Its lease runs while `speaks`. Any thread.
class SwitchedLife final : public Life {
 public:
  std::atomic<bool> speaks{true};

  [[nodiscard]] LifeId id() const override { return kOnlyLife; }
  [[nodiscard]] bool may_speak() const override { return speaks; }
  [[nodiscard]] std::uint64_t gaps() const override { return 0; }
  [[nodiscard]] bool dead() const override { return false; }
  void begin_again() override {}
};

/// Without tables.
class DutiesAlone : public OnlyLifesDuties {
 public:
  boost::asio::awaitable<Expected<Claimed>> claim(TableId /*table*/, LifeId /*life*/) override {
    co_return refuse(ErrorCode::kUnavailable, "Nothing is claimed here.");
  }
  boost::asio::awaitable<Expected<TableHeads>> heads(std::vector<TableId> /*tables*/) override {
    co_return TableHeads{};
  }
};

}  // namespace tesela::store
