/** One device in a folder, and the real updater: what a web server offers is installed, and what does not start is undone. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { NEW, OLD, onDevice, type Rig } from '../ota/rig.ts';
import { serveReleases } from '../ota/server.ts';

const update = suite('an update');
/** Exit codes of `ota.sh`. */
const [REFUSED, WENT_BACK] = [5, 6];

/** It answers, the next start would take it, too, and no other is left but the one before. */
async function runs(rig: Rig, version: string, previous: string): Promise<void> {
  assert.is(await rig.answers(), version);
  assert.equal([rig.link('good'), rig.link('current'), rig.link('previous')], [version, version, previous]);
  assert.equal(rig.releases(), [OLD, NEW]);
  assert.is(rig.state(), 'idle');
}

update(
  'what is signed and starts is installed, what does not start is undone, and a foreign key installs nothing',
  () =>
    onDevice(async (rig) => {
      const server = await serveReleases(rig.release());
      try {
        const installed = await rig.ota(['update', '--from', server.url]);
        assert.is(installed.code, 0, installed.output);
        await runs(rig, NEW, OLD);
        server.file = rig.release({ version: '1.2.0', behaviour: 'exits' });
        const undone = await rig.ota(['update', '--from', server.url]);
        assert.is(undone.code, WENT_BACK, undone.output);
        assert.match(undone.output, '1.1.0 runs again; 1.2.0 was undone because it did not start');
        await runs(rig, NEW, OLD);
        rig.makeKey('foreign');
        server.file = rig.release({ version: '1.3.0', key: 'foreign' });
        const refused = await rig.ota(['update', '--from', server.url]);
        assert.is(refused.code, REFUSED, refused.output);
        await runs(rig, NEW, OLD);
      } finally {
        server.close();
      }
    }),
);

update.run();
