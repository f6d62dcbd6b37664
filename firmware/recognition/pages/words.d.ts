/** The keys of the words on these pages. */
declare global {
  interface PageWords {
    recognition:
      | typeof import('./words/en/camera.js')
      | typeof import('./words/en/items.js')
      | typeof import('./words/en/scale.js');
  }
}

export {};
