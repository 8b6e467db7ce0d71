#include "server/retention/fate.h"

#include <algorithm>

#include "server/codec/table_options.h"

namespace tesela::retention {
namespace {

using store::EndedTable;
using store::PersonAt;

/// Options that cannot be read may say anything.
bool may_be_ranked(const EndedTable& table) {
  const auto options = codec::decode_table_options(table.options);
  return !options || options->ranked;
}

}  // namespace

Fate fate_of(const EndedTable& table) {
  if (table.daily || table.on_board) return Fate::kStays;
  if (table.closed && !table.begun) return Fate::kGoes;
  const bool matters = std::ranges::any_of(
      table.people, [](const PersonAt& person) { return person.registered || person.rated; });
  if (matters) return Fate::kStays;
  if (table.closed) return Fate::kGoes;
  if (!table.people.empty()) return Fate::kWithItsGuests;
  return may_be_ranked(table) ? Fate::kStays : Fate::kGoes;
}

GuestVerdict verdict_on(const store::SilentGuest& guest, const Before& before) {
  const bool silent = guest.last_sign_ms < before.guests_ms;
  if (!silent || guest.rated) return {.stays = true};
  GuestVerdict verdict;
  for (const EndedTable& table : guest.tables) {
    const bool old = before.games_ms && table.ended_ms < *before.games_ms;
    if (!old || fate_of(table) != Fate::kWithItsGuests) continue;
    const std::int64_t last =
        std::ranges::max(table.people, {}, &PersonAt::last_sign_ms).last_sign_ms;
    if (last < before.guests_ms) {
      verdict.tables.push_back(table.id);
    } else {
      verdict.waits_for_ms = std::min(last, verdict.waits_for_ms.value_or(last));
    }
  }
  if (!verdict.tables.empty()) return verdict;
  verdict.goes = guest.tables.empty() && !guest.more && !guest.on_board;
  verdict.stays = !verdict.goes;
  return verdict;
}

}  // namespace tesela::retention
