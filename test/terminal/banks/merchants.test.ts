import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Sealer } from '../../../firmware/store/sealer.ts';
import { Merchants } from '../../../firmware/terminal/banks/pool/merchants.ts';
import type { BankProfile } from '../../../firmware/terminal/banks/registry.ts';
import { temporaryFolder } from '../../support.ts';
import { IDS } from './support.ts';

const test = suite('what is known of merchants');

const CONTEXT = { cftBaseUrl: 'https://bank.example', sandboxBaseUrl: null };
const SECRET = 'made-up-password';
const CFT = { bankName: 'CFT', ...IDS, password: SECRET } as const satisfies BankProfile;
const RENEWED = { ...CFT, password: 'made-up-renewed', pfxPath: '/elsewhere/new.p12' } as const satisfies BankProfile;
const OTHER = { ...CFT, accAlias: 'other' } as const satisfies BankProfile;

interface Rig {
  readonly path: string;
  open(profiles?: readonly BankProfile[], key?: number): Merchants;
}

function withFile(work: (rig: Rig) => Promise<void>) {
  return async (): Promise<void> => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'merchants.json');
    const open = (profiles: readonly BankProfile[] = [], key = 7): Merchants =>
      new Merchants(path, new Sealer(Buffer.alloc(32, key)), CONTEXT, () => profiles);
    await work({ path, open });
  };
}

test(
  'a merchant that the settings know no more is found as it was kept, after a restart too, and its secret is not readable',
  withFile(async ({ path, open }) => {
    const merchants = open();
    await merchants.keep([CFT]);
    const merchant = merchants.of(CFT);
    assert.equal(open().find(merchant), [CFT]);
    assert.equal(open().find(open().of(OTHER)), []);
    assert.not.match(readFileSync(path, 'utf8'), SECRET);
    assert.not.match(merchant, SECRET);
  }),
);

test(
  'what is set up now goes before what was kept; a renewed profile of the same merchant takes its place',
  withFile(async ({ open }) => {
    const merchants = open([RENEWED]);
    await merchants.keep([CFT]);
    assert.is(merchants.of(CFT), merchants.of(RENEWED));
    assert.equal(merchants.find(merchants.of(CFT)), [RENEWED, CFT]);
    const three = open([OTHER, RENEWED, { ...CFT, password: 'a-third' }]);
    assert.equal(three.find(merchants.of(CFT)), [RENEWED, { ...CFT, password: 'a-third' }, CFT], 'all of them');
    await merchants.keep([RENEWED, OTHER]);
    assert.equal(open().find(merchants.of(CFT)), [RENEWED]);
    assert.equal(open().find(merchants.of(OTHER)), [OTHER]);
  }),
);

test(
  'more merchants than a lane has: the oldest are forgotten',
  withFile(async ({ path, open }) => {
    const merchants = open();
    const profiles = Array.from({ length: 201 }, (_, n) => ({ ...CFT, accAlias: `account-${n}` }));
    for (const profile of profiles.slice(0, 200)) await merchants.keep([profile]);
    const renewed = { ...CFT, accAlias: 'account-1', password: 'made-up-renewed' };
    await merchants.keep([renewed]); // it is the newest by that
    for (const profile of profiles.slice(200)) await merchants.keep([profile]);
    assert.equal(merchants.find(merchants.of(renewed)), [renewed]);
    await merchants.keep([{ ...CFT, accAlias: 'account-201' }]);
    assert.equal(merchants.find(merchants.of(renewed)), [renewed]);
    assert.is(Object.keys(JSON.parse(readFileSync(path, 'utf8')) as object).length, 200);
    assert.equal(merchants.find(merchants.of(profiles[0] as BankProfile)), []);
    assert.equal(merchants.find(merchants.of(profiles[200] as BankProfile)), [profiles[200]]);
  }),
);

test(
  'what another key has sealed, or a hand has changed, is told and kept anew',
  withFile(async ({ path, open }) => {
    await open().keep([CFT]);
    const merchant = open().of(CFT);
    assert.throws(() => open([], 8).find(merchant), /SEAL_BROKEN|key|seal/i);
    await open([], 8).keep([CFT]);
    assert.equal(open([], 8).find(merchant), [CFT]);
    const sealed = new Sealer(Buffer.alloc(32, 7)).seal('{"bankName":"CFT"}', `merchant/${merchant}`);
    writeFileSync(path, JSON.stringify({ [merchant]: sealed }));
    assert.throws(() => open().find(merchant), /another shape/);
  }),
);

test(
  'nothing is written where nothing is new',
  withFile(async ({ path, open }) => {
    const merchants = open();
    await merchants.keep([CFT]);
    const before = readFileSync(path, 'utf8');
    chmodSync(path, 0o400);
    await merchants.keep([CFT]);
    assert.is(readFileSync(path, 'utf8'), before, 'each sealing differs from the one before');
  }),
);

test.run();
