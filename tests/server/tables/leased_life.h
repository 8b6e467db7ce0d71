// A life whose lease the test ends and renews.
#pragma once

#include <cstdint>

#include "server/store/life.h"

namespace tesela::tables {

/// One thread.
class LeasedLife final : public store::Life {
 public:
  [[nodiscard]] store::LifeId id() const override { return id_; }
  [[nodiscard]] bool may_speak() const override { return speaks_; }
  [[nodiscard]] std::uint64_t gaps() const override { return gaps_; }
  [[nodiscard]] bool dead() const override { return dead_; }
  void begin_again() override {
    id_ = store::LifeId{id_.value + 1};
    dead_ = false;
    renew();
  }

  void run_out() { speaks_ = false; }
  void renew() {
    ++gaps_;
    speaks_ = true;
  }
  void die() {
    speaks_ = false;
    dead_ = true;
  }

 private:
  store::LifeId id_{1};
  bool speaks_ = true;
  bool dead_ = false;
  std::uint64_t gaps_ = 0;
};

}  // namespace tesela::tables
