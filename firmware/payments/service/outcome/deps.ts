/** What the parts of a lane's payments share: `PaymentService` hands it to each of them. */
import type { BankPool, BankProfile, CallLimits } from '../../../banks/index.ts';
import type { CustomerView } from '../screen/customer-view.ts';
import type { Screen } from '../screen/screen.ts';
import type { BookDeps, PaymentBook } from './book.ts';
import type { CallBook } from './call-book.ts';
import type { PaymentFigures } from './payment-figures.ts';
import type { Pacing } from './poll-schedule.ts';

export interface ServiceDeps extends BookDeps {
  readonly view: CustomerView;
  readonly figures: BookDeps['figures'] & Pick<PaymentFigures, 'countTooMany'>;
  readonly banks: BankPool;
  readonly screen: Pick<Screen, 'ready' | 'makeRoom' | 'redrawPicture'>;
  /** Digest of a text, 16 bytes or more: only this device can make it, and it is always the same. */
  readonly digest: (text: string) => Buffer;
  /** The profile of this name; null where there is none. */
  readonly profileOf: (name: string) => BankProfile | null;
  readonly pacing: Pacing;
  /** 0 to 1. */
  readonly random: () => number;
}

export interface PaymentDeps extends ServiceDeps {
  readonly book: PaymentBook;
  readonly callBook: CallBook;
  /** The limits of a call to a bank: it may take this long, and ends when the device closes. */
  readonly limits: (deadlineMs: number) => CallLimits;
}
