// The pictures of tables that a shared link shows.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <memory>
#include <string>

#include "server/base/analysis_limits.h"
#include "server/base/io_pool.h"
#include "server/base/places.h"
#include "server/picture/canvas.h"
#include "server/quota/admission_control.h"
#include "server/replay/aside.h"
#include "server/replay/start_of_execution.h"
#include "server/services/history/table_cache.h"
#include "server/store/table_rows.h"

namespace tesela::services {

/// Draws positions on a thread of its own, of any table on the database. Any thread. Outlives its
/// calls.
class TablePictures {
 public:
  struct Parts {
    replay::Aside aside;  // where games are executed again
    replay::Source source;
    store::TableRows& table_rows;
    picture::Fonts fonts;  // empty: no table has a picture
  };
  /// A position that may be drawn.
  struct Sight {
    store::TableRow row;
    Version version;
    std::string tag;  // the same for the same picture, in base 64
    [[nodiscard]] bool is_over() const { return row.ending.has_value(); }
  };
  using Png = std::shared_ptr<const std::string>;

  explicit TablePictures(const Parts& parts) : parts_(parts) { threads_.run(); }

  /// Whether there are pictures at all.
  [[nodiscard]] bool can_draw() const { return !parts_.fonts.regular.empty(); }
  /// The newest position of a table, if everybody may see it (is_for_everybody). Errors: those of
  /// history::watchable; kNotFound for a table that is not for everybody.
  boost::asio::awaitable<Expected<Sight>> look(TableId table);
  /// Its picture, kept or drawn. A drawing is charged to `from`, as the execution is. Errors:
  /// kResourceExhausted for the quota; kUnavailable at limits::kPicturesMax; those of run_aside.
  boost::asio::awaitable<Expected<Png>> picture_of(Sight sight, quota::QuotaPtr from);

 private:
  struct Picture {
    std::string tag;
    Png png;
  };

  [[nodiscard]] Png kept(const Sight& sight);
  boost::asio::awaitable<Expected<Png>> make(const Sight& sight, quota::QuotaPtr from);
  boost::asio::awaitable<Expected<std::string>> position(const Sight& sight, quota::QuotaPtr from);
  boost::asio::awaitable<Png> draw(const Sight& sight, const std::string& position);

  const Parts parts_;
  TableCache<Picture> cache_{limits::kPicturesKept, limits::kPicturesKeptBytes};
  base::Places places_{limits::kPicturesMax};
  base::IoPool threads_{1, limits::kPictureNiceness, "picture"};
};

}  // namespace tesela::services
