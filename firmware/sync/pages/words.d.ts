/** The keys of what these pages say. */
declare global {
  interface PageWords {
    sync: typeof import('./words/en.js');
  }
}

export {};
