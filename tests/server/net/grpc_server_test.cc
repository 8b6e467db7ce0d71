#include "server/net/grpc_server.h"

#include <gmock/gmock.h>
#include <grpcpp/create_channel.h>
#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <future>
#include <stdexcept>
#include <thread>

#include "grpc/health/v1/health.grpc.pb.h"
#include "server/net/limits.h"
#include "tests/server/net/echo_service.h"

namespace tesela::net {
namespace {

using namespace std::chrono_literals;
using test::v1::SayRequest;
using test::v1::SayResponse;
using testing::HasSubstr;

class GrpcServerTest : public testing::Test {
 protected:
  grpc::Status say(const SayRequest& request) {
    grpc::ClientContext context;
    SayResponse response;
    return stub_->Say(&context, request, &response);
  }

  grpc::health::v1::HealthCheckResponse::ServingStatus health() {
    grpc::ClientContext context;
    grpc::health::v1::HealthCheckResponse response;
    const auto stub = grpc::health::v1::Health::NewStub(channel_);
    EXPECT_TRUE(stub->Check(&context, {}, &response).ok());
    return response.status();
  }

  ops::Metrics metrics_{"test"};
  test::EchoService service_;
  std::array<grpc::Service*, 1> services_{&service_};
  GrpcServer server_{{"127.0.0.1", 0}, services_, metrics_};
  std::shared_ptr<grpc::Channel> channel_ = grpc::CreateChannel(
      "127.0.0.1:" + std::to_string(server_.port()), grpc::InsecureChannelCredentials());
  std::unique_ptr<test::v1::EchoService::Stub> stub_ = test::v1::EchoService::NewStub(channel_);
};

TEST_F(GrpcServerTest, ServesOnThePortItTells) {
  EXPECT_TRUE(say({}).ok());
}

TEST_F(GrpcServerTest, APortInUseIsSaidInASentence) {
  try {
    const GrpcServer second{{"127.0.0.1", server_.port()}, {}, metrics_};
    FAIL() << "it listens";
  } catch (const std::runtime_error& error) {
    EXPECT_THAT(error.what(), HasSubstr("gRPC cannot listen on 127.0.0.1 port"));
  }
}

TEST_F(GrpcServerTest, TooLargeAMessageIsRefused) {
  SayRequest request;
  request.set_text(std::string(limits::kHttpBodyBytesMax + 1, 'x'));
  EXPECT_EQ(say(request).error_code(), grpc::StatusCode::RESOURCE_EXHAUSTED);
}

TEST_F(GrpcServerTest, HealthSaysWhenItDrainsAndCallsAreStillAnswered) {
  EXPECT_EQ(health(), grpc::health::v1::HealthCheckResponse::SERVING);
  server_.drain();
  EXPECT_EQ(health(), grpc::health::v1::HealthCheckResponse::NOT_SERVING);
  EXPECT_TRUE(say({}).ok());
}

TEST_F(GrpcServerTest, StoppingCancelsWhatDoesNotEndInTime) {
  SayRequest request;
  request.set_hang(true);
  auto hanging = std::async(std::launch::async, [&] { return say(request); });
  while (service_.hanging == 0) std::this_thread::sleep_for(1ms);
  const auto begin = std::chrono::steady_clock::now();
  server_.stop(100ms);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, 3s);
  EXPECT_FALSE(hanging.get().ok());
}

}  // namespace
}  // namespace tesela::net
