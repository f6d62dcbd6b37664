/** The keys of the words on these pages. */
declare global {
  interface PageWords {
    sync: typeof import('./words/en.js');
  }
}

export {};
