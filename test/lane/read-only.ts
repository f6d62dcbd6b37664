/**
 * A card whose root is never written to (`image.sh --read-only`), started by a kernel of its own: what stays and what does not,
 * over restarts, pulled plugs, updates and damage. `test/lane/test-lane.sh x64 read-only`
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { prepare } from '../prepare.ts';
import { ROOT as PROJECT } from '../root.ts';
import { Board } from './board.ts';
import { bareInitramfs, Card, CMDLINE, makeBase } from './card.ts';
import { LAB, sh } from './lane.ts';
import { PUBLIC_KEY, release, sibling } from './releases.ts';
import { setUpBank, TERMINAL } from './till.ts';

const test = suite('a lane with a read-only root');
const TREE = join(LAB, 'root-x64-kernel');
const OLD = '1.0.0';
const NEW = '1.1.0';
const TOKEN = 'made-up-token-on-the-card';
const CARD_MB = 6000;
const DATA = 3;
const MB = 1024 * 1024;
const PACKING_PATIENCE_MS = 600_000;
/** How long the copy of the release may have gone on when the plug is pulled. */
const COPYING_MS = 3000;
const PAYMENTS_BEFORE_CUT = 5;
const IDENTITY =
  'cat /etc/machine-id /etc/hostname /etc/laneware/identity; sudo sha256sum /etc/credstore/laneware-key /etc/ssh/ssh_host_ed25519_key';

const work = mkdtempSync(join(LAB, 'read-only-'));
const flashable = join(work, 'lane.img');
const kernel = { folder: join(TREE, 'boot') };
const bare = { ...kernel, initrd: '' };
let card: Card;
let board: Board;
let root = '';
let identity = '';
const sold: string[] = [];

/** The card's own, but that the kernel is heard. */
const line = (of: Card = card): string => of.bootFile('cmdline.txt').replace(' quiet', '');

async function start(
  how: string,
  from: { folder: string; initrd?: string } = kernel,
  ...disks: string[]
): Promise<void> {
  const began = performance.now();
  board.switchOn(from, line(), ...disks);
  await board.answers();
  process.stdout.write(`  ${how}: answers after ${((performance.now() - began) / 1000).toFixed(0)} s (emulated)\n`);
  await board.shell();
}

async function sell(key: string): Promise<void> {
  const answer = await board.get(TERMINAL, '/v1/payments', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': key },
    body: JSON.stringify({ amount: 10_000, purpose: key }),
  });
  assert.ok(answer.status < 300, answer.text);
  sold.push(key);
}

async function soldIsThere(): Promise<void> {
  for (const key of sold) {
    const { text } = await board.get(TERMINAL, `/v1/payments?key=${key}`);
    assert.match(text, `"purpose":"${key}"`);
  }
}

prepare(test, () => {
  const base = makeBase(TREE, work);
  const args = ['--base', base, '--release', release('x64', OLD), '--key', PUBLIC_KEY, '--out', flashable, '--raw'];
  execFileSync(
    join(PROJECT, 'scripts/release/image.sh'),
    [...args, '--arch', 'x64', '--camera', 'none', '--read-only'],
    {
      stdio: 'inherit',
      timeout: PACKING_PATIENCE_MS,
    },
  );
  bare.initrd = bareInitramfs(TREE, work);
  card = new Card(flashable, join(work, 'card.img'), CARD_MB);
  board = new Board(card.file, work);
  board.token = TOKEN;
  root = card.digest(2);
});

test.after(async () => {
  if (board?.isOn) await board.cutPower();
  rmSync(work, { recursive: true, force: true });
});

test('the card starts our program first, and nothing that makes the root grow', () => {
  const kept = CMDLINE.replace('console=serial0,115200 ', '')
    .replace(/ init=.*/, '')
    .trim();
  assert.is(card.bootFile('cmdline.txt'), `${kept} ro init=/usr/lib/laneware/read-only-root`);
  assert.is(card.part(DATA)?.size, 1024 * MB);
});

