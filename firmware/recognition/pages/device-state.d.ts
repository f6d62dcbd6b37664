declare module '../../core/pages/app/device-state.d.ts' {
  interface DeviceState {
    /** Changes with each change of items, templates, pending deletions or settings: the number of `Recognition.revision`. */
    readonly itemsRevision: number;
    /** Changes with the list of uncertain answers and that of contradictions. */
    readonly uncertain: number;
  }
}

export {};
