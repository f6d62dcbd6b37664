/** Where no money moves: a play bank, a bank's test contour, a test shop, a terminal for tries. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { BANKS, type BankProfile, isForTest, isPlayMoney, merchantOf } from '../../../firmware/banks/registry.ts';
import { temporaryFolder } from '../../support.ts';
import { gatewaysOf, profileOf, SBER_PRESENT } from './profiles.ts';
import { bankError, begun } from './support.ts';
import { withBank } from './universal-code.ts';
import { changed } from './wire-bank.ts';

const test = suite('play money');

const CONTEXT = { cftBaseUrl: null, sandboxBaseUrl: null };

/** By bank, an address of its test contour, or another field that makes a profile one for tests. */
const FOR_TEST: Readonly<Record<string, readonly Readonly<Record<string, string>>[]>> = {
  CFT: [{ baseUrl: 'https://ahmad.ftc.ru:10400' }],
  'Alfa Bank': [{ baseUrl: 'https://alfa.rbsuat.com/payment/rest' }],
  Sber: [
    { baseUrl: 'https://3dsec.sberbank.ru/payment/rest/' },
    { baseUrl: 'https://ecomtest.sberbank.ru/payment/rest' },
  ],
  VTB: [{ baseUrl: 'https://vtb.rbsuat.com/payment/rest' }, { baseUrl: 'https://sandbox.vtb.ru/payment/rest' }],
  'MTS Bank': [{ baseUrl: 'https://mts.rbsuat.com/payment/rest' }],
  'Alfa Bank Token': [{ baseUrl: 'https://217.12.103.132:2443/fsCryptoProxy' }],
  [SBER_PRESENT]: [{ baseUrl: 'https://ecomtest.sberbank.ru/ecomm/gw/partner/api/v1' }],
  Tinkoff: [{ baseUrl: 'https://rest-api-test.tinkoff.ru/v2' }, { terminalKey: '1567890DEMO' }],
  Raiffeisenbank: [{ baseUrl: 'https://pay-test.raif.ru' }],
  Tochka: [{ mode: 'test' }],
  YooKassa: [{ secretKey: 'test_made-up' }],
  Gazprombank: [{ baseUrl: 'https://195.225.38.125:9443' }],
};

test('play money is a profile of a test contour, shop or terminal, or of the play bank, alone', () => {
  using folder = temporaryFolder();
  for (const name of BANKS.flatMap((bank) => gatewaysOf(bank.name))) {
    const profile = profileOf(name, 'https://bank.example', folder.path);
    const merchant = merchantOf(profile, CONTEXT);
    assert.equal([isForTest(merchant), isPlayMoney(merchant)], [false, name === 'Sandbox'], name);
    if (name === 'Static' || name === 'Sandbox') continue;
    const changes = FOR_TEST[name] ?? [];
    assert.ok(changes.length > 0, `${name}: which profiles are for tests?`);
    for (const change of changes) {
      const tried = merchantOf({ ...profile, ...change } as BankProfile, CONTEXT);
      assert.equal([isForTest(tried), isPlayMoney(tried)], [true, true], JSON.stringify(change));
    }
  }
});

test('what names no merchant is none of play', () => {
  for (const damaged of [null, '', '{', 'null', '[]', '["No Bank","https://alfa.rbsuat.com"]', '[7]'])
    assert.equal([isForTest(damaged), isPlayMoney(damaged)], [false, false], String(damaged));
});

test('the address of a CFT bank may stand in the configuration', () => {
  using folder = temporaryFolder();
  const { baseUrl: _, ...profile } = profileOf('CFT', 'https://bank.example', folder.path) as { baseUrl: string };
  const merchant = merchantOf(profile as BankProfile, { ...CONTEXT, cftBaseUrl: 'https://ahmad.ftc.ru:10400' });
  assert.ok(isForTest(merchant));
});

test('YooKassa: a payment of money is not shown with the key of a test shop', () =>
  withBank(
    'YooKassa',
    async ({ bank, wire }) => {
      await begun(bank);
      wire.once('POST /yookassa/v3/payments', changed({ test: false }));
      await bankError('contradiction', begun(bank));
    },
    { secretKey: 'test_made-up' },
  ));

test.run();
