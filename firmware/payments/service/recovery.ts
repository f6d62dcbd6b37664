/** Takes over the payments of the previous process: those whose code was not shown end, the others are followed. */
import type { PaymentRow } from '../money/payment-row.ts';
import type { LaneEvent } from './events.ts';
import { type Follower, MOST_FOLLOWED } from './follower.ts';
import type { PaymentParts } from './parts.ts';
import { isLeft, isOpen } from './payment.ts';
import { LEFT, RESTARTED, RESTARTED_UNASKED } from './payment-failures.ts';

interface RecoveryOptions extends PaymentParts {
  readonly follower: Follower;
}

export class Recovery {
  readonly #options: RecoveryOptions;

  constructor(options: RecoveryOptions) {
    this.#options = options;
  }

  /** @throws {Error} of the database, where the ledger cannot be read */
  run(): void {
    const { book, follower, ledger, view } = this.#options;
    book.statusCalls.recover();
    for (const payment of ledger.unshown()) this.#leaveUnshown(payment);
    const followed = ledger.followed(MOST_FOLLOWED);
    for (const payment of followed) this.takeUp(payment);
    if (followed[0] !== undefined) follower.leaveWaiting(followed[0].id);
    view.restore();
  }

  /** Follows a payment whose code a customer may have seen. */
  takeUp({ orderId }: PaymentRow): void {
    const { book, follower } = this.#options;
    const payment = book.find(orderId);
    if (payment.status.seen || isLeft(payment.status)) follower.follow(payment);
  }

  /** Ends a payment whose code was not shown, as the ledger has it; where its bank can be asked, that comes first. */
  end(orderId: string): readonly LaneEvent[] {
    const { banks, book, clock } = this.#options;
    const payment = book.find(orderId);
    if (isOpen(payment.status) && banks.isAnswering(payment))
      return book.note(orderId, { type: 'left', failure: LEFT });
    const failure = payment.bootId === clock.bootId ? RESTARTED : RESTARTED_UNASKED;
    const events = book.note(orderId, { type: 'restarted', failure });
    return book.hasTaken(orderId) ? [...events, { type: 'settled', orderId }] : events;
  }

  /** A full disk must not keep the device from starting. */
  #leaveUnshown({ orderId }: PaymentRow): void {
    try {
      this.#options.dispatch({ type: 'left-unshown', orderId });
    } catch (error) {
      this.#options.log('what a payment was left as cannot be recorded', { orderId, reason: String(error) });
    }
  }
}
