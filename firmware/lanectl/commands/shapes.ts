/** Types of the device's answers that commands read, from the schemas of its calls. */
import type { Static } from 'typebox';
import type { PinList } from '../../console/index.ts';
import type { EventBody, PaymentAnswer, RefundAnswer } from '../../payments/index.ts';

export type Payment = Static<typeof PaymentAnswer>;
export interface Payments {
  readonly payments: readonly Payment[];
}
export type Event = Static<typeof EventBody>;
export type Refund = Static<typeof RefundAnswer>;
export type Pins = Static<typeof PinList>;
