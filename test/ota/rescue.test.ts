/** The rescue of a device that cannot stay up: what its unit must allow, and what a cut or a fault on the way leaves. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { suiteNeeding } from '../needing.ts';
import { ROOT } from '../root.ts';
import { NO_RELEASES } from './rig.ts';

const rescue = suiteNeeding(NO_RELEASES, 'the rescue of a device');

const unitOf = (name: string): string => readFileSync(join(ROOT, 'systemd', `laneware-${name}.service`), 'utf8');

for (const name of ['rescue', 'rollback', 'update', 'update-now'])
  rescue(`${name} may ask the ports of the device, on which a release proves itself`, () => {
    const families = /^RestrictAddressFamilies=(.*)$/m.exec(unitOf(name))?.[1]?.split(' ') ?? [];
    for (const family of ['AF_INET', 'AF_INET6']) assert.ok(families.includes(family), family);
  });

rescue('one that ended before the device was started is begun anew, and the lock alone cannot use up its time', () => {
  const unit = unitOf('rescue');
  assert.match(unit, /^Restart=on-failure$/m);
  const [, lock = ''] = /rescue\) take_lock (\d+);/.exec(readFileSync(join(ROOT, 'scripts/ota.sh'), 'utf8')) ?? [];
  const [, minutes = ''] = /^TimeoutStartSec=(\d+)min$/m.exec(unit) ?? [];
  // two starts of 90 s, a gate and a search for the bank of 60 s each, and a pause
  assert.ok(Number(minutes) * 60 > Number(lock) + 2 * 90 + 3 * 60, `${minutes} min`);
});

rescue.run();
