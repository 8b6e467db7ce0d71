// The small values of the network code, without a socket.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "server/net/http/http_router.h"
#include "server/net/http/origins.h"

namespace tesela::net {
namespace {

TEST(Origins, NoOriginIsNoBrowser) {
  EXPECT_EQ(Origins{{}}.judge("", "tesela.example"), Origin::kNone);
}

TEST(Origins, TheHostOfTheRequestIsTheSame) {
  const Origins origins{{}};
  EXPECT_EQ(origins.judge("https://tesela.example", "tesela.example"), Origin::kSame);
  EXPECT_EQ(origins.judge("http://127.0.0.1:8080", "127.0.0.1:8080"), Origin::kSame);
  EXPECT_EQ(origins.judge("https://Tesela.Example", "tesela.example"), Origin::kSame);
  EXPECT_EQ(origins.judge("https://tesela.example", "tesela.example:443"), Origin::kSame);
  EXPECT_EQ(origins.judge("http://tesela.example:80", "tesela.example"), Origin::kSame);
}

TEST(Origins, AnotherHostIsRefused) {
  const Origins origins{{}};
  EXPECT_EQ(origins.judge("https://evil.example", "tesela.example"), Origin::kRefused);
  EXPECT_EQ(origins.judge("http://127.0.0.1:8081", "127.0.0.1:8080"), Origin::kRefused);
  EXPECT_EQ(origins.judge("https://tesela.example.evil.example", "tesela.example"),
            Origin::kRefused);
  EXPECT_EQ(origins.judge("null", "tesela.example"), Origin::kRefused);
  EXPECT_EQ(origins.judge("https://", ""), Origin::kRefused);
  EXPECT_EQ(origins.judge("https://tesela.example", "tesela.example:80"), Origin::kRefused);
}

TEST(Origins, TheOperatorsListIsAllowed) {
  const Origins origins{{"https://friend.example"}};
  EXPECT_EQ(origins.judge("https://friend.example", "tesela.example"), Origin::kAllowed);
  EXPECT_EQ(origins.judge("http://friend.example", "tesela.example"), Origin::kRefused);
  EXPECT_EQ(Origins{{"*"}}.judge("https://any.example", "tesela.example"), Origin::kAllowed);
}

TEST(HttpRouter, AnExactPathWinsAndThenTheLongestPrefix) {
  HttpRouter router;
  const auto named = [](std::string name) {
    return Route{.name = std::move(name), .verbs = {}, .handle = {}, .refuse = {}};
  };
  router.prefix("/", named("all"));
  router.prefix("/a/b", named("longer"));
  router.prefix("/a", named("long"));
  router.exact("/a/b/c", named("exact"));
  EXPECT_EQ(router.find("/a/b/c")->name, "exact");
  EXPECT_EQ(router.find("/a/b/d")->name, "longer");
  EXPECT_EQ(router.find("/a/x")->name, "long");
  EXPECT_EQ(router.find("/x")->name, "all");
  EXPECT_EQ(router.find("x"), nullptr);
}

}  // namespace
}  // namespace tesela::net
