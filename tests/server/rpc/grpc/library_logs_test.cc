#include "server/rpc/grpc/library_logs.h"

#include <gmock/gmock.h>
#include <grpc/grpc.h>
#include <grpc/support/log.h>
#include <gtest/gtest.h>
#include <spdlog/sinks/base_sink.h>
#include <spdlog/spdlog.h>

#include <chrono>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "echo.pb.h"
#include "server/base/limits.h"

namespace tesela::net {
namespace {

class Levels final : public spdlog::sinks::base_sink<std::mutex> {
 public:
  std::vector<spdlog::level::level_enum> levels;

 private:
  void sink_it_(const spdlog::details::log_msg& message) override {
    levels.push_back(message.level);
  }
  void flush_() override {}
};

class LibraryLogs : public testing::Test {
 protected:
  LibraryLogs() {
    grpc_init();  // before it, the library logs nothing
    rpc::adopt_library_logs();
    spdlog::set_default_logger(std::make_shared<spdlog::logger>("test", sink_));
  }
  ~LibraryLogs() override {
    spdlog::set_default_logger(before_);
    grpc_shutdown();
  }

  /// Does it many times: it is logged, but as often as the clock allows, and as no error.
  template <class Act>
  void expect_few(Act act) {
    using std::chrono::steady_clock;
    const auto begin = steady_clock::now();
    // Another test may have had the last line that was allowed.
    for (int i = 0; i < 1000 || sink_->levels.empty(); ++i) act();
    const auto most = 1 + (steady_clock::now() - begin) / limits::kStrangerLogPause;
    EXPECT_GE(sink_->levels.size(), 1U);
    EXPECT_LE(sink_->levels.size(), static_cast<std::size_t>(most));
    EXPECT_THAT(sink_->levels, testing::Each(testing::Le(spdlog::level::warn)));
  }

  std::shared_ptr<Levels> sink_ = std::make_shared<Levels>();
  std::shared_ptr<spdlog::logger> before_ = spdlog::default_logger();
};

TEST_F(LibraryLogs, TextThatIsNoUtf8IsNoErrorAndFewLines) {
  expect_few([] {
    test::v1::SayRequest request;
    EXPECT_FALSE(request.ParseFromString("\x0a\x02\xff\xfe"));
  });
}

TEST_F(LibraryLogs, WhatGrpcCallsAnErrorIsNoneOfOurs) {
  expect_few([] { gpr_log(GPR_ERROR, "a stranger sent %s", "something"); });
}

TEST_F(LibraryLogs, TheLastWordsOfTheLibraryAreAllLogged) {
  for (int i = 0; i < 3; ++i) gpr_log(GPR_ERROR, "assertion failed: %s", "x");
  EXPECT_THAT(sink_->levels, testing::ElementsAre(spdlog::level::critical, spdlog::level::critical,
                                                  spdlog::level::critical));
}

}  // namespace
}  // namespace tesela::net
