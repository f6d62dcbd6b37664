/** The shop's facts: its name and address, which papers print, and the zone of its days. */
import Type, { type Static } from 'typebox';
import { timeZoneOf } from '../config/index.ts';
import { JsonStore } from '../files/index.ts';
import { NO_CONTROLS } from '../schema/index.ts';
import { zoneNow } from './zone.ts';

export const MAX_SHOP_CHARACTERS = 120;
const NAME = { maxLength: MAX_SHOP_CHARACTERS, pattern: NO_CONTROLS };
export const ShopSchema = Type.Object(
  {
    name: Type.String({ ...NAME, description: 'as papers have it; empty where none was given' }),
    address: Type.String({ ...NAME, description: 'as papers have it; empty where none was given' }),
    zone: Type.Union([Type.String({ maxLength: 64 }), Type.Null()], {
      description: 'as `Europe/Moscow`, of the IANA list; null: not set; a change with null leaves it',
    }),
  },
  { additionalProperties: false, examples: [{ name: 'Ромашка', address: 'Москва, ул. Ленина, 1', zone: null }] },
);
export type ShopFacts = Readonly<Static<typeof ShopSchema>>;

export class Shop {
  readonly #store: JsonStore<Static<typeof ShopSchema>>;

  constructor(path: string) {
    this.#store = JsonStore.open(path, ShopSchema, { name: '', address: '', zone: null });
  }

  get facts(): ShopFacts {
    return this.#store.value;
  }

  /** Whether the zone was never set: such a board has UTC, the zone of no Russian shop. */
  get isZoneUnset(): boolean {
    return zoneNow() === 'UTC' && timeZoneOf(this.facts.zone ?? '') !== 'UTC';
  }

  /** @throws the file system's error: nothing has changed then */
  store(facts: ShopFacts): void {
    this.#store.write({ ...facts });
  }
}
