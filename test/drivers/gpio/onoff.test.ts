import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { GpioState } from '../../../drivers/gpio/contract.ts';
import {
  BUTTON_HELD_MS,
  BUTTON_LOOK_MS,
  BUTTON_PAUSE_MS,
  OnoffGpio,
  type OnoffOptions,
} from '../../../drivers/gpio/onoff.ts';
import { openGpio } from '../../../drivers/gpio/registry.ts';
import { removeFolders } from '../folders.ts';
import { FakePins, sysfsWith } from './support.ts';

const gpio = suite('gpio');
gpio.after(removeFolders);
const ALL = { lamp: 17, statusLed: 27, learnButton: 22 };
const NONE = { lamp: null, statusLed: null, learnButton: null };
const sysfsRoot = sysfsWith({ label: 'pinctrl-bcm2711', base: 512, lines: 58 });

async function open(wanted: Parameters<typeof OnoffGpio.open>[0], pins: FakePins, options: OnoffOptions = {}) {
  return OnoffGpio.open(wanted, { sysfsRoot, pins: async () => pins, ...options });
}

const reasonOf = (state: GpioState) => ('reason' in state ? state.reason : '');

gpio('lamp and LED are switched on the lines of their BCM numbers', async () => {
  const pins = new FakePins();
  const pinned = await open(ALL, pins);
  assert.is(pinned.state.name, 'ready');
  pinned.setLamp(true);
  pinned.setStatusLed(true);
  pinned.setLamp(false);
  assert.equal(pins.events, ['529=1', '539=1', '529=0']);
  pinned.close();
});

gpio('close turns everything off and gives every pin back, once', async () => {
  const pins = new FakePins();
  const pinned = await open(ALL, pins);
  pinned.setLamp(true);
  pinned.close();
  pinned.close();
  pinned.setLamp(true);
  assert.equal(pins.events, ['529=1', '529=0', '539=0', '529 back', '539 back', '534 back']);
  assert.is(pinned.state.name, 'closed');
});

/** A button whose time is the test's. */
async function pressable() {
  const pins = new FakePins();
  const calls: string[] = [];
  let now = 0;
  let task: (() => void) | null = null;
  const after = (_ms: number, next: () => void) => {
    task = next;
    return () => {
      task = null;
    };
  };
  const pinned = await open(ALL, pins, {
    onLearn: () => calls.push('learn'),
    onHeld: () => calls.push('held'),
    now: () => now,
    after,
  });
  const wait = (ms: number): void => {
    for (const end = now + ms; now < end; ) {
      now += BUTTON_LOOK_MS;
      const due = task;
      task = null;
      due?.();
    }
  };
  const press = (): void => {
    pins.level = 1;
    pins.press();
  };
  const release = (): void => {
    pins.level = 0;
    pins.press(0);
    wait(BUTTON_LOOK_MS);
  };
  return { pins, pinned, calls, wait, press, release, isWaiting: () => task !== null };
}

gpio('a press of the button learns once, when it has ended: neither its release nor its bouncing counts', async () => {
  const { pins, pinned, calls, wait, press, release, isWaiting } = await pressable();
  press();
  assert.equal(calls, [], 'it may become a long one');
  pins.press();
  release();
  assert.equal(calls, ['learn']);
  wait(BUTTON_PAUSE_MS - 2 * BUTTON_LOOK_MS);
  press();
  release();
  assert.equal(calls, ['learn'], 'a worn button presses twice');
  wait(BUTTON_PAUSE_MS);
  press();
  release();
  assert.equal(calls, ['learn', 'learn']);
  wait(BUTTON_PAUSE_MS);
  press();
  pinned.close();
  assert.not.ok(isWaiting(), 'closed');
  release();
  assert.equal(calls, ['learn', 'learn']);
});

