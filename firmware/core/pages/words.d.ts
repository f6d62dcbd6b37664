/** The keys of what these pages say. */
declare global {
  interface PageWords {
    core: typeof import('./words/en/remedies.js') | typeof import('./words/en/shell.js');
  }
}

export {};
