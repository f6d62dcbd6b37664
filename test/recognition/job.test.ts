/** A package worker that hangs is ended, and the turn that it held goes on to the next. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { LostWorker } from '../../drivers/lib/asked-worker.ts';
import { SerialQueue } from '../../drivers/lib/serial-queue.ts';
import { IMPORT_STATUS } from '../../firmware/recognition/templates/package-task-states.ts';
import { runJob } from '../../firmware/recognition/templates/package-tasks.ts';
import { temporaryFolder } from '../support.ts';
import { HandTimer } from './hand-timer.ts';
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

const LIMITS = { kind: 'import', max: 30, marked: null, own: null, maxBytes: 1e6, maxPages: 1e6 } as const;
/** Longer than any silence of a worker may be. */
const FOR_EVER_MS = 3_600_000;

/** Gives so many turns, and lets time pass when the next is asked for: to the job it is as if the disk had stopped. */
class FewTurns extends SerialQueue {
  #left: number;
  readonly #time: HandTimer;

  constructor(left: number, time: HandTimer) {
    super();
    this.#left = left;
    this.#time = time;
  }

  override run<T>(work: () => T | Promise<T>): Promise<T> {
    if (this.#left-- > 0) return super.run(work);
    setImmediate(() => this.#time.pass(FOR_EVER_MS)); // the job listens by then
    return new Promise(() => undefined);
  }
}

for (const [what, turns, items] of [
  ['that never gets on is lost, and nothing was imported', 0, []],
  // to begin, to land, to publish; what tidies up afterwards gets none
  ['that is lost after its last commit has imported anyway', 3, [{ id: 'a', count: 1 }]],
] as const)
  job(`one ${what}`, async () => {
    using folder = temporaryFolder();
    const paths = await packageIn(folder.path);
    const time = new HandTimer();
    const outcome = await runJob({ ...LIMITS, ...paths }, new FewTurns(turns, time), () => undefined, {
      after: time.after,
      signal: new AbortController().signal,
    }).catch((error: unknown) => error);
    if (items.length === 0) assert.instance(outcome, LostWorker);
    else assert.is((outcome as { status: number }).status, IMPORT_STATUS.completed);
    await using rig = await startRig({ folder: folder.path });
    assert.equal((await rig.get('/api/get_item_list')).body.data, items);
  });

/** Does something while each turn is held. */
class InTurn extends SerialQueue {
  readonly #action: () => void;

  constructor(action: () => void) {
    super();
    this.#action = action;
  }

  override run<T>(work: () => T | Promise<T>): Promise<T> {
    return super.run(() => {
      const result = work();
      this.#action();
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
    const { signal } = closing;
    const end = () => closing.abort();
    const queue = isInTurn ? new InTurn(end) : new SerialQueue();
    const onProgress = isInTurn ? () => undefined : end;
    const lost = await runJob({ ...LIMITS, ...paths }, queue, onProgress, { signal }).catch((error: unknown) => error);
    assert.instance(lost, LostWorker);
    assert.is(await queue.run(() => 'next'), 'next', 'the turn was given back');
  });
}

job.run();
