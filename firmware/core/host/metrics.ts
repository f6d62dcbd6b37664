/** Prometheus metrics of the process, shared by both ports, in memory only: a restart resets them, as Prometheus expects. */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { FastifyInstance } from 'fastify';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';

/** Seconds: from a cached answer to a bank at its deadline. */
const DURATION_BUCKETS_S = [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10];
const US = 1_000_000;
const NS = 1_000_000_000;

/** A route without the pattern of its last part: `/v1/shifts/:shift`. */
const routeName = (url: string): string => (url.endsWith(')') ? (url.split('(', 1)[0] ?? url) : url);

export class Metrics {
  readonly registry = new Registry();
  readonly #requests: Histogram<'router' | 'route' | 'status'>;

  constructor() {
    this.#countProcess();
    this.#requests = this.histogram(
      'laneware_http_request_seconds',
      'Time from a request to its answer, by router, route and status',
      ['router', 'route', 'status'],
      DURATION_BUCKETS_S,
    );
  }

  counter<Label extends string>(name: string, help: string, labelNames: readonly Label[]): Counter<Label> {
    return new Counter({ name, help, labelNames, registers: [this.registry] });
  }

  /** A counter by a label with known values: each exists from the start, so that its first rise shows. */
  counterOf<Value extends string>(
    name: string,
    help: string,
    label: string,
    values: readonly Value[],
  ): (value: Value) => void {
    const counter = this.counter(name, help, [label]);
    for (const value of values) counter.inc({ [label]: value }, 0);
    return (value) => counter.inc({ [label]: value });
  }

  /** @param buckets upper bounds, seconds */
  histogram<Label extends string>(
    name: string,
    help: string,
    labelNames: readonly Label[],
    buckets: readonly number[],
  ): Histogram<Label> {
    return new Histogram({ name, help, labelNames, buckets: [...buckets], registers: [this.registry] });
  }

  /** A figure that is read at each scrape; null: none at the moment. */
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

  /** Figures by label, read at each scrape. */
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

  /** Watched figures of the process. The library's own set has thirty more, and names that promtool refuses. */
  #countProcess(): void {
    const lag = monitorEventLoopDelay();
    lag.enable();
    const startedAt = Date.now() / 1000 - process.uptime();
    new Counter({
      name: 'process_cpu_seconds_total',
      help: 'Time of the processor that the process has used',
      registers: [this.registry],
      collect() {
        const { user, system } = process.cpuUsage();
        this.reset();
        this.inc((user + system) / US);
      },
    });
    this.gauge('process_start_time_seconds', 'When the process was started, since 1970', () => startedAt);
    this.gauge('process_resident_memory_bytes', 'Memory of the process', () => process.memoryUsage.rss());
    this.gauge('nodejs_eventloop_lag_p99_seconds', 'How late what is due is done, at most, 99 times of 100', () => {
      const seconds = lag.percentile(99) / NS;
      lag.reset();
      return seconds;
    });
  }
}
