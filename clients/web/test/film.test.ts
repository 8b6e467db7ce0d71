// Scenes follow each other, and never lag behind for long.
import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { Film, SCENES_BEHIND_MAX, type Scene } from '../src/games/motion/film.js';

describe('a film', () => {
  let ended: number[];

  beforeEach(() => {
    ended = [];
    Object.assign(globalThis, {
      matchMedia: () => ({ matches: false }),
      document: { visibilityState: 'visible' },
    });
  });

  /** A motion that never ends by itself. */
  const endless = (): Animation =>
    ({ finished: new Promise(() => {}), cancel: () => {} }) as unknown as Animation;
  const scene = (name: number): Scene => ({
    start: () => [endless()],
    end: () => void ended.push(name),
  });

  test('holds what comes until what moves has ended', () => {
    const film = new Film(() => {});
    film.play([scene(1)]);
    film.play([scene(2), scene(3)]);
    assert.deepEqual(ended, []);
    film.finish();
    assert.deepEqual(ended, [1, 2, 3]);
  });

  test('that is too far behind goes on with the newest', () => {
    const heard: boolean[] = [];
    const film = new Film((playing) => heard.push(playing));
    const count = SCENES_BEHIND_MAX + 1;
    for (let name = 0; name < count; name += 1) film.play([scene(name)]);
    assert.deepEqual(ended, []);
    film.play([scene(count)]);
    assert.deepEqual(
      ended,
      Array.from({ length: count }, (_, name) => name),
    );
    assert.ok(film.playing);
    assert.deepEqual(heard, [true, false, true]);
  });
});
