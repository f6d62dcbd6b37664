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

rescue.run();
