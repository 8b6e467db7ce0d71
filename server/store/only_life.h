// The life of a store that one server uses at a time.
#pragma once

#include "server/store/life.h"
#include "server/store/ownership.h"

namespace tesela::store {

/// The life of every server on such a store: whoever may open the store lives, and all before are
/// dead.
inline constexpr LifeId kOnlyLife{1};

/// Any thread.
class OnlyLife final : public Life {
 public:
  [[nodiscard]] LifeId id() const override { return kOnlyLife; }
  [[nodiscard]] bool may_speak() const override { return true; }
  void begin_again() override {}
};

}  // namespace tesela::store
