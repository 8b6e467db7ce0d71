// A visitor's preferences about the page. The theme follows the system until one is chosen.
import { recall, remember } from './storage.js';

export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

function recallTheme(): Theme {
  const theme = recall('theme');
  return theme === 'light' || theme === 'dark' ? theme : 'system';
}

/** How long a bot's move is looked at before the next one comes, in milliseconds. */
export const PACES = { slow: 1800, normal: 800, fast: 0 } as const;
export type Pace = keyof typeof PACES;

function recallPace(): Pace {
  const pace = recall('pace');
  return pace === 'slow' || pace === 'fast' ? pace : 'normal';
}

class Preferences {
  #theme = $state<Theme>(recallTheme());

  #pace = $state<Pace>(recallPace());

  /** Off until a visitor turns it on: nobody is surprised by a page that sounds. */
  #sound = $state(recall('sound') === 'on');

  get sound(): boolean {
    return this.#sound;
  }

  set sound(on: boolean) {
    this.#sound = on;
    remember('sound', on ? 'on' : 'off');
  }

  get pace(): Pace {
    return this.#pace;
  }

  set pace(pace: Pace) {
    this.#pace = pace;
    remember('pace', pace);
  }

  get theme(): Theme {
    return this.#theme;
  }

  set theme(theme: Theme) {
    this.#theme = theme;
    if (theme === 'system') delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
    remember('theme', theme === 'system' ? undefined : theme);
  }
}

export const preferences = new Preferences();
