/**
 * Who may do what at the hub, as the claims (JWT) that its servers know: the operator signs accounts, an account its users.
 * What a store may say and read is in its account's imports, each bound to the number of that account by the chain's exports
 * (`account_token_position`): the store cannot change them, and no other account may import them.
 */
import {
  type Account,
  createAccount,
  createUser,
  encodeAccount,
  encodeOperator,
  encodeUser,
  fmtCreds,
  type KeyPair,
  type User,
} from '@nats-io/jwt';
import {
  DOWN,
  downAtHub,
  EVENTS,
  MIRROR,
  MIRRORED,
  newsAtHub,
  newsSubject,
  readSubject,
  STATES,
  UP,
  upAtHub,
} from '../../firmware/chain/subjects.ts';

const GIB = 1024 ** 3;
const MAX_PAYLOAD_BYTES = 1024 * 1024;
/** A master that comes back before its broken connection was noticed is there twice for a moment. */
const LEAVES_OF_A_STORE = 2;
const SUBSCRIPTIONS_OF_A_STORE = 500;
const CONNECTIONS_OF_A_READER = 10;
/** That of a store is renewed when half of its time is over. */
export const LEAF_DAYS = 400;
/** An administrator's own credential is made for one command. */
const COMMAND_SECONDS = 600;
const NO_LIMIT = -1;
const SECOND_MS = 1000;
const DAY_SECONDS = 86_400;

/** Where answers to a reader go: those of an administrator are not for it. */
export const READER_INBOX = '_INBOX_reader';

/** Where a reader asks: an account answers what is `$JS.API` by itself, and this one holds nothing. */
export const READER_API = 'hub';

const readAt = (subject: string): string => `DIRECT.GET.${DOWN}.${subject}`;
const read = (subject: string): string => `$JS.API.${readAt(subject)}`;

const FREE = {
  subs: NO_LIMIT,
  data: NO_LIMIT,
  payload: NO_LIMIT,
  conn: NO_LIMIT,
  leaf: 0,
  imports: NO_LIMIT,
  exports: NO_LIMIT,
  wildcards: true,
  disallow_bearer: true,
};
/** The three streams, each with a limit of its own. */
const CHAIN_STORAGE = { mem_storage: 0, disk_storage: NO_LIMIT, streams: 3, consumer: 10, max_bytes_required: true };

const keyOf = (pair: KeyPair): string => pair.getPublicKey();

export const operatorClaim = (name: string, operator: KeyPair, system: KeyPair): Promise<string> =>
  encodeOperator(name, operator, { system_account: keyOf(system) });

export const systemClaim = (system: KeyPair, operator: KeyPair): Promise<string> =>
  encodeAccount('SYS', system, { limits: FREE }, { signer: operator });

/** Where a token of the subject must be the account that imports it. */
const tokenAt = (subject: string): number => subject.split('.').indexOf('*') + 1;

const ownExport = (name: string, type: 'service' | 'stream', subject: string) => ({
  name,
  type,
  subject,
  account_token_position: tokenAt(subject),
});

/** What a reader may ask: how the streams of what stores report stand, and one message after the other. No consumer (`stored.ts`). */
const READ_BY_READERS = [STATES, EVENTS].flatMap((stream) => [`STREAM.INFO.${stream}`, `STREAM.MSG.GET.${stream}`]);
const HEARD_BY_READERS = upAtHub('*', 'state.>');

export function chainClaim(chain: KeyPair, operator: KeyPair): Promise<string> {
  const account: Partial<Account> = {
    limits: { ...FREE, ...CHAIN_STORAGE, payload: MAX_PAYLOAD_BYTES },
    exports: [
      ownExport('said by stores', 'service', upAtHub('*', '>')),
      { name: 'for all stores', type: 'service', subject: read(downAtHub(null, '>')) },
      ownExport('for one account', 'service', read(downAtHub('*', '>'))),
      { name: 'news for all stores', type: 'stream', subject: newsAtHub(null, '>') },
      ownExport('news for one store', 'stream', newsAtHub('*', '>')),
      ...READ_BY_READERS.map((asked) => ({ name: asked, type: 'service' as const, subject: `$JS.API.${asked}` })),
      { name: 'heard by readers', type: 'stream', subject: HEARD_BY_READERS },
    ],
  };
  return encodeAccount('CHAIN', chain, account, { signer: operator });
}

interface StoreClaim {
  readonly name: string;
  readonly store: KeyPair;
  readonly chain: KeyPair;
  readonly operator: KeyPair;
  /** Room of the mirror of its templates, over all servers that hold a copy. */
  readonly mirrorGib: number;
  /** Nothing is taken that was issued to it up to then, s since 1970; null: all is. */
  readonly revokedTo: number | null;
  /** It belongs to the chain no more: nothing that was ever issued to it is taken, and it may say and read nothing. */
  readonly isRemoved: boolean;
}

