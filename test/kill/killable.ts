/** A program of ours that is killed and started again, at moments that a seed draws. */

import type { Program } from '../process.ts';
import { seeded } from '../tools/seeded.ts';

/** How often a suite kills, and when: `KILLS=200` kills more often, `SEED=n` draws the moments of a run again. */
export function draw(kills: number) {
  const seed = Number(process.env.SEED ?? Date.now() % 100_000);
  const random = seeded(seed);
  return {
    kills: Number(process.env.KILLS ?? kills),
    /** For the name of the suite. */
    label: `SEED=${seed}`,
    random,
    /** One of some, each as likely. */
    one: <T>(of: readonly T[]): T => {
      const chosen = of[Math.floor(random() * of.length)];
      if (chosen === undefined) throw new Error('there is nothing to draw from');
      return chosen;
    },
  };
}

export interface Started<T> {
  readonly program: Program;
  /** What it says of itself when it is ready. */
  readonly ready: T;
}

export class Killable<T> implements AsyncDisposable {
  readonly #open: () => Promise<Started<T>>;
  #started: Promise<Started<T>> | null = null;
  /** What it said when it was ready; null while it is down. */
  ready: T | null = null;

  constructor(open: () => Promise<Started<T>>) {
    this.#open = open;
  }

  /** Starts it, where it does not run already. */
  async start(): Promise<T> {
    this.#started ??= this.#open().then((started) => {
      this.ready = started.ready;
      return started;
    });
    return (await this.#started).ready;
  }

  async end(signal: NodeJS.Signals): Promise<void> {
    this.ready = null;
    const started = await this.#started;
    await started?.program.kill(signal);
    this.#started = null; // and none is started before: what it has written is this one's
  }

  async kill(): Promise<void> {
    await this.end('SIGKILL');
  }

  /** Kills it in the midst of what works at it step after step, and waits until that has noticed. */
  async killUnder(moment: Promise<unknown>, ...steps: readonly (() => Promise<unknown>)[]): Promise<void> {
    let isDead = false;
    const works = steps.map(async (step) => {
      try {
        while (!isDead) await step();
      } catch (error) {
        if (!isDead) throw error; // else it went away under the last call
      }
    });
    await Promise.race([moment, Promise.all(works)]);
    isDead = true;
    await this.kill();
    await Promise.all(works);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#started !== null) await this.kill();
  }
}
