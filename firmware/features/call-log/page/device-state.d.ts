declare module '../../../core/pages/app/device-state.d.ts' {
  interface DeviceState {
    /** Address of the nine calls, on this machine. */
    readonly terminalUrl: string;
    /** Whether the nine calls answer callers from the network, too. */
    readonly terminalOnNetwork: boolean;
    /** The certificate for callers from the network; null where they use no TLS. */
    readonly certificate: {
      /** SHA-256, as browsers write it. */
      readonly fingerprint: string;
      /** Whether the device made it, so that no authority has signed it. */
      readonly own: boolean;
    } | null;
    /** Whether callers from the network must send a token. */
    readonly needsToken: boolean;
  }
}

export {};