export function storeClaim(claim: StoreClaim): Promise<string> {
  const { name, store, chain, operator, mirrorGib, isRemoved } = claim;
  const own = keyOf(store);
  const revokedTo = isRemoved ? Math.ceil(Date.now() / SECOND_MS) : claim.revokedTo;
  const imported = (label: string, type: 'service' | 'stream', subject: string, local: string) => ({
    name: label,
    type,
    subject,
    account: keyOf(chain),
    local_subject: local,
  });
  const account: Partial<Account> = {
    limits: {
      ...FREE,
      payload: MAX_PAYLOAD_BYTES,
      subs: SUBSCRIPTIONS_OF_A_STORE,
      leaf: isRemoved ? 0 : LEAVES_OF_A_STORE,
      mem_storage: 0,
      disk_storage: Math.round(mirrorGib * GIB),
      streams: 1,
      consumer: 10,
    },
    imports: isRemoved
      ? []
      : [
          imported('says', 'service', upAtHub(own, '>'), `${UP}.>`),
          imported('reads what is for all', 'service', read(downAtHub(null, '>')), readSubject('all', '>')),
          imported('reads what is its own', 'service', read(downAtHub(own, '>')), readSubject('own', '>')),
          imported('hears of what is for all', 'stream', newsAtHub(null, '>'), newsSubject('all', '>')),
          imported('hears of what is its own', 'stream', newsAtHub(own, '>'), newsSubject('own', '>')),
        ],
    ...(revokedTo === null ? {} : { revocations: { '*': revokedTo } }),
  };
  return encodeAccount(name, store, account, { signer: operator });
}

/** What a store's leaf may send to the hub, and be sent: nothing of the hub's JetStream is among it. */
function leafUser(store: KeyPair): Partial<User> {
  const own = keyOf(store);
  return {
    allowed_connection_types: ['LEAFNODE'],
    bearer_token: false,
    pub: {
      // answers go back where the question came from: to the hub's own inboxes and those of its mirrors
      allow: [
        `${UP}.>`,
        readSubject('all', '>'),
        readSubject('own', '>'),
        `${MIRRORED}.>`,
        '_R_.>',
        '_INBOX.>',
        '$JSC.R.*',
      ],
    },
    sub: {
      allow: [
        ...[newsSubject('all', '>'), newsSubject('own', '>'), newsAtHub(null, '>'), newsAtHub(own, '>')],
        ...[`${MIRROR}.>`, '$JS.FC.>', '_R_.>'],
      ],
    },
  };
}

const endAfter = (seconds: number) => ({ exp: Math.floor(Date.now() / SECOND_MS) + seconds });

async function credentialsOf(name: string, account: KeyPair, user: Partial<User>, seconds: number): Promise<string> {
  const pair = createUser();
  return credentialsIn(await encodeUser(name, pair, account, user, endAfter(seconds)), pair);
}

const credentialsIn = (token: string, pair: KeyPair): string => new TextDecoder().decode(fmtCreds(token, pair));

/** What opens the hub for a store, with the secret of a user that the store has. @param user public key */
export const leafToken = (name: string, store: KeyPair, user: string): Promise<string> =>
  encodeUser(name, user, store, leafUser(store), endAfter(LEAF_DAYS * DAY_SECONDS));

/** The secret of a store. @returns `user` to renew it by */
export async function leafCredentials(name: string, store: KeyPair) {
  const pair = createUser();
  const user = keyOf(pair);
  return { credentials: credentialsIn(await leafToken(name, store, user), pair), user };
}

/** Of the administrator of an account, for the time of a command. */
export const commandCredentials = (account: KeyPair): Promise<string> =>
  credentialsOf('administrator', account, { allowed_connection_types: ['STANDARD'] }, COMMAND_SECONDS);

const askedBy = (account: string): string[] => [...READ_BY_READERS, readAt(downAtHub(account, 'stores'))];

/**
 * A reader of what stores report has an account of its own, in which nothing lies: the hub writes an answer wherever the asker
 * says, and never asks whether he may write there.
 * @param account public key
 */
export function readerClaim(name: string, { account, chain, operator, isRemoved }: ReaderClaim): Promise<string> {
  const imported = (type: 'service' | 'stream', subject: string, local: string) => ({
    ...{ name: local, type, subject, account: keyOf(chain), local_subject: local },
  });
  const claim: Partial<Account> = {
    limits: { ...FREE, conn: CONNECTIONS_OF_A_READER, payload: MAX_PAYLOAD_BYTES },
    ...(isRemoved
      ? { revocations: { '*': Math.ceil(Date.now() / SECOND_MS) } }
      : {
          imports: [
            ...askedBy(account).map((asked) => imported('service', `$JS.API.${asked}`, `${READER_API}.${asked}`)),
            imported('stream', HEARD_BY_READERS, HEARD_BY_READERS),
          ],
        }),
  };
  return encodeAccount(name, account, claim, { signer: operator });
}

interface ReaderClaim {
  /** Public key. */
  readonly account: string;
  readonly chain: KeyPair;
  readonly operator: KeyPair;
  readonly isRemoved: boolean;
}

/** The secret of a reader. @returns when it ends, ms since 1970; public key of the account that it opens, and nothing else does */
export async function readerCredentials(name: string, days: number) {
  const seconds = Math.round(days * DAY_SECONDS);
  const pair = createAccount();
  const account = keyOf(pair);
  const user: Partial<User> = {
    allowed_connection_types: ['STANDARD'],
    bearer_token: false,
    pub: { allow: [`${READER_API}.>`] },
    sub: { allow: [`${READER_INBOX}.>`, HEARD_BY_READERS] },
  };
  const credentials = await credentialsOf(name, pair, user, seconds);
  return { credentials, account, endsAt: Date.now() + seconds * SECOND_MS };
}
