// The words of the page, by the part that says them, in the language of now.
import { i18n } from './i18n.svelte.js';

export const words = () => i18n.messages.page;
export const tableWords = () => i18n.messages.table;
export const findWords = () => i18n.messages.find;
export const boardWords = () => i18n.messages.boards;
export const dailyWords = () => i18n.messages.daily;
export const gamesWords = () => i18n.messages.games;
export const replayWords = () => i18n.messages.replay;
export const proofWords = () => i18n.messages.proof;
export const endingWords = () => i18n.messages.ending;
export const gridWords = () => i18n.messages.grid;
export const azulWords = () => i18n.messages.azul;
export const words2048 = () => i18n.messages.g2048;
export const words2248 = () => i18n.messages.g2248;
export const sameGameWords = () => i18n.messages.samegame;
