// Messages that go past Beast (StreamWire::watch_messages, send) among those that Beast reads and
// writes on the same connection.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/buffers_to_string.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/message.hpp>
#include <boost/beast/websocket/stream.hpp>
#include <chrono>
#include <cstddef>
#include <deque>
#include <functional>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "server/net/transport.h"
#include "server/net/usual_frame.h"

namespace tesela::net {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;
using asio::ip::tcp;

constexpr unsigned kFinalBit = 0x80;
constexpr unsigned kBinary = 2;
constexpr unsigned kPingOpcode = 9;
constexpr unsigned kPong = 10;
constexpr std::string_view kKey = "\x11\x92\x07\xf3";

/// A client's frame.
std::string client_frame(unsigned first, std::string_view payload) {
  std::string frame{static_cast<char>(first)};
  if (payload.size() < 126) {
    frame += static_cast<char>(0x80U | payload.size());
  } else {
    frame += "\xfe";
    frame += static_cast<char>(payload.size() >> 8U);
    frame += static_cast<char>(payload.size());
  }
  frame += kKey;
  for (std::size_t i = 0; i < payload.size(); ++i) {
    frame += static_cast<char>(payload[i] ^ kKey[i % kKey.size()]);
  }
  return frame;
}

TEST(UsualFrame, AWholeBinaryMessageIsTaken) {
  for (const std::size_t size : {0U, 1U, 7U, 8U, 9U, 125U, 126U, 1000U}) {
    std::string payload;
    for (std::size_t i = 0; i < size; ++i) payload += static_cast<char>(i * 7);
    std::string bytes = client_frame(kFinalBit | kBinary, payload);
    const std::size_t frame_size = bytes.size();
    bytes += "what follows";
    const auto frame = take_usual_frame(bytes);
    ASSERT_TRUE(frame) << size;
    EXPECT_EQ(frame->payload, payload);
    EXPECT_EQ(frame->size, frame_size);
    EXPECT_TRUE(bytes.ends_with("what follows"));
  }
}

TEST(UsualFrame, EveryOtherOneIsLeftAsItIs) {
  const std::string whole = client_frame(kFinalBit | kBinary, std::string(200, 'x'));
  std::vector<std::string> others{
      client_frame(kBinary, "part"),
      client_frame(kFinalBit | 1U, "text"),
      client_frame(kFinalBit | 0U, "rest"),
      client_frame(kFinalBit | kPingOpcode, "ping"),
      client_frame(kFinalBit | 0x40U | kBinary, "reserved bit"),
      std::string("\x82\x03"
                  "abc") +
          "more than a head",                                      // without a mask
      std::string("\x82\xfe\x00\x03", 4) + "keyaabc",              // a length of three in two bytes
      std::string("\x82\xff\0\0\0\0\0\0\0\x03", 10) + "keyaabc"};  // in eight
  for (std::size_t size = 0; size < whole.size(); size += 3)
    others.push_back(whole.substr(0, size));
  for (std::string& other : others) {
    const std::string before = other;
    EXPECT_FALSE(take_usual_frame(other)) << other.size();
    EXPECT_EQ(other, before);
  }
}

/// A client's socket and the server's end of the connection.
class StreamWireTest : public ::testing::Test {
 protected:
  using Socket = beast::websocket::stream<StreamWire, false>;

  void SetUp() override {
    tcp::acceptor acceptor(io_, {asio::ip::address_v4::loopback(), 0});
    client_.open(tcp::v4());
    client_.set_option(asio::socket_base::receive_buffer_size(4096));
    client_.connect(acceptor.local_endpoint());
    client_.set_option(tcp::no_delay(true));
    ws_.emplace(StreamWire(io_, Transport(acceptor.accept(), {}), /*paced=*/false));
    wire().tune(4096);
    http::request<http::empty_body> request(http::verb::get, "/", 11);
    request.set(http::field::host, "test");
    request.set(http::field::connection, "Upgrade");
    request.set(http::field::upgrade, "websocket");
    request.set(http::field::sec_websocket_version, "13");
    request.set(http::field::sec_websocket_key, "dGhlIHNhbXBsZSBub25jZQ==");
    ws_->binary(true);
    ws_->auto_fragment(false);
    bool accepted = false;
    ws_->async_accept(request, [&](beast::error_code error) { accepted = !error; });
    run_until([&] { return accepted && receive().find("\r\n\r\n") != std::string::npos; });
    received_.erase(0, received_.find("\r\n\r\n") + 4);
    client_.non_blocking(true);
  }

