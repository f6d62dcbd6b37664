/** The keys of the words on these pages. */
declare global {
  interface PageWords {
    'features/teach': typeof import('./words/en.js');
  }
}

export {};
