#include "tests/server/rpc/connect_fixture.h"

#include <zlib.h>

#include <thread>

namespace tesela::net {

std::string gzip(std::string_view plain) {
  z_stream stream{};
  deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
  std::string packed(deflateBound(&stream, plain.size()) + 64, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(plain.data()));
  stream.avail_in = static_cast<uInt>(plain.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  deflate(&stream, Z_FINISH);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

std::vector<Envelope> split(std::string_view body) {
  std::vector<Envelope> envelopes;
  while (body.size() >= 5) {
    std::size_t size = 0;
    for (std::size_t i = 1; i < 5; ++i) size = size << 8U | static_cast<unsigned char>(body[i]);
    envelopes.push_back({static_cast<std::uint8_t>(body[0]), std::string{body.substr(5, size)}});
    body.remove_prefix(std::min(body.size(), 5 + size));
  }
  EXPECT_TRUE(body.empty()) << "bytes behind the last envelope";
  return envelopes;
}

nlohmann::json end_of(const HttpClient::Reply& reply) {
  EXPECT_EQ(reply.result_int(), 200U);
  const auto envelopes = split(reply.body());
  if (envelopes.empty() || envelopes.back().flags != rpc::kEnvelopeEndStream) {
    ADD_FAILURE() << "no end of the stream";
    return {};
  }
  return nlohmann::json::parse(envelopes.back().message);
}

ConnectFixture::ConnectFixture() {
  gateway_.add_routes(server_.router, "tesela.test.v1.EchoService");
  server_.start();
}

HttpClient::Reply ConnectFixture::say(std::string_view body, HttpClient::Headers headers) {
  return HttpClient{server_.port()}.post(kSay, kJson, body, headers);
}

HttpClient::Reply ConnectFixture::count(std::string_view type, std::string_view body,
                                        HttpClient::Headers headers) {
  return HttpClient{server_.port()}.post(kCount, type, body, headers);
}

void ConnectFixture::begin(HttpClient& client, std::string_view path, std::string_view type,
                           std::string_view body) {
  std::string request{"POST "};
  request.append(path).append(" HTTP/1.1\r\nHost: a\r\nContent-Type: ").append(type);
  request.append("\r\nContent-Length: ").append(std::to_string(body.size()));
  client.send(request.append("\r\n\r\n").append(body));
}

bool ConnectFixture::has_counted(std::string_view code, std::string_view path) {
  std::string line{"tesela_rpcs_total{code=\""};
  line.append(code).append("\",method=\"").append(path).append("\"} 1");
  return server_.metrics.text().find(line) != std::string::npos;
}

void ConnectFixture::wait_until(const std::function<bool()>& holds) {
  // Asked once a turn: what held a moment ago need not hold the next.
  for (int i = 0; i < 500; ++i) {
    if (holds()) return;
    std::this_thread::sleep_for(std::chrono::milliseconds{10});
  }
  FAIL() << "did not come to hold in time";
}

}  // namespace tesela::net
