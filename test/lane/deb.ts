/** The Debian package on a system that runs: installed, upgraded, removed, purged and installed again. `scripts/test-lane.sh deb` */
import { cpSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { prepare } from '../prepare.ts';
import { ROOT as PROJECT } from '../root.ts';
import { LAB, Lane, sh, TOKEN } from './lane.ts';
import { PUBLIC_KEY, release, sibling } from './releases.ts';
import { setUpBank, TERMINAL } from './till.ts';

const deb = suite('the Debian package on a system that runs');
const lane = new Lane('deb', 23);
const OUT = join(LAB, 'deb');
const FIRST_SALE = 77_701;
const SECOND_SALE = 77_702;
/** What a technician puts there first; an installation leaves it as it is. */
const ENVIRONMENT = [
  'LANEWARE_TERMINAL_HOST=0.0.0.0',
  'LANEWARE_RECOGNITION_HOST=0.0.0.0',
  `LANEWARE_API_TOKEN=${TOKEN}`,
  'LANEWARE_CAMERA_DRIVER=push',
];

/** Makes the package of a release and puts it before the lane. */
function packed(file: string, name: string): string {
  const out = join(OUT, name);
  sh(join(PROJECT, 'scripts/deb.sh'), '--release', file, '--key', PUBLIC_KEY, '--out', out);
  const [made = ''] = readdirSync(out);
  cpSync(join(out, made), join(lane.mount, 'mnt', `${name}.deb`));
  sh('rm', '-rf', out);
  return `/mnt/${name}.deb`;
}

const apt = (...words: string[]) =>
  lane.try('env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get', '--yes', '--quiet', '--no-install-recommends', ...words);
const listed = (): string => lane.try('dpkg-query', '--list', 'laneware').text;
const isThere = (path: string): boolean => lane.try('test', '-e', path).code === 0;
const good = (): string => basename(lane.in('readlink', '/opt/laneware/good'));

let first = '';
let second = '';
let broken = '';

/** A sale with a static code: it is in the ledger. */
async function sell(amount: number): Promise<void> {
  const { status: code, text } = await lane.post(TERMINAL, '/showQR', { amount });
  assert.is(code, 200, text);
}
async function sales(): Promise<string> {
  return (await lane.get(TERMINAL, '/v1/payments')).text;
}

prepare(deb, async () => {
  lane.blank('x64');
  mkdirSync(join(lane.mount, 'etc/laneware'), { recursive: true });
  writeFileSync(join(lane.mount, 'etc/laneware/environment'), `${ENVIRONMENT.join('\n')}\n`);
  first = packed(release('x64'), 'first');
  second = packed(sibling('x64', '1.1.0'), 'second');
  broken = packed(sibling('x64', '1.2.0', true), 'broken');
  await lane.switchOn();
  await lane.settled();
});
deb.after(() => lane.remove());

deb('apt install: the service comes up, with the settings that were there', async () => {
  const run = apt('install', first);
  assert.is(run.code, 0, run.text);
  await lane.answers('1.0.0');
  assert.match(listed(), /^ii +laneware +1\.0\.0 /m);
  assert.is(lane.property('NRestarts'), '0');
  await setUpBank(lane, 'Static');
  await sell(FIRST_SALE);
});

deb('a newer package is an update: watched, and kept', async () => {
  const run = apt('install', second);
  assert.is(run.code, 0, run.text);
  assert.match(run.text, /\[5\/6\] Starting 1\.1\.0 and watching it/);
  await lane.answers('1.1.0');
  assert.is(good(), '1.1.0');
  assert.is(basename(lane.in('readlink', '/opt/laneware/previous')), '1.0.0');
  assert.match(listed(), /^ii +laneware +1\.1\.0 /m);
});

deb('a package whose release does not start is undone, and apt goes on', async () => {
  const run = apt('install', broken);
  assert.is(run.code, 0, run.text);
  assert.match(run.text, 'laneware: 1.2.0 was tried and undone');
  await lane.answers('1.1.0');
  assert.match(listed(), /^ii +laneware +1\.2\.0 /m);
  assert.is(apt('check').code, 0);
});

deb('apt remove: the program is gone, the ledger and the settings are there', async () => {
  const run = apt('remove', 'laneware');
  assert.is(run.code, 0, run.text);
  assert.match(listed(), /^rc +laneware /m);
  assert.not.ok(isThere('/opt/laneware'));
  assert.is(lane.in('systemctl', '--failed', '--no-legend', '--plain'), '');
  assert.is(lane.try('systemctl', 'cat', 'laneware.service').code, 1);
  for (const kept of ['/var/lib/laneware/ledger.db', '/etc/laneware/config.json', '/etc/credstore/laneware-key'])
    assert.ok(isThere(kept), kept);
});

deb('installed again it has its ledger and its bank', async () => {
  const run = apt('install', second);
  assert.is(run.code, 0, run.text);
  await lane.answers('1.1.0');
  assert.match(await sales(), `${FIRST_SALE}`);
  await sell(SECOND_SALE);
});

deb('apt purge: everything is gone but the records of payments, which are put aside', () => {
  const run = apt('purge', 'laneware');
  assert.is(run.code, 0, run.text);
  for (const gone of ['/opt/laneware', '/var/lib/laneware', '/etc/laneware', '/etc/credstore/laneware-key'])
    assert.not.ok(isThere(gone), gone);
  const aside = /records of payments are in (\S+) now/.exec(run.text)?.[1] ?? '';
  assert.ok(isThere(`${aside}/ledger.db`), run.text);
  assert.is(lane.in('stat', '-c', '%a %U', '/var/backups/laneware'), '700 root');
});

deb('after that it is a new device', async () => {
  lane.in('mkdir', '-p', '/etc/laneware');
  writeFileSync(join(lane.mount, 'etc/laneware/environment'), `${ENVIRONMENT.join('\n')}\n`);
  const run = apt('install', first);
  assert.is(run.code, 0, run.text);
  await lane.answers('1.0.0');
  assert.not.match(await sales(), `${FIRST_SALE}`);
});

deb.run();
