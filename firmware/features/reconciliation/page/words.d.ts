/** The keys of what these pages say. */
declare global {
  interface PageWords {
    'features/reconciliation': typeof import('./late-words/en.js') | typeof import('./words/en.js');
  }
}

export {};