gpio('a button that is held for ten seconds says so once, and learns nothing', async () => {
  const { pins, pinned, calls, wait, press, release } = await pressable();
  press();
  wait(BUTTON_HELD_MS - BUTTON_LOOK_MS);
  assert.equal(calls, []);
  wait(BUTTON_LOOK_MS);
  assert.equal(calls, ['held']);
  wait(BUTTON_HELD_MS);
  pins.press();
  release();
  pins.press(); // it bounces
  wait(BUTTON_PAUSE_MS);
  assert.equal(calls, ['held']);
  wait(BUTTON_PAUSE_MS);
  press();
  wait(BUTTON_HELD_MS - BUTTON_LOOK_MS);
  release();
  assert.equal(calls, ['held', 'learn'], 'just too short');
  pinned.close();
});

gpio('a button that fails while it is held neither learns nor counts as held', async () => {
  const { pins, pinned, calls, wait, press } = await pressable();
  press();
  pins.broken.add(534);
  wait(2 * BUTTON_HELD_MS);
  assert.equal(calls, []);
  assert.match(reasonOf(pinned.state), /^learn button: EIO/);
  pinned.close();
});

gpio('a pin that cannot be had leaves the others working, and is named', async () => {
  const pins = new FakePins();
  pins.broken.add(529);
  const pinned = await open(ALL, pins);
  assert.is(pinned.state.name, 'degraded');
  assert.match(reasonOf(pinned.state), /^lamp: EBUSY/);
  pinned.setLamp(true);
  pinned.setStatusLed(true);
  assert.equal(pins.events, ['539=1']);
  pinned.close();
});

gpio('a pin that fails later is given up and named', async () => {
  const pins = new FakePins();
  const states: string[] = [];
  const pinned = await open(ALL, pins, { onState: (state) => states.push(state.name) });
  pins.broken.add(539);
  pinned.setStatusLed(true);
  assert.match(reasonOf(pinned.state), /^status LED: EIO/);
  pins.press(1, new Error('ENODEV'));
  assert.match(reasonOf(pinned.state), /learn button: ENODEV/);
  pinned.setLamp(true);
  assert.equal(pins.events, ['539 back', '534 back', '529=1']);
  pinned.close();
  assert.equal(states, ['ready', 'degraded', 'degraded', 'closed']);
});

gpio('one pin for two things is given to neither', async () => {
  const pinned = await open({ lamp: 17, statusLed: 17, learnButton: 22 }, new FakePins());
  assert.match(reasonOf(pinned.state), /lamp: GPIO 17 is the status LED too; status LED: GPIO 17 is the lamp too/);
  pinned.close();
});

gpio('a pin that the board does not have is named', async () => {
  const pinned = await open({ ...NONE, lamp: 99 }, new FakePins());
  assert.is(pinned.state.name, 'absent');
  assert.match(reasonOf(pinned.state), /lamp: pinctrl-bcm2711 has no GPIO 99/);
  pinned.close();
});

gpio('without GPIO, without the package or without pins the state says so, and calls do nothing', async () => {
  const missing = await open(ALL, new FakePins(), { sysfsRoot: join(sysfsRoot, 'missing') });
  assert.match(reasonOf(missing.state), /has no .*missing/);
  const unbuilt = await open(ALL, new FakePins(), { pins: () => Promise.reject(new Error('epoll.node is not built')) });
  assert.match(reasonOf(unbuilt.state), /epoll\.node is not built/);
  const unwired = await open(NONE, new FakePins());
  for (const absent of [missing, unbuilt, unwired]) {
    assert.is(absent.state.name, 'absent');
    absent.setLamp(true);
    absent.setStatusLed(true);
    absent.close();
    assert.is(absent.state.name, 'closed');
  }
});

gpio('the registry opens the driver that the configuration names', async () => {
  for (const driver of ['onoff', 'none'] as const) {
    const opened = await openGpio({ driver, ...NONE });
    assert.is(opened.kind, driver);
    assert.is(opened.state.name, 'absent');
    opened.close();
    assert.is(opened.state.name, 'closed');
  }
});

gpio.run();
