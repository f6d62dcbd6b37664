/** Pins over libgpiod's programs: both editions, and all the ways in which a program fails. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { GpioOptions, GpioState } from '../../../drivers/gpio/contract.ts';
import { answerOf, EDITIONS } from '../../../drivers/gpio/gpiod-programs.ts';

import { type HolderTiming, libgpiodPins } from '../../../drivers/gpio/libgpiod.ts';
import { openPinFactory } from '../../../drivers/gpio/pin-factory.ts';
import { BUTTON_PAUSE_MS, type PinFactory, Pins } from '../../../drivers/gpio/pins.ts';
import { missingPrograms, needing } from '../../needing.ts';
import { until } from '../../support.ts';
import { removeFolders } from '../folders.ts';
import { MadeUpLines, NEW, OLD } from './made-up-lines.ts';

const gpio = suite('gpio: libgpiod');
gpio.after(removeFolders);
const ALL = { lamp: 17, statusLed: 27, learnButton: 22 };
const LAMP = { lamp: 17, statusLed: null, learnButton: null };
const BUTTON = { lamp: null, statusLed: null, learnButton: 22 };
/** By which a timer may be early, seen by another clock. */
const EARLY_MS = 10;
const QUICK: HolderTiming = { wellAfterMs: 150, minMs: 20, maxMs: 100 };

const reasonOf = (state: GpioState) => ('reason' in state ? state.reason : '');
const noFiles = async (): Promise<PinFactory> => {
  throw new Error('this system has no /sys/class/gpio');
};

interface Rig extends AsyncDisposable {
  readonly lines: MadeUpLines;
  readonly pins: Pins;
}

async function open(
  wanted: Parameters<typeof Pins.open>[0],
  lines: MadeUpLines,
  options: GpioOptions = {},
  timing = QUICK,
): Promise<Rig> {
  const pins = await Pins.open(wanted, async () => libgpiodPins(lines.env, timing), options);
  return {
    lines,
    pins,
    async [Symbol.asyncDispose]() {
      await pins.close();
      lines.close();
    },
  };
}

const isHeld = (lines: MadeUpLines, ...bcms: readonly number[]) => bcms.every((bcm) => lines.holder(bcm) !== null);

for (const edition of [OLD, NEW]) {
  gpio(`${edition}: lamp and LED stay as set, and are off after closing, with nothing left`, async () => {
    const lines = new MadeUpLines(edition);
    await using rig = await open(ALL, lines);
    rig.pins.setLamp(true);
    await until('the lines', () => isHeld(lines, 17, 22, 27) && lines.read('level-17') === '1');
    assert.is(lines.read('level-27'), '0');
    assert.equal([rig.pins.kind, rig.pins.state.name], ['libgpiod', 'ready']);
    const lamp = lines.holder(17);
    rig.pins.setLamp(true);
    for (const on of [true, false, true]) {
      rig.pins.setStatusLed(on);
      rig.pins.setStatusLed(on);
      await until('the LED', () => isHeld(lines, 27) && lines.read('level-27') === (on ? '1' : '0'));
    }
    assert.is(lines.holder(17), lamp, 'the lamp flickers neither with the LED nor where it is on by now');
    await rig.pins.close();
    const holders = [17, 22, 27].map((bcm) => lines.holder(bcm));
    assert.equal(holders, [null, null, null]);
    assert.equal([lines.read('level-17'), lines.read('level-27')], ['0', '0']);
    assert.is(lines.calls().filter((call) => call.startsWith('gpiodetect')).length, 1, 'the chip was looked for once');
  });

  gpio(`${edition}: a press learns once however it bounces, also where it is reported late`, async () => {
    const lines = new MadeUpLines(edition);
    let learned = 0;
    await using _rig = await open(BUTTON, lines, { onLearn: () => learned++ });
    await until('gpiomon', () => isHeld(lines, 22));
    lines.edges([true, 5], [false, 6], [true, 9], [false, 10]); // a spark
    lines.edges([true, 1000], [false, 1001], [true, 1002], [false, 1150], [true, 1151], [false, 1152]);
    await until('the press', () => learned > 0);
    await pause(BUTTON_PAUSE_MS + EARLY_MS);
    lines.edges([true, 9000], [false, 9100]);
    await until('the next one', () => learned > 1);
    assert.is(learned, 2);
  });
}

