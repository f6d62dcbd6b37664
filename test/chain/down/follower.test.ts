/** The channel as a device follows it: its turn, what is not believed, what was not heard of for long. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Offer, placeOf } from '../../../firmware/chain/channel.ts';
import { ChannelFollower } from '../../../firmware/chain/channel-follower.ts';
import { ChainError } from '../../../firmware/chain/errors.ts';
import type { NewsListener } from '../../../firmware/chain/link.ts';
import { until } from '../../support.ts';

const test = suite('chain: the channel on a device');

const TRUST = { account: `A${'B'.repeat(55)}`, signingKey: 'made-up' };
const HOUR_MS = 3_600_000;
const SERIAL = 'LW1';
const channel = (...offers: readonly Offer[]): string => JSON.stringify({ format: 1, offers });
const offer = (version: string, below = 1): Offer => ({ version, below, source: `https://r.example/{version}/` });

function openFollower() {
  const place = {
    lies: null as string | null,
    trust: TRUST as typeof TRUST | null,
    fails: null as Error | null,
    now: 0,
    reads: 0,
    news: (() => undefined) as NewsListener,
    line: (): void => undefined,
  };
  const log: string[] = [];
  const follower = new ChannelFollower({
    reader: {
      read: async (scope, key, trust) => {
        assert.equal([scope, key, trust], ['all', 'channel', TRUST]);
        place.reads += 1;
        if (place.fails !== null) throw place.fails;
        return place.lies;
      },
    },
    link: {
      onNews: (listener) => {
        place.news = listener;
        return () => undefined;
      },
      onLine: (listener) => {
        place.line = listener;
        return () => undefined;
      },
    },
    trust: () => place.trust,
    ...{ serial: SERIAL, version: '1.0.0', clock: { monotonic: () => place.now } },
    log: (_message, details) => log.push(JSON.stringify(details)),
  });
  follower.start();
  /** Makes it look again. */
  const look = async (how: () => void = () => follower.ask()): Promise<void> => {
    const before = place.reads;
    how();
    await until('a look', () => place.reads > before || null);
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { follower, place, log, look };
}

test('a newer release whose turn it is here is offered; an older one, or one of others, is not', async () => {
  const { follower, place, look } = openFollower();
  const own = placeOf('1.1.0', { account: TRUST.account, serial: SERIAL });
  for (const [offers, expected] of [
    [[offer('1.1.0')], '1.1.0'],
    [[offer('1.1.0', own)], null],
    [[offer('1.1.0', own + 1e-9)], '1.1.0'],
    [[offer('1.1.0', own), offer('1.0.5')], '1.0.5'],
    [[offer('1.0.0')], null],
    [[offer('0.9.0')], null],
    [[], null],
  ] as const) {
    place.lies = channel(...offers);
    await look();
    assert.is(follower.offer?.version ?? null, expected, place.lies);
  }
  place.lies = null;
  await look();
  assert.is(follower.offer, null);
  await follower.close();
});

test('news of the channel, and a new line, have it look; other news do not', async () => {
  const { follower, place, look } = openFollower();
  place.lies = channel(offer('1.1.0'));
  await look(() => place.news('all', 'channel'));
  await look(() => place.line());
  const before = place.reads;
  place.news('own', 'channel');
  place.news('all', 'templates');
  await new Promise((resolve) => setImmediate(resolve)); // whom news wake has looked by then
  assert.is(place.reads, before);
  await follower.close();
});

test('what is not believed is offered no longer, and said once; a line that is away changes nothing for an hour', async () => {
  const { follower, place, log, look } = openFollower();
  place.lies = channel(offer('1.1.0'));
  await look();
  for (const code of ['no-line', 'timeout'] as const) {
    place.fails = new ChainError(code, 'made-up');
    await look();
    assert.equal([follower.offer?.version, follower.problem], ['1.1.0', null], code);
  }
  place.now = HOUR_MS - 1;
  assert.equal(follower.offers, [offer('1.1.0')]);
  place.now = HOUR_MS;
  assert.equal([follower.offer, follower.offers], [null, null], 'it may have been held meanwhile');
  place.now = 0;
  place.fails = new ChainError('forged', 'made-up: older than before');
  await look();
  await look();
  assert.is(follower.offer, null);
  assert.match(follower.problem ?? '', 'older than before');
  assert.is(log.length, 1);
  place.fails = null;
  await look();
  assert.is(follower.offer?.version, '1.1.0');
  assert.is(follower.problem, null);
  await follower.close();
});

test('a channel of another kind is not followed, and says what to do', async () => {
  const { follower, place, look } = openFollower();
  for (const lies of ['{"format":2,"offers":[]}', '{"format":1,"offers":[{"version":"x","below":1,"source":null}]}']) {
    place.lies = lies;
    await look();
    assert.is(follower.offer, null);
    assert.match(follower.problem ?? '', 'update by hand');
  }
  await follower.close();
});

test('a store that has left its chain is offered nothing', async () => {
  const { follower, place, look } = openFollower();
  place.lies = channel(offer('1.1.0'));
  await look();
  place.trust = null;
  follower.ask();
  await until('nothing', () => follower.offer === null || null);
  await follower.close();
});

test.run();
