/** The keys of the words on these pages. */
declare global {
  interface PageWords {
    'features/reconciliation': typeof import('./words/en.js');
  }
}

export {};
