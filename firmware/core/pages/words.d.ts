/** The keys of these pages' words. */
declare global {
  interface PageWords {
    core: typeof import('./words/en/remedies.js') | typeof import('./words/en/shell.js');
  }
}

export {};
