/** The configuration: defaults as documented, every problem listed, overrides by environment. */

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Type, { type TInteger, type TObject, type TString } from 'typebox';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type ConfigPart, configOf } from '../firmware/core/config/index.ts';
import { ConfigError, Configuration, unknownInWords } from '../firmware/core/config/load.ts';
import { openNetworks } from '../firmware/core/http/guard/config.ts';
import { CONFIGURATION, loadConfig } from '../firmware/device/composition/config.ts';
import { REGISTRIES } from '../firmware/features/reconciliation/config.ts';
import { WEBHOOKS_CONFIG } from '../firmware/features/webhooks/config.ts';
import { SANDBOX_BANK_CONFIG } from '../firmware/tools/sandbox-bank/config.ts';
import { ROOT } from './root.ts';
import { temporaryFolder } from './support.ts';

const test = suite('configuration');

function problems(run: () => unknown): readonly string[] {
  try {
    run();
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

function loaded(text: string | Uint8Array) {
  using folder = temporaryFolder();
  const file = join(folder.path, 'config.json');
  writeFileSync(file, text);
  return loadConfig(file, {});
}

const fromFile = (text: string | Uint8Array) => loaded(text).config;

test('the columns of registries are read from a file and from the environment, and must suffice', () => {
  const main = { order: 'Order', amount: 'Sum' };
  const text = (registries: object) => JSON.stringify({ terminal: { registries } });
  assert.equal(configOf(REGISTRIES, fromFile(text({ main }))), { main });
  const LANEWARE_TERMINAL_REGISTRIES = JSON.stringify({ main });
  assert.equal(configOf(REGISTRIES, loadConfig(null, { LANEWARE_TERMINAL_REGISTRIES }).config), { main });
  assert.throws(
    () => fromFile(text({ main: { order: 'Order' } })),
    /terminal\.registries\.main: must name the column of the amount/,
  );
  assert.throws(() => fromFile(text({ main: { amount: 'Sum' } })), /and one of order, bank and transaction/);
  assert.equal(loaded(text({ main: { ...main, sum: 'x' } })).unknown, [
    { name: 'terminal.registries.main.sum', nearest: null },
  ]);
});

test('networks that may call without a token are named, and none where a token is needed', () => {
  const open = (api: object, host = '0.0.0.0') => openNetworks(fromFile(JSON.stringify({ api, terminal: { host } })));
  const everybody = ['0.0.0.0/0', '128.0.0.0/1', '::/0', '0.0.0.0/7', '2000::/3'];
  const shops = ['10.0.0.0/8', '192.168.1.0/24', '203.0.113.7', 'fc00::/7', '::1'];
  assert.equal(open({ allow: [...everybody, ...shops] }), everybody);
  assert.equal(open({ allow: everybody }, '127.0.0.1'), []);
  for (const guard of [{ token: 'a'.repeat(20) }, { claim: true }, { tokens: { till: 'b'.repeat(20) } }])
    assert.equal(open({ allow: everybody, ...guard }), []);
});

test('the defaults are those of the documentation', () => {
  const { config } = loadConfig(null, {});
  assert.is(config.dataDir, '.laneware');
  assert.equal([config.terminal.host, config.terminal.port, config.terminal.exportRoots], ['127.0.0.1', 1234, null]);
  assert.equal([config.recognition.host, config.recognition.port], ['127.0.0.1', 8080]);
  assert.equal(config.camera, { driver: 'replay', directory: null });
  assert.equal(configOf(SANDBOX_BANK_CONFIG, config), { enabled: true, host: '127.0.0.1', port: 1280 });
  assert.equal(config.banks, { cft: { baseUrl: null }, caPath: null });
  assert.equal(config.api, {
    token: null,
    tokens: { till: null, technician: null },
    tills: [],
    allow: [],
    hosts: [],
    cors: [],
    claim: false,
  });
  assert.is(config.serial, null);
});

test('a file changes what it names and nothing else', () => {
  const config = fromFile('{"terminal":{"port":4321},"api":{"allow":["10.0.0.0/8"]}}');
  assert.is(config.terminal.port, 4321);
  assert.is(config.terminal.host, '127.0.0.1');
  assert.equal(config.api.allow, ['10.0.0.0/8']);
});

test('every problem is listed, each naming its key', () => {
  const listed = problems(() => fromFile('{"terminal":{"port":"1234","exportRoots":1},"camera":{"driver":"webcam"}}'));
  for (const name of ['terminal.port', 'terminal.exportRoots', 'camera.driver'])
    assert.ok(
      listed.some((problem) => problem.startsWith(name)),
      `${name} in ${listed.join('; ')}`,
    );
});

test('a bank’s address without TLS is refused but on this machine, its password not repeated', () => {
  const of = (baseUrl: string) => problems(() => loadConfig(null, { LANEWARE_BANKS_CFT_BASEURL: baseUrl })).join('; ');
  assert.match(
    of('http://bank.example'),
    /^banks\.cft\.baseUrl \(LANEWARE_BANKS_CFT_BASEURL\) must begin with https:\/\/: .*redirect payments/,
  );
  assert.match(of('ftp://bank.example'), /^banks\.cft\.baseUrl \(LANEWARE_BANKS_CFT_BASEURL\) must be an address/);
  const user = of('https://user:made-up@bank.example');
  assert.match(user, /^banks\.cft\.baseUrl \(LANEWARE_BANKS_CFT_BASEURL\) must have no user/);
  assert.not.match(user, 'made-up');
  for (const right of ['https://bank.example/points', 'http://127.0.0.1:1280', 'null']) assert.is(of(right), '');
});

test('keys that are none have no effect, and are reported with what may have been meant', () => {
  const { config, unknown } = loaded(
    '{"terminal":{"hots":"x","port":4321},"colour":1,"tls":{"mdoe":{"a":1}},"Sync":{},"api":{"tokens":{"til":"x"}}}',
  );
  assert.equal(unknown.map(unknownInWords), [
    ...['terminal.hots (terminal.host?)', 'api.tokens.til (api.tokens.till?)', 'tls.mdoe (tls.mode?)'],
    ...['colour', 'Sync (sync?)'],
  ]);
  assert.equal(config, { ...fromFile('{}'), terminal: { ...fromFile('{}').terminal, port: 4321 } });
});

test('an unknown key of a member of a list has no effect either, from a file and from a variable', () => {
  const till = { name: 'checkout-1', token: 'made-up-secret-of-a-till' };
  const hook = { url: 'https://shop.example/hook', secret: 'made-up-secret-of-a-hook-of-a-shop' };
  const { config, unknown } = loaded(
    JSON.stringify({
      api: { tills: [till, { ...till, nmae: 'checkout', name: 'checkout-2', token: 'made-up-secret-of-another' }] },
      terminal: { webhooks: [{ ...hook, colour: 'x' }] },
    }),
  );
  assert.equal(unknown, [
    { name: 'terminal.webhooks.0.colour', nearest: null },
    { name: 'api.tills.1.nmae', nearest: 'api.tills.1.name' },
  ]);
  assert.equal(config.api.tills[0], till);
  assert.not.ok('colour' in (configOf(WEBHOOKS_CONFIG, config)[0] ?? {}));
  const of = loadConfig(null, { LANEWARE_API_TILLS: JSON.stringify([{ ...till, colour: 'x' }]) });
  assert.equal(of.config.api.tills, [till]);
  assert.equal(of.unknown, [{ name: 'api.tills.0.colour', nearest: null }]);
});

test('names of JavaScript are unknown keys, and change no object', () => {
  const { config, unknown } = loaded('{"__proto__":{"dataDir":"/x"},"terminal":{"constructor":1,"__proto__":2}}');
  assert.equal(
    unknown.map(({ name }) => name),
    ['terminal.constructor', 'terminal.__proto__', '__proto__'],
  );
  assert.equal(config, fromFile('{}'));
  assert.is(({} as { dataDir?: string }).dataDir, undefined);
});

test('lines that begin with // and a byte order mark are no part of the JSON', () => {
  const { terminal } = fromFile('\uFEFF// the lane at the door\n{\n  // its port\n  "terminal": {"port": 4321}}');
  assert.is(terminal.port, 4321);
  assert.match(problems(() => fromFile('{\n  "serial": "1" // of the board\n}')).join(), /line 2 column 17/);
});

test('a file saved by Notepad as Unicode or in a Russian code page is refused with what to do', () => {
  const text = '{"terminal": {"port": 4321}}';
  const russian = Buffer.from([...Buffer.from('{"serial": "'), 0xea, 0xe0, ...Buffer.from('"}')]);
  for (const bytes of [
    Buffer.from(`\ufeff${text}`, 'utf16le'),
    Buffer.from(`\ufeff// the lane\r\n${text}`, 'utf16le').swap16(),
    russian,
  ])
    assert.match(problems(() => fromFile(bytes)).join(), /config\.json: it is no UTF-8 text: .*save it .*UTF-8$/);
  const explained = [...Buffer.from('// '), 0xea, 0xe0, ...Buffer.from(`\n${text}`)];
  assert.is(fromFile(Buffer.from(explained)).terminal.port, 4321, 'lines that are not read are as they were');
});

test('a file that is no JSON object, or not there, is a clear error', () => {
  assert.match(problems(() => fromFile('{"a"')).join(), /config\.json/);
  assert.match(problems(() => fromFile('[]')).join(), /one JSON object/);
  assert.match(problems(() => loadConfig('/nonexistent-laneware.json', {})).join(), /ENOENT/);
});

test('every key is overridable by its environment variable, read as its type', () => {
  const { config } = loadConfig(null, {
    LANEWARE_TERMINAL_PORT: '4321',
    LANEWARE_SANDBOXBANK_ENABLED: 'false',
    LANEWARE_API_ALLOW: '10.0.0.0/8, 192.168.0.0/16',
    LANEWARE_API_CORS: '',
    LANEWARE_SERIAL: '0001',
    LANEWARE_TERMINAL_IDLEQR: 'null',
    LANEWARE_DATADIR: '12',
  });
  assert.is(config.terminal.port, 4321);
  assert.is(configOf(SANDBOX_BANK_CONFIG, config).enabled, false);
  assert.equal(config.api.allow, ['10.0.0.0/8', '192.168.0.0/16']);
  assert.equal(config.api.cors, []);
  assert.is(config.serial, '0001');
  assert.is(config.terminal.idleQR, null);
  assert.is(config.dataDir, '12');
});

test('an unknown variable is reported with the one that was meant', () => {
  assert.equal(loadConfig(null, { LANEWARE_TERMINAL_PROT: '1', LANEWARE_CONFIG: '/x' }).unknown, [
    { name: 'LANEWARE_TERMINAL_PROT', nearest: 'LANEWARE_TERMINAL_PORT' },
  ]);
});

test('a variable of lanectl, which stands in the same shell, is no unknown one of the device', () => {
  const folder = join(ROOT, 'firmware/lanectl');
  const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
  const texts = sources.map((name) => readFileSync(join(folder, name), 'utf8')).join('\n');
  const names = new Set(texts.match(/\bLANEWARE_[A-Z_]*[A-Z]\b/g));
  names.delete('LANEWARE_DATADIR'); // a key of the configuration
  assert.ok(names.has('LANEWARE_TOKEN_FILE'));
  assert.equal(loadConfig(null, Object.fromEntries([...names].map((name) => [name, 'x']))).unknown, []);
});

test('each till has a name and a token of its own, and no message says a token', () => {
  const [token, other] = ['made-up-secret-of-a-till', 'made-up-secret-of-another'];
  const with_ = (tills: readonly object[], env: Record<string, string> = {}) => {
    const found = problems(() => loadConfig(null, { LANEWARE_API_TILLS: JSON.stringify(tills), ...env }));
    assert.not.match(found.join(), /made-up-secret/);
    return found.join('; ');
  };
  const till = { name: 'checkout-1', token };
  const open = { LANEWARE_TERMINAL_HOST: '0.0.0.0' };
  assert.is(
    with_([till, { name: 'checkout-2', token: other, everyPayment: true }], open),
    '',
    'and they guard the port',
  );
  assert.match(with_([], open), /needs api\.tokens, api\.tills/);
  for (const [tills, env, expected] of [
    [[till, { name: 'Checkout-1', token: other }], {}, /^api\.tills\.1\.name .*: is the name of another till/],
    [[{ ...till, name: 'technician' }], {}, /^api\.tills\.0\.name .*: is the name of the token in api\.tokens/],
    [[{ ...till, name: 'TILL' }], {}, /^api\.tills\.0\.name .*: is the name of the token in api\.tokens/],
    [[till, { name: 'checkout-2', token }], {}, /^api\.tills\.1\.token .*: is the token of somebody else/],
    [[till], { LANEWARE_API_TOKEN: token }, /^api\.tills\.0\.token .*: is the token of somebody else/],
    [[till], { LANEWARE_API_TOKENS_TILL: token }, /^api\.tills\.0\.token .*: is the token of somebody else/],
    [[till], { LANEWARE_API_TOKENS_TECHNICIAN: token }, /^api\.tills\.0\.token .*: is the token of somebody else/],
    [[{ ...till, token: 'made-up' }], {}, /must have at least 16 characters/],
    [[{ ...till, name: 'a b' }], {}, /must be letters, digits, dots/],
    [[{ ...till, name: '' }], {}, /must not be empty/],
    [[{ name: 'checkout-1' }], {}, /token .*is required/],
  ] as const)
    assert.match(with_(tills, env), expected);
  for (const name of ['TOKEN', 'TOKENS_TECHNICIAN']) {
    const said = with_([], { LANEWARE_API_TOKENS_TILL: token, [`LANEWARE_API_${name}`]: token });
    assert.match(said, /api\.tokens\.till \(\w+\): is the technician's too/, name);
  }
});

test('beyond this machine a router listens only with a token or a list of networks', () => {
  for (const host of ['0.0.0.0', '::', '192.168.1.7', '127.example.com', 'lane.example', '127.0.0.1.example'])
    for (const router of ['terminal', 'recognition']) {
      const variable = `LANEWARE_${router.toUpperCase()}_HOST`;
      const said = problems(() => loadConfig(null, { [variable]: host })).join();
      assert.match(said, new RegExp(`^${router}\\.host \\(${variable}\\): .*api\\.tokens?`), host);
    }
  for (const host of ['127.0.0.1', '127.8.8.8', '::1', 'localhost'])
    assert.is(loadConfig(null, { LANEWARE_TERMINAL_HOST: host }).config.terminal.host, host);
  for (const [key, guard] of [
    ...['TOKEN', 'TOKENS_TILL', 'TOKENS_TECHNICIAN'].map((name) => [name, 'made-up-token-0123456789'] as const),
    ['ALLOW', '192.168.1.0/24'] as const,
  ]) {
    const hosts = { LANEWARE_TERMINAL_HOST: '0.0.0.0', LANEWARE_RECOGNITION_HOST: '0.0.0.0' };
    const { terminal, recognition } = loadConfig(null, { ...hosts, [`LANEWARE_API_${key}`]: guard }).config;
    assert.equal([terminal.host, recognition.host], ['0.0.0.0', '0.0.0.0']);
  }
});

test('every key is documented in its schema', () => {
  for (const { path, schema } of CONFIGURATION.keys) assert.type(schema.description, 'string', path.join('.'));
});

/** A part as a feature would bring it. */
const LIGHTS: ConfigPart<TObject<{ host: TString; port: TInteger }>> = {
  key: 'lights',
  after: 'recognition',
  schema: Type.Object(
    { host: Type.String({ default: '127.0.0.1' }), port: Type.Integer({ default: 1 }) },
    { additionalProperties: false },
  ),
  listens: ({ port }) => port > 0,
  check: ({ port }) => [port === 13 ? 'lights.port: brings bad luck' : null],
};
const COLOUR: ConfigPart<TString> = {
  key: 'terminal.colour',
  after: 'port',
  schema: Type.String({ default: 'red' }),
};

test('a part’s configuration stands behind the key that it names, else at the end', () => {
  const keysWith = (...parts: ConfigPart[]) => new Configuration(parts).keys.map(({ path }) => path.join('.'));
  const without = keysWith();
  const behind = (key: string, ...added: string[]) => without.toSpliced(without.indexOf(key) + 1, 0, ...added);
  assert.equal(keysWith(LIGHTS), behind('recognition.port', 'lights.host', 'lights.port'));
  assert.equal(keysWith(COLOUR), behind('terminal.port', 'terminal.colour'));
  const shades = Type.Object({ shades: Type.Boolean({ default: false }) });
  const grown = keysWith({ key: 'terminal', schema: shades }, COLOUR);
  assert.equal(grown, behind('terminal.port', 'terminal.colour', 'terminal.shades'), 'more keys of a section');
  assert.equal(keysWith({ ...LIGHTS, after: 'taken-off' }), [...without, 'lights.host', 'lights.port']);
});

test('a part brings its variables, defaults, check and server; without it its keys are unknown', () => {
  const configuration = new Configuration([LIGHTS, COLOUR]);
  const { config } = configuration.load(null, { LANEWARE_LIGHTS_PORT: '7' });
  assert.equal(configOf(LIGHTS, config), { host: '127.0.0.1', port: 7 });
  assert.is(configOf(COLOUR, config), 'red');
  const wrong = (env: NodeJS.ProcessEnv) => problems(() => configuration.load(null, env)).join('; ');
  assert.match(wrong({ LANEWARE_LIGHTS_PORT: '13' }), /^lights\.port \(LANEWARE_LIGHTS_PORT\): brings bad luck$/);
  assert.match(wrong({ LANEWARE_LIGHTS_PORT: '8080' }), /lights\.port.*: is the port of recognition too/);
  assert.match(wrong({ LANEWARE_LIGHTS_HOST: 'http://lights' }), /lights\.host.*: must be an address of this machine/);
  assert.equal(configuration.keysIn('lights.port: brings bad luck; others.port: is none'), ['lights.port']);
  const others = new Configuration([]).load(null, { LANEWARE_LIGHTS_PORT: '7' });
  assert.equal(
    others.unknown.map(({ name }) => name),
    ['LANEWARE_LIGHTS_PORT'],
  );
});

test.run();
