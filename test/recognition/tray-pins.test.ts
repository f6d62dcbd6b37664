/** The pins around the tray follow the device. */
import { setTimeout as pause } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Gpio, GpioConfig, GpioOptions, GpioState } from '../../drivers/gpio/contract.ts';
import { HealthBoard } from '../../firmware/core/host/health.ts';
import { createLog } from '../../firmware/core/host/log.ts';
import { TrayPins } from '../../firmware/recognition/service/tray-pins.ts';
import { each, until } from '../support.ts';
import { FakeModel, type Rig, scene, startRig } from './support.ts';

const test = suite('tray panel');

class FakePins implements Gpio {
  readonly kind = 'onoff';
  state: GpioState = { name: 'ready' };
  lamp: boolean | null = null;
  led: boolean | null = null;
  press: () => void = () => undefined;

  setLamp(on: boolean): void {
    this.lamp = on;
  }

  setStatusLed(on: boolean): void {
    this.led = on;
  }

  async close(): Promise<void> {
    this.lamp = false;
    this.led = false;
    this.state = { name: 'closed' };
  }
}

const CONFIG: GpioConfig = { driver: 'onoff', lamp: 17, statusLed: 27, learnButton: 22 };

async function openPanel(rig: Rig) {
  const pins = new FakePins();
  /** Of each press, whether it has learned. */
  const presses: boolean[] = [];
  const health = new HealthBoard(() => ({
    ...{ version: '', serial: '', instance: '', uptimeSeconds: 0 },
    ports: { terminal: 0, recognition: 0 },
  }));
  const open = async (_config: GpioConfig, { onLearn }: GpioOptions): Promise<Gpio> => {
    pins.press = () => onLearn?.();
    return pins;
  };
  const onLearned = (isLearned: boolean) => presses.push(isLearned);
  const opened = await TrayPins.open(CONFIG, rig.recognition, health, createLog('silent', []), { onLearned }, open);
  return { rig, pins, presses, health, opened };
}

const it = each<[Awaited<ReturnType<typeof openPanel>>]>(test, (run) => async () => {
  await using rig = await startRig();
  const panel = await openPanel(rig);
  await run(panel);
  await panel.opened.close();
});

test('the lamp shines while the device runs, the LED once it can recognise', async () => {
  const model = new FakeModel();
  await using rig = await startRig({ model });
  const { pins, opened } = await openPanel(rig);
  assert.equal([pins.lamp, pins.led], [true, false]);
  await rig.show(await scene('orange'));
  await until('the LED', () => pins.led);
  model.state = { name: 'degraded', reason: 'gone', code: 'worker' };
  await until('the LED to go out', () => pins.led === false);
  await opened.close();
  assert.equal({ lamp: pins.lamp, led: pins.led, name: pins.state.name }, { lamp: false, led: false, name: 'closed' });
});

it('the button learns the empty tray, and does no harm where there is no picture', async ({ rig, pins, presses }) => {
  pins.press();
  await until('the first press', () => presses.length === 1);
  await rig.show(await scene(null, 1));
  assert.is((await rig.get('/api/get_result')).body.code, 0);
  pins.press();
  await until('the tray', async () => (await rig.get('/api/get_result')).body.code === -6308);
  assert.equal(presses, [false, true], 'each press is reported, for the audit trail');
});

it('pins that do not work are named in the health report', async ({ pins, health }) => {
  assert.is(health.report().state, 'ok');
  pins.state = { name: 'degraded', reason: 'the lamp is missing' };
  assert.equal(health.report().parts, [
    {
      part: 'pins',
      driver: 'onoff',
      state: 'degraded',
      sales: 'sells-look-later',
      reason: 'The button and lamps at the tray are not responding. (the lamp is missing)',
      reasons: [{ code: 'pins-lost', sales: 'sells-look-later', about: { detail: 'the lamp is missing' } }],
    },
  ]);
});

it('the health says how the pins are reached, and where programs must be installed', async (rig) => {
  const { pins, health } = rig;
  const part = () => health.report().parts[0];
  assert.is(part()?.driver, 'onoff');
  pins.state = { name: 'absent', reason: 'none is installed', code: 'no-program' };
  assert.is(part()?.reasons[0]?.code, 'pins-unreachable');
  pins.state = { name: 'absent', reason: 'no chip', code: 'no-chip' };
  assert.is(part()?.reasons[0]?.code, 'pins-lost');
  for (const said of [
    'gpioset: unable to request lines: Device or resource busy',
    'EBUSY: resource busy or locked, write',
  ]) {
    pins.state = { name: 'degraded', reason: said };
    assert.is(part()?.reasons[0]?.code, 'pins-held', said);
  }
});

test('a device without pins sets none', async () => {
  await using rig = await startRig({ model: new FakeModel() });
  const { health, opened: other } = await openPanel(rig);
  await other.close();
  const pins = new FakePins();
  const none = { ...CONFIG, driver: 'none' } as const;
  const opened = await TrayPins.open(none, rig.recognition, health, createLog('silent', []), {}, async () => pins);
  const set = [pins.lamp, pins.led];
  await opened.close();
  assert.equal(set, [null, null]);
});

it('lent pins are the borrower’s, with the button; returned they follow the device again', async (panel) => {
  const { rig, pins, presses: learned, opened } = panel;
  await rig.show(await scene('orange'));
  await until('the LED', () => pins.led);
  let presses = 0;
  const lent = opened.lend(() => presses++);
  lent.setLamp(false);
  lent.setStatusLed(false);
  pins.press();
  await pause(1500); // longer than the panel sets the LED
  assert.equal(
    { lamp: pins.lamp, led: pins.led, presses, learned },
    { lamp: false, led: false, presses: 1, learned: [] },
  );
  lent.release();
  assert.equal([pins.lamp, pins.led], [true, true]);
  pins.press();
  await until('the button to learn', () => learned.length === 1);
  assert.is(presses, 1);
});

it('a press that another part takes learns nothing, and one that it leaves does', async (panel) => {
  const { pins, presses: learned, opened } = panel;
  let isTaken = true;
  let asked = 0;
  opened.offerPresses(() => {
    asked += 1;
    return isTaken;
  });
  pins.press();
  assert.equal([asked, learned], [1, []]);
  isTaken = false;
  pins.press();
  await until('the button to learn', () => learned.length === 1);
  assert.is(asked, 2);
});

test.run();
