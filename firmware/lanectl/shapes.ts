/** What the device answers, as far as the commands look at it: the schemas of its calls say the rest. */
import type { Static } from 'typebox';
import type { HealthReport } from '../host/health.ts';
import type { EventBody } from '../terminal/http/v1/event-routes.ts';
import type { PaymentAnswer, RefundAnswer } from '../terminal/http/v1/schemas.ts';

export type Health = HealthReport;
export type Payment = Static<typeof PaymentAnswer>;
export type Event = Static<typeof EventBody>;
export type Refund = Static<typeof RefundAnswer>;
