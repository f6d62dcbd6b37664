/** One wrong PIN sent again and again costs no pause; it must cost no digest either, or whoever repeats it keeps all others waiting. */
import assert from 'node:assert/strict';
import { test } from 'uvu';
import type { Credentials } from '../../firmware/http/guard/credentials.ts';
import type { Pins } from '../../firmware/sign-in/pins.ts';
import { SignIn } from '../../firmware/sign-in/sign-in.ts';

test('a wrong PIN is looked at once, until the PINs are others', async () => {
  let looked = 0;
  let right = '739105';
  let changed = (): void => undefined;
  const pins = {
    areAny: true,
    find: async (pin: string) => {
      looked += 1;
      return pin === right ? { person: 'technician', id: 'a' } : null;
    },
    personOf: () => 'technician',
    onChange: (told: () => void) => {
      changed = told;
    },
  } as unknown as Pins;
  const signIn = new SignIn({
    pins,
    credentials: { nameOf: () => '', ownerNamed: () => null } as unknown as Credentials,
    clock: { monotonic: () => 0, bootId: 'b', after: () => () => undefined },
    file: { read: () => [], write: () => undefined },
    cookie: 'c',
  });
  const place = { isHere: false, address: '192.0.2.1' };
  const wrong = { code: 'WrongPin' };

  for (let time = 0; time < 20; time++) await assert.rejects(signIn.byPin(place, '555123'), wrong);
  assert.equal(looked, 1);

  right = '555123';
  changed();
  assert.ok(await signIn.byPin(place, '555123'));
  signIn.close();
});

test.run();
