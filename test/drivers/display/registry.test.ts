/** A machine that lacks a part: the display is a state with a reason, and the rest of the process goes on. */
import { registerHooks } from 'node:module';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { CLEAR, DisplayError } from '../../../drivers/display/contract.ts';
import type { DisplayConnection } from '../../../drivers/display/registry.ts';
import { failure, until } from './support.ts';

/** What only some machines have; a till programmer's Windows or macOS may have none of it. */
const ABSENT = ['serialport', '@serialport/parser-readline', 'node-ble', 'dbus-next'];
const asked: string[] = [];
const absence = registerHooks({
  resolve(specifier, context, next) {
    if (!ABSENT.includes(specifier)) return next(specifier, context);
    asked.push(specifier);
    throw new Error(`this machine has no ${specifier}`);
  },
});

const { displayConnection, openDisplay } = await import('../../../drivers/display/registry.ts');
const registry = suite('display registry');
// other files run in this process, too
registry.after(() => absence.deregister());

registry('opens no package before a display needs it', async () => {
  assert.equal(asked, []);
  const display = openDisplay({ type: 'screen' }, { current: () => CLEAR });
  await display.draw({ kind: 'qr', payload: 'https://example.org/' });
  await display.close();
  assert.equal(asked, []);
});

for (const [connection, code] of [
  [{ type: 'serial', path: 'COM3' }, 'not-found'],
  [{ type: 'ble', address: 'D9:24:D0:38:94:22', name: null }, 'adapter'],
] as const satisfies readonly (readonly [DisplayConnection, string])[]) {
  registry(`without its package a ${connection.type} display is lost, with the reason`, async () => {
    const display = openDisplay(connection, { current: () => CLEAR });
    await until('the loss is known', () => display.state.name === 'lost');
    assert.ok(display.state.name === 'lost' && display.state.reason.includes('this machine has no'));
    const error = await failure(display.draw(CLEAR));
    assert.is(error.code, 'not-connected');
    assert.ok(error.cause instanceof DisplayError && error.cause.code === code);
    await display.close();
  });
}

for (const [connection, longestMs] of [
  [{ type: 'serial', path: '/dev/ttyLaneware9' }, 2_000],
  [{ type: 'ble', address: 'D9:24:D0:38:94:22', name: null }, 30_000],
] as const satisfies readonly (readonly [DisplayConnection, number])[]) {
  registry(`a ${connection.type} display that is away for long is looked for every ${longestMs} ms`, async () => {
    const pauses: number[] = [];
    const pause = async (ms: number): Promise<void> => {
      pauses.push(ms);
      await new Promise((resolve) => setImmediate(resolve));
    };
    const display = openDisplay(connection, { current: () => CLEAR }, { pause, random: () => 0.5 });
    await until('many attempts were made', () => pauses.length >= 20);
    await display.close();
    assert.is(pauses[0], 500);
    assert.is(Math.max(...pauses), longestMs);
  });
}

registry('a Bluetooth address is looked for as the bus writes it', () => {
  const connection = displayConnection({ connectionType: 'ble', deviceAddress: 'd9:24:d0:38:94:22' });
  assert.equal(connection, { type: 'ble', address: 'D9:24:D0:38:94:22', name: null });
});

registry.run();
