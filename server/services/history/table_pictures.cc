#include "server/services/history/table_pictures.h"

#include <utility>

#include "server/base/clock.h"
#include "server/base/crypto.h"
#include "server/base/text_encoding.h"
#include "server/codec/table_options.h"
#include "server/directory/execution_charge.h"
#include "server/history/game_record.h"
#include "server/picture/drawing.h"
#include "server/replay/replay.h"
#include "server/services/history/link_preview.h"
#include "tesela/play/v1/play.pb.h"

namespace tesela::services {

using boost::asio::awaitable;

namespace {

std::unexpected<Error> no_picture() {
  return refuse(ErrorCode::kNotFound, "There is no picture of this table.");
}

picture::Caption caption_of(const store::TableRow& row) {
  picture::Caption caption{.game = title_of_game(row), .names = {}, .text = {}};
  for (const auto& seat : row.seats) caption.names.push_back(seat.display_name);
  // The points of one player are drawn anyway.
  caption.text = row.state == store::TableState::kOver && row.seats.size() == 1
                     ? "The game is over."
                     : link_preview(row).description;
  return caption;
}

/// Of all that is drawn.
std::string tag_of(const store::TableRow& row, Version version) {
  std::string drawn = std::to_string(picture::kDrawing) + '\n' + std::to_string(version.value);
  const auto caption = caption_of(row);
  for (const auto& name : caption.names) drawn += '\n' + name;
  drawn += '\n' + caption.text;
  const base::Sha256 digest = base::sha256(drawn);
  return base::encode_base64url({reinterpret_cast<const char*>(digest.data()), 12});
}

}  // namespace

awaitable<Expected<TablePictures::Sight>> TablePictures::look(TableId table) {
  history::Invitation none;
  auto row = co_await history::watchable(parts_.table_rows, table, std::move(none));
  if (!row) co_return std::unexpected(std::move(row.error()));
  const auto last = co_await parts_.source.log.last(table);
  if (!last) co_return std::unexpected(last.error());
  if (!*last || !is_for_everybody(*row) || !can_draw()) {
    co_return no_picture();
  }
  Sight sight{.row = std::move(*row), .version = (*last)->version, .tag = {}};
  sight.tag = tag_of(sight.row, sight.version);
  co_return sight;
}

awaitable<Expected<TablePictures::Png>> TablePictures::picture_of(Sight sight,
                                                                  quota::QuotaPtr from) {
  if (auto found = kept(sight)) co_return found;
  if (from && !from->try_take(quota::Act::kExecution, limits::kPictureEvents)) {
    from->count_limited(quota::Act::kExecution);
    co_return quota::too_often(quota::Act::kExecution);
  }
  const auto place = places_.take();
  if (!place) {
    co_return refuse(ErrorCode::kUnavailable,
                     "Too many pictures are being drawn; try again in a moment.");
  }
  co_return co_await make(sight, std::move(from));
}

TablePictures::Png TablePictures::kept(const Sight& sight) {
  const auto found = cache_.find(sight.row.id);
  return found && found->tag == sight.tag ? found->png : nullptr;
}

awaitable<Expected<TablePictures::Png>> TablePictures::make(const Sight& sight,
                                                            quota::QuotaPtr from) {
  auto work = position(sight, std::move(from));
  const auto urgency = sight.is_over() ? replay::Urgency::kEnded : replay::Urgency::kSpectator;
  const auto frame =
      co_await replay::run_aside(parts_.aside, urgency, sight.row.id, std::move(work));
  if (!frame) co_return std::unexpected(frame.error());
  auto drawing = draw(sight, *frame);
  auto png = co_await threads_.any().call(std::move(drawing));
  if (png->empty()) co_return no_picture();
  co_return png;
}

/// The frame with the Snapshot of the position. On a thread of executions.
awaitable<Expected<std::string>> TablePictures::position(const Sight& sight, quota::QuotaPtr from) {
  const auto options = codec::decode_table_options(sight.row.options);
  if (!options) co_return std::unexpected(options.error());
  const TableId table = sight.row.id;
  auto start = co_await replay::start_at(parts_.source, table, sight.version);
  if (!start) co_return std::unexpected(std::move(start.error()));
  if (auto charged = co_await directory::charge_execution(parts_.source.log, table, from,
                                                          start->version, sight.version);
      !charged) {
    co_return std::unexpected(std::move(charged.error()));
  }
  const replay::ReplayOptions until{.table = *options, .until = sight.version};
  const auto played = co_await replay::replay(parts_.source, table, std::move(*start), until);
  if (!played) co_return std::unexpected(played.error());
  co_return played->match->snapshot(played->version, played->at_ms, played->clock,
                                    base::Moment::logged(played->at_ms));
}

/// On the thread that draws, where an equal picture may have been drawn meanwhile.
awaitable<TablePictures::Png> TablePictures::draw(const Sight& sight, const std::string& position) {
  if (auto found = kept(sight)) co_return found;
  play::v1::ServerFrame frame;
  frame.ParseFromString(position);
  auto png = std::make_shared<const std::string>(
      picture::draw(frame.snapshot(), caption_of(sight.row), parts_.fonts));
  cache_.keep(sight.row.id, std::make_shared<const Picture>(Picture{sight.tag, png}), png->size());
  co_return png;
}

}  // namespace tesela::services
