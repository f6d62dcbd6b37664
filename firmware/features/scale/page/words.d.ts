/** The keys of what these pages say. */
declare global {
  interface PageWords {
    'features/scale': typeof import('./words/en.js');
  }
}

export {};
