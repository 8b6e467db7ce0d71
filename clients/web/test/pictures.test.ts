// What is drawn in small: positions, and the faces of bots.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { create } from '@bufbuild/protobuf';
import { AzulViewSchema } from '@tesela/client/gen/game/v1/azul_pb.js';
import { Game2048ViewSchema } from '@tesela/client/gen/game/v1/g2048_pb.js';
import { SameGameViewSchema } from '@tesela/client/gen/game/v1/samegame_pb.js';
import { pictureOf as azul } from '../src/games/azul/picture.js';
import { pictureOf as samegame } from '../src/games/samegame/picture.js';
import { gridPicture } from '../src/table/picture.js';
import { featuresOf } from '../src/widgets/avatar.js';

describe('a picture', () => {
  test('of a grid has every cell in its place, and nothing in the empty ones', () => {
    const { width, height, squares } = gridPicture([0, 1, 2, 0, 0, 3], 3, (colour) => ({ colour }));
    assert.deepEqual([width, height], [3, 2]);
    assert.deepEqual(squares[5], { x: 2, y: 1, colour: 3 });
    assert.deepEqual(squares[3], { x: 0, y: 1 });
  });

  test('of SameGame has the colours of the board', () => {
    const view = create(SameGameViewSchema, { cells: [1, 0, 2, 2], columns: 2, rows: 2 });
    const pieces = samegame(view, 0)?.squares.map(({ piece }) => piece);
    assert.deepEqual(pieces, [1, undefined, 2, 2]);
  });

  test('of Azul has the lines from the right, and the wall with what is missing outlined', () => {
    const wall = new Array<number>(25).fill(0);
    wall[6] = 1;
    const board = { lineColours: [0, 3, 0, 0, 0], lineCounts: [0, 1, 0, 0, 0], wall };
    const view = create(AzulViewSchema, { table: { boards: [{}, board] } });
    const picture = azul(view, 1);
    const at = (x: number, y: number) =>
      picture?.squares.find((square) => square.x === x && square.y === y);
    assert.equal(picture?.squares.length, 15 + 25);
    assert.deepEqual(at(4, 1), { x: 4, y: 1, piece: 3 });
    assert.deepEqual(at(3, 1), { x: 3, y: 1 });
    assert.deepEqual(at(6.5, 1), { x: 6.5, y: 1, piece: 1, faint: false });
    assert.equal(at(5.5, 0)?.faint, true);
  });

  test('of another game, or of a seat that is none, is none', () => {
    assert.equal(samegame(create(Game2048ViewSchema), 0), undefined);
    assert.equal(azul(create(AzulViewSchema, { table: { boards: [] } }), 0), undefined);
  });
});

describe('the face of a bot', () => {
  const NAMES = ['Nico', 'Rita', 'Selma', 'Greta', 'Lucía', 'Iris', 'Hugo', 'Vera', 'Leo', 'Mila'];

  test('is the same for the same name', () => {
    assert.deepEqual(featuresOf('Lucía'), featuresOf('Lucía'));
  });

  test('tells the bots of the page apart', () => {
    const faces = new Set(NAMES.map((name) => JSON.stringify(featuresOf(name))));
    assert.equal(faces.size, NAMES.length);
  });
});
