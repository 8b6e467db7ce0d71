type Values = Record<string, (value: string) => string>;

/** The page's own words; each game brings its own. Spanish has the same shape, or doesn't
 *  compile. */
export const en = {
  appName: 'Tesela',
  skipToContent: 'Skip to content',
  loading: 'Loading…',
  tryAgain: 'Try again',
  toTables: 'All games',

  nav: {
    label: 'Main',
    lobby: 'Play',
    find: 'Find',
    daily: 'Daily',
    boards: 'Rankings',
    games: 'My games',
  },

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
      'Azul, 2048, 2248 and SameGame on a server that never forgets: close the tab, lose the ' +
      'line, come back. Your game waits at your last move.',
    nameLabel: 'Your name',
    namePlaceholder: 'Up to 24 characters',
    submit: 'Start playing',
    noAccount: 'No account, no e-mail. Just a name others see.',
    expired: 'Your session has ended. Sign in again to play.',
  },

  lobby: {
    title: 'Games',
    chooseGame: 'Choose a game',
    newGame: (game: string) => `New game of ${game}`,
    players: (min: number, max: number) => (max === 1 ? '1 player' : `${min} to ${max} players`),
    play: (game: string) => `Play ${game}`,
    playNow: 'Play now',
    playNowOf: (game: string) => `Play now: ${game}`,
    botsFill: 'Bots take the other seats.',
    createTable: 'Create table',
    yours: 'Your games',
    yoursNone: 'Nothing yet. Your games will wait here.',
    open: 'Open tables',
    openNone: 'No table is waiting for players. Create one, and others will see it here.',
    others: 'Being played now',
    othersNone: 'Nobody else is playing right now.',
    inPlay: 'In play',
    isOpen: 'Waiting for players',
    over: 'Finished',
    seatsTaken: (taken: number, count: number) => `${taken} of ${count} seats`,
    points: (points: string) => `${points} points`,
    goOn: 'Continue',
    look: 'View',
    watch: 'Watch',
    join: 'Join',
    joinTableOf: (name: string) => `Join the table of ${name}`,
    more: 'Show more',
    findOthers: 'Find opponents',
    allYours: 'All your games',
    unreachable: 'The server cannot be reached.',
    unreachableRetry: 'Trying again on its own.',
    refused: 'The server does not accept that:',
  },

  waiting: {
    title: 'Waiting for players',
    hint: 'The game begins by itself when every seat is taken.',
    free: 'Free seat',
    you: '(you)',
    invite: 'Link for players',
    inviteHint: 'Whoever opens it can take a free seat.',
    takeSeat: 'Take a seat',
    bot: 'Against the computer',
    addBot: 'Add a bot',
  },

  advice: {
    ask: 'Hint',
    whom: 'Ask a bot',
    thinking: 'Thinking…',
    says: (strategy: string, what: string) => `${strategy}: ${what}`,
    level: (level: number, strategy: string) => `Level ${level}, ${strategy}`,
    cost: 'A game with hints counts for no leaderboard.',
    assisted: 'Played with hints: counts for no leaderboard.',
    /** By what the server says that a value counts; others are left out. */
    values: {
      'points at the end': (points: string) => `about ${points} points in the end`,
      'points gained by tiling now': (points: string) => `${points} points when it is tiled`,
      'tiles to the floor line': (tiles: string) => `${tiles} to the floor`,
    } as Values,
  },

  table: {
    yourTurn: '● Your turn',
    playedBy: (strategy: string) => `Bot (${strategy})`,
    connecting: 'Connecting…',
    live: 'Connected',
    offline: 'Offline',
    retryIn: (seconds: number) => `retrying in ${seconds} s`,
    retryNow: 'Retry now',
    notYet: 'Wait: your last move is still on its way',
    saving: 'Waiting for the server…',
    moveWaits: 'Your move is kept and will be sent.',
    moveReturned: (why: string) => `Your move was not played. ${why}`,
    ended: 'The connection has ended.',
    and: (names: string[]) => names.join(', ').replace(/, ([^,]*)$/, ' and $1'),
    watching: (names: string) => `You are watching ${names}`,
    watchingNobody: 'You are watching',
    share: 'Link for spectators',
    shareHint: 'Whoever opens it sees every move as you play.',
    copy: 'Copy',
    copied: 'Copied',
    over: {
      again: 'Play again',
      playThis: 'Play this yourself',
      otherGame: 'All games',
      replay: 'Watch it again',
      proof: 'Verify this game',
    },
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
