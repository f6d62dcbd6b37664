/** What the device answers, as far as the commands look at it: the schemas of its calls say the rest. */
import type { Static } from 'typebox';
import type { HealthReport } from '../host/health.ts';
import type { PinList } from '../recognition/http/v1/access/pin-routes.ts';
import type { ChainAnswer } from '../sync/http/chain-routes.ts';
import type { EventBody } from '../terminal/http/v1/events/event-routes.ts';
import type { DeliveryAnswer, TestAnswer, WebhookAnswer } from '../terminal/http/v1/events/webhook-schemas.ts';
import type { PaymentAnswer } from '../terminal/http/v1/payment-schemas.ts';
import type { RefundAnswer } from '../terminal/http/v1/refund-schemas.ts';

export type Health = HealthReport;
export type Chain = Static<typeof ChainAnswer>;
export type Payment = Static<typeof PaymentAnswer>;
export type Event = Static<typeof EventBody>;
export type Refund = Static<typeof RefundAnswer>;
export type Webhook = Static<typeof WebhookAnswer>;
export type Delivery = Static<typeof DeliveryAnswer>;
export type Pins = Static<typeof PinList>;
export type WebhookTest = Static<typeof TestAnswer>;