test('a power cut while the data partition grows, or the release is copied: the next goes on', async () => {
  const flashed = card.part(DATA)?.size ?? 0;
  board.switchOn(kernel, line());
  await board.until('the partition to grow', async () => (card.part(DATA)?.size ?? 0) > flashed);
  await board.cutPower();
  board.switchOn(kernel, line());
  await board.until('the release to be copied', async () => board.console.includes('copying /opt/laneware'));
  await pause(COPYING_MS);
  await board.cutPower();
});

test('comes up as its own board, set by the card’s file, its data partition filling the card', async () => {
  const lines = [`SSH_KEY=${board.publicKey}`, `TOKEN=${TOKEN}`, 'HOSTNAME=lane-9', 'SECURITY_UPDATES=yes'];
  card.putBootFile('laneware.txt', lines.join('\r\n'));
  await start('the first start');
  const { start: at = 0, size = 0 } = card.part(DATA) ?? {};
  assert.ok(CARD_MB * MB - at - size <= 8 * MB, `${at} + ${size}`);
  const bytes = Number(board.in('df --block-size=1 --output=size /var/lib/laneware | tail -n 1'));
  assert.ok(bytes > size * 0.9, `${bytes} of ${size}`);
  assert.match(board.in('cat /run/laneware-root/state'), /^root=memory\ndata=ok\nwhy=$/);
  assert.is(board.in('findmnt -n -o FSTYPE /'), 'overlay');
  assert.match(board.in('findmnt -n -o OPTIONS /run/laneware-root/base'), /^ro,/);
  assert.is(board.in('ls /run/laneware-root/data 2>&1 || true').includes('kept'), false, 'no way round the mounts');
  assert.is(board.in('cat /etc/hostname'), 'lane-9');
  assert.match(await board.part('options'), 'SECURITY_UPDATES cannot be: the root of this card is read-only');
  assert.is(board.in('systemctl list-units --failed --no-legend --plain'), '');
  assert.match(board.in('sudo journalctl --header | grep -m 1 "File path"'), '/run/log/journal/');
  assert.match(await board.part('disk'), /^ok/);
  identity = board.in(IDENTITY);
});

/** Sells until the plug is pulled; what is acknowledged by then must stay. */
async function sellAndCutPower(cut: string): Promise<void> {
  let off = false;
  const selling = (async () => {
    for (let turn = 0; !off; turn += 1) await sell(`${cut}-${turn}`);
  })().then(
    () => null,
    (error: unknown) => (off ? null : error), // the board went away beneath the last call
  );
  const before = sold.length;
  await board.until('some payments', async () => sold.length >= before + PAYMENTS_BEFORE_CUT);
  await pause(Math.random() * 1000);
  off = true;
  await board.cutPower();
  assert.is(await selling, null);
  assert.is(card.digest(2), root, 'the root has its bytes');
}

test('writes outside the kept folders are gone after a power cut, without an initramfs too', async () => {
  board.in('sudo touch /gone /usr/bin/gone /var/lib/gone; sudo touch /etc/stays /root/stays; touch stays; sync');
  await setUpBank(board, 'Static');
  await sellAndCutPower('cut-1');
  card.putBootFile('laneware.txt', 'HOSTNAME=lane-10\nWIFI_COUNTRY=RU\n');
  await start('after a power cut, without an initramfs, with a file of settings', bare);
  assert.is(board.in('ls -d /gone /usr/bin/gone /var/lib/gone 2>/dev/null || true'), '');
  board.in('ls /etc/stays stays && sudo ls /root/stays');
  assert.is(board.in(IDENTITY), identity.replace('lane-9', 'lane-10'));
  await soldIsThere();
});

test('from the second start the boot partition is read-only; the settings were taken before', () => {
  assert.match(board.in('findmnt -n -o OPTIONS /boot/firmware'), /^ro,/);
  assert.match(board.in('cat /boot/firmware/cmdline.txt'), 'cfg80211.ieee80211_regdom=RU');
  assert.is(board.in('ls /boot/firmware').includes('laneware.txt'), false);
});