const installed = missingPrograms('gpioset');
needing(
  installed,
  "gpio: libgpiod's own programs",
  gpio,
)('take these arguments: what they miss is the chip alone', () => {
  const { stdout } = spawnSync('gpioset', ['--version'], { encoding: 'utf8' });
  const edition = EDITIONS[/ v(\d)/.exec(stdout)?.[1] ?? ''];
  if (edition === undefined) throw new Error(stdout);
  const { hold, set, watch } = edition;
  for (const [program = '', ...args] of [
    hold('gpiochip99', 17, 1),
    set('gpiochip99', 17, 0),
    watch('gpiochip99', 22),
  ]) {
    const { status, stderr } = spawnSync(program, args, { encoding: 'utf8' });
    assert.is(status, 1);
    assert.match(stderr, /No such file or directory|cannot find GPIO chip character device/);
  }
});

gpio('a program that dies is started again with the level that is wanted by then', async () => {
  const lines = new MadeUpLines(NEW);
  const logged: string[] = [];
  await using rig = await open(LAMP, lines, { log: (message) => logged.push(message) });
  rig.pins.setLamp(true);
  await until('the lamp', () => isHeld(lines, 17) && lines.read('level-17') === '1');
  for (const signal of ['SIGKILL', 'SIGTERM', 'SIGKILL'] as const) {
    lines.write('level-17', '0');
    lines.kill(17, signal);
    await until('the lamp again', () => isHeld(lines, 17) && lines.read('level-17') === '1');
    await until('that it works', () => rig.pins.state.name === 'ready');
  }
  const told = logged.filter((message) => message !== 'pins are reached');
  assert.equal(told, Array(3).fill(['pin failed', 'pin works again']).flat());
});

for (const [what, program, script, said] of [
  ['exits', 'gpioset', 'exit 3', 'gpioset ended (3)'],
  [
    'says why',
    'gpioset',
    'die "unable to open chip: Permission denied"',
    'gpioset: unable to open chip: Permission denied',
  ],
  ['may not look', 'gpiodetect', 'die "unable to access GPIO chips: Permission denied"', 'Permission denied'],
  [
    'is none of ours',
    'gpioset',
    '[ "$1" = --version ] && echo "gpioset 9" && exit',
    'gpioset is none of libgpiod 1 or 2: gpioset 9',
  ],
  ['hangs before it answers', 'gpiodetect', 'trap "" TERM; sleep 1000', 'gpiodetect does not answer'],
  ['talks nonsense', 'gpiodetect', 'head -c 100000 /dev/zero; exit', 'no GPIO chip of a Raspberry Pi'],
] as const)
  gpio(`a program that ${what} is named, tried again, and well when it is`, async () => {
    const lines = new MadeUpLines(OLD);
    lines.ill(
      program,
      program === 'gpioset' && what !== 'is none of ours' ? `[ "$1" = --version ] || ${script}` : script,
    );
    await using rig = await open(LAMP, lines);
    rig.pins.setLamp(true);
    await until('the reason', () => reasonOf(rig.pins.state).includes(said));
    assert.is(rig.pins.state.name, 'absent');
    lines.ill(program, '');
    await until('the lamp', () => isHeld(lines, 17) && rig.pins.state.name === 'ready');
    assert.is(lines.read('level-17'), '1');
  });

gpio('a line that another holds is named, and taken when it is free', async () => {
  const lines = new MadeUpLines(NEW);
  const other = spawn('sleep', ['1000']);
  lines.write('held-17', `${other.pid}`);
  await using rig = await open(ALL, lines);
  await until('the reason', () => reasonOf(rig.pins.state).startsWith('lamp: gpioset: unable to request lines'));
  await until('the others', () => isHeld(lines, 22, 27));
  assert.is(rig.pins.state.name, 'degraded');
  other.kill();
  await once(other, 'exit');
  await until('the lamp', () => isHeld(lines, 17) && rig.pins.state.name === 'ready');
});

gpio('a chip that is missing is named, and found when it comes, also under another name', async () => {
  const lines = new MadeUpLines(NEW);
  const chips = `${lines.read('chips')}\n`;
  lines.write('chips', 'gpiochip0 [raspberrypi-exp-gpio] (8 lines)\n');
  await using rig = await open(LAMP, lines);
  await until('the reason', () => reasonOf(rig.pins.state).endsWith('found: raspberrypi-exp-gpio'));
  for (const name of ['gpiochip4', 'gpiochip512']) {
    lines.write('chips', chips.replace('gpiochip4', name));
    if (isHeld(lines, 17)) lines.kill(17);
    const isLastCall = () => lines.calls().at(-1)?.includes(name) === true;
    await until(name, () => isLastCall() && isHeld(lines, 17) && rig.pins.state.name === 'ready');
  }
});

gpio('of a program that says more than any machine has, the beginning is kept', async () => {
  const { lines } = await answerOf(['seq', '200000'], process.env);
  assert.is(lines.length, 1000);
});

