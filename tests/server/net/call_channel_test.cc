#include "server/rpc/call_channel.h"

#include <gtest/gtest.h>

#include <array>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/use_future.hpp>
#include <memory>
#include <string>
#include <utility>

#include "server/base/io_pool.h"
#include "server/metrics/metrics.h"
#include "server/rpc/connect_call.h"
#include "server/rpc/grpc/grpc_server.h"
#include "tests/server/net/echo_service.h"

namespace tesela::net {
namespace {

using boost::asio::awaitable;
using test::v1::CountRequest;

awaitable<void> answered(rpc::CallChannel& channel) {
  rpc::PrepareCall plain = [](grpc::ClientContext&) {};
  const rpc::UnaryOutcome outcome =
      co_await rpc::call_unary(channel, "/tesela.test.v1.EchoService/Say", "", std::move(plain));
  EXPECT_TRUE(outcome.status.ok()) << outcome.status.error_message();
}

awaitable<void> abandoned(rpc::CallChannel& channel) {
  CountRequest request;
  request.set_messages(1);
  request.set_hang(true);
  rpc::StreamCall call{channel, "/tesela.test.v1.EchoService/Count", request.SerializeAsString(),
                       [](grpc::ClientContext&) {}};
  co_await call.headers();
  const auto first = co_await call.next();
  EXPECT_TRUE(first.has_value());
}

class CallChannelTest : public testing::Test {
 protected:
  ~CallChannelTest() override {
    io_.stop();
    io_.join();
  }

  // Whether something still shares the gRPC channel when the call channel has gone.
  bool shared_after(awaitable<void> (*call)(rpc::CallChannel&)) {
    std::shared_ptr<grpc::Channel> channel = grpc_.in_process();
    const std::weak_ptr<grpc::Channel> watched = channel;
    {
      rpc::CallChannel calls{std::move(channel)};
      boost::asio::co_spawn(io_.any(), call(calls), boost::asio::use_future).get();
    }
    return !watched.expired();
  }

  metrics::Metrics metrics_{"test"};
  test::EchoService service_;
  std::array<grpc::Service*, 1> services_{&service_};
  rpc::GrpcServer grpc_{services_, metrics_};
  base::IoPool io_{1};
};

TEST_F(CallChannelTest, ItsEndWaitsForCallbacksThatReturn) {
  io_.run();
  for (int i = 0; i < 50; ++i) ASSERT_FALSE(shared_after(answered)) << "after call " << i;
}

TEST_F(CallChannelTest, ItsEndWaitsForAbandonedStreams) {
  io_.run();
  for (int i = 0; i < 50; ++i) ASSERT_FALSE(shared_after(abandoned)) << "after call " << i;
}

}  // namespace
}  // namespace tesela::net
