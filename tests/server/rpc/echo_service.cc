#include "tests/server/rpc/echo_service.h"

#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <chrono>
#include <memory>
#include <stdexcept>
#include <string>

#include "server/base/text_encoding.h"

namespace tesela::test {
namespace {

namespace asio = boost::asio;
using asio::awaitable;

// Counts what hangs as long as it is there.
class Hanging {
 public:
  explicit Hanging(std::atomic<int>& count) : count_(count) { ++count_; }
  ~Hanging() { --count_; }
  Hanging(const Hanging&) = delete;
  Hanging& operator=(const Hanging&) = delete;

 private:
  std::atomic<int>& count_;
};

awaitable<void> hang(std::atomic<int>& count) {
  const Hanging hanging{count};
  asio::steady_timer never{co_await asio::this_coro::executor,
                           asio::steady_timer::time_point::max()};
  co_await never.async_wait(asio::use_awaitable);
}

std::unexpected<Error> failure() {
  return refuse(ErrorCode::kNotFound, "a \"sentence\"");
}

class Counting final : public rpc::Stream {
 public:
  Counting(EchoService& service, v1::CountRequest request)
      : service_(service), request_(std::move(request)) {}

  awaitable<Expected<rpc::MessagePtr>> next() override {
    if (number_ > 0) ++service_.written;
    if (number_ < request_.messages()) {
      auto response = std::make_shared<v1::CountResponse>();
      response->set_number(++number_);
      response->set_text(std::string(request_.text_size(), 'x'));
      co_return response;
    }
    if (request_.hang()) co_await hang(service_.hanging);
    if (request_.blunder()) throw std::runtime_error("a blunder of a stream");
    if (request_.fail()) co_return failure();
    co_return nullptr;
  }

 private:
  EchoService& service_;
  const v1::CountRequest request_;
  std::uint32_t number_ = 0;
};

}  // namespace

std::vector<rpc::Method> EchoService::methods() {
  return rpc::methods_of(
      "tesela.test.v1.EchoService",
      {rpc::method_by(*this, &EchoService::say), rpc::method_by(*this, &EchoService::count)});
}

awaitable<Expected<v1::SayResponse>> EchoService::say(v1::SayRequest request, rpc::Caller caller) {
  if (request.hang()) co_await hang(hanging);
  if (request.blunder()) throw std::runtime_error("a blunder");
  if (request.fail()) co_return failure();
  v1::SayResponse response;
  response.set_text(request.text());
  if (request.has_extra()) *response.mutable_extra() = request.extra();
  response.set_token(caller.token);
  if (caller.address) response.set_address(caller.address->to_string());
  response.set_over_grpc(caller.over_grpc);
  using std::chrono::steady_clock;
  if (caller.deadline != steady_clock::time_point::max()) {
    const auto left = caller.deadline - steady_clock::now();
    response.set_waits_ms(std::chrono::ceil<std::chrono::milliseconds>(left).count());
  }
  co_return response;
}

awaitable<Expected<rpc::StreamPtr>> EchoService::count(v1::CountRequest request,
                                                       rpc::Caller /*caller*/) {
  if (request.refuse()) co_return refuse(ErrorCode::kPermissionDenied, "No stream for you.");
  co_return std::make_unique<Counting>(*this, std::move(request));
}

}  // namespace tesela::test
