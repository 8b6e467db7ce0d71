#include "server/rpc/calls.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/ip/address.hpp>
#include <boost/asio/use_future.hpp>
#include <chrono>
#include <cstddef>
#include <future>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "server/base/limits.h"
#include "server/base/log/log_limits.h"
#include "tests/server/base/warnings.h"
#include "tests/server/rpc/grpc/grpc_port.h"

namespace tesela::net {
namespace {

using grpc::StatusCode;
using test::v1::CountRequest;
using test::v1::CountResponse;
using test::v1::SayRequest;
using test::v1::SayResponse;
using testing::AllOf;
using testing::HasSubstr;

class CallsTest : public testing::Test {
 protected:
  CallsTest() { io_.run(); }
  ~CallsTest() override {
    io_.stop();
    io_.join();
  }

  rpc::Reply say(rpc::Caller caller, const SayRequest& request = {}) {
    std::promise<rpc::Reply> replied;
    calls_.answer(io_.any().get_executor(), *calls_.find("/tesela.test.v1.EchoService/Say"),
                  std::make_unique<SayRequest>(request), std::move(caller),
                  [&](rpc::Reply reply) { replied.set_value(std::move(reply)); });
    return replied.get_future().get();
  }

  metrics::Metrics metrics_;
  quota::AdmissionControl admission_{{.requests_per_second = 1}, metrics_};
  test::EchoService service_;
  rpc::Calls calls_{{service_.methods()}, admission_, metrics_};
  base::IoPool io_{1};
};

TEST_F(CallsTest, AMethodIsFoundByItsPathAndNothingElse) {
  EXPECT_NE(calls_.find("/tesela.test.v1.EchoService/Say"), nullptr);
  for (const char* path : {"", "/", "/tesela.test.v1.EchoService/Collect",
                           "/tesela.test.v1.EchoService.Say", "/tesela.test.v1.EchoService/Say/"}) {
    EXPECT_EQ(calls_.find(path), nullptr) << path;
  }
}

TEST_F(CallsTest, AServiceHasExactlyTheMethodsOfItsContract) {
  const auto begin = [](std::string_view service, std::vector<rpc::Method> methods) {
    try {
      (void)rpc::methods_of(service, std::move(methods));
    } catch (const std::logic_error& error) {
      return std::string{error.what()};
    }
    return std::string{};
  };
  constexpr std::string_view kService = "tesela.test.v1.EchoService";
  const auto methods = service_.methods();
  EXPECT_EQ(begin(kService, methods), "");
  EXPECT_EQ(begin("tesela.test.v1.NoService", methods), "no service tesela.test.v1.NoService");
  EXPECT_EQ(begin(kService, {methods[0]}), "nothing answers /tesela.test.v1.EchoService/Count");
  auto other = methods;
  other[0].response = CountResponse::descriptor();
  EXPECT_EQ(begin(kService, other), "nothing answers /tesela.test.v1.EchoService/Say");
  other = methods;
  other.push_back(methods[1]);
  EXPECT_EQ(begin(kService, other), "a method is not declared by tesela.test.v1.EchoService");
}

TEST_F(CallsTest, OverGrpcACallIsARequestOfItsAddress) {
  rpc::Caller caller{.quota = admission_.address(boost::asio::ip::make_address("192.0.2.1")),
                     .over_grpc = true};
  unsigned answered = 0;
  rpc::Reply reply = say(caller);
  for (; reply && answered <= 2 * limits::kRequestBurstSeconds; ++answered) reply = say(caller);
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.error().error_code(), StatusCode::RESOURCE_EXHAUSTED);
  EXPECT_GE(answered, static_cast<int>(limits::kRequestBurstSeconds) - 1);
  EXPECT_THAT(metrics_.text(), HasSubstr(R"(code="resource_exhausted",method="/tesela.test)"));
  // Over HTTP it was counted before.
  caller.over_grpc = false;
  EXPECT_TRUE(say(caller));
}

TEST_F(CallsTest, ManyMistakesOfTheServerAreFewLines) {
  SayRequest request;
  request.set_blunder(true);
  services::Warnings warnings;
  const auto begin = std::chrono::steady_clock::now();
  // Another test may have had the last line that was allowed.
  for (int i = 0; i < 1000 || warnings.none(); ++i) {
    ASSERT_EQ(say({}, request).error().error_code(), StatusCode::INTERNAL);
  }
  const auto most = limits::kStrangerLinesAtOnce +
                    (std::chrono::steady_clock::now() - begin) / limits::kStrangerLinePause;
  EXPECT_LE(warnings.waiting(), static_cast<std::size_t>(most));
  EXPECT_THAT(warnings.next().text,
              AllOf(HasSubstr("call failed"), HasSubstr("/tesela.test.v1.EchoService/Say")));
}

class CallsOverGrpc : public GrpcPort {};

TEST_F(CallsOverGrpc, TheServiceIsToldWhoCalls) {
  grpc::ClientContext context;
  context.AddMetadata("authorization", "Bearer abc");
  SayResponse response;
  ASSERT_TRUE(test::v1::EchoService::NewStub(channel_)->Say(&context, {}, &response).ok());
  EXPECT_EQ(response.token(), "abc");
  EXPECT_EQ(response.address(), "127.0.0.1");
  EXPECT_TRUE(response.over_grpc());
}

TEST_F(CallsOverGrpc, ErrorsHaveCodeSentenceAndDetails) {
  SayRequest request;
  request.set_fail(true);
  const grpc::Status status = say(request);
  EXPECT_EQ(status.error_code(), StatusCode::NOT_FOUND);
  EXPECT_EQ(status.error_message(), "a \"sentence\"");
  EXPECT_THAT(status.error_details(), HasSubstr("google.rpc.ErrorInfo"));
  EXPECT_THAT(status.error_details(), HasSubstr("google.rpc.RequestInfo"));
}

TEST_F(CallsOverGrpc, WhatAServiceThrowsIsAnInternalError) {
  SayRequest request;
  request.set_blunder(true);
  EXPECT_EQ(say(request).error_code(), StatusCode::INTERNAL);
  CountRequest count;
  count.set_messages(1);
  count.set_blunder(true);
  grpc::ClientContext context;
  const auto stream = test::v1::EchoService::NewStub(channel_)->Count(&context, count);
  CountResponse response;
  EXPECT_TRUE(stream->Read(&response));
  EXPECT_FALSE(stream->Read(&response));
  EXPECT_EQ(stream->Finish().error_code(), StatusCode::INTERNAL);
}

TEST_F(CallsOverGrpc, AStreamSendsAllItsMessagesAndThenItsEnd) {
  CountRequest request;
  request.set_messages(300);
  request.set_text_size(10'000);
  request.set_fail(true);
  grpc::ClientContext context;
  const auto stream = test::v1::EchoService::NewStub(channel_)->Count(&context, request);
  CountResponse response;
  std::uint32_t read = 0;
  while (stream->Read(&response)) EXPECT_EQ(response.number(), ++read);
  EXPECT_EQ(read, 300U);
  EXPECT_EQ(stream->Finish().error_code(), StatusCode::NOT_FOUND);
}

TEST_F(CallsOverGrpc, AClientThatGoesOrWhoseTimeIsOverEndsItsStream) {
  CountRequest request;
  request.set_hang(true);
  const auto stub = test::v1::EchoService::NewStub(channel_);
  for (const bool deadline : {false, true}) {
    grpc::ClientContext context;
    if (deadline) {
      context.set_deadline(std::chrono::system_clock::now() + std::chrono::milliseconds{200});
    }
    const auto stream = stub->Count(&context, request);
    while (service_.hanging == 0) std::this_thread::sleep_for(std::chrono::milliseconds{1});
    if (!deadline) context.TryCancel();
    EXPECT_EQ(stream->Finish().error_code(),
              deadline ? StatusCode::DEADLINE_EXCEEDED : StatusCode::CANCELLED);
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds{10};
    while (service_.hanging > 0 && std::chrono::steady_clock::now() < end) {
      std::this_thread::sleep_for(std::chrono::milliseconds{1});
    }
    EXPECT_EQ(service_.hanging, 0);
  }
}

}  // namespace
}  // namespace tesela::net
