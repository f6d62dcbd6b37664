/** The keys of the words on these pages. */
declare global {
  interface PageWords {
    'features/self-test': typeof import('./words/en.js');
  }
}

export {};
