declare module '../../core/pages/app/device-state.d.ts' {
  interface DeviceState {
    /** Another one: something was said, learned, or deleted of the items, or is about to be. */
    readonly itemsRevision: number;
    /** Another one: the list of uncertain answers is another. */
    readonly uncertain: number;
  }
}

export {};
