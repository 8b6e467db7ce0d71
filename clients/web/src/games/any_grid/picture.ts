// A board of a game that the page has no renderer for, in small.
import { isMessage } from '@bufbuild/protobuf';
import { GridViewSchema } from '@tesela/client/gen/game/v1/grid_pb.js';
import { gridPicture, type PictureOf } from '../../table/picture.js';
import { COLOURS_MAX } from '../grid/tiles.js';

export const pictureOf: PictureOf = (view) =>
  isMessage(view, GridViewSchema)
    ? gridPicture(view.cells, view.columns, (kind) => ({ colour: Math.min(kind, COLOURS_MAX) }))
    : undefined;
