/** A package worker that hangs is ended, and the turn that it held goes on to the next. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { within } from '../../drivers/lib/async.ts';
import { SerialQueue } from '../../drivers/lib/serial-queue.ts';
import { LostWorker } from '../../drivers/lib/worker-thread.ts';
import { runJob } from '../../firmware/recognition/packages/job.ts';
import { temporaryFolder } from '../support.ts';
import { picture, startRig } from './support.ts';

const job = suite('package jobs');

async function packageIn(folder: string): Promise<{ database: string; file: string }> {
  const file = join(folder, 'package.zip');
  {
    await using rig = await startRig({ serial: 'OTHER001' });
    await rig.learn('a', await picture(1));
    writeFileSync(file, await rig.exportPackage());
  }
  await (await startRig({ folder }))[Symbol.asyncDispose]();
  return { database: join(folder, 'templates.db'), file };
}

const HANG_LIMIT_MS = 30_000;
const LIMITS = { kind: 'import', max: 30, maxBytes: 1e6, maxPages: 1e6 } as const;

job('one that never gets on is lost after its limit, and nothing was imported', async () => {
  using folder = temporaryFolder();
  const paths = await packageIn(folder.path);
  const queue = new SerialQueue();
  let release = (): void => undefined;
  // the turn is never given: to the job it is as if the disk had stopped
  const held = queue.run(() => new Promise<void>((resolve) => (release = resolve)));
  const options = { queue, onProgress: () => undefined, signal: new AbortController().signal, stallMs: 1500 };
  let lost: unknown;
  await runJob({ ...LIMITS, ...paths }, options).catch((error: unknown) => {
    lost = error;
  });
  assert.instance(lost, LostWorker);
  release();
  await held;
  await queue.idle();
  await using rig = await startRig({ folder: folder.path });
  assert.equal((await rig.get('/api/get_item_list')).body.data, []);
});

/** Gives the first turns, and then no more: a disk that stops. */
class FewSlots extends SerialQueue {
  #left: number;

  constructor(left: number) {
    super();
    this.#left = left;
  }

  override run<T>(work: () => T | Promise<T>): Promise<T> {
    return this.#left-- > 0 ? super.run(work) : new Promise(() => undefined);
  }
}

job('one that is lost after its last commit has imported all the same', async () => {
  using folder = temporaryFolder();
  const paths = await packageIn(folder.path);
  // to begin, to land, to publish; what tidies up afterwards gets none
  const queue = new FewSlots(3);
  const signal = new AbortController().signal;
  const outcome = await runJob({ ...LIMITS, ...paths }, { queue, onProgress: () => undefined, signal, stallMs: 2000 });
  assert.is(outcome.kind, 'imported');
  await using rig = await startRig({ folder: folder.path });
  assert.equal((await rig.get('/api/get_item_list')).body.data, [{ id: 'a', count: 1 }]);
});

/** Does something while each turn is held. */
class InTurn extends SerialQueue {
  readonly #deed: () => void;

  constructor(deed: () => void) {
    super();
    this.#deed = deed;
  }

  override run<T>(work: () => T | Promise<T>): Promise<T> {
    return super.run(() => {
      const result = work();
      this.#deed();
      return result;
    });
  }
}

for (const [what, isInTurn] of [
  ['before its turn', false],
  ['while it has the turn', true],
] as const) {
  job(`one that is ended from outside ${what} is lost, and gives the turn back`, async () => {
    using folder = temporaryFolder();
    const paths = await packageIn(folder.path);
    const closing = new AbortController();
    const end = () => closing.abort();
    const queue = isInTurn ? new InTurn(end) : new SerialQueue();
    const onProgress = isInTurn ? () => undefined : end;
    const lost = await runJob({ ...LIMITS, ...paths }, { queue, signal: closing.signal, onProgress }).catch(
      (error: unknown) => error,
    );
    assert.instance(lost, LostWorker);
    const next = queue.run(() => 'next');
    assert.is(await within(next, HANG_LIMIT_MS, () => new Error('the turn was not given back')), 'next');
  });
}

job.run();