  StreamWire& wire() { return ws_->next_layer(); }

  template <class Done>
  void run_until(const Done& done) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    while (!done()) {
      ASSERT_LT(std::chrono::steady_clock::now(), end);
      io_.restart();
      io_.run_for(std::chrono::milliseconds(1));
    }
  }

  /// Reads what has come, and returns everything that has.
  const std::string& receive() {
    client_.non_blocking(true);
    std::array<char, 3000> bytes{};
    beast::error_code error;
    const std::size_t size = client_.read_some(asio::buffer(bytes), error);
    return received_.append(bytes.data(), size);
  }

  /// The server's frames that have come whole: the first byte and the payload of each.
  std::vector<std::pair<unsigned, std::string>> frames() {
    std::vector<std::pair<unsigned, std::string>> found;
    const auto byte = [this](std::size_t at) { return static_cast<unsigned char>(received_[at]); };
    while (received_.size() >= 2) {
      std::size_t head = 2;
      std::size_t size = byte(1);
      if (size == 126) {
        if (received_.size() < 4) break;
        size = std::size_t{byte(2)} << 8U | byte(3);
        head = 4;
      }
      EXPECT_LT(byte(1), 127U);
      if (received_.size() < head + size) break;
      found.emplace_back(byte(0), received_.substr(head, size));
      received_.erase(0, head + size);
    }
    return found;
  }

  asio::io_context io_;
  tcp::socket client_{io_};
  std::optional<Socket> ws_;
  std::string received_;
  std::mt19937 random_{20261126};
};

TEST_F(StreamWireTest, MessagesComeInOrderWhoeverReadsThem) {
  std::vector<std::string> sent;
  std::string bytes;
  std::vector<std::size_t> ends;  // of the messages in `bytes`
  const std::array<std::size_t, 9> sizes{0, 1, 60, 74, 125, 126, 500, 1530, 4000};
  for (int i = 0; i < 2000; ++i) {
    std::string message(sizes.at(random_() % sizes.size()), static_cast<char>(random_()));
    message += std::to_string(i);
    const std::size_t first = random_() % 4 == 0 ? random_() % message.size() : message.size();
    const bool whole = first == message.size();
    bytes += client_frame(whole ? kFinalBit | kBinary : kBinary, message.substr(0, first));
    if (random_() % 20 == 0) bytes += client_frame(kFinalBit | kPingOpcode, "ping");
    if (!whole) bytes += client_frame(kFinalBit, message.substr(first));
    ends.push_back(bytes.size());
    sent.push_back(std::move(message));
  }

  std::vector<std::string> got;
  std::size_t past_beast = 0;
  wire().watch_messages([&](std::string_view message, StreamWire::Time) {
    got.emplace_back(message);
    ++past_beast;
  });
  beast::flat_buffer buffer;
  std::function<void()> read = [&] {
    ws_->async_read(buffer, [&](beast::error_code error, std::size_t) {
      if (error) return;
      got.push_back(beast::buffers_to_string(buffer.data()));
      buffer.clear();
      read();
    });
  };
  read();
  for (std::size_t at = 0; at < bytes.size();) {
    // A message, or what is left of it; or any bytes.
    std::size_t end = *std::ranges::upper_bound(ends, at);
    if (random_() % 4 == 0) end = std::min<std::size_t>(bytes.size(), at + 1 + random_() % 3000);
    beast::error_code error;
    at += client_.write_some(asio::buffer(bytes.data() + at, end - at), error);
    io_.restart();
    io_.poll();
    receive();  // pongs
  }
  run_until([&] { return got.size() >= sent.size(); });
  EXPECT_EQ(got, sent);
  EXPECT_GT(past_beast, 500U);
  EXPECT_LT(past_beast, sent.size());
}

