/** Accounts and users of a chain, as NATS's own tools make them: an operator's tokens, which a server reads, and a store's credentials. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect, credsAuthenticator, type NatsConnection, nkeys } from '@nats-io/transport-node';

const seconds = (): number => Math.floor(Date.now() / 1000);
const base64 = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

type Key = ReturnType<typeof nkeys.createUser>;

/** A token of NATS (ADR-14 of its architecture): claims, signed by the key above. */
function signed(issuer: Key, claims: object): string {
  const body = `${base64({ typ: 'JWT', alg: 'ed25519-nkey' })}.${base64({
    ...{ iat: seconds(), iss: issuer.getPublicKey(), jti: 'made-up' },
    ...claims,
  })}`;
  return `${body}.${Buffer.from(issuer.sign(Buffer.from(body))).toString('base64url')}`;
}

const UNLIMITED = { subs: -1, data: -1, payload: -1 };

export interface UserOptions {
  /** When they end, ms since 1970; never when left out. */
  readonly endsAt?: number;
  /** What it may publish; below its own name when left out. */
  readonly publish?: readonly string[];
  readonly subscribe?: readonly string[];
  /** The name in the token, where it is another one than that of the file. */
  readonly called?: string;
}

/** The text of a file of credentials. @param account whose key signs them */
function credentialsOf(account: Key, name: string, options: UserOptions = {}): string {
  const user = nkeys.createUser();
  const { endsAt, publish = [`up.${name}.>`], subscribe = [`_INBOX.${name}.>`] } = options;
  const token = signed(account, {
    ...{ name: options.called ?? name, sub: user.getPublicKey() },
    ...(endsAt === undefined ? {} : { exp: Math.floor(endsAt / 1000) }),
    nats: { type: 'user', version: 2, pub: { allow: publish }, sub: { allow: subscribe }, ...UNLIMITED },
  });
  const seed = Buffer.from(user.getSeed()).toString();
  return [
    '-----BEGIN NATS USER JWT-----',
    token,
    '------END NATS USER JWT------',
    '',
    '************************* IMPORTANT *************************',
    'NKEY Seed printed below can be used to sign and prove identity.',
    '',
    '-----BEGIN USER NKEY SEED-----',
    seed,
    '------END USER NKEY SEED------',
    '',
  ].join('\n');
}

/** Limits of JetStream in an account, of which all is allowed. */
const ALL = { mem_storage: -1, disk_storage: -1, streams: -1, consumer: -1 };
const CONNECTIONS = { ...UNLIMITED, imports: -1, exports: -1, wildcards: true, conn: -1, leaf: -1 };
const EVERYTHING = { publish: ['>'], subscribe: ['>'] };
/** The client library asks an address for the name localhost. */
const ANY_NAME = { checkServerIdentity: () => undefined };

/** One account for the stores of a chain, and that of the system. */
export class Accounts {
  readonly #folder: string;
  readonly #chain = nkeys.createAccount();
  /** Of the configuration of a server. */
  readonly lines: readonly string[];

  /** @param folder of the credentials */
  constructor(folder: string) {
    this.#folder = folder;
    const [operator, system] = [nkeys.createOperator(), nkeys.createAccount()];
    const accountOf = (name: string, key: Key, limits: object): string => {
      const claims = { name, sub: key.getPublicKey(), nats: { type: 'account', version: 2, limits } };
      return `${key.getPublicKey()}: ${signed(operator, claims)}`;
    };
    const nats = { type: 'operator', version: 2 };
    this.lines = [
      `operator: ${signed(operator, { name: 'fruit', sub: operator.getPublicKey(), nats })}`,
      'resolver: MEMORY',
      `system_account: ${system.getPublicKey()}`,
      'resolver_preload: {',
      `  ${accountOf('CHAIN', this.#chain, { ...CONNECTIONS, ...ALL })}`,
      `  ${accountOf('SYS', system, CONNECTIONS)}`,
      '}',
    ];
  }

  /** Writes the credentials of a store. @returns the file */
  admit(name: string, options?: UserOptions): string {
    const file = join(this.#folder, `${name}.creds`);
    writeFileSync(file, credentialsOf(this.#chain, name, options), { mode: 0o600 });
    return file;
  }

  /** Writes those of one who may do all in the account of the stores. @returns the file */
  admitAdministrator(name: string): string {
    return this.admit(name, EVERYTHING);
  }

  /** Connected as the administrator of the chain. @param authority where the server speaks TLS */
  async asAdministrator(port: number, authority?: string): Promise<NatsConnection & AsyncDisposable> {
    const connection = await connect({
      servers: `127.0.0.1:${port}`,
      authenticator: credsAuthenticator(Buffer.from(credentialsOf(this.#chain, 'administrator', EVERYTHING))),
      ...(authority === undefined ? {} : { tls: { ca: authority, ...ANY_NAME } }),
      reconnect: false,
    });
    return Object.assign(connection, { [Symbol.asyncDispose]: () => connection.close() });
  }
}
