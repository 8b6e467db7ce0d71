// 2048 for the page.
import { isMessage } from '@bufbuild/protobuf';
import {
  Game2048ConfigSchema,
  Game2048EventSchema,
  Game2048MoveSchema,
  Game2048ViewSchema,
} from '../../gen/tesela/game/v1/g2048_pb.js';
import type { Game } from '../game.js';
import OptionsForm from './OptionsForm.svelte';
import Play from './Play.svelte';
import { words } from './words.js';

export const g2048: Game = {
  name: '2048',
  title: '2048',
  messages: [Game2048ConfigSchema, Game2048EventSchema, Game2048MoveSchema, Game2048ViewSchema],
  OptionsForm,
  Play,

  summary(config) {
    if (!isMessage(config, Game2048ConfigSchema)) return '';
    const objective = String(config.objective ?? 2048);
    const goal = config.stopAtObjective ? words().endsAt(objective) : words().goalOf(objective);
    return `${words().sizeOf(config.size ?? 4)}, ${goal}`;
  },

  viewAfter(body) {
    return isMessage(body, Game2048EventSchema) ? body.view : undefined;
  },
};
