/** Any fault of a configuration key is reported with the rule of the key, in words, and never with the value. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { configOf } from '../firmware/core/config/index.ts';
import { ConfigError, type ConfigKey, unknownInWords } from '../firmware/core/config/load.ts';
import { CONFIGURATION, loadConfig } from '../firmware/device/composition/config.ts';
import { CHAIN_CONFIG } from '../firmware/features/chain/config.ts';
import { temporaryFolder } from './support.ts';

const test = suite('configuration: rules in words');

/** What a schema may ask for. */
interface Rules {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly anyOf?: readonly Rules[];
  readonly items?: Rules;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly pattern?: string;
}

const KINDS = {
  string: 'a text',
  integer: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
} as const;

const VALUES = {
  'a text': 'made-up-secret',
  'a number': 5,
  'a number with a fraction': 1.5,
  true: true,
  null: null,
  'a list': [],
  'an object': {},
} as const;

const nested = (path: readonly string[], value: unknown): unknown =>
  path.reduceRight((inner, name) => ({ [name]: inner }), value);

/** The only problem of a configuration; null where it has none. */
function problem(load: () => unknown): string | null {
  try {
    load();
    return null;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    assert.is(error.problems.length, 1, error.message);
    return error.problems[0] ?? '';
  }
}

/** The rules of a key, and whether it may be null instead. */
const rulesOf = ({ schema }: ConfigKey): Rules & { readonly orNull: boolean } => {
  const { anyOf, ...own }: Rules = schema as Rules;
  return anyOf === undefined ? { ...own, orNull: false } : { ...anyOf[0], orNull: true };
};

/** What is said of a value of another type: each limit of the key, in words. */
function wholeRule({ orNull, ...rules }: ReturnType<typeof rulesOf>): RegExp {
  const { type = '', minimum, maximum, minLength, maxLength, maxItems } = rules;
  if (rules.enum !== undefined) return new RegExp(`must be one of ${rules.enum.join(', ')}$`);
  const range = minimum === undefined ? '' : ` from ${minimum} to ${maximum}`;
  const length =
    minLength === undefined
      ? ''
      : maxLength !== undefined
        ? ` of ${minLength} to ${maxLength} characters`
        : minLength === 1
          ? ' that is not empty'
          : ` of at least ${minLength} characters`;
  const words = rules.pattern === undefined ? '' : ' \\(must [^)]+\\)';
  const entries = maxItems === undefined ? '' : ` of at most ${maxItems} entries`;
  const kind = KINDS[type as keyof typeof KINDS];
  assert.ok(kind, `the test knows the type ${type}`);
  return new RegExp(`must be ${kind}${range}${length}${entries}${words}${orNull ? ' or null' : ''}, not `);
}

const isOfType = ({ type, enum: choices, orNull }: ReturnType<typeof rulesOf>, kind: string): boolean => {
  if (kind === 'null') return orNull;
  if (choices !== undefined) return false;
  if (type === 'integer') return kind === 'a number';
  return KINDS[type as keyof typeof KINDS] === kind || (type === 'boolean' && kind === 'true');
};

test('a value of another type is reported with the whole rule of its key, and with what it is', () => {
  using folder = temporaryFolder();
  const file = join(folder.path, 'config.json');
  for (const key of CONFIGURATION.keys) {
    const rules = rulesOf(key);
    for (const [kind, value] of Object.entries(VALUES)) {
      if (isOfType(rules, kind)) continue;
      writeFileSync(file, JSON.stringify(nested(key.path, value)));
      const sentence = problem(() => loadConfig(file, {})) ?? '';
      const name = key.path.join('.');
      assert.ok(sentence.startsWith(`${name} must be `), `${name} of ${kind}: ${sentence}`);
      assert.match(sentence, wholeRule(rules), `${name} of ${kind}`);
      if (rules.enum === undefined) assert.ok(sentence.endsWith(`, not ${kind}`), sentence);
      assert.not.match(sentence, 'made-up-secret');
    }
  }
});

