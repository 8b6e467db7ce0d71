#include "tests/sim/players/choices.h"

#include "tesela/game/v1/azul.pb.h"
#include "tesela/game/v1/g2048.pb.h"
#include "tesela/game/v1/g2248.pb.h"
#include "tesela/game/v1/samegame.pb.h"
#include "tesela/play/v1/course.pb.h"

namespace tesela::sim {
namespace {

using google::protobuf::Any;

template <class Message>
Any packed(const Message& message) {
  Any any;
  any.PackFrom(message);
  return any;
}

std::optional<Any> choose(const game::v1::Game2048View& view, std::uint64_t which) {
  if (view.legal().empty()) return std::nullopt;
  game::v1::Game2048Move move;
  move.set_direction(view.legal(static_cast<int>(which % view.legal_size())));
  return packed(move);
}

std::optional<Any> choose(const game::v1::Game2248View& view, std::uint64_t which) {
  // As Game2248View.links numbers them.
  constexpr int kDown[] = {-1, -1, -1, 0, 0, 1, 1, 1};
  constexpr int kRight[] = {-1, 0, 1, -1, 1, -1, 0, 1};
  const auto columns = static_cast<int>(view.columns());
  for (int i = 0; i < view.links_size(); ++i) {
    const int cell = static_cast<int>((which + static_cast<std::uint64_t>(i)) %
                                      static_cast<std::uint64_t>(view.links_size()));
    for (int way = 0; way < 8; ++way) {
      if ((view.links(cell) & (1U << way)) == 0) continue;
      game::v1::Game2248Move move;
      move.mutable_chain()->add_cells(static_cast<std::uint32_t>(cell));
      move.mutable_chain()->add_cells(
          static_cast<std::uint32_t>(cell + kDown[way] * columns + kRight[way]));
      return packed(move);
    }
  }
  return std::nullopt;
}

std::optional<Any> choose(const game::v1::SameGameView& view, std::uint64_t which) {
  if (view.groups().empty()) return std::nullopt;
  game::v1::SameGameMove move;
  move.set_cell(view.groups(static_cast<int>(which % view.groups_size())).cells(0));
  return packed(move);
}

std::optional<Any> choose(const game::v1::AzulView& view, std::uint64_t which) {
  if (view.offers().empty()) return std::nullopt;
  const auto& offer = view.offers(static_cast<int>(which % view.offers_size()));
  game::v1::AzulMove move;
  if (offer.has_factory()) {
    move.set_factory(offer.factory());
  } else {
    move.set_centre(true);
  }
  move.set_colour(offer.colour());
  if (offer.lines().empty()) {
    move.set_floor(true);
  } else {
    move.set_line(offer.lines(offer.lines_size() - 1));
  }
  return packed(move);
}

template <class View>
bool choose_of(const Any& view, std::uint64_t which, std::optional<Any>& move) {
  View message;
  if (!view.Is<View>() || !view.UnpackTo(&message)) return false;
  move = choose(message, which);
  return true;
}

template <class Event>
bool view_of_event(const Any& body, Any& view) {
  Event event;
  if (!body.Is<Event>() || !body.UnpackTo(&event)) return false;
  view.PackFrom(event.view());
  return true;
}

}  // namespace

std::optional<Any> move_for(const Any& view, std::uint64_t which) {
  std::optional<Any> move;
  static_cast<void>(choose_of<game::v1::Game2048View>(view, which, move) ||
                    choose_of<game::v1::Game2248View>(view, which, move) ||
                    choose_of<game::v1::SameGameView>(view, which, move) ||
                    choose_of<game::v1::AzulView>(view, which, move));
  return move;
}

Any view_of(const Any& body) {
  Any view;
  if (play::v1::Undone undone; body.Is<play::v1::Undone>() && body.UnpackTo(&undone)) {
    return std::move(*undone.mutable_view());
  }
  static_cast<void>(view_of_event<game::v1::Game2048Event>(body, view) ||
                    view_of_event<game::v1::Game2248Event>(body, view) ||
                    view_of_event<game::v1::SameGameEvent>(body, view) ||
                    view_of_event<game::v1::AzulEvent>(body, view));
  return view;
}

}  // namespace tesela::sim
