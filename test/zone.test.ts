/** Whatever TZ holds: the device's zone has a name, an offset is an offset, and what cannot be known is said. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { zoneMeant } from '../firmware/core/host/zone.ts';
import { sheetRows } from '../firmware/core/tables/workbook.ts';
import { startFirmware } from './process.ts';
import { call, setUp, temporaryFolder } from './support.ts';

const test = suite('time zone of the environment');

const MEANT: Readonly<Record<string, string | null>> = {
  'Europe/Moscow': 'Europe/Moscow',
  ':Europe/Moscow': 'Europe/Moscow',
  'europe/moscow': 'Europe/Moscow',
  'posix/Europe/Moscow': 'Europe/Moscow',
  '/usr/share/zoneinfo/Europe/Samara': 'Europe/Samara',
  ':/usr/share/zoneinfo/right/Europe/Samara': 'Europe/Samara',
  'Etc/GMT-3': 'Etc/GMT-3',
  'MSK-3': 'Etc/GMT-3',
  'MSK-3:00': 'Etc/GMT-3',
  '<+03>-3': 'Etc/GMT-3',
  'UTC+5': 'Etc/GMT+5',
  EST5: 'Etc/GMT+5',
  '+03:00': 'Etc/GMT-3',
  '-0300': 'Etc/GMT+3',
  UTC: 'UTC',
  UTC0: 'UTC',
  'ABC-14': 'Etc/GMT-14',
  'ABC-15': null,
  'ABC+13': null,
  'IST-5:30': null,
  'CET-1CEST,M3.5.0,M10.5.0/3': null,
  'Europe/Mosow': null,
  MSK: null,
  '/nonexistent/zone': null,
  ':': null,
  '': null,
};

for (const [given, zone] of Object.entries(MEANT))
  test(`"${given}" is ${zone ?? 'no zone'}`, () => {
    assert.is(zoneMeant(given), zone);
    if (zone !== null) new Intl.DateTimeFormat('en', { timeZone: zone });
  });

const FORMATS = ['html', 'csv', 'csv-ru', 'xlsx', 'payments', 'payments-csv-ru', 'payments-xlsx'];
const REGISTRY = Buffer.from('order,amount\n7c0f4b1e-2d5a-86b3-9e41-0a8d53c7f219,123.45\n').toString('base64');

/** The zone by TZ, and whether it is said that none is known. */
const GIVEN: Readonly<Record<string, readonly [zone: string, isUnknown: boolean]>> = {
  'MSK-3': ['Etc/GMT-3', false],
  ':/usr/share/zoneinfo/Europe/Moscow': ['Europe/Moscow', false],
  'Europe/Mosow': ['UTC', true],
  '': ['UTC', true],
};

for (const [given, [zone, isUnknown]] of Object.entries(GIVEN))
  test(`with TZ="${given}" all days are whole, and of ${zone}`, async () => {
    using folder = temporaryFolder();
    const { program, urls } = await startFirmware(folder.path, { env: { TZ: given } });
    await using _ = program;
    await setUp(urls);
    assert.is((await call(`${urls.terminal}/showQR`, { json: { amount: 100 } })).status, 200);
    const at = `${urls.terminal}/v1/reports/day`;
    const { body: day } = await call(at);
    assert.is(day.timeZone, zone);
    for (const format of FORMATS) {
      const answer = await fetch(`${at}?format=${format}`);
      const bytes = Buffer.from(await answer.arrayBuffer());
      assert.is(answer.status, 200, format);
      if (format.endsWith('xlsx')) for await (const row of sheetRows(bytes)) assert.ok('cells' in row);
      assert.not.match(bytes.toString(), 'undefined');
    }
    const registry = { from: day.day, file: REGISTRY, columns: { order: 'order', amount: 'amount' } };
    const { status, body } = await call(`${urls.terminal}/v1/reconciliations`, { json: registry });
    assert.equal([status, body.timeZone], [200, zone]);
    const { parts }: { parts: { reason: string }[] } = (await call(`${urls.recognition}/health`)).body.data;
    const said = parts.filter(({ reason }) => reason.includes(`TZ, the time zone of the environment, is "${given}"`));
    assert.is(said.length, isUnknown ? 1 : 0);
  });

test.run();
