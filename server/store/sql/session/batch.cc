#include "server/store/sql/session/batch.h"

#include <array>

namespace tesela::store::sql {
namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 11> kInSqlite{{
    {"greatest(", "max("},
    {"::bigint", ""},
    {"::text", ""},
    {"::bytea", ""},
    {"::double precision", ""},
    {" FOR UPDATE SKIP LOCKED", ""},
    {" FOR UPDATE", ""},
    {" FOR NO KEY UPDATE SKIP LOCKED", ""},
    {" FOR NO KEY UPDATE", ""},
    {" FOR KEY SHARE", ""},
    {" FOR SHARE", ""},
}};
constexpr std::string_view kAny = "= ANY(";

}  // namespace

std::string sqlite_text(std::string_view statement) {
  std::string text;
  while (!statement.empty()) {
    bool replaced = false;
    for (const auto& [here, there] : kInSqlite) {
      if (!statement.starts_with(here)) continue;
      text += there;
      statement.remove_prefix(here.size());
      replaced = true;
      break;
    }
    if (replaced) continue;
    if (statement.starts_with(kAny)) {
      const auto end = statement.find(')');
      const std::string_view parameter = statement.substr(kAny.size(), end - kAny.size());
      text += "IN (SELECT value FROM json_each(?" + std::string(parameter.substr(1)) + "))";
      statement.remove_prefix(end + 1);
      continue;
    }
    text += statement.front() == '$' ? '?' : statement.front();
    statement.remove_prefix(1);
  }
  return text;
}

}  // namespace tesela::store::sql
