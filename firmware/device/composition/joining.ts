/**
 * Joins the parts of a device to a list. Parts are opened and started in its order, and closed in the reverse order.
 */
import type { Added } from '../../features/feature.ts';

/** The functions of a part that the device calls. */
export interface Running extends Added {
  start?(): void | Promise<void>;
  /** Called once the ports are open. */
  serve?(): void;
  /** Called while the ports are still open: the part begins nothing new, and writes down what it has begun. */
  halt?(): Promise<void>;
}

/** The properties that a part makes for the parts after it, and its functions. */
export type Opened<Made extends object> = readonly [made: Made, running?: Running];

export interface Part<Needs extends object, Made extends object> {
  readonly name: string;
  /** A property and no method: only then the type check finds a part that is joined before another that it needs. */
  readonly open: (device: Needs) => Opened<Made> | Promise<Opened<Made>>;
}

/**
 * A list of parts.
 * @template Start properties that exist before all parts
 * @template Device `Start`, and what the listed parts make
 */
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

  /** Halts the parts, closes the ports, and closes the parts. @param closePorts called once all parts are halted */
  async close(closePorts: () => Promise<unknown>): Promise<void> {
    for (const part of this.#running) await part.halt?.();
    await closePorts();
    for (const part of this.#running.toReversed()) await part.close?.();
  }
}
