// The service of echo.proto.
#pragma once

#include <atomic>
#include <boost/asio/awaitable.hpp>
#include <vector>

#include "echo.pb.h"
#include "server/rpc/method.h"

namespace tesela::test {

class EchoService {
 public:
  [[nodiscard]] std::vector<rpc::Method> methods();

  /// Calls that hang now.
  std::atomic<int> hanging{0};
  /// Messages of Count that were taken.
  std::atomic<int> written{0};

 private:
  boost::asio::awaitable<Expected<v1::SayResponse>> say(v1::SayRequest request, rpc::Caller caller);
  boost::asio::awaitable<Expected<rpc::StreamPtr>> count(v1::CountRequest request,
                                                         rpc::Caller caller);
};

}  // namespace tesela::test
