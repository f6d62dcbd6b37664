/** The file with which a store joins its chain: made by `scripts/chain.sh store add`, for one store. It holds a secret. */
import { createPublicKey, X509Certificate } from 'node:crypto';
import Type, { type Static } from 'typebox';
import { worded } from '../store/index.ts';
import { JOIN_EXAMPLE } from './join-example.ts';

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
