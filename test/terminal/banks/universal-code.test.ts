/** The code of 2026 at each bank: a table of what it may bring, each cell a check or the reason for which the bank has none. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { memberOf } from '../../../drivers/lib/fields.ts';
import { adapterOf } from '../../../firmware/banks/registry.ts';
import { begun, sale } from './support.ts';
import { ASKED_BANKS, type TableRig, withBank } from './universal-code.ts';
import type { Asked } from './wire-bank.ts';

const test = suite('the universal code at each bank');

const MINUTE_MS = 60_000;
/** What the way to the bank may take on a slow machine. */
const ON_THE_WAY_MS = 20_000;

/** Why a bank has no such cell. */
interface NotOffered {
  readonly notOffered: string;
}
const notOffered = (reason: string): NotOffered => ({ notOffered: reason });

type Sent = Readonly<Record<string, unknown>>;
/** Minutes from now, of a moment that was sent. */
const minutesTo = (moment: unknown): number => (Date.parse(String(moment)) - Date.now()) / MINUTE_MS;

/** The end of an order as it is sent: the call, and the minutes that it comes to. */
type Lifetime = readonly [call: string, minutes: (sent: Sent) => number];
const BY_SECONDS: Lifetime = ['POST /rbs/payment/rest/register.do', (sent) => Number(sent.sessionTimeoutSecs) / 60];
const LIFETIMES: Readonly<Record<string, Lifetime | NotOffered>> = {
  CFT: ['POST /qr', ({ expDt, localExpDt }) => (localExpDt === Number(expDt) * 60 ? Number(expDt) : Number.NaN)],
  'Alfa Bank': BY_SECONDS,
  Sber: BY_SECONDS,
  VTB: BY_SECONDS,
  'MTS Bank': BY_SECONDS,
  'Alfa Bank Token': ['POST /anyway', ({ qrTtl }) => Number(qrTtl)],
  Gazprombank: ['POST /gpb/merchant/qrc-data', ({ qrTtl }) => Number(qrTtl)],
  Raiffeisenbank: ['POST /raif/api/sbp/v2/qrs', ({ qrExpirationDate }) => minutesTo(qrExpirationDate)],
  Tinkoff: ['POST /tbank/v2/Init', ({ RedirectDueDate }) => minutesTo(RedirectDueDate)],
  Tochka: ['POST /tochka/v1.0/sites/made-up-site/sbp/qrc', ({ Data }) => Number(memberOf(Data, 'ttl'))],
  YooKassa: notOffered('a code always lives for an hour; the interface has no field for it'),
};

/** A form or JSON. */
const sentIn = ({ json, text }: Asked): Sent => json ?? Object.fromEntries(new URLSearchParams(text));
/** Any field by which a bank might be told an end. */
const ABOUT_AN_END = /ttl|expir|due|timeout|lifetime|expDt/i;

async function lifetimeHolds({ bank, wire, books }: TableRig, lifetime: Lifetime, ttl: number): Promise<void> {
  await begun(bank, sale({ ttl }));
  const [call, minutes] = lifetime;
  const registration = wire.asked.find((asked) => asked.call.startsWith(call));
  if (registration === undefined) throw new Error(`${call} was not asked: ${wire.calls}`);
  const apart = Math.abs(minutes(sentIn(registration)) - ttl) * MINUTE_MS;
  assert.ok(apart < ON_THE_WAY_MS, `${registration.text} for ${ttl} minutes`);
  const { createdAt, expiresAt } = books.last;
  const kept = Date.parse(expiresAt) - Date.parse(createdAt);
  assert.ok(Math.abs(kept - ttl * MINUTE_MS) < ON_THE_WAY_MS, `its book ends it after ${kept} ms`);
}

test('the table has each bank', () => {
  assert.equal(Object.keys(LIFETIMES).sort(), [...ASKED_BANKS].sort());
});

for (const name of ASKED_BANKS) {
  const lifetime = LIFETIMES[name] ?? notOffered('');
  test(`${name}: the end of an order is the lane's ttl`, async () => {
    if ('notOffered' in lifetime) {
      await withBank(name, async ({ bank, wire }) => {
        const { ttl } = adapterOf(name).capabilities;
        assert.ok('fixed' in ttl, lifetime.notOffered);
        await begun(bank, sale({ ttl: ttl.fixed }));
        for (const { text } of wire.asked) assert.not.match(text, ABOUT_AN_END);
      });
      return;
    }
    for (const ttl of [1, 7, 1440]) await withBank(name, (rig) => lifetimeHolds(rig, lifetime, ttl));
  });
}

test.run();
