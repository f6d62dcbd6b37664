/** Configuration of the connection to the chain: its servers, and the store's credentials. */
import Type, { type Static } from 'typebox';
import { type ConfigPart, closed, isLoopbackHost, nullable } from '../../core/config/index.ts';
import { patternWithMessage } from '../../core/schema/index.ts';

const SERVER = patternWithMessage('^(?:tls|nats)://[!-~]+$', 'must begin with tls://, as tls://hub-1.example:4222');
const MOST_SERVERS = 9;

const ChainConfig = Type.Object(
  {
    urls: Type.Array(Type.String({ pattern: SERVER }), {
      default: [],
      maxItems: MOST_SERVERS,
      description:
        'NATS servers of the [chain](chain.md) that this device sends its payments and its state to, as tls://hub-1.example:4222; none: no chain',
    }),
    credentials: nullable(Type.String({ minLength: 1 }), {
      default: null,
      description:
        'file of the credentials (.creds) that the chain has issued to this store, which the device must be able to read',
    }),
    caFile: nullable(Type.String({ minLength: 1 }), {
      default: null,
      description: "PEM file of the authority of the servers' certificates; null: one that Node knows",
    }),
  },
  closed,
);
export type ChainConfig = Static<typeof ChainConfig>;

/**
 * What is wrong with the address of a server; null for nothing. The words never quote the address: it may hold a
 * password.
 */
function serverProblem(address: string): string | null {
  const url = URL.parse(address);
  if (url === null || url.hostname === '') return 'must be a server as tls://hub-1.example:4222';
  if (url.protocol === 'nats:' && !isLoopbackHost(url.hostname.replaceAll(/[[\]]/g, '')))
    return 'must begin with tls:// (nats:// leads to this machine only)';
  const isPlain = [url.username, url.password, url.pathname, url.search, url.hash].every((part) => part === '');
  return isPlain ? null : 'must have host and port alone: who this device is stands in chain.credentials';
}

export const CHAIN_CONFIG: ConfigPart<typeof ChainConfig> = {
  key: 'chain',
  after: 'sync',
  schema: ChainConfig,
  check: ({ urls, credentials, caFile }) => [
    ...urls.map((url, index) => {
      const problem = serverProblem(url);
      return problem === null ? null : `chain.urls.${index}: ${problem}`;
    }),
    urls.length > 0 && credentials === null ? 'chain.credentials: is needed beside chain.urls' : null,
    urls.length === 0 && (credentials ?? caFile) !== null ? 'chain.urls: is needed beside chain.credentials' : null,
  ],
};
