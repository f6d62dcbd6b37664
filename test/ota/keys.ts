/** A device and its publisher, who has more keys than the device trusts. */
import * as assert from 'uvu/assert';
import { onDevice, REFUSED, type Rig } from './rig.ts';

export const NEWER = '1.2.0';
export const UNKNOWN_KEY = 'signed with a key that this device does not know';

/** A device that trusts `key` (A), and whose publisher has made `b` and `c` as well. */
export function withKeys(body: (rig: Rig) => Promise<void>): Promise<void> {
  return onDevice(async (rig) => {
    for (const name of ['b', 'c', 'foreign']) rig.makeKey(name);
    await body(rig);
  });
}

/** The device takes what that key has signed. @returns what it said */
export const takes = (rig: Rig, key: string, version: string): Promise<string> =>
  rig.takes(version, ['--from', rig.release({ key, version })]);

/** It refuses what that key has signed. @returns what it said */
export async function refuses(rig: Rig, key: string): Promise<string> {
  const running = await rig.answers();
  const output = await rig.ends(REFUSED, ['update', '--from', rig.release({ key, version: '9.0.0' })]);
  assert.match(output, UNKNOWN_KEY);
  assert.is(await rig.answers(), running);
  return output;
}
