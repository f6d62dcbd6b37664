/** A store of devices, in one process, that give the same codes to items; everything follows from the seed. */
import { join } from 'node:path';
import type { ItemRecord } from '../../firmware/recognition/items/item-versions.ts';
import { Items } from '../../firmware/recognition/items/items.ts';
import { ItemError } from '../../firmware/recognition/model/item.ts';
import type { Centre } from '../../firmware/sync/centre/centre.ts';
import { ItemRounds } from '../../firmware/sync/item-rounds.ts';
import { seeded } from '../tools/seeded.ts';
import { SimulatedBucket } from './simulated-bucket.ts';

const CLOCK = { wall: (): number => 1_700_000_000_000, monotonic: () => 0, bootId: 'boot' };
const BOTH = { upload: true, download: true };
const NUMBER = '96385074';
const CODES = [NUMBER, '4006381333931', 'X1'];
const IDS = ['a', 'b', 'c', NUMBER];
const SERIALS = ['M', 'A1', 'Z9'];
const STEPS = 24;
/** Rounds of all devices after which nothing may be left to say. */
const MOST_ROUNDS = 12;

/** The messages of the store's centre. */
export class ItemBucket {
  readonly #bucket = new SimulatedBucket<Uint8Array>('once');

  readonly centre = {
    server: 'server',
    place: async () => this.#bucket.place,
    list: async () => ({ place: this.#bucket.place, subjects: this.#bucket.subjects }),
    at: async (_bucket: string, number: number) => {
      const subject = this.#bucket.at(number);
      return subject === null ? null : { number, subject, data: this.#bucket.contentOf(subject) };
    },
    latest: async (_bucket: string, subject: string) => this.#bucket.latest(subject),
    get: async (_bucket: string, subject: string) => this.#bucket.contentOf(subject),
    put: async (subject: string, text: string) => this.#bucket.put(subject, Buffer.from(text), 0),
    hint: () => undefined,
  } as unknown as Centre;
}

export class ItemLane {
  readonly serial: string;
  readonly #path: string;
  items: Items;
  #rounds: ItemRounds;

  /** @param name of its file: two may have one serial number */
  constructor(folder: string, serial: string, name = serial) {
    this.serial = serial;
    this.#path = join(folder, `${name}.db`);
    [this.items, this.#rounds] = this.#open();
  }

  async restart(): Promise<void> {
    await this.items.close();
    [this.items, this.#rounds] = this.#open();
  }

  #open(): [Items, ItemRounds] {
    const items = new Items(this.#path, CLOCK);
    const rounds = new ItemRounds(this.serial, items, { warn: () => undefined });
    items.file.onChange(() => void rounds.recordChange());
    return [items, rounds];
  }

  /** Devices whose words it does not take. */
  get refused(): string[] {
    return this.#rounds.refused;
  }

  round(centre: Centre): Promise<void> {
    return this.#rounds.run(centre, BOTH);
  }

  async words(): Promise<ItemRecord[]> {
    const words: ItemRecord[] = [];
    for await (const page of this.items.records(this.serial)) words.push(...page);
    return words;
  }

  /** What a till sees of all items. */
  seen(): string {
    const lines = this.items
      .page({}, null, 100)
      .map(({ id, name, price, barcodes }) => JSON.stringify([id, name, price, barcodes]));
    return lines.join('\n');
  }
}

/** The rule, written anew: see `holderOf` of firmware/recognition/items/barcodes.ts. */
function ownerAmong(words: readonly ItemRecord[], code: string): string | null {
  const naming = words.filter(
    ({ id, item }) => item !== null && (id === code || item.barcodes?.includes(code) === true),
  );
  const ids = naming.map(({ id }) => id).sort();
  return ids.find((id) => id === code) ?? ids[0] ?? null;
}

export class ItemsSimulation {
  readonly log: string[] = [];
  readonly #random: () => number;
  readonly #folder: string;
  readonly #bucket = new ItemBucket();
  readonly #lanes: ItemLane[];
  readonly #steps: number;

  constructor(folder: string, seed: number, steps = STEPS) {
    this.#folder = folder;
    this.#steps = steps;
    this.#random = seeded(seed);
    this.#lanes = SERIALS.map((serial) => new ItemLane(folder, serial));
    // a card that was copied
    this.#lanes.push(new ItemLane(folder, SERIALS.at(-1) ?? '', 'clone'));
  }

  /** @returns what is wrong in the end */
  async run(): Promise<string[]> {
    for (let step = 0; step < this.#steps; step++) await this.#step();
    const problems = [...(await this.#settle())];
    // one that joins late, and one that hears the same in another order
    const [late, shuffled] = [new ItemLane(this.#folder, 'N5'), new ItemLane(this.#folder, 'shuffled')];
    this.#lanes.push(late);
    problems.push(...(await this.#settle()));
    const words = await late.words();
    for (const word of words.toSorted(() => this.#random() - 0.5)) await shuffled.items.applyLater([word], 'shuffled');
    this.#lanes.push(shuffled);
    problems.push(...this.#disagreements(), ...this.#misheld(words));
    for (const { items } of this.#lanes) await items.close();
    return problems;
  }

  async #step(): Promise<void> {
    const lane = this.#one(this.#lanes);
    const what = this.#random();
    if (what < 0.55) await this.#edit(lane);
    else if (what < 0.95) {
      this.log.push(`${lane.serial} round`);
      await lane.round(this.#bucket.centre);
    } else {
      this.log.push(`${lane.serial} restart`);
      await lane.restart();
    }
  }

  async #edit({ serial, items }: ItemLane): Promise<void> {
    const id = this.#one(IDS);
    const what = this.#random();
    const price = Math.floor(this.#random() * 1000);
    try {
      if (what < 0.4) {
        const said = { name: `${serial} ${price}`, price, barcodes: this.#codes() };
        this.log.push(`${serial} put ${id} ${JSON.stringify(said)}`);
        await items.put(id, said);
      } else if (what < 0.6) {
        this.log.push(`${serial} patch ${id} price ${price}`);
        await items.patch(id, { price });
      } else if (what < 0.8) {
        const barcodes = this.#codes();
        this.log.push(`${serial} patch ${id} ${barcodes}`);
        await items.patch(id, { barcodes });
      } else {
        this.log.push(`${serial} delete ${id}`);
        await items.delete(id);
      }
    } catch (error) {
      if (!(error instanceof ItemError)) throw error;
      this.log.push(`  ${error.code}`);
    }
  }

  async #settle(): Promise<string[]> {
    let before = '';
    for (let round = 0; round < MOST_ROUNDS; round++) {
      for (const lane of this.#lanes) await lane.round(this.#bucket.centre);
      const now = JSON.stringify(await Promise.all(this.#lanes.map((lane) => lane.words())));
      if (now === before) return [];
      before = now;
    }
    return ['the devices never come to an end'];
  }

  #disagreements(): string[] {
    const [master, ...others] = this.#lanes;
    const wanted = master?.seen();
    return others
      .filter((lane) => lane.seen() !== wanted)
      .map((lane) => `M sees\n${wanted}\n${lane.serial} sees\n${lane.seen()}`);
  }

  /** Each code belongs to the item that the words of all name, whatever came before. */
  #misheld(words: readonly ItemRecord[]): string[] {
    return CODES.flatMap((code) => {
      const wanted = ownerAmong(words, code);
      return this.#lanes
        .filter(({ items }) => items.ownerOf(code) !== wanted)
        .map(({ serial, items }) => `${code} is to be of ${wanted}, and is of ${items.ownerOf(code)} at ${serial}`);
    });
  }

  #codes(): string[] {
    return CODES.filter(() => this.#random() < 0.35);
  }

  #one<T>(all: readonly T[]): T {
    return all[Math.floor(this.#random() * all.length)] as T;
  }
}
