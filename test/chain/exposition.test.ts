/** The figures of a chain: nothing that a device sends disturbs those of others. */
import { gzipSync } from 'node:zlib';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Inventory } from '../../firmware/chain/inventory.ts';
import { linesOf, SILENT_MS } from '../../scripts/chain/exposition.ts';
import { DeviceWatch, type WatchedDevice } from '../../scripts/chain/watch.ts';

const test = suite('the figures of a chain');

const INVENTORY: Inventory = {
  ...{ format: 1, serial: 'LW1', version: '1.2.3', instance: 'i', role: 'master', state: 'degraded' },
  sales: 'sells-look-later',
  ...{
    parts: [{ part: 'disk', state: 'degraded', sales: 'sells-look-later', reason: 'worn' }],
    counts: { items: 1, templates: 2, openPayments: 3 },
  },
  ...{ uptimeSeconds: 1, at: '2026-01-01T00:00:00Z' },
};
const DEVICE: WatchedDevice = { account: 'A', serial: 'LW1', inventory: INVENTORY, digest: null, heardAt: 1000 };
const withDigest = (text: string): WatchedDevice => ({ ...DEVICE, digest: gzipSync(text) });
/** What the digest adds to the figures that each device has anyway. */
const figuresOf = (text: string): string[] => {
  const anyway = linesOf(DEVICE, 'M1', 1000);
  return linesOf(withDigest(text), 'M1', 1000).filter((line) => !anyway.includes(line));
};

test('a device is exported with its store, release, state, ill parts and figures', () => {
  const lines = linesOf(
    withDigest(
      'laneware_items 3\nlaneware_part_state{part="disk"} 2\nlaneware_part_state{part="bank"} 2\nlaneware_sales 2\n',
    ),
    'M1',
    3500,
  );
  assert.equal(lines, [
    'laneware_chain_device_silence_seconds{store="M1",serial="LW1"} 2.5',
    'laneware_chain_device_heard{store="M1",serial="LW1"} 1',
    'laneware_chain_device_info{store="M1",serial="LW1",version="1.2.3",role="master"} 1',
    'laneware_part_state{store="M1",serial="LW1",part="disk"} 1',
    'laneware_sales{store="M1",serial="LW1"} 1',
    'laneware_items{store="M1",serial="LW1"} 3',
  ]);
});

test('whether a lane sells is exported as a number', () => {
  const salesIn = (changed: Partial<Inventory>) =>
    linesOf({ ...DEVICE, inventory: { ...INVENTORY, ...changed } }, 'M1', 1000)
      .filter((line) => line.startsWith('laneware_sales'))
      .map((line) => line.split(' ')[1]);
  assert.equal(salesIn({ sales: 'sells' }), ['0']);
  assert.equal(salesIn({ sales: 'does-not-sell' }), ['2']);
});

test('a silent device is exported as such, without figures of another time', () => {
  const lines = linesOf(withDigest('laneware_items 3\n'), 'M1', 1000 + SILENT_MS);
  assert.ok(lines.includes('laneware_chain_device_heard{store="M1",serial="LW1"} 0'));
  assert.not.ok(lines.some((line) => line.startsWith('laneware_items')));
});

for (const [what, text] of [
  ['the labels of another', 'laneware_items{store="M2"} 1\nlaneware_items{a="b",serial="LW2"} 1'],
  ['a figure of the exporter', 'laneware_chain_device_heard 0\nlaneware_chain_exporter_connected 0'],
  ['no line', 'what is this\nlaneware_items\n# TYPE x counter\nlaneware_items 1 2 3\nlaneware_items{a=} 1'],
  ['a label that never ends', 'laneware_items{a="b} 1\nlaneware_items{a="\\"} 1\nlaneware_items{a="b\\q"} 1'],
  ['a name of another kind', 'LANEWARE 1\n1abc 2\nlaneware-items 3'],
] as const)
  test(`${what}: left out`, () => assert.equal(figuresOf(text), []));

test('the same series twice is exported once, and good lines beside bad ones are exported', () => {
  assert.equal(
    figuresOf('laneware_items 1\nbad\nlaneware_items 2\nlaneware_x{a="\\"}\\n"} NaN\nlaneware_y -1.5e-7\n'),
    [
      'laneware_items{store="M1",serial="LW1"} 2',
      'laneware_x{store="M1",serial="LW1",a="\\"}\\n"} NaN',
      'laneware_y{store="M1",serial="LW1"} -1.5e-7',
    ],
  );
});

test('a digest that is damaged, cut off or a bomb is none', () => {
  const whole = gzipSync('laneware_items 1\n');
  const damaged = [
    Buffer.from('no gzip'),
    whole.subarray(0, 12),
    gzipSync(Buffer.alloc(32 * 1024 * 1024, 'laneware_items 1\n')),
    Buffer.alloc(0),
  ];
  for (const digest of damaged) assert.is(linesOf({ ...DEVICE, digest }, 'M1', 1000).length, 5, String(digest.length));
});

test('names with quotes and line breaks cannot break a line', () => {
  const serial = 'a"b\\c\nd';
  const [line = ''] = linesOf({ ...DEVICE, serial, inventory: null }, 'M1', 1000);
  assert.is(line, 'laneware_chain_device_silence_seconds{store="M1",serial="a\\"b\\\\c\\nd"} 0');
});

const part = (serial: string): string => `i${Buffer.from(serial).toString('base64url')}`;

test('the newest word of each device is kept; what is no word of one is left out, and said', () => {
  const warnings: string[] = [];
  const watch = new DeviceWatch((message) => warnings.push(message));
  const subject = (serial: string, kind: string, account = 'ACC') => `up.${account}.state.${part(serial)}.${kind}`;
  const json = (value: unknown) => Buffer.from(JSON.stringify(value));
  watch.take(subject('LW1', 'inventory'), json(INVENTORY), 5000);
  watch.take(subject('LW1', 'digest'), Buffer.from('x'), 4000);
  watch.take(subject('LW1', 'inventory', 'OTHER'), json(INVENTORY), 6000);
  watch.take('up.ACC.state.nothing.inventory', json(INVENTORY), 7000);
  watch.take('up.ACC', json(INVENTORY), 7000);
  watch.take(subject('LW2', 'inventory'), json({ ...INVENTORY, state: 'x' }), 7000);
  watch.take(subject('LW3', 'inventory'), Buffer.from('{'), 7000);
  watch.take(subject('LW4', 'else'), Buffer.from('{}'), 7000);
  assert.equal(
    watch.devices.map(({ account, serial, heardAt }) => [account, serial, heardAt]),
    [
      ['ACC', 'LW1', 5000],
      ['OTHER', 'LW1', 6000],
    ],
  );
  assert.is(watch.devices[0]?.digest?.toString(), 'x');
  assert.is(warnings.length, 2);
  watch.take(subject('LW1', 'inventory'), json({ ...INVENTORY, version: '2.0.0' }), 9000);
  assert.is(watch.devices[0]?.inventory?.version, '2.0.0');
});

test.run();
