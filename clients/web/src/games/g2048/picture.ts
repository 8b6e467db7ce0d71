// A board of 2048 in small.
import { isMessage } from '@bufbuild/protobuf';
import { Game2048ViewSchema } from '@tesela/client/gen/game/v1/g2048_pb.js';
import { gridPicture, type PictureOf } from '../../table/picture.js';
import { COLOURS_MAX } from '../grid/tiles.js';
import { valueOf } from './sentence.js';

export const pictureOf: PictureOf = (view) =>
  isMessage(view, Game2048ViewSchema)
    ? gridPicture(view.cells, view.size, (exponent) => ({
        colour: Math.min(exponent, COLOURS_MAX),
        text: valueOf(exponent),
      }))
    : undefined;
