declare module '../../../core/pages/app/device-state.d.ts' {
  interface DeviceState {
    /** Where the nine calls answer, on this machine. */
    readonly terminalUrl: string;
    /** Whether they answer callers from the network, too. */
    readonly terminalOnNetwork: boolean;
    /** What callers from the network are shown; null where they speak no TLS. */
    readonly certificate: {
      /** SHA-256, as browsers write it. */
      readonly fingerprint: string;
      /** No authority has signed it. */
      readonly own: boolean;
    } | null;
    /** Whether callers from the network must send a token. */
    readonly needsToken: boolean;
  }
}

export {};
