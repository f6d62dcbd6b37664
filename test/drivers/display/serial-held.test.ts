/** A serial display that another program holds: it is named so, with that program, and is taken when it is free. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { SimulatedDisplay } from '../../../drivers/display/wire/simulator-device.ts';
import { meansBusy, nameHolder } from '../../../drivers/lib/held.ts';
import { atEnd, call, onDevice, SANDBOX_SETTINGS, temporaryFolder, until } from '../../support.ts';
import { PtyDisplay } from '../../tools/display/pty.ts';

const held = suite('serial display: held');

/** Runs a program until the end of the test, once it has said something. */
async function running(command: string, args: readonly string[]): Promise<ChildProcess> {
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  return child;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.stdin?.end();
  await ended;
}

held(
  '`/health` names the program that holds the display, and no cable',
  onDevice(async (device) => {
    const pty = new PtyDisplay(new SimulatedDisplay());
    await using _pty = atEnd(() => pty.close());
    await pty.plug();
    const holder = await running('flock', ['--no-fork', pty.path(), 'sh', '-c', 'echo held; read -r _']);
    await using _holder = atEnd(() => end(holder));
    const settings = {
      ...SANDBOX_SETTINGS,
      deviceConnection: { connectionType: 'Serial', portName: pty.path() },
    };
    await call(`${device.terminal}/updateDriverSettings`, { json: { settings } });
    const display = async () => {
      const { parts } = (await call(`${device.terminal}/health`)).body.health;
      return parts.find(({ part }: { part: string }) => part === 'display');
    };
    await until('it is tried', async () => (await display())?.reasons[0]?.code === 'display-held');
    const { sales, reasons } = await display();
    assert.is(sales, 'does-not-sell');
    assert.match(reasons[0].about.detail, `sh (pid ${holder.pid}) holds it`);
    await end(holder);
    await until('it is ready', async () => (await display()).state === 'ok');
  }),
);

held('a program is named by its lock, or where it has the device open; nobody else is', async () => {
  using folder = temporaryFolder();
  const file = `${folder.path}/port`;
  writeFileSync(file, '');
  assert.is(await nameHolder(file), null);
  const reader = await running('sh', ['-c', 'exec 5<"$1"; echo open; read -r _', 'sh', file]);
  await using _reader = atEnd(() => end(reader));
  assert.is(await nameHolder(file), `sh (pid ${reader.pid})`);
  const locker = await running('flock', ['--no-fork', file, 'sh', '-c', 'echo held; read -r _']);
  await using _locker = atEnd(() => end(locker));
  assert.is(await nameHolder(file), `sh (pid ${locker.pid})`);
  assert.is(await nameHolder(file, `${folder.path}/no-proc`), null);
  assert.is(await nameHolder(`${folder.path}/away`), null);
});

held('the words of a port that is held are known, and others are not', () => {
  for (const text of [
    'Error: Error Resource temporarily unavailable Cannot lock port',
    'Error: Device or resource busy, cannot open /dev/ttyACM0',
    'EBUSY: resource busy or locked',
  ])
    assert.ok(meansBusy(text), text);
  assert.not(meansBusy('Error: No such file or directory, cannot open /dev/ttyACM0'));
  assert.not(meansBusy('Error: Permission denied, cannot open /dev/ttyACM0'));
});

held.run();