TEST_F(StreamWireTest, FramesAreWholeWhoeverWritesThem) {
  std::deque<std::string> waiting;
  std::string writing;
  bool busy = false;
  std::array<int, 3> outcomes{};
  std::function<void()> write = [&] {
    while (!busy && !waiting.empty()) {
      writing = std::move(waiting.front());
      waiting.pop_front();
      const auto done = [&](beast::error_code error, std::size_t = 0) {
        EXPECT_FALSE(error) << error.message();
        busy = false;
        write();
      };
      const auto how = wire().send(FrameHead(true, writing.size()).bytes(), writing);
      ++outcomes.at(static_cast<std::size_t>(how));
      busy = how != StreamWire::Sent::kAll;
      if (how == StreamWire::Sent::kPart) wire().finish_send(done);
      if (how == StreamWire::Sent::kNothing) ws_->async_write(asio::buffer(writing), done);
    }
  };
  beast::flat_buffer buffer;
  bool closed = false;
  ws_->async_read(buffer, [&](beast::error_code, std::size_t) { closed = true; });

  std::vector<std::string> sent;
  std::vector<std::string> got;
  std::size_t pings = 0;
  std::size_t pongs = 0;
  const auto look = [&] {
    receive();
    for (auto& [first, payload] : frames()) {
      if (first == (kFinalBit | kBinary)) {
        got.push_back(std::move(payload));
      } else {
        EXPECT_EQ(first, kFinalBit | kPong);
        ++pongs;
      }
    }
  };
  for (int i = 0; i < 3000; ++i) {
    const std::size_t size = random_() % 50 == 0 ? 20000 + random_() % 45000 : random_() % 400;
    sent.push_back(std::string(size, static_cast<char>(random_())) + std::to_string(i));
    waiting.push_back(sent.back());
    write();
    if (random_() % 8 == 0) {
      const std::string ping = client_frame(kFinalBit | kPingOpcode, "ping");
      beast::error_code error;
      if (client_.write_some(asio::buffer(ping), error) == ping.size()) ++pings;
    }
    io_.restart();
    io_.poll();
    if (random_() % 3 == 0) look();
  }
  run_until([&] {
    look();
    return got.size() >= sent.size() && pongs >= pings;
  });
  EXPECT_EQ(got, sent);
  EXPECT_EQ(pongs, pings);
  EXPECT_GT(pings, 0U);
  EXPECT_FALSE(closed);
  for (const int count : outcomes) EXPECT_GT(count, 0);
}

/// A stream that is read past Beast until it ends.
class StreamWireEndTest : public StreamWireTest {
 protected:
  void SetUp() override {
    StreamWireTest::SetUp();
    wire().watch_messages(
        [this](std::string_view message, StreamWire::Time) { got_.emplace_back(message); });
    ws_->async_read(buffer_, [this](beast::error_code, std::size_t) { ended_ = true; });
    send("first");
    run_until([this] { return got_.size() == 1; });
  }

  void send(std::string_view message) {
    asio::write(client_, asio::buffer(client_frame(kFinalBit | kBinary, message)));
  }

  beast::flat_buffer buffer_;
  std::vector<std::string> got_;
  bool ended_ = false;
};

TEST_F(StreamWireEndTest, AnEndThatComesWithTheLastMessageIsSeen) {
  send("last");
  client_.shutdown(tcp::socket::shutdown_send);
  run_until([this] { return ended_; });
  EXPECT_EQ(got_, (std::vector<std::string>{"first", "last"}));
}

TEST_F(StreamWireEndTest, AResetThatComesWithTheLastMessageIsSeenByTheNextWrite) {
  send("last");
  client_.set_option(asio::socket_base::linger(true, 0));
  client_.close();
  run_until([this] { return ended_ || got_.size() == 2; });
  while (wire().send(FrameHead(true, 1).bytes(), "x") == StreamWire::Sent::kAll) continue;
  run_until([this] { return ended_; });
  EXPECT_EQ(got_, (std::vector<std::string>{"first", "last"}));
}

}  // namespace
}  // namespace tesela::net
