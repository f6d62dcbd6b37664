/** Databases that were damaged: the notice stays until somebody has done something about it. */
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { call, startTestDevice, temporaryFolder } from './support.ts';

const test = suite('databases that were set aside');

interface Part {
  readonly part: string;
  readonly state: string;
  readonly reason: string;
}

/** What one part reports after a start. */
async function afterStart(folder: string, wanted: string, work: (ask: () => Promise<Part>) => Promise<void>) {
  await using device = await startTestDevice({}, folder);
  await work(async () => {
    const { parts } = (await call(`${device.recognition}/health`)).body.data;
    return parts.find(({ part }: Part) => part === wanted);
  });
}

for (const [file, part] of [
  ['ledger.db', 'ledger'],
  ['templates.db', 'templates'],
] as const) {
  test(`a damaged ${file} is told of at each start until its file is moved away`, async () => {
    using folder = temporaryFolder();
    const data = join(folder.path, 'data');
    mkdirSync(data);
    writeFileSync(join(data, file), Buffer.alloc(8192, 0x58));
    let aside = '';
    for (const start of ['first', 'second']) {
      await afterStart(data, part, async (ask) => {
        const { state, reason } = await ask();
        assert.is(state, 'degraded', start);
        aside = /set aside as ([^\s;]+)/.exec(reason)?.[1] ?? '';
        assert.match(basename(aside), new RegExp(`^${file}\\.damaged-`));
        assert.match(reason, /ends when .* is moved away/);
      });
    }
    await afterStart(data, part, async (ask) => {
      renameSync(aside, join(folder.path, basename(aside)));
      assert.is((await ask()).state, 'ok');
    });
  });
}

test.run();