test('an update is taken and stays over a power cut, and is taken back', async () => {
  await sellAndCutPower('cut-2');
  const stick = join(work, 'stick.img');
  const folder = join(work, 'stick');
  sh('mkdir', folder);
  sh('cp', sibling('x64', NEW), join(folder, 'new.release'));
  sh('mke2fs', '-q', '-t', 'ext4', '-d', folder, stick, '200M');
  await start('after a power cut, with a stick', kernel, stick);
  await soldIsThere();
  board.in(
    'sudo sed -i "s/^gate_seconds=.*/gate_seconds=4/" /etc/laneware/update.conf; sudo mount -o ro /dev/vdb /mnt',
  );
  board.in('sudo laneware-ota update --from /mnt/new.release');
  await board.answers(NEW);
  await sellAndCutPower('cut-3');
  await start('after the update');
  await board.answers(NEW);
  await soldIsThere();
  board.in('sudo laneware-ota rollback');
  await board.answers(OLD);
  process.stdout.write(`  ${sold.length} payments acknowledged, none lost\n`);
});

test('laneware.root=writable lets the system be maintained, and is reported', async () => {
  board.in('sudo mount -o remount,rw /boot/firmware');
  board.in(`sudo sed -i '1s/$/ laneware.root=writable/' /boot/firmware/cmdline.txt`);
  await board.powerOff();
  assert.is(card.digest(2), root, 'the root has its bytes');
  await start('writable');
  await board.answers(OLD);
  assert.match(await board.part('disk'), /^degraded.*system partition is writable/);
  board.in('sudo touch /usr/bin/maintained');
  assert.match(board.in('findmnt -n -o OPTIONS /boot/firmware'), /^rw,/);
  await soldIsThere();
  board.in('sudo sed -i "s/ laneware.root=writable//" /boot/firmware/cmdline.txt');
  await board.powerOff();
  root = card.digest(2);
});

for (const [what, words, damage] of [
  [
    'damaged beyond mending',
    'the file system of the data partition is damaged: e2fsck /dev/vda3',
    (of: Card) => {
      const { start: at = 0, size = 0 } = of.part(DATA) ?? {};
      sh('fallocate', '--punch-hole', '--offset', `${at}`, '--length', `${size}`, of.file);
    },
  ],
  [
    'not there',
    'the disk has no data partition \\(number 3\\)',
    (of: Card) => sh('sfdisk', '--quiet', '--no-reread', '--no-tell-kernel', '--delete', of.file, `${DATA}`),
  ],
] as const)
  test(`a data partition ${what} is left; the board starts, says so and sells nothing`, async () => {
    if (board.isOn) await board.cutPower(); // as a test before this one may have left it
    damage(card);
    const before = card.digest(DATA);
    const own = join(work, what.replaceAll(' ', '-'));
    mkdirSync(own);
    board = new Board(card.file, own); // its keys are in memory, and others
    card.putBootFile('laneware.txt', `SSH_KEY=${board.publicKey}\n`);
    board.switchOn(kernel, line());
    await board.shell();
    const health = (): string => board.in('curl --silent http://127.0.0.1:8080/health || true');
    await board.until('the lane to answer', async () => health().includes('"part":"disk"'));
    assert.match(
      health(),
      new RegExp(`"part":"disk","state":"degraded","reason":"[^"]*no payment be taken[^"]*${words}`),
    );
    assert.match(health(), /"part":"ledger","state":"degraded","reason":"The ledger cannot be written/);
    assert.match(board.console, new RegExp(`laneware: ${words}`));
    assert.is(
      board.in('ls /usr/bin/maintained; grep root= /run/laneware-root/state'),
      '/usr/bin/maintained\nroot=memory',
    );
    assert.match(board.in('cat /etc/issue.d/laneware-data.issue'), new RegExp(words));
    await board.cutPower();
    assert.is(card.digest(DATA), before, 'nothing was written there');
    assert.is(card.digest(2), root, 'nor to the root');
    assert.ok(card.hasBootFile('laneware.txt'), 'it waits for a place to be kept in');
  });

test.run();
