/** The keys of the words on these pages. */
declare global {
  interface PageWords {
    console:
      | typeof import('./words/en/device.js')
      | typeof import('./words/en/lane.js')
      | typeof import('./words/en/machine.js')
      | typeof import('./words/en/welcome.js');
  }
}

export {};
