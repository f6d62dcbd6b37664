/** Tochka's daily registry, by the columns that docs/after-payment.md names for it. */
import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { fits } from '../../firmware/core/schema/index.ts';
import { RegistryColumns } from '../../firmware/features/reconciliation/config.ts';
import { registryOf } from '../../firmware/features/reconciliation/registry-entries.ts';
import { registryLines } from '../../firmware/features/reconciliation/registry-file.ts';

const test = suite("terminal: Tochka's registry");

const PAGE = new URL('../../docs/after-payment.md', import.meta.url);

function columnsOfThePage(): RegistryColumns {
  const [, text = ''] = /"registries": \{"tochka": (\{[^}]+\})/.exec(readFileSync(PAGE, 'utf8')) ?? [];
  const columns: unknown = JSON.parse(text);
  if (!fits(RegistryColumns, columns)) throw new Error(`${text} are no columns of a registry`);
  return columns;
}

/** As the bank's page of registries lists them. */
const HEAD =
  'TRANS_DATE;TRANSACTION_ID;SUM;COMMISSION;ITV_COMMISSION;USER_INFO;MERCH;MERCH_SITE;PARENT_TRANSACTION_ID;TRANSACTION_TYPE;MERCHANT_SITE_NAME;PAYMENT_METHOD_TYPE;RRN;AUTH_CODE;ORDER_UID;QRC_ID;COMMISSION_NDS;ITV_COMMISSION_NDS';
const CODE = 'AD10006PTORDPC5D98HPT12HV37MMQ6G';
const lineOf = (id: string, sum: string, type: string, parent = '', method = 'SBP', code = CODE): string =>
  `2026-11-21 12:00:00;${id};${sum};0,49;0;;M1;tochka-site-00;${parent};${type};https://shop.example;${method};;;;${code};0;0`;

test('payments go by the id of the code, refunds by ours, and amounts have a comma', async () => {
  const file = [
    HEAD,
    lineOf('977639EE70494C67', '123,45', 'PAYMENT'),
    lineOf('refund-1', '23,45', 'REFUND', '977639EE70494C67'),
    lineOf('977639EE70494C68', '1000,00', 'PAYMENT', '', 'A_METHOD_OF_LATER'),
    lineOf('refund-2', '1,00', 'REFUND', '977639EE70494C68', 'SBP', ''),
  ];
  await using lines = registryLines(Buffer.from(`${file.join('\r\n')}\r\n`));
  const { items } = await registryOf(lines, columnsOfThePage(), { bank: null, device: 'Europe/Moscow' });
  const read = [];
  for await (const item of items) {
    if ('isRefund' in item) {
      const { line, isRefund, bank, refund, amount, commission, day } = item;
      read.push([line, isRefund, bank, isRefund ? refund : null, amount, commission, day]);
    } else read.push([item.line, 'reason' in item ? item.reason : null]);
  }
  assert.equal(read, [
    [2, false, CODE, null, 12_345, 49, '2026-11-21'],
    [3, true, CODE, 'refund-1', 2_345, 49, '2026-11-21'],
    [4, false, CODE, null, 100_000, 49, '2026-11-21'],
    [5, 'it names no payment'],
  ]);
});

test.run();
