/** Every file of names and prices at a message server, damaged in every way that a cut of the power leaves: nothing of it is silent. */
import * as assert from 'uvu/assert';
import { suiteNeeding } from '../needing.ts';
import { silentAbout } from './damaged-files.ts';
import { NO_SERVER } from './real-rig.ts';

const test = suiteNeeding(NO_SERVER, 'synchronisation: damaged files of names and prices');

// the devices come to the same and nothing deleted comes back, or /health says why not; nothing is put without end
test('they are mended from what the devices hold, or named', async () => {
  assert.equal(await silentAbout(['items', 'devices']), []);
});

test.run();
