// A board of SameGame in small.
import { isMessage } from '@bufbuild/protobuf';
import { SameGameViewSchema } from '@tesela/client/gen/game/v1/samegame_pb.js';
import { gridPicture, type PictureOf } from '../../table/picture.js';

export const pictureOf: PictureOf = (view) =>
  isMessage(view, SameGameViewSchema)
    ? gridPicture(view.cells, view.columns, (piece) => ({ piece }))
    : undefined;
