/** The keys of what these pages say. */
declare global {
  interface PageWords {
    'features/teach': typeof import('./words/en.js');
  }
}

export {};
