/** What wrong PINs cost whom: strangers, those where somebody has signed in lately, and the screen. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { SignInError } from '../../firmware/core/access/errors.ts';
import { GuessFile, type Place } from '../../firmware/core/access/pin-guesses.ts';
import type { Pins } from '../../firmware/core/access/pins.ts';
import { SignIn } from '../../firmware/core/access/sign-in.ts';
import type { Owner } from '../../firmware/core/http/guard/credentials.ts';
import { StillClock } from '../still-clock.ts';
import { temporaryFolder } from '../support.ts';

const test = suite('guessed PINs');

const RIGHT = '7391';
const TOKEN = 'made-up-token-of-the-technician';
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const SCREEN: Place = { isHere: true, address: '127.0.0.1' };
const at = (address: string): Place => ({ isHere: false, address });
const TECHNICIAN: Owner = { role: 'technician', till: null };

function setUp(folder: string | null = null, boot = 'b', now = 1_000_000) {
  const clock = new StillClock(boot);
  clock.now = now;
  const none = { read: () => null, write: () => undefined };
  const file = folder === null ? none : new GuessFile(join(folder, 'pin-guesses.json'), assert.unreachable);
  let looked = 0;
  let right = RIGHT;
  let changed = (): void => undefined;
  const pins = {
    onChange: (listener: () => void) => {
      changed = listener;
    },
    areAny: true,
    personOf: () => 'cashier',
    find: async (pin: string) => {
      looked += 1;
      return pin === right ? { person: 'cashier', id: 'a' } : null;
    },
  } as unknown as Pins;
  const signIn = new SignIn(
    pins,
    { nameOf: () => 'name', ownerNamed: () => TECHNICIAN, ownerOf: (token) => (token === TOKEN ? TECHNICIAN : null) },
    clock,
    { read: () => [], write: () => undefined },
    file,
    'laneware',
  );
  const codeOf = (place: Place, pin = RIGHT): Promise<string> =>
    signIn.byPin(place, pin).then(
      () => 'in',
      (error: unknown) => (error instanceof SignInError ? error.code : String(error)),
    );
  let guesses = 0;
  const guess = (place: Place): Promise<string> => codeOf(place, `5${String(++guesses).padStart(5, '0')}`);
  /** Tries as often as may be for so long. @returns how many were looked at */
  const guessFor = async (ms: number, ...places: readonly Place[]): Promise<number> => {
    const began = looked;
    for (const end = clock.now + ms; clock.now < end; clock.now += MINUTE)
      for (const place of places) while ((await guess(place)) === 'WrongPin');
    return looked - began;
  };
  const changePin = (pin: string): void => {
    right = pin;
    changed();
  };
  return {
    clock,
    codeOf,
    guess,
    guessFor,
    changePin,
    looks: () => looked,
    close: () => signIn.close(),
    byToken: (place: Place) => signIn.byToken(place, TOKEN),
  };
}

test('forgiveness after a day holds with the power off each night, and shortens no pause', async () => {
  using folder = temporaryFolder();
  const tablet = at('192.0.2.1');
  const first = setUp(folder.path);
  for (let n = 0; n < 17; n++) {
    await first.guess(tablet);
    first.clock.now += HOUR;
  }
  assert.is(await first.guess(tablet), 'WrongPin');
  for (const day of [1, 2, 3]) {
    const { codeOf, clock, close } = setUp(folder.path, `boot ${day}`, 5000);
    assert.is(await codeOf(tablet), day === 1 ? 'TooManyTries' : 'in', `day ${day}`);
    clock.go(10 * HOUR);
    close();
    assert.is(clock.waiting, 0);
  }
  const later = setUp(folder.path, 'boot 4', 5000);
  for (let n = 0; n < 5; n++) assert.is(await later.guess(tablet), 'WrongPin', 'it begins again at zero');
  assert.is(await later.guess(tablet), 'TooManyTries');
  assert.is(await setUp(folder.path, 'boot 5', 5000).codeOf(tablet), 'TooManyTries');
});

const CROWD = Array.from({ length: 50 }, (_, n) => at(`192.0.2.${n + 1}`));

test('a restart gives no guess anew, of the process or of the board, and shows no PIN', async () => {
  using folder = temporaryFolder();
  const before = setUp(folder.path);
  assert.is(await before.guessFor(MINUTE, ...CROWD), 20);
  for (let n = 0; n < 8; n++) await before.guess(SCREEN);
  const pauses = async ({ guess }: ReturnType<typeof setUp>) => [await guess(at('192.0.2.99')), await guess(SCREEN)];
  assert.equal(await pauses(before), ['TooManyTries', 'TooManyTries']);
  const again = setUp(folder.path, 'b', before.clock.now);
  assert.equal(await pauses(again), ['TooManyTries', 'TooManyTries']);
  again.clock.now += 11 * MINUTE;
  assert.equal(await pauses(again), ['WrongPin', 'WrongPin']);
  // the clock of another boot begins at zero
  const rebooted = setUp(folder.path, 'c', 5000);
  assert.equal(await pauses(rebooted), ['TooManyTries', 'TooManyTries']);
  const inADay = await rebooted.guessFor(DAY, ...CROWD);
  assert.ok(inADay >= 143 && inADay <= 145, String(inADay));
  assert.not.match(readFileSync(join(folder.path, 'pin-guesses.json'), 'utf8'), /tried|[0-9a-zA-Z+/]{32}/);
});

