// A board of 2248 in small.
import { isMessage } from '@bufbuild/protobuf';
import { Game2248ViewSchema } from '@tesela/client/gen/game/v1/g2248_pb.js';
import { gridPicture, type PictureOf } from '../../table/picture.js';
import { COLOURS_MAX } from '../grid/tiles.js';
import { shortValue } from './value.js';

export const pictureOf: PictureOf = (view) =>
  isMessage(view, Game2248ViewSchema)
    ? gridPicture(view.cells, view.columns, (exponent) => ({
        colour: Math.min(exponent, COLOURS_MAX),
        text: shortValue(exponent),
      }))
    : undefined;
