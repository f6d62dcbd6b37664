/**
 * The OCI image of the simulated lane: what is in it starts as its own user, sells, and recognises a pushed picture. arm64 is
 * emulated. `test/lane/test-lane.sh sim`
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { VERSION } from '../../drivers/lib/version.ts';
import { freePort } from '../ports.ts';
import { ROOT } from '../root.ts';
import { call, until } from '../support.ts';

const test = suite('the image of the simulated lane');
const LAB = process.env.LANEWARE_LAB ?? '/var/tmp/laneware-lab';

mkdirSync(LAB, { recursive: true });
const work = mkdtempSync(join(LAB, 'sim-'));
const STORAGE = ['--storage-driver', 'vfs', '--root', join(work, 'storage'), '--runroot', join(work, 'run')];
const buildah = (...args: string[]): string =>
  execFileSync('buildah', [...STORAGE, ...args], { encoding: 'utf8' }).trim();

const configOf = (container: string): { readonly Entrypoint: readonly string[]; readonly User: string } =>
  JSON.parse(buildah('inspect', container)).OCIv1.config;

test.after(() => rmSync(work, { recursive: true, force: true }));

interface Running {
  readonly child: ChildProcess;
  readonly urls: { readonly terminal: string; readonly recognition: string; readonly control: string };
}

/** Started as a runtime does: with the entry point and the user of the image, and the options that a till's script adds. */
async function start(container: string): Promise<Running> {
  const { Entrypoint: entry } = configOf(container);
  const ports = [await freePort(), await freePort(), await freePort(), await freePort()];
  const [terminal, recognition, bank, control] = ports.map(String);
  const options = [
    ...['--speed', '60', '--port', `${terminal}`, '--recognition-port', `${recognition}`],
    ...['--bank-port', `${bank}`, '--control-port', `${control}`],
  ];
  const child = spawn('buildah', [...STORAGE, 'run', '--isolation', 'chroot', container, '--', ...entry, ...options], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  child.stdout?.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  const line = await until('the lane runs', () => said.split('\n').find((text) => text.startsWith('{')));
  return { child, urls: JSON.parse(line) };
}

for (const arch of ['amd64', 'arm64']) {
  test(`${arch}: sells and recognises`, async () => {
    execFileSync(join(ROOT, 'scripts/release/sim-image.sh'), ['--arch', arch, '--out', work], { stdio: 'inherit' });
    const container = buildah(
      'from',
      '--arch',
      arch,
      `oci-archive:${join(work, `laneware-sim-${VERSION}-${arch}.tar`)}`,
    );
    assert.match(configOf(container).User, /^[1-9]/, 'not as root');
    const { child, urls } = await start(container);
    try {
      const shown = await call(`${urls.terminal}/showQR`, { json: { amount: 12_300 } });
      assert.is(shown.status, 200, shown.text);
      assert.is((await call(`${urls.control}/payer/pay`, { method: 'POST' })).status, 200);
      const isPaid = async () =>
        (await call(`${urls.terminal}/getDynamicQRStatus`)).body.dynamicQRStatus === 'ACCEPTED';
      await until('the sale is paid', isPaid);
      const png = await fetch(`${urls.control}/display.png`);
      assert.is(png.headers.get('content-type'), 'image/png');
      const jpeg = await sharp({ create: { width: 1280, height: 720, channels: 3, background: '#a33' } })
        .jpeg()
        .toBuffer();
      const put = await call(`${urls.recognition}/camera/frame`, {
        ...{ method: 'PUT', headers: { 'content-type': 'image/jpeg' }, body: new Uint8Array(jpeg) },
      });
      assert.is(put.status, 200, put.text);
      const learned = () => call(`${urls.recognition}/api/add_item_template`, { json: { id: '4011' } });
      await until('it learns', async () => (await learned()).body.code === 0);
      assert.match((await call(`${urls.recognition}/api/get_result`)).text, /4011/);
    } finally {
      child.kill('SIGTERM');
      await new Promise((resolve) => child.once('close', resolve));
      buildah('rm', container);
    }
  });
}

test.run();
