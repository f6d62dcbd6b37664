/** Updates on a device in a folder: what is installed, what is refused, and in which words. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { NEW, OLD, onDevice } from './rig.ts';

const update = suite('update');

update('a newer release is installed, runs, and the one before it is kept', () =>
  onDevice(async (rig) => {
    const { code, output } = await rig.ota(['update', '--from', rig.release()]);
    assert.is(code, 0, output);
    assert.is(await rig.answers(), NEW);
    assert.equal([rig.link('good'), rig.link('current'), rig.link('previous')], [NEW, NEW, OLD]);
    assert.equal(rig.releases(), [OLD, NEW]);
    assert.is(rig.state(), 'idle');
    assert.is(rig.downloaded(), 0);
  }),
);

update.run();
