import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as assert from 'uvu/assert';
import { CLEAR } from '../../../drivers/display/contract.ts';
import { openDisplay } from '../../../drivers/display/registry.ts';
import { SimulatedDisplay } from '../../../drivers/display/wire/simulator-device.ts';
import { missingPrograms, suiteNeeding } from '../../needing.ts';
import { temporaryFolder } from '../../support.ts';
import { PtyDisplay } from '../../tools/display/pty.ts';
import { QUICK, qr, readQr, ready, until } from './support.ts';

const simulator = suiteNeeding(missingPrograms('socat'), 'display simulator on a pseudo-terminal');

simulator('takes bytes no faster than the wire that it imitates', async () => {
  const device = new SimulatedDisplay();
  const pty = new PtyDisplay(device, { bytesPerSecond: 2_000 });
  await pty.plug();
  const display = openDisplay({ type: 'serial', path: pty.path() }, { current: () => CLEAR }, QUICK);
  await ready(display);
  const began = performance.now();
  await display.draw(qr('x'.repeat(990)));
  await until('it is seen', () => device.picture.kind === 'qr');
  // 1000 bytes and the Clear at 2000 a second; a pseudo-terminal alone takes no time at all
  assert.ok(performance.now() - began > 450);
  await display.close();
  await pty.close();
});

simulator('as a program it is a serial port, and keeps a picture of what the customer sees', async () => {
  using folder = temporaryFolder();
  const [path, png] = [join(folder.path, 'port'), join(folder.path, 'display.png')];
  const main = fileURLToPath(new URL('../../tools/display/main.ts', import.meta.url));
  const child = spawn(process.execPath, [main, '--path', path, '--png', png], { stdio: ['ignore', 'pipe', 'pipe'] });
  const exited = new Promise((resolve) => child.once('exit', resolve));
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  await until('it names its port', () => said.includes('"port"'));
  const payload = 'https://example.org/pay?for=кофе';
  const display = openDisplay({ type: 'serial', path }, { current: () => qr(payload) }, QUICK);
  await ready(display);
  await until('it prints the picture', () => said.includes(payload));
  await until('the picture shows it', async () => existsSync(png) && (await readQr(readFileSync(png))) === payload);
  await display.close();
  child.kill('SIGTERM');
  assert.is(await exited, 0);
  assert.not.ok(existsSync(path));
});

simulator.run();
