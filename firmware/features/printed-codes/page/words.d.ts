/** The keys of what these pages say. */
declare global {
  interface PageWords {
    'features/printed-codes': typeof import('./late-words/en.js') | typeof import('./words/en.js');
  }
}

export {};
