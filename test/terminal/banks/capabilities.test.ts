/** docs/till.md states the limits of a sale, docs/technician.md those of each bank as the adapters have them, and the banks that they open keep to these. */
import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { BankAdapter, BankCapabilities } from '../../../firmware/banks/adapter.ts';
import { BANKS, openBank, requiredFields } from '../../../firmware/banks/registry.ts';
import {
  DEFAULT_TTL_MINUTES,
  MAX_AMOUNT_KOPECKS,
  MAX_PURPOSE_CHARACTERS,
} from '../../../firmware/core/config/limits.ts';
import { each } from '../../support.ts';
import { gatewaysOf, profileOf } from './profiles.ts';
import { withFolder } from './support.ts';

const test = suite('what banks take');
const it = each<[string]>(test, (run) => () => withFolder(run));

const PAGE = new URL('../../../docs/technician.md', import.meta.url);

const roubles = (kopecks: number): string => String(kopecks / 100);
const life = ({ ttl }: BankCapabilities): string =>
  'fixed' in ttl ? `always ${ttl.fixed}` : `${ttl.min} to ${ttl.max}`;
const id = ({ orderId }: BankCapabilities): string =>
  orderId === null ? 'none' : `${orderId.maxLength}, ${orderId.words}`;
/** Banks that answer the same order again with the same code. */
const SAME = ['YooKassa'];
/** Banks that find an order by our id, and yet take it again, for another code. */
const ANOTHER = ['Tinkoff'];
/** Banks whose registrations contain a timestamp. */
const BY_CLOCK = ['Raiffeisenbank', 'Tinkoff'];

const repeated = ({ name, capabilities: { findsOrders } }: BankAdapter): string => {
  if (SAME.includes(name)) return 'the same code';
  return findsOrders && !ANOTHER.includes(name) ? 'refused, and looked up' : 'another code';
};

const limitsOf = (bank: BankAdapter): string => {
  const { minAmount, maxAmount, maxPurpose } = bank.capabilities;
  const amount = `${roubles(minAmount)} to ${roubles(maxAmount)}`;
  const clock = BY_CLOCK.includes(bank.name) ? "the bank's own" : 'none';
  return [amount, life(bank.capabilities), id(bank.capabilities), maxPurpose, repeated(bank), clock].join(' | ');
};

const ONLINE: readonly BankAdapter[] = BANKS.filter(({ name }) => name !== 'Static');

test('docs/till.md says what a sale may ask for', () => {
  const page = readFileSync(new URL('../../../docs/till.md', import.meta.url), 'utf8');
  assert.ok(page.includes(`1 to ${MAX_AMOUNT_KOPECKS.toLocaleString('en')} kopecks`));
  assert.ok(page.includes(`cut to ${MAX_PURPOSE_CHARACTERS} characters`));
  assert.ok(page.includes(`default ${DEFAULT_TTL_MINUTES})`));
});

test('docs/technician.md has a row for each group of banks with the same limits', () => {
  const page = readFileSync(PAGE, 'utf8');
  const [, table = ''] = page.split('| bank | roubles | minutes |');
  const rows = (table.split('\n\n')[0] ?? '').split('\n').slice(2);
  const groups = Map.groupBy(ONLINE, limitsOf);
  assert.equal(
    rows,
    [...groups].map(([limits, banks]) => `| ${banks.map(({ name }) => name).join(', ')} | ${limits} |`),
  );
});

/** What `client certificate` stands for in the table of forms. */
const CLIENT_CERTIFICATE = ['pfxPath', 'certPath', 'keyPath', 'passphrase'];

test("docs/technician.md has a row for each bank's form, with its required fields first", () => {
  const page = readFileSync(PAGE, 'utf8');
  const [, table = ''] = page.split('| bank | `bankName` | fields |');
  const rows = (table.split('\n\n')[0] ?? '').split('\n').slice(2);
  const quoted = (text = ''): string[] => [...text.matchAll(/`([^`]+)`/g)].map(([, word = '']) => word);
  const forms = new Map(
    rows.flatMap((row) => {
      const [, , names, fields = ''] = row.split('|');
      const [required, others = ''] = fields.split(';');
      const certificate = others.includes('client certificate') ? CLIENT_CERTIFICATE : [];
      return quoted(names).map((name) => [name, [quoted(required), [...quoted(others), ...certificate]]] as const);
    }),
  );
  assert.equal([...forms.keys()].sort(), BANKS.map(({ name }) => name).sort());
  for (const bank of BANKS as readonly BankAdapter[]) {
    const { name, schema, fieldAliases = {} } = bank;
    const [required = [], others = []] = forms.get(name) ?? [];
    const needed = requiredFields(bank);
    const optional = Object.keys(schema.properties).filter((field) => field !== 'bankName' && !needed.includes(field));
    assert.equal(required.filter((field) => !(field in fieldAliases)).sort(), [...needed].sort(), name);
    assert.equal(
      optional.filter((field) => !others.includes(field)),
      [],
      name,
    );
  }
});

const GATEWAYS = ONLINE.flatMap((bank) => gatewaysOf(bank.name).map((name) => ({ ...bank, name })));
for (const { name, capabilities } of GATEWAYS) {
  it(`${name}: it can look up an order where its adapter says so`, async (folder) => {
    const profile = profileOf(name, 'http://127.0.0.1:9', folder);
    const bank = await openBank(profile, { cftBaseUrl: null, sandboxBaseUrl: 'http://127.0.0.1:9' });
    if (bank.kind !== 'online') throw new Error('expected an online bank');
    assert.is(bank.find !== undefined, capabilities.findsOrders, name);
    assert.ok(bank.code === undefined || bank.find !== undefined, 'what a first step gave is in no ledger');
    await bank.close();
  });
}

test.run();
