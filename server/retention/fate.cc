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
  if (!silent || guest.rated || guest.on_board) return {.stays = true};
  const auto goes = [&](const EndedTable& table) {
    return before.games_ms && table.ended_ms < *before.games_ms &&
           fate_of(table) == Fate::kWithItsGuests &&
           std::ranges::all_of(
               table.people,
               [&](const PersonAt& person) { return person.last_sign_ms < before.guests_ms; });
  };
  GuestVerdict verdict;
  for (const EndedTable& table : guest.tables) {
    if (goes(table)) verdict.tables.push_back(table.id);
  }
  if (!verdict.tables.empty()) return verdict;
  verdict.goes = guest.tables.empty() && !guest.more;
  verdict.stays = !verdict.goes;
  return verdict;
}

}  // namespace tesela::retention
