/**
 * Templates for all stores, which a master takes in; its slaves get them as any other. Only which parts of the catalogue are
 * finished is stored: the work may stop at any point.
 */
import { setImmediate as breathe } from 'node:timers/promises';
import Type, { type Static, type TSchema } from 'typebox';
import { messageOf } from '../../../drivers/lib/errors.ts';
import { ChainError, type ChainLink, isAway, Looking, type SignedReader, type Trust } from '../../chain/index.ts';
import type { LogLine } from '../../host/index.ts';
import type { Items, TemplateExchange, WholeTemplate } from '../../recognition/index.ts';
import { JsonStore, jsonFitting } from '../../store/index.ts';
import { decodeTemplate } from '../template-codec.ts';
import {
  CATALOGUE,
  CatalogueHead,
  type CatalogueItem,
  CataloguePart,
  checksumOf,
  keyOfPart,
  keyOfTemplate,
  PARTS,
  type Ring,
  ringOf,
  saidOf,
} from './catalogue.ts';
import { decideFromChain } from './decide-catalogue.ts';
import { identityOf } from './subjects.ts';

/** Templates that have come are written together once they are so much. */
const BATCH_BYTES = 1024 * 1024;

const Done = Type.Object({
  /** Inputs of the decision: it starts over with another chain, model or limit, or when the database of items opens. */
  basis: Type.String(),
  /** Of the head that was dealt with whole; 0: none yet. */
  number: Type.Integer({ minimum: 0 }),
  /** Of each part that was dealt with: its checksum, and the ring that the store was in. */
  parts: Type.Array(Type.Union([Type.String(), Type.Null()]), { minItems: PARTS, maxItems: PARTS }),
  /** Items of each part that another model has made. */
  foreign: Type.Array(Type.Integer({ minimum: 0 }), { minItems: PARTS, maxItems: PARTS }),
  /** Items that each part describes. */
  described: Type.Array(Type.Integer({ minimum: 0 }), { minItems: PARTS, maxItems: PARTS }),
  /** Number of the description that the store has; 0: none. */
  description: Type.Integer({ minimum: 0 }),
});
type Done = Static<typeof Done>;

const nothingDone = (basis: string): Done => ({
  ...{ basis, number: 0, description: 0 },
  parts: Array<null>(PARTS).fill(null),
  foreign: Array<number>(PARTS).fill(0),
  described: Array<number>(PARTS).fill(0),
});

const sumOf = (counts: readonly number[]): number => counts.reduce((sum, each) => sum + each, 0);

export interface StoreTemplatesOptions {
  /** Of what was dealt with. */
  readonly path: string;
  readonly reader: Pick<SignedReader, 'read'>;
  readonly link: Pick<ChainLink, 'read' | 'onNews' | 'onLine'>;
  /** Null where the store has joined no chain, or it is not known yet. */
  readonly trust: () => Trust | null;
  readonly isMaster: () => boolean;
  readonly exchange: Pick<TemplateExchange, 'namesOf' | 'tombstonesOf' | 'receive' | 'keepTombstones'>;
  readonly items: Pick<
    Items,
    'takeOfChain' | 'countOfChain' | 'isOfChain' | 'problem' | 'wantsChainPicture' | 'takeChainPictures'
  >;
  /** Templates that an item may have. */
  readonly max: number;
  /** Identity of the model that runs; null: none. */
  readonly model: string | null;
  /** Called when the store has something new to share. */
  readonly onTaken: () => void;
  readonly log: LogLine;
}

interface StoreTemplatesState {
  /** Of the catalogue that was dealt with whole; 0: none yet. */
  readonly number: number;
  /** Items that are not taken because another model made them. */
  readonly foreign: number;
  /** Names, prices and barcodes that the chain says. */
  readonly description: {
    /** 0: it has none yet. */
    readonly number: number;
    readonly items: number;
    /** Of these: the store says something of its own. */
    readonly kept: number;
    /** Items of the chain that have not all their barcodes: others have them. */
    readonly barcodes: number;
  };
}

