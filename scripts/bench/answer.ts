/**
 * Measures the time from a frame to its answer in the native runtime, beside the nets alone on ready pictures: in turns,
 * in one run, each in its own process.
 *
 *     node scripts/bench/answer.ts [--model models/lane-embed-1.json] [--rounds 300] [--beside FOLDER]
 *
 * With FOLDER, the checkout of another version, measures that, too. A busy machine changes the times, and the CPU times
 * less.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { nativeIn } from '../../firmware/recognition/embedding/native.ts';
import type { Taken } from './answer-lane.ts';
import { ms, OF_UNIT, p50, percentile } from './firmware.ts';
import { amountOf } from './quick.ts';
import { NATIVE_RUNTIME, say, verdict } from './recognition-device.ts';

const ROOT = join(import.meta.dirname, '../..');
const LIMIT_MS = 25;
const WARM_UP = amountOf({ full: 30, quick: 1 });

const { values } = parseArgs({
  options: {
    model: { type: 'string', default: join(ROOT, 'models/lane-embed-1.json') },
    rounds: { type: 'string', default: String(amountOf({ full: 300, quick: 2 })) },
    quick: { type: 'boolean' },
    beside: { type: 'string' },
  },
});

class Contestant {
  readonly #child;
  readonly #runs: Taken[] = [];

  /** @param checkout whose code the process runs */
  constructor(checkout: string, kind: 'lane' | 'nets') {
    const env = { ...process.env, ...OF_UNIT.env };
    const file = join(checkout, 'scripts/bench/answer-lane.ts');
    this.#child = fork(file, [kind, values.model], { execArgv: OF_UNIT.options, env });
  }

  async ready(): Promise<void> {
    await once(this.#child, 'message');
  }

  async run(isCounted: boolean): Promise<void> {
    this.#child.send('go');
    const [taken]: Taken[] = await once(this.#child, 'message');
    if (isCounted && taken !== undefined) this.#runs.push(taken);
  }

  async end(): Promise<void> {
    this.#child.disconnect();
    await once(this.#child, 'exit');
  }

  get times(): number[] {
    return this.#runs.map(({ tookMs }) => tookMs);
  }

  get answer(): string | undefined {
    return this.#runs[0]?.answer;
  }

  get words(): string {
    const { times } = this;
    const worked = this.#runs.reduce((sum, { workedMs }) => sum + workedMs, 0) / times.length;
    const spread = `least ${ms(Math.min(...times))}, p25 ${ms(percentile(times, 0.25))}, p95 ${ms(percentile(times, 0.95))}`;
    return `p50 ${ms(p50(times))} (${spread}), ${ms(worked)} of work`;
  }
}

async function main(): Promise<void> {
  const { beside } = values;
  const [lane, nets] = [new Contestant(ROOT, 'lane'), new Contestant(ROOT, 'nets')];
  const other = beside === undefined ? null : new Contestant(beside, 'lane');
  const all = [lane, nets, ...(other === null ? [] : [other])];
  await Promise.all(all.map((one) => one.ready()));
  for (let round = -WARM_UP; round < Number(values.rounds); round++)
    for (const one of round % 2 === 0 ? all : all.toReversed()) await one.run(round >= 0);
  for (const one of all) await one.end();
  const took = p50(lane.times);
  say(`${cpus()[0]?.model} × ${cpus().length}, load ${loadavg()[0]?.toFixed(1)}, ${values.rounds} rounds`);
  say(`frame → answer, codes and all: ${lane.words}: ${verdict(took <= LIMIT_MS)} ${LIMIT_MS} ms`);
  say(`its looks by the nets alone: ${nets.words}; the answer's p50 is ${(took / p50(nets.times)).toFixed(2)} of it`);
  if (other === null) return;
  say(`in ${beside}: ${other.words}; the answer's p50 is ${(took / p50(other.times)).toFixed(2)} of it`);
  say(lane.answer === other.answer ? 'both give the same vector and the same answer' : 'their answers DIFFER');
}

if (nativeIn(NATIVE_RUNTIME) === null) say('SKIPPED: there is no native runtime; scripts/release/native.sh makes it');
else await main();
