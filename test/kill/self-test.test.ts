/** A device that is killed in the middle of a self-test: no half report, nothing left behind, and the display is idle after the start. */
import { readdirSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startFirmware } from '../process.ts';
import { call, setUp, temporaryFolder, until } from '../support.ts';

const test = suite('a self-test that is killed');

test('at the first question of the display, and after the last, while it measures', async () => {
  using folder = temporaryFolder();
  for (const last of ['code', 'blank']) {
    const { program, urls } = await startFirmware(folder.path);
    await setUp(urls);
    const path = `${urls.recognition}/console/api/self-test`;
    await call(path, { json: { language: 'en' } });
    await until(`the step before the kill: ${last}`, async () => {
      const { step, asks } = (await call(path)).body;
      if (asks !== null && step !== last)
        await call(`${path}/answer`, { method: 'PUT', json: { step, answer: 'yes' } });
      return asks !== null && step === last;
    });
    // the answer is on its way when the process ends
    if (last === 'blank')
      void call(`${path}/answer`, { method: 'PUT', json: { step: last, answer: 'yes' } }).catch(() => undefined);
    await program.kill('SIGKILL');
    const left = readdirSync(folder.path).filter((name) => name.startsWith('self-test'));
    assert.equal(left, [], last);
    const again = await startFirmware(folder.path);
    const { stage, reports } = (await call(`${again.urls.recognition}/console/api/self-test`)).body;
    assert.equal([stage, reports], ['rest', []], last);
    assert.is((await call(`${again.urls.recognition}/display/state`)).body.kind, 'clear', last);
    await again.program.kill('SIGKILL');
  }
});

test.run();
