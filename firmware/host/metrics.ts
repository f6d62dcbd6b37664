/** Prometheus metrics of the process, shared by both ports. */
import type { FastifyInstance } from 'fastify';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** Seconds; from a cached answer to a bank at its deadline. */
const DURATION_BUCKETS_S = [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10];

/** A route without what its last part must be: `/v1/shifts/:shift`. */
export const routeName = (url: string): string => url.replace(/\(.*\)$/, '');

export class Metrics {
  readonly registry = new Registry();
  readonly #requests: Histogram<'router' | 'route' | 'status'>;

  constructor() {
    collectDefaultMetrics({ register: this.registry });
    this.#requests = new Histogram({
      name: 'laneware_http_request_seconds',
      help: 'Time from a request to its answer, by router, route and status',
      labelNames: ['router', 'route', 'status'],
      buckets: DURATION_BUCKETS_S,
      registers: [this.registry],
    });
  }

  counter<Label extends string>(name: string, help: string, labelNames: readonly Label[]): Counter<Label> {
    return new Counter({ name, help, labelNames, registers: [this.registry] });
  }

  /** A figure that is asked for at each reading; null: there is none at this moment. */
  gauge(name: string, help: string, read: () => number | null): void {
    new Gauge({
      name,
      help,
      registers: [this.registry],
      collect() {
        const value = read();
        if (value === null) this.remove();
        else this.set(value);
      },
    });
  }

  /** Figures of a kind, by what their label says; asked for at each reading. */
  gauges<Label extends string>(
    name: string,
    help: string,
    labelNames: readonly Label[],
    read: () => readonly (readonly [labels: Readonly<Record<Label, string>>, value: number])[],
  ): void {
    new Gauge({
      name,
      help,
      labelNames,
      registers: [this.registry],
      collect() {
        this.reset();
        for (const [labels, value] of read()) this.set({ ...labels }, value);
      },
    });
  }

  watch(app: FastifyInstance, router: string): void {
    app.addHook('onResponse', async (request, reply) => {
      // an event stream that a page kept open all day is no slow answer
      if (String(reply.getHeader('content-type')).startsWith('text/event-stream')) return;
      const route = routeName(request.routeOptions.url ?? 'unknown');
      this.#requests.observe({ router, route, status: reply.statusCode }, reply.elapsedTime / 1000);
    });
  }
}
