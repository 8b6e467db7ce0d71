import { en } from './en.js';
import { es } from './es.js';
import { i18n } from './i18n.svelte.js';

const dictionary = { en, es };

/** The page's words in the language of now. */
export const words = () => i18n.words(dictionary);
