// What a visitor chooses about the page itself. The theme follows the system until one is chosen.
import { recall, remember } from './storage.js';

export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

function recallTheme(): Theme {
  const theme = recall('theme');
  return theme === 'light' || theme === 'dark' ? theme : 'system';
}

class Preferences {
  #theme = $state<Theme>(recallTheme());

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
