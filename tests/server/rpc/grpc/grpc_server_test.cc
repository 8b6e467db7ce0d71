#include "server/rpc/grpc/grpc_server.h"

#include <grpcpp/generic/generic_stub.h>
#include <gtest/gtest.h>

#include <chrono>
#include <future>
#include <string>
#include <thread>

#include "grpc/health/v1/health.grpc.pb.h"
#include "server/base/limits.h"
#include "tests/server/rpc/grpc/grpc_port.h"

namespace tesela::net {
namespace {

using namespace std::chrono_literals;
using test::v1::SayRequest;

class GrpcServerTest : public GrpcPort {
 protected:
  grpc::health::v1::HealthCheckResponse::ServingStatus health() {
    grpc::ClientContext context;
    grpc::health::v1::HealthCheckResponse response;
    const auto stub = grpc::health::v1::Health::NewStub(channel_);
    EXPECT_TRUE(stub->Check(&context, {}, &response).ok());
    return response.status();
  }
};

TEST_F(GrpcServerTest, TooLargeAMessageIsRefused) {
  SayRequest request;
  request.set_text(std::string(limits::kHttpBodyBytesMax + 1, 'x'));
  EXPECT_EQ(say(request).error_code(), grpc::StatusCode::RESOURCE_EXHAUSTED);
}

TEST_F(GrpcServerTest, AMethodThatThereIsNotIsNamedWithAReason) {
  grpc::GenericStub stub{channel_};
  grpc::ClientContext context;
  const grpc::ByteBuffer request{nullptr, 0};
  grpc::ByteBuffer response;
  std::promise<grpc::Status> ended;
  stub.UnaryCall(&context, "/tesela.test.v1.EchoService/Shout", {}, &request, &response,
                 [&](grpc::Status status) { ended.set_value(std::move(status)); });
  const grpc::Status status = ended.get_future().get();
  EXPECT_EQ(status.error_code(), grpc::StatusCode::UNIMPLEMENTED);
  EXPECT_EQ(status.error_message(), "There is no method tesela.test.v1.EchoService/Shout.");
  EXPECT_NE(status.error_details().find("UNIMPLEMENTED"), std::string::npos);
}

TEST_F(GrpcServerTest, AMethodKnowsHowLongItsCallerWaits) {
  const auto stub = test::v1::EchoService::NewStub(channel_);
  test::v1::SayResponse response;
  grpc::ClientContext patient;
  ASSERT_TRUE(stub->Say(&patient, {}, &response).ok());
  EXPECT_EQ(response.waits_ms(), 0);
  grpc::ClientContext hurried;
  hurried.set_deadline(std::chrono::system_clock::now() + 60s);
  ASSERT_TRUE(stub->Say(&hurried, {}, &response).ok());
  EXPECT_GT(response.waits_ms(), 0);
  EXPECT_LE(response.waits_ms(), 61'000);
}

TEST_F(GrpcServerTest, HealthSaysWhenItDrainsAndCallsAreStillAnswered) {
  EXPECT_EQ(health(), grpc::health::v1::HealthCheckResponse::SERVING);
  server_.drain();
  EXPECT_EQ(health(), grpc::health::v1::HealthCheckResponse::NOT_SERVING);
  EXPECT_TRUE(say({}).ok());
}

TEST_F(GrpcServerTest, StoppingCancelsStreamsThatDoNotEndInTime) {
  test::v1::CountRequest request;
  request.set_hang(true);
  const auto stub = test::v1::EchoService::NewStub(channel_);
  grpc::ClientContext context;
  const auto stream = stub->Count(&context, request);
  while (service_.hanging == 0) std::this_thread::sleep_for(1ms);
  const auto begin = std::chrono::steady_clock::now();
  server_.stop(100ms);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, 3s);
  EXPECT_FALSE(stream->Finish().ok());
  EXPECT_EQ(service_.hanging, 0);
}

TEST_F(GrpcServerTest, AfterStoppingNobodyIsAdopted) {
  server_.stop(0ms);
  EXPECT_FALSE(server_.adopt(base::Descriptor{-1}));
}

}  // namespace
}  // namespace tesela::net
