/** The device that is fuzzed: a process of its own on free ports, in a temporary folder, set up to take payments. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { freePort } from '../../ports.ts';
import { Program } from '../../process.ts';
import { ROOT } from '../../root.ts';
import { atEnd, temporaryFolder } from '../../support.ts';

const PASSPHRASE = 'made up for the fuzzer';
const MAIN = join(ROOT, 'firmware', 'main.ts');

async function done(url: string, init: RequestInit): Promise<Response> {
  const answer = await fetch(url, init);
  if (!answer.ok) throw new Error(`${url}: ${await answer.text()}`);
  return answer;
}

/** A device of its own, set up, with what the hooks need to know of it. */
export async function startFuzzed() {
  await using stack = new AsyncDisposableStack();
  const folder = stack.use(temporaryFolder()).path;
  const picture = join(folder, 'picture.jpg');
  const blank = sharp({ create: { width: 640, height: 480, channels: 3, background: '#875' } });
  await blank.jpeg().toFile(picture);
  const data = join(folder, 'data');
  const syncPort = String(await freePort());
  // as it is shipped: with no other pauses at the bank than those of a shop
  const program = new Program([MAIN], {
    LANEWARE_DATADIR: data,
    LANEWARE_TERMINAL_PORT: '0',
    LANEWARE_TERMINAL_EXPORTROOTS: JSON.stringify([join(data, 'exports')]),
    LANEWARE_RECOGNITION_PORT: '0',
    LANEWARE_SANDBOXBANK_PORT: '0',
    LANEWARE_CAMERA_DRIVER: 'push',
    LANEWARE_SYNC_HOST: '127.0.0.1',
    LANEWARE_SYNC_PORT: syncPort,
    LANEWARE_LOG_LEVEL: 'info',
  });
  // it outlives the reader of its log, and so would outlive a crash of this program
  const end = () => program.child.kill('SIGKILL');
  process.once('exit', end);
  stack.use(atEnd(() => process.off('exit', end)));
  stack.use(atEnd(() => program.kill('SIGTERM')));
  const urls = await program.line(({ msg, terminal, recognition }) =>
    msg === 'ready' ? { terminal: String(terminal), recognition: String(recognition) } : null,
  );
  const post = async (path: string, json: object) =>
    done(`${urls.recognition}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': 'before all others' },
      body: JSON.stringify(json),
    });
  await done(`${urls.recognition}/console/api/sandbox/setup`, { method: 'POST' });
  // calls that look at the tray find a picture, in any order
  const headers = { 'content-type': 'image/jpeg' };
  await done(`${urls.recognition}/camera/frame`, { method: 'PUT', headers, body: readFileSync(picture) });
  // from before a sale: it is read to its end, and restored only by a call that lets the sale be lost
  const backup = join(folder, 'lane.backup');
  writeFileSync(backup, await (await post('/console/api/backups', { passphrase: PASSPHRASE })).bytes());
  await post('/v1/payments', { amount: 100_000 });
  const environment = {
    FUZZ_PICTURE: picture,
    FUZZ_SYNC_PORT: syncPort,
    FUZZ_BACKUP: backup,
    FUZZ_PASSPHRASE: PASSPHRASE,
  };
  const own = stack.move();
  return { urls, environment, folder, [Symbol.asyncDispose]: () => own.disposeAsync() };
}
