#include "server/push/notice_text.h"

#include <nlohmann/json.hpp>

#include "server/base/crypto.h"
#include "server/base/text_encoding.h"

namespace tesela::push {
namespace {

using nlohmann::json;
using store::DueNotice;
using store::NoticeKind;

constexpr std::size_t kTopicBytes = 24;  // 32 characters, as many as a topic has

bool is_challenge(const DueNotice& notice) {
  return notice.kind == NoticeKind::kChallenge;
}

std::string hashed(const std::string& text) {
  const base::Sha256 hash = base::sha256(text);
  return base::encode_base64url({reinterpret_cast<const char*>(hash.data()), kTopicBytes});
}

json fields_of(const DueNotice& notice) {
  json fields{{"kind", name_of(notice.kind)}, {"game", notice.game}, {"until", notice.until_ms}};
  fields[is_challenge(notice) ? "challenge" : "table"] = notice.subject;
  if (is_challenge(notice) && notice.table) fields["table"] = base::to_text(*notice.table);
  if (!notice.from_name.empty()) fields["from"] = notice.from_name;
  return fields;
}

}  // namespace

std::string_view name_of(NoticeKind kind) {
  switch (kind) {
    case NoticeKind::kYourTurn:
      return "your-turn";
    case NoticeKind::kTimeShort:
      return "time-short";
    case NoticeKind::kChallenge:
      return "challenge";
    case NoticeKind::kRematch:
      break;
  }
  return "rematch";
}

std::string push_text(const DueNotice& notice) {
  return fields_of(notice).dump();
}

std::string topic_of(const DueNotice& notice) {
  return hashed("tesela.topic.v1" + notice.subject);
}

std::string webhook_text(const DueNotice& notice, std::string_view origin, std::int64_t unix_ms) {
  json data = fields_of(notice);
  data["player"] = base::to_text(notice.player);
  data["name"] = notice.player_name;
  const bool at_table = data.contains("table");
  data["link"] = std::string(origin) + (at_table ? "/t/" : "/challenge#") +
                 (at_table ? data["table"].get<std::string>() : notice.subject);
  return json{{"type", "notice." + std::string(name_of(notice.kind))},
              {"timestamp", unix_ms},
              {"data", std::move(data)}}
      .dump();
}

void sign_webhook(fetch::Question& question, const DueNotice& notice, std::string_view secret,
                  std::int64_t unix_s) {
  const std::string kind(name_of(notice.kind));
  const std::string id = "msg_" + hashed(kind + notice.subject + base::to_text(notice.player) +
                                         std::to_string(notice.version.value));
  const std::string time = std::to_string(unix_s);
  const base::Sha256 mac = base::hmac_sha256(secret, id + '.' + time + '.' + question.body);
  std::string shown = base::encode_base64({reinterpret_cast<const char*>(mac.data()), mac.size()});
  while (shown.size() % 4 != 0) shown += '=';
  question.headers = {{"content-type", "application/json"},
                      {"webhook-id", id},
                      {"webhook-timestamp", time},
                      {"webhook-signature", "v1," + shown}};
}

}  // namespace tesela::push
