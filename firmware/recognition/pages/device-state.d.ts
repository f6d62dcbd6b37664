declare module '../../core/pages/app/device-state.d.ts' {
  interface DeviceState {
    /** Changes with each change of an item's record or templates, and when a deletion is asked for or undone. */
    readonly itemsRevision: number;
    /** Changes with the list of uncertain answers. */
    readonly uncertain: number;
  }
}

export {};
