#include "clients/cli/client/connect_protocol.h"

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

TEST(ConnectEnvelope, IsTakenOnceItIsComplete) {
  const std::string written = write_envelope("first") + write_envelope("");
  EXPECT_EQ(written.substr(0, 10), std::string("\0\0\0\0\5first", 10));
  std::string arrived;
  for (const char byte : written.substr(0, 9)) {
    arrived += byte;
    EXPECT_FALSE(take_envelope(arrived));
  }
  arrived += written.substr(9);
  EXPECT_EQ(take_envelope(arrived).value().message, "first");
  EXPECT_EQ(take_envelope(arrived).value().message, "");
  EXPECT_FALSE(take_envelope(arrived));
}

TEST(ConnectEnvelope, TheLastOneSaysHowTheStreamEnded) {
  std::string bytes("\2\0\0\0\2{}", 7);
  const auto last = take_envelope(bytes);
  EXPECT_TRUE(last.value().last);
  EXPECT_TRUE(read_stream_end(last->message));
  EXPECT_EQ(
      read_stream_end(R"({"error":{"code":"aborted","message":"Somebody hung up."}})").error(),
      (Error{ErrorCode::kStale, "Somebody hung up."}));
  for (const std::string broken : {"", "{", R"({"error":{}})", R"({"error":7})"}) {
    EXPECT_EQ(read_stream_end(broken).error().code, ErrorCode::kInternal) << broken;
  }
}

}  // namespace
}  // namespace tesela::cli
