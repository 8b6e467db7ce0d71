#include "clients/cli/lobby_client.h"

#include <gtest/gtest.h>

namespace tesela::cli {
namespace {

TEST(ConnectError, CarriesTheCodeAndTheSentence) {
  EXPECT_EQ(read_connect_error(404, R"({"code":"not_found","message":"There is no such table."})"),
            (Error{ErrorCode::kNotFound, "There is no such table."}));
  EXPECT_EQ(read_connect_error(401, R"({"code":"unauthenticated"})"),
            (Error{ErrorCode::kUnauthenticated, "unauthenticated"}));
}

TEST(ConnectError, AnUnknownCodeIsAFaultOfTheServer) {
  EXPECT_EQ(read_connect_error(500, R"({"code":"data_loss","message":"m","details":[]})").code,
            ErrorCode::kInternal);
}

TEST(ConnectError, WhatIsNoConnectErrorIsToldByItsStatus) {
  for (const std::string body : {"", "<html>Bad Gateway</html>", "[]", "{}"}) {
    const Error error = read_connect_error(502, body);
    EXPECT_EQ(error.code, ErrorCode::kUnavailable);
    EXPECT_NE(error.message.find("502"), std::string::npos);
  }
}

}  // namespace
}  // namespace tesela::cli