export class StoreTemplates extends Looking {
  readonly #options: StoreTemplatesOptions;
  readonly #done: JsonStore<Done>;
  /** Of each part, what was dealt with of its pictures since the start. */
  readonly #pictured = new Map<number, string>();
  #problem: string | null = null;

  constructor(options: StoreTemplatesOptions) {
    super({
      link: options.link,
      isNews: (scope, key) => scope === 'all' && key === CATALOGUE,
      look: () => this.#tryToLook(),
    });
    this.#options = options;
    this.#done = JsonStore.open(options.path, Done, nothingDone(''));
  }

  /** Null where this device takes nothing of a chain: it is no master, or belongs to none. */
  get state(): StoreTemplatesState | null {
    if (!this.#isOn) return null;
    const { items } = this.#options;
    const { number, foreign, described, description } = this.#done.value;
    const [many, ofChain] = [sumOf(described), items.countOfChain()];
    const kept = Math.max(0, many - ofChain.items);
    const counts = { number: description, items: many, kept, barcodes: ofChain.short };
    return { number, foreign: sumOf(foreign), description: counts };
  }

  /** Why what lies at the chain is not taken; null where nothing is wrong. */
  get problem(): string | null {
    return this.#options.trust() === null ? null : this.#problem;
  }

  get #isOn(): boolean {
    const { trust, isMaster } = this.#options;
    return trust() !== null && isMaster();
  }

  /** @returns whether nothing is left to be done */
  async #tryToLook(): Promise<boolean> {
    const { trust: trusted, isMaster, items, log } = this.#options;
    const trust = trusted();
    try {
      // where the store comes back, all is dealt with anew: what was fixed may have been changed meanwhile
      if (!items.isOfChain && this.#done.value.basis !== '') this.#done.write(nothingDone(''));
      if (!items.isOfChain) this.#pictured.clear();
      if (trust === null) return true;
      const isWhole = await this.#look(trust, isMaster());
      this.#problem = null;
      return isWhole;
    } catch (error) {
      if (isAway(error) || this.isClosing) return false;
      const problem = messageOf(error);
      if (this.#problem !== problem) log('templates of the chain are not taken', { reason: problem });
      this.#problem = problem;
      return false;
    }
  }

  /** @returns whether nothing is left to be done */
  async #look(trust: Trust, isMaster: boolean): Promise<boolean> {
    const body = await this.#options.reader.read('all', CATALOGUE, trust);
    if (body === null) return true;
    const head = parsed(CatalogueHead, body);
    const ring = ringOf(head, trust.account);
    if (isMaster) await this.#takeParts(head, ring, trust);
    if (head.pictured === undefined || this.#options.items.problem !== null) return true;
    const { takePictures } = await import('./store-pictures.ts');
    return await takePictures({
      ...{ head, ring, isMaster, done: this.#pictured, items: this.#options.items },
      readPart: (checksum) => this.#readPart(checksum),
      read: (key, checksum) => this.#read(key, checksum),
      isClosing: () => this.isClosing,
    });
  }

  async #takeParts(head: CatalogueHead, ring: Ring | null, trust: Trust): Promise<void> {
    const { max, model, items } = this.#options;
    const basis = checksumOf(JSON.stringify([trust.signingKey, model, max, items.problem === null]));
    if (this.#done.value.basis !== basis) this.#done.write(nothingDone(basis));
    for (const [at, checksum] of head.parts.entries()) {
      const { value } = this.#done;
      const mark = checksum === null || ring === null ? checksum : `${checksum} ${ring.number}`;
      if (value.parts[at] === mark) continue;
      const took = checksum === null ? { foreign: 0, described: 0 } : await this.#takePart(checksum, ring);
      if (this.isClosing) return;
      this.#done.write({
        ...value,
        parts: value.parts.with(at, mark),
        foreign: value.foreign.with(at, took.foreign),
        described: value.described.with(at, took.described),
      });
    }
    const description = ring?.number ?? head.described ?? 0;
    if (this.#done.value.number !== head.number || this.#done.value.description !== description)
      this.#done.write({ ...this.#done.value, number: head.number, description });
  }

  /** @returns `foreign` how many of its items another model has made */
  async #takePart(checksum: string, ring: Ring | null): Promise<{ foreign: number; described: number }> {
    const items = await this.#readPart(checksum);
    const said = items.flatMap((item) => {
      const own = saidOf(item, ring);
      return own === undefined ? [] : { id: item.item, ...own };
    });
    const { items: database, onTaken } = this.#options;
    if (database.problem === null && (await database.takeOfChain(said))) onTaken();
    let foreign = 0;
    for (const item of items) {
      if (this.isClosing) break;
      if (await this.#takeItem(item)) foreign += 1;
      await breathe();
    }
    return { foreign, described: said.filter(({ item }) => item !== null).length };
  }

  /** @returns whether another model has made it */
  async #takeItem(offered: CatalogueItem): Promise<boolean> {
    const { exchange, max, model, onTaken } = this.#options;
    const { item } = offered;
    const [templates, tombstones] = [exchange.namesOf(item), exchange.tombstonesOf(item)];
    const { take, bury, isForeign } = decideFromChain(offered, { templates, tombstones, max, model });
    if (take.length + bury.length === 0) return isForeign;
    const wanted = new Set(take.map(identityOf));
    const coming = offered.templates.filter((each) => wanted.has(identityOf({ item, ...each })));
    // what is replaced stays until there is something in its place, so far as the item has room for both
    const room = Math.max(0, max - templates.length);
    let isWhole = await this.#take(item, coming.slice(0, room));
    if (isWhole) {
      await exchange.keepTombstones(bury);
      isWhole = await this.#take(item, coming.slice(room));
    }
    onTaken();
    // what was deleted meanwhile is seen now
    return isWhole ? isForeign : await this.#takeItem(offered);
  }

