#include "server/net/http/static_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <string>

#include "server/net/http/content_coding.h"

namespace tesela::net {
namespace {

using testing::HasSubstr;

constexpr std::array<EmbeddedFile, 7> kFiles{{
    {"/index.html", "<html>"},
    {"/index.html.gz", "gz(<html>)"},
    {"/assets/app-1a2b.js", "script"},
    {"/assets/app-1a2b.js.br", "br(script)"},
    {"/assets/app-1a2b.js.gz", "gz(script)"},
    {"/icon.svg", "<svg>"},
    {"/explore.html", "<tool>"},
}};

std::string_view body(const Response& response) {
  if (const auto* text = std::get_if<std::string>(&response.body)) return *text;
  return std::get<std::string_view>(response.body);
}

class StaticFilesTest : public testing::Test {
 protected:
  Response get(std::string_view target,
               std::initializer_list<std::pair<http::field, std::string_view>> headers = {}) {
    Request request;
    request.method(http::verb::get);
    request.target(target);
    for (const auto& [name, value] : headers) request.set(name, value);
    return files_.serve(request);
  }

  StaticFiles files_{kFiles};
};

TEST_F(StaticFilesTest, AFileComesWithTypeTagAndSecurityHeaders) {
  const Response response = get("/icon.svg");
  EXPECT_EQ(response.status, http::status::ok);
  EXPECT_EQ(body(response), "<svg>");
  EXPECT_EQ(response.headers[http::field::content_type], "image/svg+xml");
  EXPECT_EQ(response.headers[http::field::cache_control], "no-cache");
  EXPECT_TRUE(response.headers[http::field::etag].starts_with('"'));
  EXPECT_THAT(
      std::string{response.headers["Content-Security-Policy"]},
      testing::AllOf(HasSubstr("default-src 'self';"), HasSubstr("frame-ancestors 'none'")));
  EXPECT_EQ(response.headers[http::field::vary], "");
}

TEST_F(StaticFilesTest, AssetsAreImmutableAndTheIndexIsNot) {
  EXPECT_EQ(get("/assets/app-1a2b.js").headers[http::field::cache_control],
            "public, max-age=31536000, immutable");
  EXPECT_EQ(get("/").headers[http::field::cache_control], "no-cache");
}

TEST_F(StaticFilesTest, TheSmallestAcceptedFormIsSent) {
  const auto coded = [&](std::string_view accept) {
    return std::string{body(get("/assets/app-1a2b.js", {{http::field::accept_encoding, accept}}))};
  };
  EXPECT_EQ(coded(""), "script");
  EXPECT_EQ(coded("gzip, deflate, br"), "br(script)");
  EXPECT_EQ(coded("gzip"), "gz(script)");
  EXPECT_EQ(coded("br;q=0.5, gzip;q=0.8"), "gz(script)");
  EXPECT_EQ(coded("br;q=0, gzip;q=0"), "script");
  EXPECT_EQ(coded("identity, br;q=0.5"), "script");
  EXPECT_EQ(coded("*"), "br(script)");
  EXPECT_EQ(coded("BR"), "br(script)");
  EXPECT_EQ(coded("gzip;q=0, *;q=0.1"), "br(script)");
  EXPECT_EQ(coded("snappy"), "script");
  EXPECT_EQ(coded("=;,broken"), "script");
}

TEST_F(StaticFilesTest, ACompressedFormSaysSoAndHasATagOfItsOwn) {
  const Response plain = get("/assets/app-1a2b.js");
  const Response coded = get("/assets/app-1a2b.js", {{http::field::accept_encoding, "br"}});
  EXPECT_EQ(coded.headers[http::field::content_encoding], "br");
  EXPECT_EQ(coded.headers[http::field::content_type], "text/javascript; charset=utf-8");
  EXPECT_EQ(coded.headers[http::field::vary], "Accept-Encoding");
  EXPECT_EQ(plain.headers[http::field::vary], "Accept-Encoding");
  EXPECT_NE(coded.headers[http::field::etag], plain.headers[http::field::etag]);
}

TEST_F(StaticFilesTest, AClientThatHasTheFileIsTold304) {
  const std::string tag{get("/icon.svg").headers[http::field::etag]};
  for (const std::string& header : {tag, "\"other\", " + tag, "W/" + tag, std::string{"*"}}) {
    const Response response = get("/icon.svg", {{http::field::if_none_match, header}});
    EXPECT_EQ(response.status, http::status::not_modified) << header;
    EXPECT_EQ(body(response), "");
    EXPECT_EQ(response.headers[http::field::etag], tag);
  }
  EXPECT_EQ(get("/icon.svg", {{http::field::if_none_match, "\"other\""}}).status, http::status::ok);
}

TEST_F(StaticFilesTest, TheTagOfAnotherFormIsNotThisOne) {
  const std::string tag{get("/assets/app-1a2b.js").headers[http::field::etag]};
  const Response response = get("/assets/app-1a2b.js", {{http::field::if_none_match, tag},
                                                        {http::field::accept_encoding, "gzip"}});
  EXPECT_EQ(response.status, http::status::ok);
}

TEST_F(StaticFilesTest, TheClientsOwnPathsAreTheIndexForABrowser) {
  const Response response = get("/t/abc123", {{http::field::accept, "text/html,*/*;q=0.8"}});
  EXPECT_EQ(body(response), "<html>");
  EXPECT_EQ(get("/t/abc123", {{http::field::accept, "application/json"}}).status,
            http::status::not_found);
  EXPECT_EQ(get("/t/abc.png", {{http::field::accept, "text/html"}}).status,
            http::status::not_found);
}

TEST_F(StaticFilesTest, APageOfItsOwnIsAtItsNameForABrowser) {
  EXPECT_EQ(body(get("/explore", {{http::field::accept, "text/html"}})), "<tool>");
  EXPECT_EQ(get("/explore").status, http::status::not_found);

  HttpRouter router;
  files_.add_routes_of("/explore", router);
  EXPECT_NE(router.find("/explore"), nullptr);
  EXPECT_NE(router.find("/assets/app-1a2b.js"), nullptr);
  EXPECT_EQ(router.find("/"), nullptr);
}

TEST_F(StaticFilesTest, NothingOutsideIsReachable) {
  for (const char* path :
       {"/../etc/passwd", "/assets/../../x.y", "//etc/x.y", "/%2e%2e/x.y", "*"}) {
    EXPECT_EQ(get(path).status, http::status::not_found) << path;
  }
}

TEST(EmbeddedWebClient, HasAnIndex) {
  const StaticFiles files{embedded_web_client()};
  Request request;
  request.method(http::verb::get);
  request.target("/");
  const Response response = files.serve(request);
  EXPECT_EQ(response.status, http::status::ok);
  EXPECT_EQ(response.headers[http::field::content_type], "text/html; charset=utf-8");
  EXPECT_THAT(std::string{body(response)}, HasSubstr("<title>"));
}

}  // namespace
}  // namespace tesela::net
