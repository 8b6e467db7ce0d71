#include "server/rpc/method.h"

#include <gtest/gtest.h>

namespace tesela::rpc {
namespace {

TEST(BearerToken, IsReadFromTheHeader) {
  EXPECT_EQ(bearer_token("Bearer abc"), "abc");
  EXPECT_EQ(bearer_token("bearer abc"), "abc");
  EXPECT_EQ(bearer_token("Basic abc"), "");
  EXPECT_EQ(bearer_token("Bearer"), "");
  EXPECT_EQ(bearer_token(""), "");
}

}  // namespace
}  // namespace tesela::rpc
