// What a link shows where it is posted: titles, descriptions, and the pictures of positions.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import { inflateSync } from 'node:zlib';
import { ann, ben } from './harness/ann_and_ben.mjs';
import { games, resign } from './harness/games.mjs';
import { withServer } from './harness/limited.mjs';
import { bearer, lobbyOf, newTable, newTableOf, signIn } from './harness/lobby.mjs';
import { Player } from './harness/player.mjs';
import { repository, Server } from './harness/server.mjs';

const origin = 'https://tesela.example';
const picturesMax = 16; // kPicturesMax
const web = path.join(repository, 'clients/web/src');

// PNG of eight bits a channel, red, green and blue, neither interlaced nor filtered.
const signature = '89504e470d0a1a0a';
const channels = 3;

/** The chunks of a file: [type, content]. */
function* chunksOf(file) {
  for (let at = signature.length / 2; at < file.length; ) {
    const size = file.readUInt32BE(at);
    yield [file.toString('latin1', at + 4, at + 8), file.subarray(at + 8, at + 8 + size)];
    at += size + 12;
  }
}

/** { width, height, at }: `at` says the colour of a pixel, as '#rrggbb'. */
function decodePng(file) {
  assert.equal(file.toString('hex', 0, 8), signature);
  const chunks = [...chunksOf(file)];
  const [, header] = chunks[0];
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  assert.deepEqual([...header.subarray(8)], [8, 2, 0, 0, 0]);
  const data = chunks.filter(([type]) => type === 'IDAT').map(([, content]) => content);
  const packed = inflateSync(Buffer.concat(data));
  const line = width * channels;
  const pixels = Buffer.alloc(line * height);
  for (let y = 0; y < height; ++y) {
    const begin = y * (line + 1);
    assert.equal(packed[begin], 0);
    packed.copy(pixels, y * line, begin + 1, begin + 1 + line);
  }
  const at = (x, y) => {
    const i = Math.floor(y) * line + Math.floor(x) * channels;
    return `#${pixels.toString('hex', i, i + channels)}`;
  };
  return { width, height, at };
}

let server;
before(async () => (server = await Server.start('--account-origin', origin)));
after(() => server.dispose());

/** As programs ask that show links. */
const get = (url, { at = server, headers = {} } = {}) =>
  fetch(`${at.http}${url}`, { headers: { accept: '*/*', ...headers } });

/** What the page says about itself: { title, description, 'og:title', 'twitter:card', …, link }. */
async function head(url, options) {
  const response = await get(url, options);
  assert.equal(response.status, 200, url);
  const page = await response.text();
  const metas = page.matchAll(/<meta (?:property|name)="([\w:]+)" content="([^"]*)"/g);
  const [titles, links] = [page.match(/<title>[^<]*/g), page.match(/rel="canonical" href="[^"]*/g)];
  assert.equal(titles.length, 1, url);
  assert.equal(page.match(/name="description"/g).length, 1, url);
  const [title, link] = [titles[0].slice(7), links?.[0].slice(22)];
  return { title, link, ...Object.fromEntries([...metas].map(([, name, text]) => [name, text])) };
}

async function picture(tableId, options) {
  const response = await get(`/t/${tableId}.png`, options);
  const body = Buffer.from(await response.arrayBuffer());
  return { status: response.status, headers: response.headers, body };
}

const made = async (owner, request) =>
  (await lobbyOf(server).createTable({ game: '2048', ...request }, bearer(owner.token))).table;

/** Plays a game with somebody on every seat. Returns a player. */
async function played(game, moves) {
  const { seats, config, choose } = games[game];
  const { tableId, token } = await newTableOf(server, { game, config });
  const tokens = [token];
  for (let seat = 1; seat < seats; ++seat) {
    const guest = await signIn(server, `Guest ${seat}`);
    await lobbyOf(server).joinTable({ tableId }, bearer(guest.token));
    tokens.push(guest.token);
  }
  const players = [];
  for (const each of tokens) players.push(await Player.join(server, tableId, { token: each }));
  for (let n = 0; n < moves && !players[0].result; ++n) {
    const mover = players[players[0].turn[0]];
    await mover.playBody(choose(mover.view, n));
    for (const player of players) await player.reach(mover.version);
  }
  return players[0];
}

/** The colours of the page: of a value, or of a piece. */
const css = readFileSync(path.join(web, 'styles/tiles.css'), 'utf8');
const colourOf = (kind, name, number) =>
  css.match(
    new RegExp(`data-${kind}='${number}'\\] \\{\\s*--${name}: (?:light-dark\\()?(#\\w{6})`),
  )[1];
