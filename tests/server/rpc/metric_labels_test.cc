// Whatever strangers send, there are no more series than these.

#include <gmock/gmock.h>
#include <grpcpp/generic/generic_stub.h>
#include <gtest/gtest.h>

#include <future>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <utility>

#include "tests/server/net/http/http_client.h"
#include "tests/server/net/http/http_server.h"
#include "tests/server/rpc/grpc/grpc_port.h"

namespace tesela::net {
namespace {

using testing::IsSubsetOf;

/// The values of each label, of all families.
std::map<std::string, std::set<std::string>> labels_of(const std::string& text) {
  static const std::regex label{R"re(([a-z_]+)="([^"]*)")re"};
  std::map<std::string, std::set<std::string>> labels;
  for (std::sregex_iterator at{text.begin(), text.end(), label}, end; at != end; ++at) {
    labels[(*at)[1]].insert((*at)[2]);
  }
  return labels;
}

class MetricLabels : public GrpcPort {
 protected:
  void call(const std::string& path, const std::string& message = "") {
    grpc::GenericStub stub{channel_};
    grpc::ClientContext context;
    const grpc::Slice slice{message};
    const grpc::ByteBuffer request{&slice, 1};
    grpc::ByteBuffer response;
    std::promise<void> ended;
    stub.UnaryCall(&context, path, {}, &request, &response,
                   [&](const grpc::Status&) { ended.set_value(); });
    ended.get_future().get();
  }
};

TEST_F(MetricLabels, PathsThatDoNotExistAreOneLabel) {
  for (int i = 0; i < 400; ++i) call("/stranger" + std::to_string(i) + "/Call");
  call("/tesela.test.v1/EchoService.Say");
  call("/tesela.test.v1.EchoService/Nothing");
  call("/tesela.test.v1.EchoService/Say/");
  call("/grpc.health.v1.Health/Nothing");
  call("/");
  call("/tesela.test.v1.EchoService/Say", "\x0a\x02\xff\xfe");
  EXPECT_TRUE(say().ok());
  const auto labels = labels_of(metrics_.text());
  EXPECT_THAT(labels.at("method"),
              (testing::UnorderedElementsAre("unknown", "/tesela.test.v1.EchoService/Say")));
  EXPECT_THAT(labels.at("code"), IsSubsetOf({"ok", "unimplemented", "invalid_argument"}));
}

TEST(HttpMetricLabels, RoutesAndStatusesAreFew) {
  HttpServer server;
  server.router.exact("/echo", {.name = "test",
                                .verbs = {http::verb::get},
                                .handle = [](const Request&) -> boost::asio::awaitable<Response> {
                                  co_return text_response(http::status::ok, "");
                                },
                                .refuse = refuse_with_text});
  server.start();
  for (int i = 0; i < 200; ++i) {
    const std::string name = "stranger" + std::to_string(i);
    HttpClient{server.port()}.get("/" + name);
    for (const std::string& head :
         {name + " /echo HTTP/1.1\r\nHost: a\r\n\r\n",
          "GET /echo HTTP/1.1\r\nHost: a\r\n" + name + ": " + name + "\r\n\r\n",
          "GET /echo HTTP/1." + std::to_string(i % 10) + "\r\nHost: a\r\n\r\n"}) {
      HttpClient client{server.port()};
      client.send(head);
      client.read();
    }
  }
  const auto labels = labels_of(server.metrics.text());
  EXPECT_THAT(labels.at("route"), IsSubsetOf({"test", "none"}));
  EXPECT_THAT(labels.at("status"), IsSubsetOf({"200", "400", "404", "405"}));
}

}  // namespace
}  // namespace tesela::net
