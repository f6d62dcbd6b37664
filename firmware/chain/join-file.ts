/** The file with which a store joins its chain: made by `scripts/chain.sh store add`, for one store. It holds a secret. */
import { createPublicKey, X509Certificate } from 'node:crypto';
import Type, { type Static } from 'typebox';
import { worded } from '../store/index.ts';

const PEM_BYTES = 16 * 1024;
const MOST_SERVERS = 9;

const SERVER = worded(
  '^(?:[A-Za-z0-9.-]+|\\[[0-9a-fA-F:.]+\\]):[0-9]{1,5}$',
  'must be host:port of a hub’s leaf nodes',
);
const STORE = worded('^[A-Za-z0-9_-]{1,64}$', 'must be the name of a store: letters, digits, _ and -');
const ACCOUNT = worded('^A[A-Z2-7]{55}$', 'must be the public key of an account');
const CREDENTIALS = worded(
  '^-----BEGIN NATS USER JWT-----\\n[A-Za-z0-9_.=-]+\\n[ -~\\n]*-----BEGIN USER NKEY SEED-----\\nSU[A-Z2-7]+\\n[ -~\\n]*$',
  'must be a NATS credential, as the chain has written it',
);
const CERTIFICATE = worded(
  '^-----BEGIN CERTIFICATE-----\\n[A-Za-z0-9+/=\\n-]+[ -~\\n]*$',
  'must be a certificate in PEM',
);
const PUBLIC_KEY = worded(
  '^-----BEGIN PUBLIC KEY-----\\n[A-Za-z0-9+/=\\n]+-----END PUBLIC KEY-----\\n?$',
  'must be a public key in PEM',
);

const lines = (...all: readonly string[]): string => `${all.join('\n')}\n`;

/** Made up, and of no chain. */
export const JOIN_EXAMPLE = Object.freeze({
  kind: 'laneware-chain-1',
  chain: 'fruit',
  store: 'M1',
  account: 'AMADEUPXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXX',
  servers: ['hub-1.example:7422', 'hub-2.example:7422', 'hub-3.example:7422'],
  authority: lines(
    '-----BEGIN CERTIFICATE-----',
    'MIIBgjCCASigAwIBAgIQd9v8E/nNcB+sN7vO4AP7RjAKBggqhkjOPQQDAjAqMSgw',
    'JgYDVQQDDB9tYWRlLXVwIGF1dGhvcml0eSBvZiBhbiBleGFtcGxlMCAXDTcwMDEw',
    'MTAwMDAwMFoYDzk5OTkxMjMxMjM1OTU5WjAqMSgwJgYDVQQDDB9tYWRlLXVwIGF1',
    'dGhvcml0eSBvZiBhbiBleGFtcGxlMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE',
    'krnfA2J1oNFZIk7tBnlIJKfGXHAYyfFTGZ4yrU1mMyxG49ux88H1yBQn+Epuf6e/',
    'MALKZ9zAplaZh48SS+EHSqMuMCwwKgYDVR0RBCMwIYIfbWFkZS11cCBhdXRob3Jp',
    'dHkgb2YgYW4gZXhhbXBsZTAKBggqhkjOPQQDAgNIADBFAiAMd51PXXDK7J/rOIr2',
    'XRmHR+E7lgqUXz1PZZNizLsPoQIhAL2emiZd+1j5u0lwXMG1SGlrwZvyE/48DSL6',
    'gsrJqZlN',
    '-----END CERTIFICATE-----',
  ),
  signingKey: lines(
    '-----BEGIN PUBLIC KEY-----',
    'MCowBQYDK2VwAyEAU+bJ+xZgNcBDwR458vo3Wz7gNW6g5rjMI/EnTCzk2ew=',
    '-----END PUBLIC KEY-----',
  ),
  credentials: lines(
    '-----BEGIN NATS USER JWT-----',
    'made.up.example',
    '------END NATS USER JWT------',
    '',
    '-----BEGIN USER NKEY SEED-----',
    'SUAMADEUPEXAMPLE',
    '------END USER NKEY SEED------',
  ),
});

export const JoinFile = Type.Object(
  {
    kind: Type.Literal('laneware-chain-1', { description: 'what this file is' }),
    chain: Type.String({ minLength: 1, maxLength: 64, description: 'what the chain is called' }),
    store: Type.String({ pattern: STORE, description: 'what the chain calls this store' }),
    account: Type.String({ pattern: ACCOUNT, description: 'public key of the store’s account at the hub' }),
    servers: Type.Array(Type.String({ pattern: SERVER }), {
      minItems: 1,
      maxItems: MOST_SERVERS,
      description: 'leaf-node addresses of the hub’s servers, as hub-1.example:7422',
    }),
    authority: Type.String({
      pattern: CERTIFICATE,
      maxLength: PEM_BYTES,
      description: 'PEM: the authority of the hub’s certificates',
    }),
    signingKey: Type.String({
      pattern: PUBLIC_KEY,
      maxLength: PEM_BYTES,
      description: 'PEM: the key (Ed25519) that the chain signs with what it sends down',
    }),
    credentials: Type.String({
      pattern: CREDENTIALS,
      maxLength: PEM_BYTES,
      description: 'the secret of this store alone: it is kept sealed, and never returned',
    }),
  },
  { title: 'ChainJoinFile', additionalProperties: false, examples: [JOIN_EXAMPLE] },
);
export type JoinFile = Readonly<Static<typeof JoinFile>>;

/** What no schema checks: with an authority that cannot be read, `nats-server` would not start at all. @returns the field at fault, or null */
export function faultIn({ authority, signingKey }: JoinFile): 'authority' | 'signingKey' | null {
  try {
    new X509Certificate(authority);
  } catch {
    return 'authority';
  }
  try {
    return createPublicKey(signingKey).asymmetricKeyType === 'ed25519' ? null : 'signingKey';
  } catch {
    return 'signingKey';
  }
}
