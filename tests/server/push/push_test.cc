// Pushes by the vectors of their RFCs, where they may go, and when players want none.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "server/base/text_encoding.h"
#include "server/push/p256_key.h"
#include "server/push/push_hosts.h"
#include "server/push/quiet_time.h"
#include "server/push/web_push.h"

namespace tesela::push {
namespace {

std::string bytes(std::string_view text) {
  return base::decode_base64(text).value();
}

// RFC 8188, 3.1.
TEST(WebPush, ContentIsEncodedAsItsRfcShows) {
  EXPECT_EQ(base::encode_base64url(encoded("I am the walrus", bytes("yqdlZ-tYemfogSmv7Ws5PQ"),
                                           bytes("I1BsxtFttlv3u_Oo94xnmw"), "")),
            "I1BsxtFttlv3u_Oo94xnmwAAEAAA-NAVub2qFgBEuQKRapoZu-IxkIva3MEB1PD-ly8Thjg");
}

// RFC 8291, 5.
TEST(WebPush, APushIsEncryptedAsItsRfcShows) {
  const auto sender = P256Key::of_number(bytes("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"));
  const store::PushDevice device{
      .endpoint = {},
      .p256dh = bytes("BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6S"
                      "RpkNtoIAiw4"),
      .auth = bytes("BTBZMqHH6r4Tts7J_aSIgg")};
  ASSERT_TRUE(is_point(device.p256dh));
  EXPECT_EQ(base::encode_base64url(encrypted("When I grow up, I want to be a watermelon", device,
                                             sender, bytes("DGv6ra1nlYgDCS1FRnbzlw"))),
            "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLoc"
            "InmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLV"
            "WGNWQexSgSxsj_Qulcy4a-fN");
}

TEST(WebPush, OnlyPointsOfTheCurveAreKeys) {
  std::string point = P256Key::random().point();
  EXPECT_TRUE(is_point(point));
  EXPECT_FALSE(is_point(point.substr(1)));
  point.back() = static_cast<char>(point.back() ^ 1);
  EXPECT_FALSE(is_point(point));
  EXPECT_FALSE(is_point(""));
}

// RFC 8292. That the signature is the key's, tests/e2e/notifications.test.mjs verifies.
TEST(WebPush, TheServersKeyFollowsFromItsSecret) {
  const auto key = P256Key::derived("secret", "tesela.test");
  EXPECT_EQ(key.point(), P256Key::derived("secret", "tesela.test").point());
  EXPECT_NE(key.point(), P256Key::derived("secret", "tesela.other").point());
  EXPECT_TRUE(is_point(key.point()));
  const std::string header = vapid(key, "https://push.example", "https://id.example", 1000);
  ASSERT_TRUE(header.starts_with("vapid t="));
  const std::size_t begin = header.find('.') + 1;
  const std::string claims = bytes(header.substr(begin, header.find('.', begin) - begin));
  EXPECT_EQ(nlohmann::json::parse(claims), (nlohmann::json{{"aud", "https://push.example"},
                                                           {"exp", 1000 + 12 * 3600},
                                                           {"sub", "https://id.example"}}));
}

TEST(PushHosts, ADeviceIsAtANamedHostAndAPrivateAddressNeedsTheFullName) {
  const PushHosts standard;
  ASSERT_TRUE(standard.at("https://fcm.googleapis.com/fcm/send/1"));
  EXPECT_TRUE(standard.at("https://fcm.googleapis.com/fcm/send/1")->only_public);
  EXPECT_TRUE(standard.at("https://a.push.apple.com/1")->only_public);
  for (const char* other : {"https://push.apple.com/1", "https://evilpush.apple.com/1",
                            "https://fcm.googleapis.com.id.example/1", "http://a.push.apple.com/1",
                            "https://127.0.0.1/", "https://[::1]/", "https://169.254.169.254/",
                            "https://fcm.googleapis.com:81/1"}) {
    EXPECT_FALSE(standard.at(other)) << other;
  }
  const auto own = PushHosts::parse("push.internal,*.push.example").value();
  EXPECT_FALSE(own.at("https://push.internal:8443/1")->only_public);
  EXPECT_TRUE(own.at("https://a.push.example/1")->only_public);
  EXPECT_FALSE(own.at("https://a.push.example:8443/1"));
  EXPECT_FALSE(own.at("https://fcm.googleapis.com/1"));
  EXPECT_TRUE(PushHosts::parse("none")->none());
  for (const char* list : {"", "a,", "*", "*.", "https://a", "a/b", "A"}) {
    EXPECT_FALSE(PushHosts::parse(list)) << list;
  }
}

TEST(QuietTime, ItIsThePlayersAndMayEndOnTheNextDay) {
  constexpr std::int64_t kHour = 3'600'000;
  constexpr std::int64_t kMidnight = 1'800'057'600'000;  // of 16 January 2027, UTC
  const store::QuietHours night{.from_minute = 22 * 60, .to_minute = 7 * 60, .time_zone = "UTC"};
  EXPECT_EQ(quiet_until_ms(night, kMidnight + 21 * kHour + 1), std::nullopt);
  EXPECT_EQ(quiet_until_ms(night, kMidnight + 22 * kHour), kMidnight + 31 * kHour);
  EXPECT_EQ(quiet_until_ms(night, kMidnight + 5 * kHour + 5), kMidnight + 7 * kHour);
  EXPECT_EQ(quiet_until_ms(night, kMidnight + 7 * kHour), std::nullopt);
  store::QuietHours there = night;
  there.time_zone = "Asia/Kolkata";
  EXPECT_EQ(quiet_until_ms(there, kMidnight), kMidnight + kHour + kHour / 2);
  there.time_zone.clear();
  EXPECT_EQ(quiet_until_ms(there, kMidnight), std::nullopt);
  store::QuietHours never = night;
  never.to_minute = never.from_minute;
  EXPECT_EQ(quiet_until_ms(never, kMidnight), std::nullopt);
  EXPECT_TRUE(is_time_zone("Europe/Madrid"));
  EXPECT_FALSE(is_time_zone("Europe/Tesela"));
}

}  // namespace
}  // namespace tesela::push
