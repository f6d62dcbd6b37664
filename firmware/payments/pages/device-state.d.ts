import type { Payment } from './types.js';

declare module '../../core/pages/app/device-state.d.ts' {
  interface DeviceState {
    /** Newest first. */
    readonly recent: readonly (Pick<Payment, 'state' | 'refunded' | 'late'> & {
      readonly orderId: string;
      readonly leftMs: number | null;
    })[];
    /** How many late payments a person must look into. */
    readonly lateCount: number;
  }
}