test('a value beyond a limit names the limit and the key or variable that was set', () => {
  using folder = temporaryFolder();
  const file = join(folder.path, 'config.json');
  for (const key of CONFIGURATION.keys) {
    const { minimum, maximum, minLength, maxLength, enum: choices } = rulesOf(key);
    const wrong: [value: unknown, must: string][] = [
      ...(minimum === undefined ? [] : ([[minimum - 1, `must be at least ${minimum}`]] as const)),
      ...(maximum === undefined ? [] : ([[maximum + 1, `must be at most ${maximum}`]] as const)),
      ...(minLength === 1 ? ([['', 'must not be empty']] as const) : []),
      ...(minLength !== undefined && minLength > 1
        ? ([['1'.repeat(minLength - 1), `must have at least ${minLength} characters`]] as const)
        : []),
      ...(maxLength === undefined
        ? []
        : ([['x'.repeat(maxLength + 1), `must have at most ${maxLength} characters`]] as const)),
      ...(choices === undefined ? [] : ([['other', `must be one of ${choices.join(', ')}`]] as const)),
    ].map(([value, must]) => [value, must]);
    const name = key.path.join('.');
    for (const [value, must] of wrong) {
      writeFileSync(file, JSON.stringify(nested(key.path, value)));
      assert.is(
        problem(() => loadConfig(file, {})),
        `${name} ${must}`,
      );
      assert.is(
        problem(() => loadConfig(null, { [key.variable]: String(value) })),
        `${name} (${key.variable}) ${must}`,
      );
    }
  }
});

test('a variable of another type names the rule: a token of digits is a short text, no number', () => {
  for (const [variable, text, sentence] of [
    ['API_TOKEN', '123456', 'api.token (LANEWARE_API_TOKEN) must have at least 16 characters'],
    ['API_TOKENS_TILL', 'true', 'api.tokens.till (LANEWARE_API_TOKENS_TILL) must have at least 16 characters'],
    [
      'TERMINAL_PORT',
      'http',
      'terminal.port (LANEWARE_TERMINAL_PORT) must be a whole number from 0 to 65535, not a text',
    ],
    ['TERMINAL_PORT', '', 'terminal.port (LANEWARE_TERMINAL_PORT) must be a whole number from 0 to 65535, not a text'],
    [
      'GPIO_LAMP',
      '1.5',
      'gpio.lamp (LANEWARE_GPIO_LAMP) must be a whole number from 0 to 27 or null, not a number with a fraction',
    ],
    [
      'SANDBOXBANK_ENABLED',
      'yes',
      'sandboxBank.enabled (LANEWARE_SANDBOXBANK_ENABLED) must be true or false, not a text',
    ],
  ])
    assert.is(
      problem(() => loadConfig(null, { [`LANEWARE_${variable}`]: text })),
      sentence,
    );
});

/** Texts of the right type that mean nothing, and what is said of each. */
const MALFORMED: readonly [variable: string, text: string, must: RegExp][] = [
  ['API_ALLOW', '10.0.0.0/33', /: "10\.0\.0\.0\/33" is no network; write it as 192\.168\.1\.0\/24$/],
  ['API_ALLOW', '10.0.0/8', /is no network/],
  ['API_ALLOW', '10.0.0.0/8/8', /is no network/],
  ['API_ALLOW', 'fd00::/129', /is no network/],
  ['API_ALLOW', 'lane.example', /is no network/],
  ['API_HOSTS', 'https://lane.example', /is no host name; write it as lane-7\.shop\.example, without scheme and port$/],
  ['API_HOSTS', 'lane.example:1234', /is no host name/],
  ['API_HOSTS', 'ok.example,a b', /is no host name/],
  ['API_HOSTS', 'ok.example,', /is no host name/],
  ['API_CORS', 'till.shop.example', /must be an origin without a path, as https:\/\/till\.shop\.example$/],
  ['API_CORS', 'https://till.shop.example/path', /must be an origin without a path/],
  ['BANKS_CFT_BASEURL', 'bank.example', /must be an address as https:\/\/bank\.example\/path$/],
  ['BANKS_CFT_BASEURL', 'https://', /must be an address/],
  ['TERMINAL_HOST', 'http://127.0.0.1', /: must be an address of this machine, as 127\.0\.0\.1, or 0\.0\.0\.0 for all/],
  ['TERMINAL_HOST', '', /must be an address of this machine/],
  ['RECOGNITION_HOST', '127.0.0.1:8080', /must be an address of this machine/],
  ['SANDBOXBANK_HOST', '[::1]', /must be an address of this machine/],
  ['SYNC_HOST', 'a b', /must be an address of this machine/],
  ['RECOGNITION_PORT', '1234', /: is the port of terminal too \(1234\); choose another$/],
  ['SANDBOXBANK_PORT', '8080', /: is the port of recognition too \(8080\); choose another$/],
  ['TERMINAL_REGISTRIES', '{"main"', /must be an object, not a text$/],
  ['TERMINAL_REGISTRIES', '{"main":{"order":5}}', /must be a text of 1 to 200 characters, not a number$/],
];

