/** The rollout of a chain as it lies at the hub: begun, looked at, held, let go on, stopped, and taken a step further. */
import type { NatsConnection } from '@nats-io/transport-node';
import { CHANNEL } from '../../../firmware/chain/channel.ts';
import { problemsWith, sentence } from '../../../firmware/store/schema.ts';
import { isNewer } from '../../../firmware/version.ts';
import { documentAt, putDocument } from '../down.ts';
import { ChainFailure } from '../failures.ts';
import type { Keys } from '../keys.ts';
import { acceptsFarFewer, believed, type Lane, lineOf, type Step, step, tally } from './decide.ts';
import { channelOf, PutSchema, type Rollout } from './state.ts';

const PLACE = { store: null, key: CHANNEL };

export interface Course {
  readonly version: string;
  /** Percent; the last is 100. */
  readonly rings: readonly number[];
  readonly soakMs: number;
  readonly mostUndonePercent: number;
  /** Where devices fetch it: `{version}` stands for the release; null: not by themselves. */
  readonly source: string | null;
}

interface Lying {
  /** Null where nothing lies there that the chain has signed. */
  readonly rollout: Rollout | null;
  readonly sequence: number;
}

export class RolloutDesk {
  readonly #connection: NatsConnection;
  readonly #keys: Keys;
  readonly #lanes: () => Promise<readonly Lane[]>;
  readonly #now: () => number;

  /** @param lanes what devices report at this moment @param now ms since 1970 */
  constructor(connection: NatsConnection, keys: Keys, lanes: () => Promise<readonly Lane[]>, now: () => number) {
    this.#connection = connection;
    this.#keys = keys;
    this.#lanes = lanes;
    this.#now = now;
  }

  /** @throws {ChainFailure} */
  async start({ version, rings, soakMs, mostUndonePercent, source }: Course): Promise<Rollout> {
    const { rollout: before, sequence } = await this.#read();
    requireOver(before, version);
    const lanes = believed(await this.#lanes());
    const done = before?.phase === 'done' ? { version: before.version, below: 1, source: before.source } : null;
    const base = done ?? before?.base ?? null;
    const begun: Rollout = {
      ...{ version, rings: [...rings], soakMs, mostUndonePercent, source, base },
      ...{ ring: 0, below: lineOf(version, rings[0] ?? 0, lanes, this.#now()) },
      ...{ phase: 'running', why: '', ripeSince: null, forgiven: { undone: 0, failed: 0 } },
    };
    if (tally(begun, lanes, this.#now()).ring === 0)
      throw new ChainFailure(
        'no device that follows the channel has been heard: scripts/chain.sh devices lists those that are there',
      );
    await this.#put(begun, sequence);
    return begun;
  }

  /** How it stands, and what a step would say; nothing is changed. @throws {ChainFailure} */
  async look(): Promise<Step> {
    const { rollout } = await this.#present();
    return { rollout, says: step(rollout, believed(await this.#lanes()), this.#now()).says };
  }

  /** @throws {ChainFailure} */
  async step(): Promise<Step> {
    const { rollout, sequence } = await this.#present();
    const taken = step(rollout, believed(await this.#lanes()), this.#now());
    await this.#put(taken.rollout, sequence, rollout);
    return taken;
  }

  /** @throws {ChainFailure} */
  async hold(): Promise<void> {
    await this.#change(['running'], (rollout) => ({
      ...rollout,
      phase: 'held',
      why: 'a person has held it',
      ripeSince: null,
    }));
  }

  /** What is known to be bad at this moment holds it no more. @throws {ChainFailure} */
  async go(): Promise<void> {
    const lanes = believed(await this.#lanes());
    await this.#change(['held'], (rollout) => {
      const { undone, failed, accepted } = tally(rollout, lanes, this.#now());
      const fewer = acceptsFarFewer(accepted) ? { fewerInRing: rollout.ring } : {};
      return { ...rollout, phase: 'running', why: '', forgiven: { undone, failed: failed.updated, ...fewer } };
    });
  }

  /** The release is offered to no device any more; one that has it keeps it. @throws {ChainFailure} */
  async stop(): Promise<void> {
    await this.#change(['running', 'held', 'done'], (rollout) => ({
      ...rollout,
      ...{ phase: 'stopped', why: 'a person has stopped it', ripeSince: null },
    }));
  }

  async #change(from: readonly Rollout['phase'][], change: (rollout: Rollout) => Rollout): Promise<void> {
    const { rollout, sequence } = await this.#present();
    if (!from.includes(rollout.phase))
      throw new ChainFailure(`the rollout of ${rollout.version} is ${rollout.phase}, and not ${from.join(' or ')}`);
    await this.#put(change(rollout), sequence);
  }

  async #present(): Promise<{ rollout: Rollout; sequence: number }> {
    const { rollout, sequence } = await this.#read();
    if (rollout === null && sequence > 0)
      throw new ChainFailure(
        'what lies at the hub as the channel is not signed by this chain: somebody else writes there. Devices do not take it; scripts/chain.sh rollout start puts another in its place',
      );
    if (rollout === null) throw new ChainFailure('nothing was rolled out yet: scripts/chain.sh rollout start');
    return { rollout, sequence };
  }

  async #read(): Promise<Lying> {
    const found = await documentAt(this.#connection, this.#keys, PLACE);
    if (found === null || found.body === null) return { rollout: null, sequence: found?.sequence ?? 0 };
    const said: unknown = JSON.parse(found.body); // signed by this chain
    const [problem] = problemsWith(PutSchema, said);
    if (problem !== undefined)
      throw new ChainFailure(`the channel is of another release of this program: ${sentence(problem, 'the document')}`);
    return { rollout: (said as { rollout: Rollout }).rollout, sequence: found.sequence };
  }

  /** @param before what lies there: the same is not put down again, or every device would read it */
  async #put(rollout: Rollout, on: number, before: Rollout | null = null): Promise<void> {
    if (JSON.stringify(rollout) === JSON.stringify(before)) return;
    const body = JSON.stringify({ ...channelOf(rollout), rollout });
    await putDocument(this.#connection, this.#keys, { place: PLACE, body, on, now: this.#now() });
  }
}

/** One at a time, and never back: a device installs nothing that is older than what it runs. */
function requireOver(before: Rollout | null, version: string): void {
  if (before === null) return;
  if (before.phase === 'running' || before.phase === 'held')
    throw new ChainFailure(`the rollout of ${before.version} is ${before.phase}: stop it first`);
  if (!isNewer(version, before.version))
    throw new ChainFailure(`${version} is not newer than ${before.version}, which was rolled out before`);
}
