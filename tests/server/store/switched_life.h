// A server's life whose lease runs as a test says.
#pragma once

#include <atomic>
#include <cstdint>

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

}  // namespace tesela::store
