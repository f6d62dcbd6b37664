/** Configuration of who may call: tokens, networks, and names that the device answers to. */
import { isIP } from 'node:net';
import Type, { type Static } from 'typebox';
import {
  type Config,
  type ConfigPart,
  closed,
  isHost,
  isLoopbackHost,
  isNamedTill,
  nullable,
} from '../../config/index.ts';
import { patternWithMessage } from '../../schema/index.ts';

const secretToken = Type.String({ minLength: 16 });
const token = (description: string) => nullable(secretToken, { default: null, description });

const ORIGIN = patternWithMessage('^https?://[^/]+$', 'must be an origin without a path, as https://till.shop.example');

const TILL_NAME = patternWithMessage(
  '^[A-Za-z0-9][A-Za-z0-9._-]*$',
  'must be letters, digits, dots, hyphens and underscores of ASCII, a letter or a digit first, as checkout-3',
);
const Till = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 32, pattern: TILL_NAME }),
    token: secretToken,
    everyPayment: Type.Optional(Type.Boolean()),
  },
  closed,
);

const ApiConfig = Type.Object(
  {
    token: token('bearer token or password of callers from the network; it opens everything'),
    tokens: Type.Object(
      {
        till: token('the same for tills and scales: it opens the daily work'),
        technician: token('the same for technicians, beside api.token: it opens everything'),
      },
      closed,
    ),
    tills: Type.Array(Till, {
      default: [],
      maxItems: 64,
      description:
        '[tills with tokens of their own](till.md#several-tills-on-one-device): `name`, `token`, `everyPayment`',
    }),
    claim: Type.Boolean({
      default: false,
      description:
        "whether a [code on the display](technician.md#first-token) makes a technician's token; callers from the network then always need a token",
    }),
    allow: Type.Array(Type.String(), {
      default: [],
      description:
        'networks that may connect, as 10.0.0.0/8: a filter before the tokens; without any token it opens what a till does',
    }),
    hosts: Type.Array(Type.String(), {
      default: [],
      description: 'further names and addresses of the device, as lane-7.shop.example; it answers to no others',
    }),
    cors: Type.Array(Type.String({ pattern: ORIGIN }), {
      default: [],
      description: 'origins of web pages that may call',
    }),
  },
  closed,
);
export type ApiConfig = Static<typeof ApiConfig>;

type Check = (api: ApiConfig, config: Config) => readonly (string | null)[];

const networks: Check = (api) =>
  api.allow.map((network) => {
    const [address = '', bits, ...rest] = network.split('/');
    const family = isIP(address);
    const widest = family === 6 ? 128 : 32;
    const bitsFit = bits === undefined || (/^\d+$/.test(bits) && Number(bits) <= widest);
    return family > 0 && bitsFit && rest.length === 0
      ? null
      : `api.allow: "${network}" is no network; write it as 192.168.1.0/24`;
  });

const hosts: Check = (api) =>
  api.hosts.map((host) =>
    isHost(host)
      ? null
      : `api.hosts: "${host}" is no host name; write it as lane-7.shop.example, without scheme and port`,
  );

const tokenOfTill: Check = ({ token, tokens }) => [
  tokens.till !== null && [token, tokens.technician].includes(tokens.till)
    ? "api.tokens.till: is the technician's too, so it would open everything; choose another"
    : null,
];

/** Names and tokens of tills must be unique: the name says whose the payments are, the token who calls. */
const tillsOwn: Check = ({ token, tokens, tills }) =>
  tills.flatMap(({ name, token: own }, index) => {
    const before = tills.slice(0, index);
    const hasOthers = [token, tokens.till, tokens.technician, ...before.map((till) => till.token)].includes(own);
    const isNamedBefore = before.some((till) => till.name.toLowerCase() === name.toLowerCase());
    const isFree = isNamedTill(name.toLowerCase());
    return [
      isFree ? null : `api.tills.${index}.name: is the name of the token in api.tokens; choose another`,
      isNamedBefore ? `api.tills.${index}.name: is the name of another till; choose another` : null,
      hasOthers ? `api.tills.${index}.token: is the token of somebody else, too; each till needs one of its own` : null,
    ];
  });

/** Whether callers of the network need a token. */
const needsToken = ({ token, tokens, tills, claim }: ApiConfig): boolean =>
  claim || token !== null || tokens.till !== null || tokens.technician !== null || tills.length > 0;

/** Whether calls are guarded: without one of these, anybody on the network may call. */
const isGuarded = (api: ApiConfig): boolean => needsToken(api) || api.allow.length > 0;

/**
 * Bits of the widest network that a shop can have of its own: 10.0.0.0/8, and fc00::/7. A list with a wider one protects
 * nothing.
 */
const LEAST_BITS = { 4: 8, 6: 7 } as const;

/** The networks of `api.allow` by which anybody may call without a token, where the device listens to others. */
export function openNetworks({ api, terminal, recognition }: Config & { readonly api: ApiConfig }): string[] {
  if (needsToken(api) || [terminal, recognition].every(({ host }) => isLoopbackHost(host))) return [];
  return api.allow.filter((network) => {
    const [address = '', bits] = network.split('/');
    return bits !== undefined && Number(bits) < LEAST_BITS[isIP(address) === 6 ? 6 : 4];
  });
}

const strangers: Check = (api, config) =>
  (['terminal', 'recognition'] as const).map((router) =>
    isLoopbackHost(config[router].host) || isGuarded(api) || !isHost(config[router].host)
      ? null
      : `${router}.host: listening on ${config[router].host} needs api.tokens, api.tills, api.token, api.claim or api.allow, or anyone on the network could redirect payments`,
  );

const CHECKS: readonly Check[] = [networks, hosts, tokenOfTill, tillsOwn, strangers];

export const API_CONFIG: ConfigPart<typeof ApiConfig> = {
  key: 'api',
  after: 'sync',
  schema: ApiConfig,
  check: (api, config) => CHECKS.flatMap((check) => check(api, config)),
};
