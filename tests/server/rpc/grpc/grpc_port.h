// The real gRPC port, with a service that echoes.
#pragma once

#include <grpcpp/create_channel.h>
#include <gtest/gtest.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/use_future.hpp>
#include <chrono>
#include <memory>
#include <string>
#include <utility>

#include "echo.grpc.pb.h"
#include "server/base/io_pool.h"
#include "server/metrics/metrics.h"
#include "server/net/client.h"
#include "server/net/listener.h"
#include "server/quota/admission_control.h"
#include "server/rpc/grpc/grpc_server.h"
#include "server/rpc/grpc/grpc_session.h"
#include "tests/server/rpc/echo_service.h"

namespace tesela::net {

class GrpcPort : public testing::Test {
 protected:
  explicit GrpcPort(std::size_t connections_max = 100, quota::AdmissionControl::Options limits = {},
                    std::chrono::milliseconds handshake_time_max = std::chrono::seconds{30})
      : connections_(connections_max, metrics_),
        admission_(std::move(limits), metrics_),
        listener_(net::Endpoint{"127.0.0.1", 0}, io_,
                  {.server = server_,
                   .connections = connections_,
                   .admission = admission_,
                   .handshake_time_max = handshake_time_max}) {
    io_.run();
    listener_.start();
  }
  ~GrpcPort() override {
    server_.stop(std::chrono::milliseconds{0});
    stop_listening(std::chrono::seconds{5});
    io_.stop();
    io_.join();
  }

  void stop_listening(std::chrono::milliseconds grace) {
    if (std::exchange(stopped_, true)) return;
    boost::asio::co_spawn(io_.any(), listener_.stop(grace), boost::asio::use_future).get();
  }

  grpc::Status say(const test::v1::SayRequest& request = {}) {
    grpc::ClientContext context;
    test::v1::SayResponse response;
    return test::v1::EchoService::NewStub(channel_)->Say(&context, request, &response);
  }

  metrics::Metrics metrics_;
  test::EchoService service_;
  ConnectionLimit connections_;
  quota::AdmissionControl admission_;
  base::IoPool io_{2};
  rpc::Calls calls_{{service_.methods()}, admission_, metrics_};
  rpc::GrpcServer server_{
      {.calls = {.calls = calls_, .io = io_, .admission = admission_}, .metrics = metrics_}};
  Listener<rpc::GrpcSession> listener_;
  bool stopped_ = false;
  std::shared_ptr<grpc::Channel> channel_ = grpc::CreateChannel(
      "127.0.0.1:" + std::to_string(listener_.port()), grpc::InsecureChannelCredentials());
};

}  // namespace tesela::net
