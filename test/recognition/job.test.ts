/** A package worker that hangs is ended, and the turn that it held goes on to the next. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { JobLostError, runJob } from '../../firmware/recognition/packages/job.ts';
import { Turns } from '../../firmware/turns.ts';
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

const LIMITS = { kind: 'import', max: 30, maxBytes: 1e6, maxPages: 1e6 } as const;

job('one that never gets on is lost after its limit, and nothing was imported', async () => {
  using folder = temporaryFolder();
  const paths = await packageIn(folder.path);
  const turns = new Turns();
  let release = (): void => undefined;
  // the turn is never given: to the job it is as if the disk had stopped
  const held = turns.run(() => new Promise<void>((resolve) => (release = resolve)));
  const options = { turns, onProgress: () => undefined, signal: new AbortController().signal, stallMs: 1500 };
  let lost: unknown;
  await runJob({ ...LIMITS, ...paths }, options).catch((error: unknown) => {
    lost = error;
  });
  assert.instance(lost, JobLostError);
  release();
  await held;
  await turns.idle();
  await using rig = await startRig({ folder: folder.path });
  assert.equal((await rig.get('/api/get_item_list')).body.data, []);
});

/** Gives the first turns, and then no more: a disk that stops. */
class FewTurns extends Turns {
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
  const turns = new FewTurns(3);
  const signal = new AbortController().signal;
  const outcome = await runJob({ ...LIMITS, ...paths }, { turns, onProgress: () => undefined, signal, stallMs: 2000 });
  assert.is(outcome.kind, 'imported');
  await using rig = await startRig({ folder: folder.path });
  assert.equal((await rig.get('/api/get_item_list')).body.data, [{ id: 'a', count: 1 }]);
});

job('one that is ended from outside gives its turn back', async () => {
  using folder = temporaryFolder();
  const paths = await packageIn(folder.path);
  const turns = new Turns();
  const closing = new AbortController();
  const running = runJob(
    { ...LIMITS, ...paths },
    { turns, signal: closing.signal, onProgress: () => closing.abort() },
  ).catch((error: unknown) => error);
  await running;
  assert.is(await turns.run(() => 'next'), 'next');
});

job.run();
