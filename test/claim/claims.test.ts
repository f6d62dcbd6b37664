/** A code on the display makes a technician's token: once, for a while, and not for a guess. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Sign } from '../../firmware/core/access/claim-sign.ts';
import { Claims } from '../../firmware/core/access/claims.ts';
import { ClaimError } from '../../firmware/core/access/errors.ts';
import { StillClock } from '../still-clock.ts';
import { each, pick } from '../support.ts';

const claims = suite('claims');
const MINUTE_MS = 60_000;
const LIFE_MS = 10 * MINUTE_MS;
/** Wrong ones that cost no pause. */
const FREE_TRIES = 5;
const HERE = '192.0.2.7';
const ELSEWHERE = '192.0.2.8';

class FakeSign implements Sign {
  code: string | null = null;
  isBusy = false;
  hasDisplay = true;
  /** Where a person types the code: it stands beside it on the display. */
  address = 'lane.local';
  drawnWith = '';
  readonly shown: string[] = [];
  onChange: () => void = () => undefined;

  get isShown(): boolean {
    return this.code !== null;
  }

  show(code: string): boolean {
    if (this.isBusy) return false;
    this.drawnWith = this.address;
    if (this.code === code) return true;
    this.code = code;
    this.shown.push(code);
    this.onChange();
    return true;
  }

  hide(): void {
    if (this.code === null) return;
    this.code = null;
    this.onChange();
  }

  /** A payment comes. */
  takeOver(): void {
    this.isBusy = true;
    this.code = null;
    this.onChange();
  }

  displayComes(): void {
    this.hasDisplay = true;
    this.onChange();
  }
}

function rig({ hasDisplay = true, isConfigured = false, made = [] as string[], problem = null as string | null } = {}) {
  const clock = new StillClock();
  const sign = new FakeSign();
  sign.hasDisplay = hasDisplay;
  const lines: string[] = [];
  const state = { fails: false };
  const tokens = { problem, has: () => made.length > 0 };
  /** What the code is good for here. */
  const make = async (): Promise<string> => {
    if (state.fails) throw new Error('the disk is full');
    made.push(`made-${made.length}`);
    return made.at(-1) ?? '';
  };
  const opened = new Claims(sign, tokens, isConfigured, clock, (message, details = {}) =>
    lines.push(`${message} ${JSON.stringify(details)}`),
  );
  sign.onChange = () => opened.displayChanged();
  return { own: opened, clock, sign, made, lines, state, make };
}

/** On a device that has begun to show its code. */
const it = each<[ReturnType<typeof rig>]>(claims, (run) => () => {
  const begun = rig();
  begun.own.begin();
  return run(begun);
});

async function refusal(work: Promise<unknown>): Promise<string> {
  try {
    await work;
  } catch (error) {
    if (error instanceof ClaimError) return error.code;
    throw error;
  }
  return 'none';
}

const codeOf = ({ code }: FakeSign): string => code ?? 'no code is shown';

it('an unclaimed device shows a code by itself, good once', async ({ own, sign, made, make }) => {
  const code = codeOf(sign);
  assert.match(code, /^[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}$/);
  const both = await Promise.allSettled([own.redeem(HERE, code, make), own.redeem(HERE, code, make)]);
  assert.equal(pick(both, 'status'), ['fulfilled', 'rejected']);
  assert.equal(made, ['made-0']);
  assert.is(sign.code, null, 'and is taken off');
  assert.is(await refusal(own.redeem(HERE, code, make)), 'NoCode');
});

it('any spelling of a code is read', async ({ own, sign, made, make }) => {
  const spelled = ` ${codeOf(sign).toLowerCase().replace('-', ' ').replaceAll('0', 'o').replaceAll('1', 'l')}`;
  assert.is(await own.redeem(HERE, spelled, make), 'made-0');
  assert.equal(made, ['made-0']);
});

for (const [why, options] of [
  ['has a token of its configuration', { isConfigured: true }],
  ['was claimed', { made: ['earlier'] }],
  ['has lost its tokens', { problem: 'the file is damaged' }],
] as const) {
  claims(`a device that ${why} shows none unless it is called up`, async () => {
    const { own, sign, clock } = rig({ ...options, made: [...('made' in options ? options.made : [])] });
    own.begin();
    own.displayChanged();
    assert.is(sign.code, null);
    assert.ok(own.showNewCode());
    clock.go(LIFE_MS);
    assert.is(sign.code, null, 'and no other after that one');
  });
}

/** Others of as many characters, each another one. */
const guess = (code: string, n: number): string =>
  `${String(n).padStart(4, '0')}-${code.endsWith('0000') ? '1111' : '0000'}`;

it('wrong codes cost the address that sends them pauses, and leave the code to everybody else', async ({
  own,
  sign,
  clock,
  made,
  make,
}) => {
  const code = codeOf(sign);
  for (let n = 0; n < FREE_TRIES; n += 1) assert.is(await refusal(own.redeem(HERE, guess(code, n), make)), 'WrongCode');
  const pauses: (number | null)[] = [];
  for (let n = FREE_TRIES; n < FREE_TRIES + 8; n += 1) {
    const refused = await own.redeem(HERE, code, make).catch((error: ClaimError) => error);
    if (!(refused instanceof ClaimError)) throw new Error('a code was looked at in a pause');
    assert.is(refused.code, 'TooManyTries');
    pauses.push(refused.seconds);
    clock.go((refused.seconds ?? 0) * 1000);
    assert.is(await refusal(own.redeem(HERE, guess(code, n), make)), 'WrongCode');
  }
  assert.equal(pauses, [1, 2, 4, 8, 16, 32, 60, 60]);
  assert.is(sign.code, code, 'it stands there');
  assert.is(await refusal(own.redeem(ELSEWHERE, code, make)), 'none');
  assert.equal(made, ['made-0']);
});