test('a crowd of the network guesses twenty at once and six an hour, from however many addresses', async () => {
  const { guessFor } = setUp();
  assert.is(await guessFor(MINUTE, ...CROWD), 20);
  const inADay = await guessFor(DAY, ...CROWD);
  assert.ok(inADay >= 143 && inADay <= 145, String(inADay));
});

test('one address alone leaves the others of it enough', async () => {
  const { guessFor, codeOf } = setUp();
  const first = await guessFor(HOUR, at('192.0.2.1'));
  assert.ok(first <= 17, String(first));
  assert.is(await codeOf(at('198.51.100.7')), 'in');
  const inADay = await guessFor(DAY, at('192.0.2.1'));
  assert.ok(inADay <= 26, String(inADay));
});

test('a network of IPv6 is one address, in any spelling', async () => {
  const { guess, codeOf } = setUp();
  for (let n = 1; n <= 5; n++) assert.is(await guess(at(`2001:db8:0:7:${n}::1`)), 'WrongPin');
  assert.is(await codeOf(at('2001:db8:0:7::1')), 'TooManyTries');
  assert.is(await codeOf(at('2001:db8:0:8::1')), 'in');
  assert.is(await codeOf(at('fe80::1')), 'in');
});

test('guesses at the screen take none of what the network has', async () => {
  const { guessFor } = setUp();
  const atScreen = await guessFor(HOUR, SCREEN);
  assert.ok(atScreen > 20, String(atScreen));
  assert.is(await guessFor(1, ...CROWD), 20);
});

test('where somebody signed in lately, guesses of strangers do not refuse a right PIN', async () => {
  const { guessFor, codeOf, byToken, clock } = setUp();
  const cashiers = at('198.51.100.7');
  assert.is(await codeOf(cashiers), 'in');
  byToken(at('198.51.100.8'));
  await guessFor(DAY, ...CROWD);
  assert.is(await codeOf(at('198.51.100.9')), 'TooManyTries', 'a stranger waits with them');
  assert.is(await codeOf(cashiers), 'in');
  assert.is(await codeOf(at('198.51.100.8')), 'in', 'a token makes an address known, too');
  assert.is(await codeOf(SCREEN), 'in');
  clock.now += 8 * DAY;
  assert.is(await guessFor(1, ...CROWD), 20);
  assert.is(await codeOf(cashiers), 'TooManyTries', 'after a week it is a stranger again');
});

test('strangers lock nobody out after a restart who signed in lately before it', async () => {
  using folder = temporaryFolder();
  const cashiers = at('198.51.100.7');
  const before = setUp(folder.path);
  await before.guessFor(MINUTE, ...CROWD);
  const technicians = at('198.51.100.8');
  before.byToken(technicians);
  const again = setUp(folder.path, 'b', before.clock.now);
  assert.is(await again.codeOf(technicians), 'in');
  assert.is(await again.codeOf(cashiers), 'TooManyTries');
  again.byToken(cashiers);
  const rebooted = setUp(folder.path, 'c', 5000);
  assert.is(await rebooted.codeOf(cashiers), 'in');
  assert.is(await rebooted.codeOf(at('198.51.100.9')), 'TooManyTries');
  rebooted.clock.go(8 * DAY);
  assert.is(await rebooted.guessFor(1, ...CROWD), 20);
  assert.is(await setUp(folder.path, 'c', rebooted.clock.now).codeOf(technicians), 'TooManyTries', 'after a week');
});

test('where somebody signed in lately, a right PIN waits as wrong ones do, and is not given away', async () => {
  for (const place of [at('198.51.100.7'), SCREEN]) {
    const { codeOf, guess } = setUp();
    assert.is(await codeOf(place), 'in');
    for (let n = 0; n < 5; n++) assert.is(await guess(place), 'WrongPin');
    assert.is(await guess(place), 'TooManyTries');
    assert.is(await codeOf(place), 'TooManyTries');
  }
});

test('those that are no strangers, too, guess slowly together', async () => {
  const { codeOf, guessFor } = setUp();
  for (const place of CROWD.slice(0, 15)) assert.is(await codeOf(place), 'in');
  const inADay = await guessFor(DAY, ...CROWD.slice(0, 15));
  assert.ok(inADay <= 20 + 145, String(inADay));
});

test('the network does not keep the screen waiting, nor the screen the network', async () => {
  const { codeOf, guess, guessFor } = setUp();
  await guessFor(HOUR, ...CROWD);
  assert.is(await codeOf(SCREEN), 'in');
  const other = setUp();
  for (let n = 0; n < 5; n++) await other.guess(SCREEN);
  assert.is(await other.guess({ isHere: true, address: '::1' }), 'TooManyTries', 'the screen is one, however it calls');
  assert.is(await other.codeOf(at('192.0.2.1')), 'in');
  assert.is(await guess(SCREEN), 'WrongPin');
});

test('the same wrong PIN again and again costs nothing, not even a look', async () => {
  const { codeOf, guessFor } = setUp();
  for (let n = 0; n < 100; n++)
    for (const place of CROWD.slice(0, 3)) assert.is(await codeOf(place, '5031'), 'WrongPin');
  assert.is(await guessFor(1, ...CROWD), 17);
});

test('a wrong PIN is looked at once, until the PINs are others', async () => {
  const { codeOf, changePin, looks } = setUp();
  for (let n = 0; n < 20; n++) assert.is(await codeOf(at('192.0.2.1'), '555123'), 'WrongPin');
  assert.is(looks(), 1);
  changePin('555123');
  assert.is(await codeOf(at('192.0.2.1'), '555123'), 'in');
});

test.run();
