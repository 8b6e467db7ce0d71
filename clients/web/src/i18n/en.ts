/** The page's own words; each game brings its own. Spanish has the same shape, or doesn't
 *  compile. */
export const en = {
  appName: 'Tesela',
  skipToContent: 'Skip to content',
  loading: 'Loading…',
  tryAgain: 'Try again',
  toTables: 'All games',

  language: 'Language',
  theme: 'Theme',
  themes: { system: 'System', light: 'Light', dark: 'Dark' },
  playingAs: (name: string) => `Playing as ${name}`,
  signOut: {
    title: 'Sign out?',
    warning: 'A guest who leaves cannot come back to their games. Everybody can still watch them.',
    leave: 'Sign out',
    stay: 'Stay',
  },

  signIn: {
    headline: 'Every move counts. Every move is kept.',
    pitch:
      'Play 2048 on a server that never forgets: close the tab, lose the line, come back. ' +
      'Your game waits at your last move.',
    nameLabel: 'Your name',
    namePlaceholder: 'Up to 24 characters',
    submit: 'Start playing',
    noAccount: 'No account, no e-mail. Just a name others see.',
    expired: 'Your session has ended. Sign in again to play.',
  },

  lobby: {
    title: 'Games',
    newGame: 'New game',
    create: (game: string) => `Play ${game}`,
    options: 'Options',
    yours: 'Your games',
    yoursNone: 'Nothing yet. Your games will wait here.',
    others: 'Being played now',
    othersNone: 'Nobody else is playing right now.',
    inPlay: 'In play',
    over: 'Finished',
    points: (points: string) => `${points} points`,
    goOn: 'Continue',
    look: 'View',
    watch: 'Watch',
    more: 'Show more',
    unreachable: 'The server cannot be reached.',
    unreachableRetry: 'Trying again on its own.',
    refused: 'The server does not accept that:',
  },

  table: {
    connecting: 'Connecting…',
    live: 'Connected',
    offline: 'Offline',
    retryIn: (seconds: number) => `retrying in ${seconds} s`,
    retryNow: 'Retry now',
    saving: 'Waiting for the server…',
    moveWaits: 'Your move is kept and will be sent.',
    moveReturned: (why: string) => `Your move was not played. ${why}`,
    ended: 'The connection has ended.',
    watching: (name: string) => `You are watching ${name}`,
    watchingNobody: 'You are watching',
    share: 'Link for spectators',
    shareHint: 'Whoever opens it sees every move as you play.',
    copy: 'Copy',
    copied: 'Copied',
    notFound: 'There is no such game',
    notFoundHint: 'The link may be incomplete, or the game was removed.',
    newerGame: 'This page does not know that game yet. Reload it.',
  },

  nowhere: {
    title: 'Nothing here',
    hint: 'This page does not exist.',
  },
};

export type AppWords = typeof en;
