/** A store's chain put together: whether it has joined one, the way to it, how it stands. */
import type { NatsConnection } from '@nats-io/transport-node';
import { messageOf } from '../../drivers/lib/errors.ts';
import { degraded, type HealthBoard, type Log, reasonOf, type Verdict, WELL } from '../host/index.ts';
import type { Sealer } from '../store/index.ts';
import { ChainError } from './errors.ts';
import type { JoinFile } from './join-file.ts';
import { ChainLink, PROBE } from './link.ts';
import { Loop } from './loop.ts';
import { type ChainFiles, type Member, Membership } from './membership.ts';
import { openDocument } from './signed-document.ts';
import { LEAF } from './subjects.ts';
import type { Trust } from './trust.ts';

const LOOK_MS = 30_000;
const LOOK_AGAIN_MS = 3000;
/** A line that is away for less is no trouble of a technician. */
const AWAY_MS = 5 * 60_000;
const DAY_MS = 86_400_000;
/** A credential that ends sooner should have been renewed months ago. */
const WARN_MS = 30 * DAY_MS;
const DIGEST_PURPOSE = 'name of an event';
const HEALTH_PART = 'chain';

const UNSEALED =
  'sync.leaf holds a password in the configuration, unsealed and the same for every store, and only mirrors of the templates go that way: have the chain issue a file for this store and give it to lanectl chain join (docs/chain.md), then remove sync.leaf';

interface ChainOptions {
  readonly path: string;
  readonly runtimeFolder: string;
  readonly sealer: Sealer;
  /** Encoded serial number of this device. */
  readonly part: string;
  /** Whether the configuration leads to a chain in the old way. */
  readonly hasOldLeaf: boolean;
  readonly clock: { wall(): number; monotonic(): number };
  readonly health: HealthBoard;
  readonly log: Log;
}

interface ChainStore {
  readonly isMaster: boolean;
  changeLeaf(): Promise<void>;
}

interface ChainState {
  readonly member: Member | null;
  readonly connected: boolean;
  /** Milliseconds since 1970 of the last change between connected and not; null before the first look, or without a chain. */
  readonly since: number | null;
  /** Why the chain is not reached, or why this device does not know of one; else null. */
  readonly trouble: string | null;
}

export class Chain {
  readonly link: ChainLink;
  readonly #options: ChainOptions;
  readonly #membership: Membership;
  readonly #loop: Loop;
  #store: ChainStore | null = null;
  #connected = false;
  readonly #believers: (() => void)[] = [];
  readonly #servers: ((connection: NatsConnection) => void)[] = [];
  #reportedTrust: Trust | null | undefined;
  #since: number | null = null;
  #lostAt: number;
  #trouble: string | null = null;

