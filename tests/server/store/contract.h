// Every test of the contract runs on every store.
#pragma once

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "tests/server/store/backend.h"
#include "tests/server/store/caller.h"

namespace tesela::store {

/// The stores of this program of tests.
std::vector<Kind> kinds();
/// Of them the databases: only these make matches, pack logs, and delete data.
inline std::vector<Kind> databases() {
  std::vector<Kind> found = kinds();
  std::erase(found, Kind::kMemory);
  return found;
}

class StoreContract : public testing::TestWithParam<Kind> {
 protected:
  /// What was committed is there again; callers of before are gone.
  void reopen() {
    backend_.reopen();
    caller_.emplace(backend_.log(), backend_.table_rows(), backend_.store());
  }
  /// Claims a table for the life of the test.
  Expected<Epoch> take_over(TableId table) {
    if (!life_) life_ = backend_.begin_life();
    return caller().claim(backend_.ownership(), table, *life_);
  }
  /// The same, with SQL that is run while the store is closed.
  void reopen_after(const std::string& sql) {
    backend_.reopen_after(sql);
    caller_.emplace(backend_.log(), backend_.table_rows(), backend_.store());
  }
  Caller& caller() { return *caller_; }
  StoreUnderTest& backend() { return backend_; }

 private:
  StoreUnderTest backend_{GetParam()};
  std::optional<LifeId> life_;
  std::optional<Caller> caller_{std::in_place, backend_.log(), backend_.table_rows(),
                                backend_.store()};
};

inline std::string kind_name(const testing::TestParamInfo<Kind>& info) {
  return testing::PrintToString(info.param);
}

}  // namespace tesela::store
