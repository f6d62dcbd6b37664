/** A network that says nothing for seconds, as a bad radio link does, and goes on. */
import { setTimeout as pause } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { needing } from '../skipping.ts';
import { until } from '../support.ts';
import { startWire } from '../wire.ts';
import { address, agree, BOTH, NO_SERVER, running, startLane, startMaster } from './rig.ts';

const links = suite('synchronisation: a quiet link');
const test = needing(NO_SERVER, 'synchronisation: a quiet link', links);

/** Longer than pings a second apart would take for the end. */
const QUIET_MS = 5000;

test('a link that is quiet for some seconds is not given up, and what was learned meanwhile comes', async () => {
  await using master = await startMaster();
  await using slave = await startLane('S1');
  const { mastersyncPort } = await address(master);
  await using link = await startWire(mastersyncPort);
  const { pairingCode } = await master.must('get_sync_pairing_code');
  await slave.must('set_sync_slave', { masterIP: '127.0.0.1', mastersyncPort: link.port, ...BOTH, pairingCode });
  await running(slave);
  const joined = link.joined();
  link.hold();
  await pause(QUIET_MS);
  await slave.learn('7');
  link.letGo();
  await agree([master, slave], 1);
  assert.is(link.joined(), joined, 'it has connected anew');
  assert.equal(
    slave.warnings.map(({ message }) => message),
    [],
  );
  await until('all is well', () => slave.health.report().parts.find(({ part }) => part === 'sync')?.state === 'ok');
});

links.run();
