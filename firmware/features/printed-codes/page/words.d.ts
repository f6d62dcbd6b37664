/** The keys of the words on these pages. */
declare global {
  interface PageWords {
    'features/printed-codes': typeof import('./words/en.js');
  }
}

export {};