  constructor(options: ChainOptions) {
    const { sealer, part, clock, hasOldLeaf, log } = options;
    this.#options = options;
    this.#lostAt = clock.monotonic();
    this.#membership = new Membership({ ...options, now: () => clock.wall() });
    this.link = new ChainLink({
      part,
      nameOf: (event) => sealer.digest(event, DIGEST_PURPOSE).toString('base64url'),
    });
    this.#loop = new Loop({
      ...{ link: this.link, step: () => this.#lookAgain() },
      isNews: (scope, key) => scope === 'own' && key === LEAF,
    });
    if (hasOldLeaf) log.warn({}, UNSEALED);
    this.#showHealth();
  }

  /** The way to the chain; null where the store has joined none. */
  leaf(): ChainFiles | null {
    return this.#membership.files;
  }

  /** Whom the devices of the store may believe, in the word of this one, which has joined. */
  trust(): Trust | null {
    const { member } = this.#membership;
    return member === null ? null : { account: member.account, signingKey: member.signingKey };
  }

  /** The chain that this device trusts, as its master reported it; null for none. */
  get believed(): Trust | null {
    return this.#reportedTrust ?? null;
  }

  /** The same; undefined until the master has reported, so that null means: the store has no chain. */
  get reportedTrust(): Trust | null | undefined {
    return this.#reportedTrust;
  }

  believe(trust: Trust | null): void {
    const isNews = JSON.stringify(trust) !== JSON.stringify(this.#reportedTrust);
    this.#reportedTrust = trust;
    if (isNews) for (const listener of this.#believers) listener();
  }

  onBelief(listener: () => void): void {
    this.#believers.push(listener);
  }

  /** Called with each connection of this device, as the master, to its own server, with the rights of that. */
  onServe(listener: (connection: NatsConnection) => void): void {
    this.#servers.push(listener);
  }

  serve(connection: NatsConnection): void {
    for (const listener of this.#servers) listener(connection);
  }

  start(store: ChainStore): void {
    this.#store = store;
    this.#loop.start();
  }

  async close(): Promise<void> {
    await this.#loop.close();
    this.#membership.close();
  }

  get state(): ChainState {
    const { member, problem } = this.#membership;
    if (member === null) return { member, connected: false, since: null, trouble: problem };
    return { member, connected: this.#connected, since: this.#since, trouble: problem ?? this.#trouble };
  }

  /** @throws {ChainError} `no-master` @throws the file system's error; nothing has changed then */
  async join(file: JoinFile): Promise<void> {
    if (this.#store?.isMaster !== true)
      throw new ChainError(
        'no-master',
        'a store joins its chain at its master: make this device the master, or go to it',
      );
    this.#membership.join(file);
    await this.#changed();
  }

  /** @throws the file system's error */
  async leave(): Promise<void> {
    this.#membership.leave();
    await this.#changed();
  }

  async #changed(): Promise<void> {
    this.#take(null, 'the chain has not answered yet');
    this.#since = null;
    this.#showHealth();
    await this.#store?.changeLeaf();
    this.#loop.ask();
  }

  #showHealth(): void {
    const { health, hasOldLeaf } = this.#options;
    if (this.#membership.member !== null || this.#membership.problem !== null)
      health.add(HEALTH_PART, () => this.#judge());
    else if (hasOldLeaf) health.add(HEALTH_PART, () => degraded(reasonOf('chain-unsealed', {}, UNSEALED)));
    else health.drop(HEALTH_PART);
  }

  #judge(): Verdict {
    const { problem } = this.#membership;
    if (problem !== null) return degraded(reasonOf('chain-unreadable', { detail: problem }, problem));
    if (this.#store?.isMaster === false) {
      const sentence = 'this device has joined a chain but is no master any more: lanectl chain leave';
      return degraded(reasonOf('chain-no-master', {}, sentence));
    }
    const endsInMs = (this.#membership.endsAt ?? Number.POSITIVE_INFINITY) - this.#options.clock.wall();
    if (endsInMs < WARN_MS) {
      const days = Math.max(0, Math.floor(endsInMs / DAY_MS));
      const sentence = `the credential of the chain ends in ${days} days: scripts/chain.sh store renew, at the chain, renews it, and after its end store add --again issues another`;
      return degraded(reasonOf('chain-ends', { days }, sentence));
    }
    const away = this.#options.clock.monotonic() - this.#lostAt;
    if (this.#connected || away < AWAY_MS) return WELL;
    const minutes = Math.round(away / 60_000);
    const detail = this.#trouble ?? '';
    const sentence = `the chain has not been reached for ${minutes} minutes: ${detail}`;
    return degraded(reasonOf('chain-away', { minutes, detail }, sentence));
  }

  async #lookAgain(): Promise<number> {
    const isMember = this.#membership.member !== null && this.#store?.isMaster === true;
    if (isMember) await this.#look();
    return isMember && !this.#connected ? LOOK_AGAIN_MS : LOOK_MS;
  }

  async #look(): Promise<void> {
    const { isDue, member } = this.#membership;
    try {
      const found = await (isDue ? this.link.read('own', LEAF) : this.link.read('all', PROBE));
      this.#take(true, null);
      if (isDue && found !== null && member !== null) this.#renew(member, found.data);
    } catch (error) {
      if (!(error instanceof ChainError)) throw error;
      this.#take(false, error.message);
    }
  }

  #renew({ account, signingKey }: Member, data: Uint8Array): void {
    try {
      this.#membership.renew(openDocument(signingKey, { store: account, key: LEAF }, data).body);
    } catch (error) {
      this.#options.log.warn({ reason: messageOf(error) }, 'the credential of the chain is not renewed');
    }
  }

  /** @param connected null: not known yet */
  #take(connected: boolean | null, trouble: string | null): void {
    const { clock, log } = this.#options;
    const isNews = connected !== null && (connected !== this.#connected || this.#since === null);
    if (isNews) {
      this.#since = clock.wall();
      if (connected) log.info({}, 'the chain is reached');
      else log.warn({ trouble }, 'the chain is not reached; it is tried again');
    }
    if (connected === null || (this.#connected && !connected)) this.#lostAt = clock.monotonic();
    this.#connected = connected === true;
    this.#trouble = trouble;
  }
}
