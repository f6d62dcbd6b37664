import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Merchants } from '../../../firmware/banks/merchants.ts';
import type { BankProfile } from '../../../firmware/banks/registry.ts';
import { Sealer } from '../../../firmware/core/secrets/sealer.ts';
import { each, keptText, temporaryFolder } from '../../support.ts';
import { IDS } from './support.ts';

const test = suite('what is known of merchants');

const CONTEXT = { cftBaseUrl: 'https://bank.example', sandboxBaseUrl: null };
const SECRET = 'made-up-password';
const CFT = { bankName: 'CFT', ...IDS, password: SECRET } as const satisfies BankProfile;
const RENEWED = { ...CFT, password: 'made-up-renewed', pfxPath: '/elsewhere/new.p12' } as const satisfies BankProfile;
const OTHER = { ...CFT, accAlias: 'other' } as const satisfies BankProfile;

const named = (profiles: readonly BankProfile[]) =>
  profiles.map((profile, n) => ({ profileName: `profile-${n}`, profile }));
/** What is known of a payment to a merchant, whose profile was called so. */
const found = (merchants: Merchants, merchant: string, profile = 'gone') => merchants.find({ merchant, profile });

interface Rig {
  readonly path: string;
  open(profiles?: readonly BankProfile[], key?: number): Merchants;
}

function withFile(work: (rig: Rig) => Promise<void>) {
  return async (): Promise<void> => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'merchants.json');
    const open = (profiles: readonly BankProfile[] = [], key = 7): Merchants =>
      new Merchants(path, new Sealer(Buffer.alloc(32, key)), CONTEXT, () => named(profiles));
    await work({ path, open });
  };
}
const it = each(test, withFile);

it('a merchant gone from the settings is found as stored, after a restart too, secret sealed', async (rig) => {
  const { path, open } = rig;
  const merchants = open();
  await merchants.store(named([CFT]));
  const merchant = merchants.of(CFT);
  assert.equal(found(open(), merchant), [CFT]);
  assert.equal(found(open(), open().of(OTHER)), []);
  assert.not.match(readFileSync(path, 'utf8'), SECRET);
  assert.not.match(merchant, SECRET);
});

it("what is set up now goes before what was kept; the merchant's renewed profile replaces it", async (rig) => {
  const { open } = rig;
  const merchants = open([RENEWED]);
  await merchants.store(named([CFT]));
  assert.is(merchants.of(CFT), merchants.of(RENEWED));
  assert.equal(found(merchants, merchants.of(CFT)), [RENEWED, CFT]);
  const three = open([OTHER, RENEWED, { ...CFT, password: 'a-third' }]);
  assert.equal(found(three, merchants.of(CFT)), [RENEWED, { ...CFT, password: 'a-third' }, CFT], 'all of them');
  await merchants.store(named([RENEWED, OTHER]));
  assert.equal(found(open(), merchants.of(CFT)), [RENEWED]);
  assert.equal(found(open(), merchants.of(OTHER)), [OTHER]);
});

it("a payment's own profile comes before its merchant's others; other merchants are left out", async (rig) => {
  const { open } = rig;
  const [one, two, three] = ['1', '2', '3'].map((password) => ({ ...CFT, password }) as const);
  if (one === undefined || two === undefined || three === undefined) throw new Error('three profiles');
  const merchants = open([one, OTHER, two, three]);
  const merchant = merchants.of(CFT);
  assert.equal(found(merchants, merchant, 'profile-3'), [three, one, two]);
  assert.equal(found(merchants, merchant, 'profile-2'), [two, one, three]);
  for (const name of ['gone', 'profile-1', 'profile-0'])
    assert.equal(found(merchants, merchant, name), [one, two, three]);
  // and all of them are kept: which of them works is not known
  await merchants.store(named([OTHER, two, three]));
  await merchants.store(named([OTHER]));
  assert.equal(found(open(), merchant), [two, three]);
});

it('an RBS gateway is asked with the login alone: a profile that pays another account will do', async (rig) => {
  const { open } = rig;
  const rbs = (changes: object = {}) =>
    ({ bankName: 'Alfa Bank', userName: 'shop-api', password: 'made-up', ...changes }) as const;
  const before = rbs();
  const after = rbs({ password: 'made-up-renewed', account: '40702' });
  const elsewhere = { ...rbs(), bankName: 'Sber' } as const;
  const strangers = [rbs({ userName: 'shop-api2' }), rbs({ merchantLogin: 'm' }), elsewhere];
  const merchants = open([...strangers, after]);
  const merchant = merchants.of(before);
  assert.is.not(merchants.of(after), merchant, 'it pays somebody else');
  assert.equal(found(merchants, merchant), [after]);
  assert.equal(found(open([after, before]), merchant, 'profile-0'), [before, after], 'who pays the same goes first');
  await merchants.store(named([before, ...strangers]));
  assert.equal(found(merchants, merchant), [after, before]);
  await merchants.store(named([after]));
  assert.equal(found(open(), merchant), [after, before], 'the newest first');
  assert.equal(found(open(), merchants.of(after)), [after, before]);
});

it('more merchants than a lane has: the oldest are forgotten', async ({ path, open }) => {
  const merchants = open();
  const profiles = Array.from({ length: 201 }, (_, n) => ({ ...CFT, accAlias: `account-${n}` }));
  for (const profile of profiles.slice(0, 200)) await merchants.store(named([profile]));
  const renewed = { ...CFT, accAlias: 'account-1', password: 'made-up-renewed' };
  await merchants.store(named([renewed])); // it is the newest by that
  for (const profile of profiles.slice(200)) await merchants.store(named([profile]));
  assert.equal(found(merchants, merchants.of(renewed)), [renewed]);
  await merchants.store(named([{ ...CFT, accAlias: 'account-201' }]));
  assert.equal(found(merchants, merchants.of(renewed)), [renewed]);
  assert.is(Object.keys(JSON.parse(keptText(path)) as object).length, 200);
  assert.equal(found(merchants, merchants.of(profiles[0] as BankProfile)), []);
  assert.equal(found(merchants, merchants.of(profiles[200] as BankProfile)), [profiles[200]]);
});

it('a profile sealed by another key, or edited by hand, is reported and stored again', async (rig) => {
  const { path, open } = rig;
  await open().store(named([CFT]));
  const merchant = open().of(CFT);
  assert.throws(() => found(open([], 8), merchant), /SEAL_BROKEN|key|seal/i);
  await open([], 8).store(named([CFT]));
  assert.equal(found(open([], 8), merchant), [CFT]);
  const sealed = new Sealer(Buffer.alloc(32, 7)).seal('[{"bankName":"CFT"}]', `merchant/${merchant}`);
  writeFileSync(path, JSON.stringify({ [merchant]: sealed, 'of a hand': 'x' }));
  assert.throws(() => found(open(), merchant), /another shape/);
});

test.run();
