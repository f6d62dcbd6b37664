/** What the device answers, as far as the commands look at it: the schemas of its calls say the rest. */
import type { Static } from 'typebox';
import type { PinList } from '../console/index.ts';
import type {
  DeliveryAnswer,
  EventBody,
  PaymentAnswer,
  ReconciliationAnswer,
  RefundAnswer,
  ShiftAnswer,
  ShiftsPage as ShiftsPageAnswer,
  TestAnswer,
  WebhookAnswer,
} from '../terminal/index.ts';

export type Payment = Static<typeof PaymentAnswer>;
export interface Payments {
  readonly payments: readonly Payment[];
}
export type Event = Static<typeof EventBody>;
export type Refund = Static<typeof RefundAnswer>;
export type Reconciliation = Static<typeof ReconciliationAnswer>;
export type Shift = Static<typeof ShiftAnswer>;
export type ShiftsPage = Static<typeof ShiftsPageAnswer>;
export type Webhook = Static<typeof WebhookAnswer>;
export type Delivery = Static<typeof DeliveryAnswer>;
export type Pins = Static<typeof PinList>;
export type WebhookTest = Static<typeof TestAnswer>;