it('of many tries at once from one address those after the free ones are not looked at', async ({
  own,
  sign,
  make,
}) => {
  const code = codeOf(sign);
  const codes = Array.from({ length: 50 }, (_, n) => guess(code, n));
  const refusals = await Promise.all([...codes, code].map((each) => refusal(own.redeem(HERE, each, make))));
  assert.equal(
    refusals,
    refusals.map((_, n) => (n < FREE_TRIES ? 'WrongCode' : 'TooManyTries')),
  );
});

it('the right code counts after some wrong ones, and what is no code was never a try', async ({ own, sign, make }) => {
  const code = codeOf(sign);
  for (let n = 0; n < 3 * FREE_TRIES; n += 1)
    assert.is(await refusal(own.redeem(HERE, code.slice(1), make)), 'WrongCode', 'too short');
  for (let n = 1; n < FREE_TRIES; n += 1) await refusal(own.redeem(HERE, guess(code, n), make));
  assert.is(await refusal(own.redeem(HERE, code, make)), 'none');
});

it('a code is good for ten minutes', async ({ own, sign, clock, make }) => {
  const code = codeOf(sign);
  clock.go(LIFE_MS - 1);
  assert.is(sign.code, code);
  clock.go(1);
  assert.is(sign.code, null);
  assert.is(await refusal(own.redeem(HERE, code, make)), 'NoCode');
  clock.go(LIFE_MS);
  assert.equal(sign.shown, [code], 'a person who has seen one may call up the next');
});

it('a new code makes the one before void', async ({ own, sign, make }) => {
  const first = codeOf(sign);
  assert.ok(own.showNewCode());
  assert.is.not(codeOf(sign), first);
  assert.is(await refusal(own.redeem(HERE, first, make)), 'WrongCode');
  assert.is(await refusal(own.redeem(HERE, codeOf(sign), make)), 'none');
});

it('a payment takes the display over: the code is gone, and does not come back', async ({ own, sign, clock, make }) => {
  const code = codeOf(sign);
  sign.takeOver();
  assert.is(await refusal(own.redeem(HERE, code, make)), 'NoCode');
  assert.not.ok(own.showNewCode(), 'none while it is shown');
  assert.is(await refusal(own.redeem(HERE, code, make)), 'NoCode');
  sign.isBusy = false;
  sign.onChange();
  clock.go(LIFE_MS);
  assert.is(sign.code, null);
  assert.is(clock.waiting, 0);
});

claims('a display that comes late shows a code, however late, and once', async () => {
  const { own, sign, clock } = rig({ hasDisplay: false });
  own.begin();
  clock.go(5 * LIFE_MS + MINUTE_MS);
  assert.is(sign.shown.length, 6, 'the earlier ones cannot have been seen');
  sign.displayComes();
  const code = codeOf(sign);
  clock.go(LIFE_MS);
  assert.is(sign.code, null);
  sign.hasDisplay = false;
  sign.onChange();
  sign.displayComes();
  assert.is(sign.code, null, `${code} was seen`);
});

claims('before the device listens no code is shown, in any state of the display', () => {
  const { sign } = rig({ hasDisplay: false });
  sign.displayComes();
  assert.is(sign.code, null);
});

claims('what a page of the own screen has shown counts as seen', () => {
  const { own, sign, clock } = rig({ hasDisplay: false });
  own.begin();
  own.markRead();
  clock.go(LIFE_MS);
  assert.is(sign.code, null);
});

it('a token that cannot be kept leaves the code unchanged', async ({ own, sign, state, made, make }) => {
  const code = codeOf(sign);
  state.fails = true;
  await own.redeem(HERE, code, make).then(assert.unreachable, (error) => assert.match(error.message, 'full'));
  assert.is(sign.code, code);
  state.fails = false;
  await own.redeem(HERE, code, make);
  assert.is(made.length, 1);
});

it('the code is drawn again where the address of the device has changed', async ({ own, sign, clock }) => {
  const code = codeOf(sign);
  for (const address of ['192.0.2.20', '192.0.2.21']) {
    sign.address = address;
    clock.go(3000);
    assert.equal([sign.drawnWith, sign.code], [address, code]);
  }
  own.close();
});

it('no log line has a code, and closing leaves nothing waiting', async ({ own, sign, clock, lines, make }) => {
  const codes = [codeOf(sign)];
  await refusal(own.redeem(HERE, guess(codeOf(sign), 1), make));
  own.showNewCode();
  codes.push(codeOf(sign));
  own.close();
  assert.is(clock.waiting, 0);
  assert.is(sign.code, null);
  for (const code of codes)
    for (const part of [code, code.replace('-', ''), code.slice(0, 4)]) assert.not.match(lines.join('\n'), part);
  assert.ok(lines.length > 0);
});

claims.run();
