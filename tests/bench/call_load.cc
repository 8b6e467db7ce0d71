// Unary calls of the lobby in a closed loop over some connections: one of tests/bench/calls.py's.
#include <grpcpp/create_channel.h>

#include <google/protobuf/util/json_util.h>
#include <CLI/CLI.hpp>
#include <algorithm>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <exception>
#include <future>
#include <iostream>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tesela/lobby/v1/lobby.grpc.pb.h"

namespace {

namespace asio = boost::asio;
namespace pb = google::protobuf;
using asio::ip::tcp;
using std::chrono::microseconds;
using std::chrono::steady_clock;
using tesela::lobby::v1::GetTableRequest;
using tesela::lobby::v1::GetTableResponse;
using tesela::lobby::v1::ListStrategiesRequest;
using tesela::lobby::v1::ListStrategiesResponse;
using tesela::lobby::v1::LobbyService;

/// What is asked for: a table, which is read from the store, or strategies, which are in memory.
struct Load {
  unsigned short port = 8080;
  std::string protocol = "json";  // or "proto" or "grpc"
  std::string table;              // empty: strategies
  std::size_t connections = 1;
  int seconds = 5;
  int warm_up = 1;
};

/// The times of the calls that began after the warm-up. Any thread.
class Times {
 public:
  explicit Times(const Load& load)
      : begin_(steady_clock::now() + std::chrono::seconds{load.warm_up}),
        end_(begin_ + std::chrono::seconds{load.seconds}) {}

  void add(steady_clock::time_point began) {
    const auto now = steady_clock::now();
    if (began < begin_ || now > end_) return;
    const std::lock_guard lock{mutex_};
    taken_.push_back(std::chrono::duration_cast<microseconds>(now - began).count());
  }

  [[nodiscard]] bool over() const { return steady_clock::now() > end_; }

  void print(const Load& load) {
    std::ranges::sort(taken_);
    const auto at = [&](std::size_t percent) {
      return taken_.empty() ? 0
                            : taken_[std::min(taken_.size() - 1, taken_.size() * percent / 100)];
    };
    std::cout << "calls/s " << taken_.size() / static_cast<std::size_t>(load.seconds) << " p50_us "
              << at(50) << " p99_us " << at(99) << std::endl;
  }

 private:
  const steady_clock::time_point begin_;
  const steady_clock::time_point end_;
  std::mutex mutex_;
  std::vector<std::int64_t> taken_;
};

std::string http_request(const Load& load) {
  const bool json = load.protocol == "json";
  GetTableRequest table;
  table.set_table_id(load.table);
  ListStrategiesRequest strategies;
  strategies.set_game("samegame");
  const pb::Message& message =
      load.table.empty() ? static_cast<const pb::Message&>(strategies) : table;
  std::string body = message.SerializeAsString();
  if (json) {
    body.clear();
    if (!pb::util::MessageToJsonString(message, &body).ok()) throw std::runtime_error("no JSON");
  }
  return "POST /tesela.lobby.v1.LobbyService/" +
         std::string{load.table.empty() ? "ListStrategies" : "GetTable"} +
         " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/" + load.protocol +
         "\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
}

std::size_t body_size(std::string_view head) {
  constexpr std::string_view kName = "Content-Length: ";
  const std::size_t at = head.find(kName);
  std::size_t size = 0;
  if (!head.starts_with("HTTP/1.1 200") || at == std::string_view::npos) {
    throw std::runtime_error("answered: " + std::string{head.substr(0, head.find('\r'))});
  }
  std::from_chars(head.data() + at + kName.size(), head.data() + head.size(), size);
  return size;
}

asio::awaitable<void> call_over_http(const Load& load, Times& times) {
  tcp::socket socket{co_await asio::this_coro::executor};
  co_await socket.async_connect({asio::ip::address_v4::loopback(), load.port}, asio::use_awaitable);
  socket.set_option(tcp::no_delay(true));
  const std::string request = http_request(load);
  std::string answer;
  while (!times.over()) {
    const auto began = steady_clock::now();
    co_await asio::async_write(socket, asio::buffer(request), asio::use_awaitable);
    const std::size_t head = co_await asio::async_read_until(socket, asio::dynamic_buffer(answer),
                                                             "\r\n\r\n", asio::use_awaitable);
    const std::size_t size = head + body_size(std::string_view{answer}.substr(0, head));
    if (size > answer.size()) {
      co_await asio::async_read(socket, asio::dynamic_buffer(answer),
                                asio::transfer_exactly(size - answer.size()), asio::use_awaitable);
    }
    answer.clear();
    times.add(began);
  }
}

void load_http(const Load& load, Times& times) {
  asio::io_context io{1};
  std::exception_ptr fault;
  for (std::size_t i = 0; i < load.connections; ++i) {
    asio::co_spawn(io, call_over_http(load, times), [&](const std::exception_ptr& thrown) {
      if (thrown) fault = thrown;
    });
  }
  io.run();
  if (fault) std::rethrow_exception(fault);
}

/// Calls one after the other over a connection of its own.
class GrpcCaller {
 public:
  GrpcCaller(const Load& load, Times& times) : load_(load), times_(times) {
    grpc::ChannelArguments arguments;
    arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
    stub_ = LobbyService::NewStub(grpc::CreateCustomChannel(
        "127.0.0.1:" + std::to_string(load.port), grpc::InsecureChannelCredentials(), arguments));
    table_request_.set_table_id(load.table);
    strategies_request_.set_game("samegame");
  }

