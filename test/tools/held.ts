/**
 * Loaded before the firmware (`node --import`): appends to the file named by HELD each piece of work that holds the event
 * loop, by the processor time of its thread. On the clock, other work of the machine would count, too.
 */
import { appendFileSync, readFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

const POLL_MS = 1;
const LEAST_MS = 2;
const US_PER_MS = 1000;

/** The longest piece that ended since a moment of the wall clock, ms. */
export const longestSince = (file: string, since: number): number =>
  readFileSync(file, 'utf8')
    .split('\n')
    .map((line) => line.split(' ').map(Number))
    .reduce((longest, [at = 0, ms = 0]) => (at >= since ? Math.max(longest, ms) : longest), 0);

function watch(file: string): void {
  const spent = (): number => {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / US_PER_MS;
  };
  let before = spent();
  setInterval(() => {
    const held = spent() - before;
    if (held >= LEAST_MS) appendFileSync(file, `${Date.now()} ${held.toFixed(1)}\n`);
    before = spent();
  }, POLL_MS).unref();
}

if (isMainThread && process.env.HELD !== undefined) watch(process.env.HELD);