gpio('a gpioset that does not end is killed, and the LED changes', async () => {
  const lines = new MadeUpLines(OLD);
  lines.ill('gpioset', '[ "$1" != --mode=signal ] || trap "" TERM');
  await using rig = await open({ ...LAMP, lamp: null, statusLed: 27 }, lines);
  await until('the LED', () => isHeld(lines, 27));
  rig.pins.setStatusLed(true);
  await until('the other level', () => lines.read('level-27') === '1' && rig.pins.state.name === 'ready');
});

gpio('a program that fails is not started again at once', async () => {
  const lines = new MadeUpLines(OLD);
  lines.ill('gpioset', 'case $* in *17=*) exit 3 ;; esac');
  await using rig = await open(ALL, lines, {}, { ...QUICK, minMs: 60_000, maxMs: 60_000 });
  await until('the reason', () => rig.pins.state.name === 'degraded');
  for (const on of [true, false, true]) {
    rig.pins.setStatusLed(on);
    rig.pins.setLamp(on);
    await until('the LED', () => isHeld(lines, 27) && lines.read('level-27') === (on ? '1' : '0'));
  }
  assert.is(lines.calls().filter((call) => call.includes(' 17=')).length, 1);
});

gpio('a gpiomon that talks nonsense is named and started again', async () => {
  const lines = new MadeUpLines(NEW);
  let learned = 0;
  await using rig = await open(BUTTON, lines, { onLearn: () => learned++ });
  for (const nonsense of ['2 one.2\n', `${'x'.repeat(5000)}`, '\u0000\u001b[31m\n']) {
    await until('gpiomon', () => isHeld(lines, 22) && rig.pins.state.name === 'ready');
    lines.say(nonsense);
    await until('the reason', () => reasonOf(rig.pins.state).startsWith('learn button: gpiomon says'));
    assert.ok(reasonOf(rig.pins.state).length < 250);
  }
  await until('gpiomon', () => isHeld(lines, 22) && rig.pins.state.name === 'ready');
  assert.is(learned, 0);
  lines.edges([true, 1000], [false, 1100]);
  await until('the press', () => learned === 1);
});

gpio('what gpiomon wrote before it died counts; a press in which it died is none', async () => {
  const lines = new MadeUpLines(NEW);
  const calls: string[] = [];
  lines.ill('gpiomon', '[ -e "$state/once" ] || { touch "$state/once"; printf "2 1.0\\n1 1.100000000\\n"; exit 3; }');
  await using rig = await open(BUTTON, lines, { onLearn: () => calls.push('learn'), onHeld: () => calls.push('held') });
  await until('the press', () => calls.length === 1);
  await until('gpiomon', () => isHeld(lines, 22));
  lines.ill('gpiomon', 'echo 2 2.0; exit 4');
  lines.kill(22);
  await until('that it died in a press', () => reasonOf(rig.pins.state).endsWith('gpiomon ended (4)'));
  lines.ill('gpiomon', '');
  await until('the next gpiomon', () => isHeld(lines, 22) && rig.pins.state.name === 'ready');
  lines.edges([false, 2400]);
  await pause(2 * BUTTON_PAUSE_MS);
  assert.equal(calls, ['learn'], 'its end is the end of none');
  lines.edges([true, 3000], [false, 3100]);
  await until('the next press', () => calls.length > 1);
  assert.equal(calls, ['learn', 'learn']);
});

gpio('nothing is left behind a process that is killed, and its successor finds the line', async () => {
  const lines = new MadeUpLines(OLD);
  const holder = fileURLToPath(new URL('libgpiod-holder.ts', import.meta.url));
  const child = spawn(process.execPath, [holder], { env: lines.env, stdio: 'ignore' });
  await until('the lines', () => isHeld(lines, 17, 22, 27) && lines.read('level-17') === '1');
  const before = [17, 22, 27].map((bcm) => lines.holder(bcm));
  child.kill('SIGKILL');
  await once(child, 'exit');
  await using rig = await open(ALL, lines);
  rig.pins.setLamp(true);
  const isOurs = (bcm: number) => isHeld(lines, bcm) && !before.includes(lines.holder(bcm));
  await until('the lines', () => [17, 22, 27].every(isOurs) && lines.read('level-17') === '1');
  await rig.pins.close();
  const holders = [17, 22, 27].map((bcm) => lines.holder(bcm));
  assert.equal(holders, [null, null, null]);
});

gpio('it is the way where the kernel has no GPIO files and the programs are there', async () => {
  const lines = new MadeUpLines(NEW);
  const way = await openPinFactory(noFiles, lines.env);
  assert.is(way.kind, 'libgpiod');
  lines.close();
});

gpio.run();