  /** @returns false where some of the item were deleted meanwhile: the rest stays out */
  async #take(item: string, coming: CatalogueItem['templates']): Promise<boolean> {
    const { exchange } = this.#options;
    const deleted = exchange.tombstonesOf(item).length;
    let batch: WholeTemplate[] = [];
    let bytes = 0;
    for (const { origin, sid, sha256 } of coming) {
      const template = decodeTemplate(await this.#read(keyOfTemplate(sha256), sha256), { item, origin, sid });
      batch.push(template);
      bytes += template.crop.length;
      if (bytes < BATCH_BYTES) continue;
      if (exchange.tombstonesOf(item).length > deleted) return false;
      await exchange.receive(batch);
      [batch, bytes] = [[], 0];
    }
    if (exchange.tombstonesOf(item).length > deleted) return false;
    await exchange.receive(batch);
    return true;
  }

  async #readPart(checksum: string): Promise<readonly CatalogueItem[]> {
    return parsed(CataloguePart, (await this.#read(keyOfPart(checksum), checksum)).toString()).items;
  }

  /** @throws {ChainError} `forged` too: what lies there is not what was signed, or is gone with a change that is just being made */
  async #read(key: string, checksum: string): Promise<Buffer> {
    const found = await this.#options.link.read('all', key);
    if (found !== null && checksumOf(found.data) === checksum) return Buffer.from(found.data);
    const what = found === null ? 'is not there' : 'is not what the chain has signed';
    throw new ChainError('forged', `a part of the templates at the chain ${what}: it is asked for again`);
  }
}

/** @throws {ChainError} `forged`: signed, but for a release after this one */
function parsed<S extends TSchema>(schema: S, text: string): Static<S> {
  const said = jsonFitting(schema, text);
  if (said !== null) return said;
  throw new ChainError('forged', 'the templates of the chain are of another kind than this release knows');
}