test('a malformed address, network, port or object is reported with its form', () => {
  for (const [key, text, must] of MALFORMED) {
    const sentence = problem(() => loadConfig(null, { [`LANEWARE_${key}`]: text })) ?? '';
    assert.match(sentence, `(LANEWARE_${key})`);
    assert.match(sentence, must, `${key}=${text}`);
  }
});

test('a chain’s server that is no address, or lacks a half, names the form and is not repeated', () => {
  const credentials = { LANEWARE_CHAIN_CREDENTIALS: '/etc/laneware/chain.creds' };
  const urls = { LANEWARE_CHAIN_URLS: 'tls://hub-1.example:4222,tls://hub-2.example' };
  const [beside, missing] = [/^chain\.urls: is needed beside chain\.credentials$/, /^chain\.credentials: is needed/];
  for (const [env, must] of [
    [{ ...credentials, LANEWARE_CHAIN_URLS: 'https://hub.example' }, /must begin with tls:\/\/, as tls:\/\/hub-1/],
    [{ ...credentials, LANEWARE_CHAIN_URLS: 'tls://:4222' }, /: must be a server as tls:\/\/hub-1\.example:4222$/],
    [
      { ...credentials, LANEWARE_CHAIN_URLS: 'nats://hub.example' },
      /must begin with tls:.* leads to this machine only/,
    ],
    [{ ...credentials, LANEWARE_CHAIN_URLS: 'tls://me:secret@hub.example' }, /must have host and port alone/],
    [{ ...credentials, LANEWARE_CHAIN_URLS: 'tls://hub.example/secret' }, /must have host and port alone/],
    [credentials, beside],
    [{ LANEWARE_CHAIN_CAFILE: '/etc/laneware/chain.pem' }, beside],
    [urls, missing],
  ] as const) {
    const sentence = problem(() => loadConfig(null, env)) ?? '';
    assert.match(sentence, must);
    assert.not.match(sentence, /secret/);
  }
  const urlsOf = (env: NodeJS.ProcessEnv) => configOf(CHAIN_CONFIG, loadConfig(null, env).config).urls;
  assert.equal(urlsOf({ ...urls, ...credentials }), urls.LANEWARE_CHAIN_URLS.split(','));
  const here = { ...credentials, LANEWARE_CHAIN_URLS: 'nats://[::1]:4222' };
  assert.is(urlsOf(here).length, 1);
});

test('ports that no server takes may be equal: 0 is any, and a sandbox bank that is off has none', () => {
  const free = { LANEWARE_TERMINAL_PORT: '0', LANEWARE_RECOGNITION_PORT: '0' };
  const off = { LANEWARE_SANDBOXBANK_PORT: '8080', LANEWARE_SANDBOXBANK_ENABLED: 'false' };
  for (const env of [free, off]) assert.ok(loadConfig(null, env).config);
});

test('the removed key of a master’s chain is reported at start, and its password not repeated', () => {
  using folder = temporaryFolder();
  const file = join(folder.path, 'config.json');
  writeFileSync(
    file,
    '{"sync":{"port":7000,"leaf":{"url":"nats-leaf://store:secret@hub.example:7422","caFile":null}}}',
  );
  const { config, unknown } = loadConfig(file, { LANEWARE_SYNC_LEAF_URL: 'tls://store:secret@hub.example' });
  assert.is(config.sync.port, 7000);
  const words = unknown.map(unknownInWords).join();
  assert.match(words, 'sync.leaf');
  assert.match(words, 'LANEWARE_SYNC_LEAF_URL');
  assert.not.match(words, 'secret');
});

test('a file that is no JSON is refused by its place, without its text: it may hold a token', () => {
  using folder = temporaryFolder();
  const file = join(folder.path, 'config.json');
  for (const [text, place] of [
    ['{"api":{"token": made-up-secret, "cors": []}}', /Unexpected token/],
    ['{\n  "api": {"token": "made-up-secret" "cors": []}\n}', /line 2 column 37/],
    ['"made-up-secret', /Unterminated string/],
  ] as const) {
    writeFileSync(file, text);
    const sentence = problem(() => loadConfig(file, {})) ?? '';
    assert.match(sentence, place);
    assert.not.match(sentence, /made-up|secret/);
  }
});

test.run();
