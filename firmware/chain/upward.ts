/** What a device sends to its chain: payments, its inventory, its figures. */
import { degraded, type HealthBoard, type Log, type LogLine, type Metrics, reasonOf, WELL } from '../host/index.ts';
import type { EventFeed } from '../terminal/index.ts';
import type { ChainLink } from './link.ts';
import { PaymentStream } from './payment-stream.ts';
import { Reporter, type ReporterOptions } from './reporter.ts';

const MS = 1000;

interface UpwardOptions extends Pick<ReporterOptions, 'role' | 'counts' | 'undone' | 'offered' | 'desired'> {
  /** How far payments have been sent. */
  readonly path: string;
  readonly link: Pick<ChainLink, 'send' | 'report' | 'read' | 'onLine'>;
  readonly feed: EventFeed;
  readonly health: HealthBoard;
  readonly metrics: Metrics;
  readonly clock: { wall(): number; monotonic(): number };
  readonly log: Log;
}

export class Upward {
  readonly payments: PaymentStream;
  readonly #reporter: Reporter;

  constructor(options: UpwardOptions) {
    const { health, metrics } = options;
    const log: LogLine = (message, details = {}) => options.log.warn(details, message);
    this.payments = new PaymentStream({ ...options, log });
    this.#reporter = new Reporter({ ...options, report: () => health.report(), log });
    health.add('chain-payments', () => this.#paymentsHealth());
    metrics.gauge('laneware_payments_untold_seconds', 'For how long the chain has not taken payments', () => {
      const { sentTo, trouble } = this.payments.state;
      return sentTo === null ? null : (trouble?.ms ?? 0) / MS;
    });
  }

  start(): void {
    this.payments.start();
    this.#reporter.start();
  }

  async close(): Promise<void> {
    await Promise.all([this.payments.close(), this.#reporter.close()]);
  }

  /** Null where the store never had a chain. */
  #paymentsHealth() {
    const { problem, state } = this.payments;
    if (state.sentTo === null) return null;
    return problem === null ? WELL : degraded(reasonOf('chain-payments', { detail: problem }, problem));
  }
}
