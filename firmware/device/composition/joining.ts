/** Joins the parts of a device in one order: in it they are opened and started, and in the reverse they are closed. */
import type { Added } from '../../features/feature.ts';

/** What of a part runs. */
export interface Running extends Added {
  start?(): void | Promise<void>;
  /** Called once the ports are open. */
  serve?(): void;
  /** Called while the ports are still open: nothing new begins, and what has begun is written down. */
  halt?(): Promise<void>;
}

/** What a part makes for those behind it, and what of it runs. */
export type Opened<Made extends object> = readonly [made: Made, running?: Running];

export interface Part<Needs extends object, Made extends object> {
  readonly name: string;
  /** A property, so that the type check sees a part that is joined before one that it needs. */
  readonly open: (device: Needs) => Opened<Made> | Promise<Opened<Made>>;
}

/** @template Start what stands before all parts @template Device that, and what the parts so far make */
export class PartList<Start extends object, Device extends object = Start> {
  readonly #parts: readonly Part<never, object>[];

  constructor(parts: readonly Part<never, object>[] = []) {
    this.#parts = parts;
  }

  join<Made extends object>(part: Part<Device, Made>): PartList<Start, Device & Made> {
    return new PartList([...this.#parts, part]);
  }

  async open(start: Start): Promise<Opening<Device>> {
    const device: object = { ...start };
    const running: Running[] = [];
    for (const part of this.#parts) {
      const [made, runs = {}] = await part.open(device as never);
      Object.assign(device, made);
      running.push(runs);
    }
    return new Opening(device as Device, running);
  }
}

/** A device whose parts are open. */
export class Opening<Device extends object> {
  readonly device: Device;
  readonly #running: readonly Running[];

  constructor(device: Device, running: readonly Running[]) {
    this.device = device;
    this.#running = running;
  }

  async addRoutes(...given: Parameters<NonNullable<Running['addRoutes']>>): Promise<void> {
    for (const part of this.#running) await part.addRoutes?.(...given);
  }

  async start(): Promise<void> {
    for (const part of this.#running) await part.start?.();
  }

  serve(): void {
    for (const part of this.#running) part.serve?.();
  }

  /** @param closePorts called when nothing new begins any more */
  async close(closePorts: () => Promise<unknown>): Promise<void> {
    for (const part of this.#running) await part.halt?.();
    await closePorts();
    for (const part of this.#running.toReversed()) await part.close?.();
  }
}