  void begin() {
    context_ = std::make_unique<grpc::ClientContext>();
    began_ = steady_clock::now();
    const auto done = [this](const grpc::Status& status) { next(status); };
    if (load_.table.empty()) {
      stub_->async()->ListStrategies(context_.get(), &strategies_request_, &strategies_, done);
    } else {
      stub_->async()->GetTable(context_.get(), &table_request_, &table_, done);
    }
  }

  void wait() { ended_.get_future().get(); }

 private:
  void next(const grpc::Status& status) {
    if (!status.ok()) {
      ended_.set_exception(std::make_exception_ptr(std::runtime_error(status.error_message())));
      return;
    }
    times_.add(began_);
    if (times_.over()) {
      ended_.set_value();
    } else {
      begin();
    }
  }

  const Load& load_;
  Times& times_;
  std::unique_ptr<LobbyService::Stub> stub_;
  std::unique_ptr<grpc::ClientContext> context_;
  GetTableRequest table_request_;
  GetTableResponse table_;
  ListStrategiesRequest strategies_request_;
  ListStrategiesResponse strategies_;
  steady_clock::time_point began_;
  std::promise<void> ended_;
};

void load_grpc(const Load& load, Times& times) {
  std::vector<std::unique_ptr<GrpcCaller>> callers;
  for (std::size_t i = 0; i < load.connections; ++i) {
    callers.push_back(std::make_unique<GrpcCaller>(load, times));
    callers.back()->begin();
  }
  for (const auto& caller : callers) caller->wait();
}

}  // namespace

int main(int argc, char** argv) try {
  Load load;
  CLI::App app{"Calls the lobby in a closed loop."};
  app.add_option("--port", load.port, "The server's HTTP or gRPC port")->required();
  app.add_option("--protocol", load.protocol, "json, proto or grpc")->capture_default_str();
  app.add_option("--table", load.table, "Asks for this table; without it for strategies");
  app.add_option("--connections", load.connections, "")->capture_default_str();
  app.add_option("--seconds", load.seconds, "")->capture_default_str();
  app.add_option("--warm-up", load.warm_up, "Seconds")->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  Times times{load};
  if (load.protocol == "grpc") {
    load_grpc(load, times);
  } else {
    load_http(load, times);
  }
  times.print(load);
  return 0;
} catch (const std::exception& error) {
  std::cerr << "call_load: " << error.what() << '\n';
  return 1;
}
