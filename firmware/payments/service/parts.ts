/** What the parts of the payments of a lane have in common: `Payments` hands it to each of them. */
import type { BankPool, BankProfile, CallLimits } from '../../banks/index.ts';
import type { LogLine, Timekeeper } from '../../core/host/index.ts';

import type { Ledger } from '../money/ledger.ts';
import type { PaymentBook } from './book.ts';
import type { CustomerView } from './customer-view.ts';
import type { Dispatch } from './events.ts';
import type { PaymentFigures } from './payment-figures.ts';
import type { Pacing } from './poll-schedule.ts';

export interface PaymentsOptions {
  readonly clock: Timekeeper;
  readonly ledger: Ledger;
  readonly view: CustomerView;
  readonly banks: BankPool;
  readonly figures: PaymentFigures;
  /** Digest of a text, 16 bytes or more: by this device alone, and always the same. */
  readonly digest: (text: string) => Buffer;
  /** The profile of this name; null where there is none. */
  readonly profileOf: (name: string) => BankProfile | null;
  readonly pacing: Pacing;
  /** 0 to 1. */
  readonly random: () => number;
  /** How long the symbol of an outcome stays on the display. */
  readonly symbolMs: number;
  /** How long a till has to read an acceptance before that is late; 0: for ever. */
  readonly unreadMs: number;
  /** Called each time that the ledger could not take something. */
  readonly onUnwritten: () => void;
  readonly log: LogLine;
}

export interface PaymentParts extends PaymentsOptions {
  readonly book: PaymentBook;
  readonly dispatch: Dispatch;
  /** The limits of a call to a bank that may take so long, and ends when the device closes. */
  readonly limits: (deadlineMs: number) => CallLimits;
}
