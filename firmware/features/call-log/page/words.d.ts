/** The keys of the words on these pages. */
declare global {
  interface PageWords {
    'features/call-log': typeof import('./words/en.js');
  }
}

export {};