const emptyCell = css.match(/--cell: light-dark\((#\w{6})/)[1];
const pieceColour = (number) => colourOf('piece', 'piece', number === 6 ? 'marker' : number);

/** Compares the ground of a tile, where it has neither a pattern nor a number. */
function assertGround(image, { x, y, side }, colour, what) {
  assert.equal(image.at(x + side * 0.3, y + side * 0.07), colour, what);
}

/** Where the tiles of a grid are. */
function tileOf(cell, columns, rows) {
  const pitch = Math.min(612 / columns, 506 / rows);
  const top = (630 - rows * pitch) / 2;
  const [column, row] = [cell % columns, Math.floor(cell / columns)];
  return { x: 62 + (column + 0.05) * pitch, y: top + (row + 0.05) * pitch, side: 0.9 * pitch };
}

/** Where the cells of a board of Azul for two are, column by column from the longest line's end. */
const azulTile = (seat, column, row) => {
  const [side, pitch] = [44.5, 44.5 * 1.07];
  const x = 48 + 564 * seat + 540 - 18 - 10 * pitch - side * 0.42;
  const wall = column >= 5 ? side * 0.42 : 0;
  return { x: x + column * pitch + wall, y: 536 - 6.2 * pitch + row * pitch, side };
};

test('every address of the page says what it is, whatever the program accepts', async () => {
  const routes = readFileSync(path.join(web, 'base/route.svelte.ts'), 'utf8');
  const screens = [...routes.match(/AROUND = \[([^\]]*)/)[1].matchAll(/'(\w+)'/g)];
  assert.ok(screens.length > 5);
  const titles = new Set();
  for (const url of ['/', ...screens.map(([, screen]) => `/${screen}`)]) {
    const tags = await head(url);
    titles.add(tags.title);
    assert.ok(tags.title.endsWith('Tesela') && tags.description.length > 10, url);
    assert.ok(tags.title.startsWith(tags['og:title']), url);
    assert.equal(tags['og:description'], tags.description);
    assert.deepEqual([tags['og:url'], tags.link], [origin + url, origin + url]);
    assert.equal(tags['og:image'], `${origin}/icon-512.png`);
    assert.equal(tags['twitter:card'], 'summary');
    if (url !== '/') assert.equal((await head(`${url}/x?y=z`))['og:url'], `${origin}${url}/x`);
  }
  assert.equal(titles.size, screens.length + 1);
  for (const url of ['/@nobody', '/player/0000000000000', '/t/0000000000000', '/t/nonsense']) {
    assert.ok((await head(url)).title.endsWith('Tesela'));
  }
  const { playerId } = await signIn(server, 'Grace');
  assert.equal((await head(`/player/${playerId}`)).title, 'Grace · Tesela');
  assert.equal((await head('/daily/"><b>'))['og:url'], `${origin}/daily/%22%3E%3Cb%3E`);
  // A browser gets the page as it is, which fetch cannot ask for.
  const headers = { accept: 'text/html', 'sec-fetch-mode': 'navigate' };
  const asked = http.get(`${server.http}/daily`, { headers, agent: false });
  const [page] = await once(asked, 'response');
  assert.ok(page.headers.etag);
  assert.doesNotMatch(await text(page), /og:title/);
  assert.equal((await get('/nothing')).status, 404);
});

test('a shared link shows who plays and the position, to the end', async () => {
  const owner = await signIn(server, 'A "<b>" & C');
  const { tableId } = await newTable(server, { size: 2 }, owner);
  const names = 'A &quot;&lt;b>&quot; &amp; C';
  const tags = await head(`/t/${tableId}`);
  assert.equal(tags['og:title'], `2048: ${names}`);
  assert.equal(tags.description, 'The game is on.');
  assert.equal(tags['og:image'], `${origin}/t/${tableId}.png`);
  assert.deepEqual([tags['og:image:width'], tags['og:image:height']], ['1200', '630']);
  assert.equal(tags['og:image:alt'], `2048: ${names}. The game is on.`);
  assert.equal(tags['twitter:card'], 'summary_large_image');
  const first = await picture(tableId);
  const player = await Player.join(server, tableId, { token: owner.token });
  while (!player.result) await player.playBody(games['2048'].choose(player.view, 0));
  const points = player.result.standings[0].points;
  for (const url of [`/replay/${tableId}/2`, `/proof/${tableId}`]) {
    const replay = await head(url);
    assert.equal(replay.description, `${points} points.`);
    assert.equal(replay['og:image'], `${origin}/t/${tableId}.png`);
    assert.equal(replay['og:url'], origin + url);
  }
  const last = await picture(tableId);
  assert.notEqual(last.headers.get('etag'), first.headers.get('etag'));
  assert.match(first.headers.get('cache-control'), /^public, max-age=30$/);
  assert.match(last.headers.get('cache-control'), /^public, max-age=3600$/);
  const again = await picture(tableId, { headers: { 'if-none-match': last.headers.get('etag') } });
  assert.deepEqual([again.status, again.body.length], [304, 0]);
  assert.deepEqual((await picture(tableId)).body, last.body);
});

for (const [game, kind] of [
  ['2048', 'colour'],
  ['2248', 'colour'],
  ['samegame', 'piece'],
]) {
  test(`the picture of ${game} has each tile in the colour of the page`, async () => {
    const { tableId, view } = await played(game, 5);
    const { status, headers, body } = await picture(tableId);
    assert.equal(status, 200);
    assert.equal(headers.get('content-type'), 'image/png');
    const image = decodePng(body);
    assert.deepEqual([image.width, image.height], [1200, 630]);
    const columns = view.columns ?? view.size;
    view.cells.forEach((held, cell) => {
      const colour = held ? colourOf(kind, kind === 'piece' ? 'piece' : 'tile', held) : emptyCell;
      const tile = tileOf(cell, columns, view.cells.length / columns);
      assertGround(image, tile, colour, `cell ${cell}`);
    });
  });
}

test('the picture of azul has lines, walls and floors of all boards', async () => {
  const { tableId, view } = await played('azul', 20);
  const image = decodePng((await picture(tableId)).body);
  let tiles = 0;
  const check = (place, piece) => {
    ++tiles;
    assertGround(image, place, pieceColour(piece), JSON.stringify(place));
  };
  view.table.boards.forEach((board, seat) => {
    board.wall.forEach((piece, cell) => {
      if (piece) check(azulTile(seat, 5 + (cell % 5), Math.floor(cell / 5)), piece);
    });
    board.lineCounts.forEach((count, row) => {
      for (let i = 0; i < count; ++i) check(azulTile(seat, 4 - i, row), board.lineColours[row]);
    });
    board.floor.forEach((piece, i) => check(azulTile(seat, i, 5.2), piece));
  });
  assert.ok(tiles > 5, `${tiles}`);
});

test('what is not for everybody has no picture, and its link no names', async () => {
  const owner = await signIn(server, 'Secret');
  const hidden = {
    private: await made(owner, { options: { inviteOnly: true } }),
    'without spectators': await made(owner, { options: { spectatorsOff: true } }),
    daily: await made(owner, { daily: true }),
  };
  for (const [what, { tableId }] of Object.entries(hidden)) {
    assert.equal((await picture(tableId)).status, 404, what);
    const tags = await head(`/t/${tableId}`);
    assert.equal(tags['og:image'], `${origin}/icon-512.png`, what);
    assert.doesNotMatch(JSON.stringify(tags), /Secret/, what);
  }
  // Nor when it is over.
  const { tableId } = hidden.private;
  const player = await Player.join(server, tableId, { token: owner.token });
  await player.playBody(resign);
  assert.equal((await picture(tableId)).status, 404);
  assert.doesNotMatch(JSON.stringify(await head(`/replay/${tableId}`)), /Secret|points/);
  // It has not begun.
  const open = await made(owner, { game: 'azul' });
  assert.equal((await picture(open.tableId)).status, 404);
  assert.equal((await head(`/t/${open.tableId}`))['og:image'], `${origin}/icon-512.png`);
  for (const none of ['0000000000000', 'nonsense', '', 'x/y']) {
    assert.equal((await picture(none)).status, 404, none);
  }
});

test('of many pictures at once the server draws a few, and the others later', async () => {
  const owner = await signIn(server);
  const tables = [];
  for (let n = 0; n < 3 * picturesMax; ++n) tables.push(await made(owner, {}));
  const answers = await Promise.all(tables.map(({ tableId }) => picture(tableId)));
  const refused = answers.flatMap(({ status }, n) => (status === 200 ? [] : [n]));
  assert.ok(refused.length > 0 && refused.length <= answers.length - picturesMax);
  for (const n of refused) {
    assert.equal(answers[n].status, 503);
    assert.equal(answers[n].headers.get('retry-after'), '1');
  }
  assert.equal((await picture(tables[refused[0]].tableId)).status, 200);
});

test('a server draws the table that another one has', async () => {
  const { tableId, token } = await newTable(ann);
  const player = await Player.join(ann, tableId, { token });
  await player.playMoves(5);
  const [there, here] = [await picture(tableId, { at: ann }), await picture(tableId, { at: ben })];
  assert.equal(here.status, 200);
  assert.deepEqual(here.body, there.body);
  const image = decodePng(here.body);
  player.view.cells.forEach((held, cell) => {
    const tile = tileOf(cell, player.view.size, player.view.size);
    assertGround(image, tile, held ? colourOf('colour', 'tile', held) : emptyCell, `cell ${cell}`);
  });
});

withServer(['--request-rate', '5'], (given) => {
  test('an address asks for as many pictures as for anything else', async () => {
    const { tableId } = await newTable(given.server);
    const statuses = [];
    for (let n = 0; n < 60; ++n) {
      statuses.push((await picture(tableId, { at: given.server })).status);
    }
    assert.equal(statuses[0], 200);
    assert.ok(statuses.includes(429));
  });
});
