/** One device in a folder, and the real updater: what a web server offers is installed, and what does not start is undone. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { NEW, OLD, onDevice, REFUSED, type Rig, WENT_BACK } from '../ota/rig.ts';
import { serveReleases } from '../ota/server.ts';

const update = suite('an update');

/** It answers, the next start would take it, too, and no other is left but the one before. */
async function runs(rig: Rig, version: string, previous: string): Promise<void> {
  assert.is(await rig.answers(), version);
  assert.equal(
    { good: rig.link('good'), current: rig.link('current'), previous: rig.link('previous') },
    { good: version, current: version, previous },
  );
  assert.equal(rig.releases(), [OLD, NEW]);
  assert.is(rig.state(), 'idle');
}

update('signed and starting: installed; not starting: undone; of a foreign key: nothing installed', () =>
  onDevice(async (rig) => {
    using server = await serveReleases(rig.release());
    await rig.ends(0, ['update', '--from', server.url]);
    await runs(rig, NEW, OLD);
    server.file = rig.release({ version: '1.2.0', behaviour: 'exits' });
    const undone = await rig.ends(WENT_BACK, ['update', '--from', server.url]);
    assert.match(undone, '1.1.0 runs again; 1.2.0 was undone because it did not start');
    await runs(rig, NEW, OLD);
    rig.makeKey('foreign');
    server.file = rig.release({ version: '1.3.0', key: 'foreign' });
    await rig.ends(REFUSED, ['update', '--from', server.url]);
    await runs(rig, NEW, OLD);
  }),
);

update.run();
