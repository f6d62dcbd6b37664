/** `install.sh` on a system that runs, as a technician does it. `test/lane/test-lane.sh install` */
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { prepare } from '../prepare.ts';
import { ROOT as PROJECT } from '../root.ts';
import { Lane, TOKEN } from './lane.ts';
import { PUBLIC_KEY, release } from './releases.ts';

const install = suite('installing on a system that runs');
const lane = new Lane('install', 17);
const COMMAND = ['/mnt/scripts/install/install.sh', '--release', '/mnt/lane.release', '--key', '/mnt/key.pub.pem'];
const OPTIONS = ['--listen-lan', '--token', TOKEN, '--camera', 'push'];

prepare(install, async () => {
  lane.blank('x64');
  cpSync(join(PROJECT, 'scripts'), join(lane.mount, 'mnt/scripts'), { recursive: true });
  cpSync(release('x64'), join(lane.mount, 'mnt/lane.release'));
  cpSync(PUBLIC_KEY, join(lane.mount, 'mnt/key.pub.pem'));
  await lane.switchOn();
  await lane.settled();
});
install.after(() => lane.remove());

install('one command, and both ports answer; what is missing is said in plain words', async () => {
  const run = lane.try(...COMMAND, ...OPTIONS);
  assert.is(run.code, 0, run.text);
  process.stdout.write(`${run.text.replaceAll(/^/gm, '    ')}\n`);
  await lane.answers('1.0.0');
  assert.match(run.text, /ok +the device runs/);
  assert.match(run.text, /ok +both ports answer/);
  assert.match(run.text, /optional +Bluetooth\n +apt-get install bluez/);
});

install('a second time changes nothing, and the device runs', async () => {
  const before = lane.in('sha256sum', '/etc/laneware/config.json', '/etc/credstore/laneware-key');
  const run = lane.try(...COMMAND, ...OPTIONS);
  assert.is(run.code, 0, run.text);
  await lane.answers('1.0.0');
  assert.is(lane.in('sha256sum', '/etc/laneware/config.json', '/etc/credstore/laneware-key'), before);
});

install('a device that does not start says why, and starts when that is mended', async () => {
  const settings = '/etc/laneware/config.json';
  lane.in('rm', '/var/lib/laneware/config.last-good.json'); // it would start with that one
  lane.in('sed', '-i.before', 's/"port": 1234/"port": "till"/', settings);
  const run = lane.try(...COMMAND);
  assert.is(run.code, 1, run.text);
  assert.match(
    run.text,
    /terminal\.port must be a whole number from 0 to 65535, not a text\n(.*\n)*install: the device does not start: mend what its last words name/,
  );
  lane.in('mv', `${settings}.before`, settings);
  lane.in('chown', ':laneware', settings);
  lane.in('systemctl', 'restart', 'laneware.service');
  await lane.answers('1.0.0');
});

install('only root may begin', () => {
  for (const command of [[...COMMAND], [COMMAND[0] ?? '', '--check'], ['laneware-ota', 'status']])
    assert.match(lane.try('runuser', '-u', 'nobody', '--', ...command).text, 'must be run as root: sudo');
});

install('the removal leaves the system without a failed unit, and the data where it was', () => {
  lane.in('/mnt/scripts/install/install.sh', '--uninstall');
  assert.is(lane.in('systemctl', '--failed', '--no-legend', '--plain'), '');
  assert.is(lane.try('systemctl', 'cat', 'laneware.service').code, 1);
  assert.is(lane.try('test', '-e', '/var/lib/laneware/money.db').code, 0);
  assert.is(lane.try('test', '-e', '/opt/laneware').code, 1);
});

install.run();
