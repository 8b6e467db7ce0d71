// Every test of the contract runs on every store.
#pragma once

#include <gtest/gtest.h>

#include "tests/server/store/backend.h"
#include "tests/server/store/caller.h"

namespace tesela::store {

class StoreContract : public testing::TestWithParam<Kind> {
 protected:
  /// What was committed is there again; callers of before are gone.
  void reopen() {
    backend_.reopen();
    caller_.emplace(backend_.log(), backend_.store());
  }
  Caller& caller() { return *caller_; }
  Backend& backend() { return backend_; }

 private:
  Backend backend_{GetParam()};
  std::optional<Caller> caller_{std::in_place, backend_.log(), backend_.store()};
};

inline std::string kind_name(const testing::TestParamInfo<Kind>& info) {
  return testing::PrintToString(info.param);
}

}  // namespace tesela::store
