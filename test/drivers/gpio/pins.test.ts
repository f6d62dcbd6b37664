import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { GpioError, type GpioOptions, type GpioState } from '../../../drivers/gpio/contract.ts';
import { openPinFactory } from '../../../drivers/gpio/pin-factory.ts';
import { BUTTON_HELD_MS, BUTTON_LOOK_MS, BUTTON_PAUSE_MS, type PinFactory, Pins } from '../../../drivers/gpio/pins.ts';
import { openGpio } from '../../../drivers/gpio/registry.ts';
import { FakePins } from './support.ts';

const gpio = suite('gpio');
const ALL = { lamp: 17, statusLed: 27, learnButton: 22 };
const NONE = { lamp: null, statusLed: null, learnButton: null };

const open = (wanted: Parameters<typeof Pins.open>[0], pins: FakePins, options: GpioOptions = {}) =>
  Pins.open(wanted, async () => pins, options);

const reasonOf = (state: GpioState) => ('reason' in state ? state.reason : '');

gpio('close turns everything off and gives every pin back, once', async () => {
  const pins = new FakePins();
  const pinned = await open(ALL, pins);
  pinned.setLamp(true);
  await pinned.close();
  await pinned.close();
  pinned.setLamp(true);
  assert.equal(pins.events, ['17=1', '17=0', '27=0', '17 back', '27 back', '22 back']);
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
  const pinned = await Pins.open(
    ALL,
    async () => pins,
    { onLearn: () => calls.push('learn'), onHeld: () => calls.push('held') },
    after,
    () => now,
  );
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
  /** Time passes, and nothing runs. */
  const sleep = (ms: number): void => {
    now += ms;
  };
  return { pins, pinned, calls, wait, sleep, press, release, isWaiting: () => task !== null };
}

gpio('a press learns once, when it has ended: neither its release nor its bouncing counts', async () => {
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
  await pinned.close();
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
  await pinned.close();
});

gpio('a button that fails while it is held neither learns nor counts as held', async () => {
  const { pins, pinned, calls, wait, press } = await pressable();
  press();
  pins.broken.add(22);
  wait(2 * BUTTON_HELD_MS);
  assert.equal(calls, []);
  assert.match(reasonOf(pinned.state), /^learn button: EIO/);
  await pinned.close();
});

gpio('a pin that cannot be had leaves the others working, and is named', async () => {
  const pins = new FakePins();
  pins.broken.add(17);
  const pinned = await open(ALL, pins);
  assert.is(pinned.state.name, 'degraded');
  assert.match(reasonOf(pinned.state), /^lamp: EBUSY/);
  pinned.setLamp(true);
  pinned.setStatusLed(true);
  assert.equal(pins.events, ['27=1']);
  await pinned.close();
});

gpio('a pin that fails later is given up and named', async () => {
  const pins = new FakePins();
  const pinned = await open(ALL, pins);
  assert.is(pinned.state.name, 'ready');
  pins.broken.add(27);
  pinned.setStatusLed(true);
  assert.match(reasonOf(pinned.state), /^status LED: EIO/);
  pins.press(1, new Error('ENODEV'));
  assert.match(reasonOf(pinned.state), /learn button: ENODEV/);
  pinned.setLamp(true);
  assert.equal(pins.events, ['27 back', '22 back', '17=1']);
  assert.is(pinned.state.name, 'degraded');
  await pinned.close();
  assert.is(pinned.state.name, 'closed');
});

gpio('one pin for two things is given to neither', async () => {
  const pinned = await open({ lamp: 17, statusLed: 17, learnButton: 22 }, new FakePins());
  assert.match(reasonOf(pinned.state), /lamp: GPIO 17 is the status LED too; status LED: GPIO 17 is the lamp too/);
  await pinned.close();
});

gpio('a pin that its way reports in trouble is named, and nothing of it when it works again', async () => {
  const pins = new FakePins();
  const logged: string[] = [];
  const pinned = await open(ALL, pins, { log: (message) => logged.push(message) });
  const report = (bcm: number, reason: string | null) => pins.troubles.get(bcm)?.(reason);
  report(17, null);
  assert.is(pinned.state.name, 'ready', 'it worked anyway');
  report(17, 'EBUSY');
  report(17, 'EBUSY');
  assert.is(reasonOf(pinned.state), 'lamp: EBUSY');
  pinned.setLamp(true);
  assert.equal(pins.events, ['17=1'], 'it keeps what it is set to');
  for (const bcm of [22, 27]) report(bcm, 'EIO');
  assert.equal(pinned.state, { name: 'absent', reason: 'lamp: EBUSY; learn button: EIO; status LED: EIO' });
  for (const bcm of [17, 22, 27]) report(bcm, null);
  assert.is(pinned.state.name, 'ready');
  const told = logged.filter((message) => message !== 'pins are reached');
  assert.equal(told, [...Array(3).fill('pin failed'), ...Array(3).fill('pin works again')], 'each once');
  await pinned.close();
  report(17, 'ended');
  assert.is(pinned.state.name, 'closed');
});

gpio('closing waits until each pin is given back, and one that cannot be is logged', async () => {
  const pins = new FakePins();
  const logged: unknown[] = [];
  let give: (error: Error) => void = () => {};
  pins.given = new Promise((_, reject) => {
    give = reject;
  });
  const pinned = await open({ ...NONE, lamp: 17 }, pins, { log: (message, about) => logged.push([message, about]) });
  let isOver = false;
  const closing = pinned.close().then(() => {
    isOver = true;
  });
  await Promise.resolve();
  assert.not.ok(isOver);
  give(new Error('EBUSY'));
  await closing;
  assert.equal(logged.at(-1), ['pin not given back', { pin: 'lamp', reason: 'EBUSY' }]);
});

gpio('a press of which the end cannot be heard of any more is none', async () => {
  const { pins, calls, wait, press, release } = await pressable();
  press();
  pins.level = null;
  wait(2 * BUTTON_HELD_MS);
  assert.equal(calls, []);
  press();
  release();
  assert.equal(calls, ['learn'], 'the next one counts');
});

gpio('a process that was held up takes no press for a long one', async () => {
  const { calls, press, release, wait, sleep } = await pressable();
  press();
  sleep(2 * BUTTON_HELD_MS);
  wait(BUTTON_LOOK_MS);
  release();
  assert.equal(calls, ['learn']);
});

gpio('without a way or without pins the state says so, and calls do nothing', async () => {
  const lost = async (): Promise<PinFactory> => {
    throw new Error('epoll.node is not built');
  };
  const unequipped = await Pins.open(ALL, () => openPinFactory(lost, { PATH: '/nowhere' }));
  assert.equal(unequipped.state, {
    name: 'absent',
    code: 'no-program',
    reason: 'epoll.node is not built, and without gpiodetect, gpiomon, gpioset of libgpiod: install the package gpiod',
  });
  const missing = await Pins.open(ALL, () => Promise.reject(new GpioError('no-chip', 'none')));
  assert.equal(missing.state, { name: 'absent', code: 'no-chip', reason: 'none' });
  const unwired = await open(NONE, new FakePins());
  for (const absent of [unequipped, missing, unwired]) {
    assert.is(absent.state.name, 'absent');
    assert.is(absent.kind, 'none');
    absent.setLamp(true);
    absent.setStatusLed(true);
    await absent.close();
    assert.is(absent.state.name, 'closed');
  }
});

gpio('the kernel’s GPIO files are taken where they are there', async () => {
  const pins = new FakePins();
  assert.is(await openPinFactory(async () => pins, { PATH: '/nowhere' }), pins);
  const pinned = await open(ALL, pins);
  assert.is(pinned.kind, 'fake');
});

gpio('the registry opens the driver that the configuration names', async () => {
  for (const driver of ['onoff', 'none'] as const) {
    const opened = await openGpio({ driver, ...NONE });
    assert.is(opened.state.name, 'absent');
    await opened.close();
    assert.is(opened.state.name, 'closed');
  }
});

gpio.run();
