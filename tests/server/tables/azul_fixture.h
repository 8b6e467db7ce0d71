// Tables of Azul, with two further players.
#pragma once

#include <tesela/game/v1/azul.pb.h>

#include <chrono>
#include <concepts>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "tests/server/tables/table_fixture.h"

namespace tesela::tables {

class AzulTableTest : public TableTest {
 protected:
  static constexpr PlayerId kBob{78};
  static constexpr PlayerId kEve{79};

  explicit AzulTableTest(std::chrono::milliseconds claim_after = limits::kClaimAfter,
                         std::chrono::milliseconds come_within = {})
      : TableTest(4, claim_after, come_within) {
    finish(store.add_player({.id = kBob, .display_name = "Bob", .created_ms = 2}));
    finish(store.add_player({.id = kEve, .display_name = "Eve", .created_ms = 3}));
  }

  static google::protobuf::Any azul(std::uint32_t players) {
    game::v1::AzulConfig config;
    config.set_players(players);
    google::protobuf::Any any;
    any.PackFrom(config);
    return any;
  }

  /// A table of Ana's.
  void make_azul(std::uint32_t players, lobby::v1::TableOptions options = {}) {
    directory::NewTable wanted{.owner = kPlayer,
                               .owner_name = "Ana",
                               .game = "azul",
                               .config = azul(players),
                               .options = std::move(options)};
    id = finish(directory.create(std::move(wanted))).value().id;
  }

  Expected<store::TableRow> take(PlayerId player, std::optional<std::uint8_t> seat = {}) {
    std::optional<Seat> wanted;
    if (seat) wanted = Seat{*seat};
    return finish(directory.apply(
        id, TakeSeat{.player = player, .name = player == kBob ? "Bob" : "Eve", .seat = wanted}));
  }

  /// The first move of a position, as the view offers it.
  static codec::Move first_move(const game::v1::AzulView& view, std::string move_id) {
    const auto& offer = view.offers(0);
    game::v1::AzulMove move;
    if (offer.has_factory()) {
      move.set_factory(offer.factory());
    } else {
      move.set_centre(true);
    }
    move.set_colour(offer.colour());
    move.set_floor(true);
    return {.move_id = std::move(move_id),
            .at_version = {},
            .type = "tesela.game.v1.AzulMove",
            .body = move.SerializeAsString()};
  }

  static game::v1::AzulView azul_view_of(const pb::ServerFrame& frame) {
    game::v1::AzulView view;
    EXPECT_TRUE(frame.snapshot().view().UnpackTo(&view));
    return view;
  }

  /// The next frame of the client's that is so; those before it are not looked at.
  pb::ServerFrame next(Client& client, const std::predicate<const pb::ServerFrame&> auto& is_so) {
    pb::ServerFrame frame;
    wait_until([&] {
      while (const auto bytes = client.outbox.pop()) {
        frame.ParseFromString(bytes->bytes(codec::Protocol::kBinary));
        if (std::invoke(is_so, frame)) return true;
      }
      return false;
    });
    return frame;
  }

  /// Unloads the table; the next client loads it from the log.
  void reload() {
    finish(directory.open(id)).value()->close({.reason = codec::Reason::kServerRestart});
    settle();
  }
};

}  // namespace tesela::tables
