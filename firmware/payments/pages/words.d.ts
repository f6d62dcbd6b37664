/** The keys of what these pages say. */
declare global {
  interface PageWords {
    payments: typeof import('./words/en.js');
  }
}

export {};
