/** The keys of what these pages say. */
declare global {
  interface PageWords {
    banks: typeof import('./words/en.js');
  }
}

export {};
