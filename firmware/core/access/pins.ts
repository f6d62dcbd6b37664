/**
 * Stores the PINs of people at the console, one for each role, as slow digests with salt and a key that only this device
 * has: a copy of the data folder does not help to try all ten thousand PINs.
 */
import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import Type, { type Static } from 'typebox';
import { SerialQueue } from '../../../drivers/lib/serial-queue.ts';
import { JsonStore } from '../files/index.ts';
import { ofAnotherKey, type Sealer } from '../secrets/index.ts';
import { SignInError } from './errors.ts';
import { PEOPLE, type Person } from './people.ts';

/** Rules for PINs: their length, and none that a guesser tries first. */
export const SHORTEST_PIN = 4;
export const LONGEST_PIN = 10;

/** The middle of a keypad, and the most used PINs besides runs and repetitions. */
const KNOWN: ReadonlySet<string> = new Set(['2580', '0852', '1004', '147258', '159753', '147258369']);

/** Steps of none, one or two, up or down, where 9 and 0 are neighbours. */
const SMALL_STEPS: ReadonlySet<number> = new Set([0, 1, 2, 8, 9]);

const steps = (pin: string): number[] =>
  [...pin].slice(1).map((digit, at) => (Number(digit) - Number(pin[at]) + 10) % 10);

/** Whether each step from digit to digit is the same: 0000, 1234, 4321, 2468, 890123; 9 and 0 are neighbours. */
const isRun = (pin: string): boolean => {
  const [step = 0, ...others] = new Set(steps(pin));
  return others.length === 0 && SMALL_STEPS.has(step);
};

/** Whether a part repeats: 1212, 123123. */
const repeats = (pin: string): boolean => /^(\d{1,5})\1+$/.test(pin);

/** Whether the PIN is a run with each digit twice: 1122, 112233, 5544. */
const isDoubledRun = (pin: string): boolean =>
  /^(?:(\d)\1)+$/.test(pin) && isRun([...pin].filter((_, at) => at % 2 === 0).join(''));

/** Whether the PIN may be a year of somebody's life. */
const isYear = (pin: string): boolean => /^(19|20)\d\d$/.test(pin);

export const isEasyPin = (pin: string): boolean =>
  KNOWN.has(pin) || isRun(pin) || repeats(pin) || isDoubledRun(pin) || isYear(pin);

const PURPOSE = 'pin';
const SALT_BYTES = 16;
const DIGEST_BYTES = 32;
const ID_BYTES = 12;
/** Cost of a digest: a tenth of a second and 16 MiB on a Raspberry Pi 4. */
const COST = Object.freeze({ N: 16_384, r: 8, p: 1 });

const hex = (bytes: number) => Type.String({ pattern: `^[0-9a-f]{${2 * bytes}}$` });
const PinSchema = Type.Object({
  /** Changes with each PIN that is set: sessions of the PIN before end with it. */
  id: hex(ID_BYTES),
  salt: hex(SALT_BYTES),
  digest: hex(DIGEST_BYTES),
});
const Schema = Type.Object({
  /** The name of the key of the digests; null before the first. */
  key: Type.Union([Type.String(), Type.Null()]),
  cashier: Type.Union([PinSchema, Type.Null()]),
  supervisor: Type.Union([PinSchema, Type.Null()]),
  technician: Type.Union([PinSchema, Type.Null()]),
});
type StoredPins = Static<typeof Schema>;
type StoredPin = Static<typeof PinSchema>;

export interface PinFound {
  readonly person: Person;
  readonly id: string;
}

export class Pins {
  readonly #sealer: Pick<Sealer, 'digest' | 'name'>;
  readonly #hasTechnicianToken: () => boolean;
  readonly #store: JsonStore<StoredPins>;
  readonly #queue = new SerialQueue();
  #onChange: () => void = () => undefined;

  /** @param hasTechnicianToken whether a technician's token exists to sign in with */
  constructor(path: string, sealer: Pick<Sealer, 'digest' | 'name'>, hasTechnicianToken: () => boolean) {
    this.#sealer = sealer;
    this.#hasTechnicianToken = hasTechnicianToken;
    const none = { key: null, cashier: null, supervisor: null, technician: null };
    this.#store = JsonStore.open(path, Schema, none, (stored) => ofAnotherKey(stored, sealer));
  }

  /** The problem of the stored PINs at start; null for none. */
  get problem(): string | null {
    return this.#store.found === 'lost' ? this.#store.problem : null;
  }

  get areAny(): boolean {
    return PEOPLE.some((person) => this.has(person));
  }

  has(person: Person): boolean {
    return this.#store.value[person] !== null;
  }

  /** The owner of the PIN of this id; null where it was replaced or removed. */
  personOf(id: string): Person | null {
    return PEOPLE.find((person) => this.#store.value[person]?.id === id) ?? null;
  }

  /** @param changed called for each PIN that is set or removed */
  onChange(changed: () => void): void {
    this.#onChange = changed;
  }

  /** The owner of a PIN; takes equally long for each. @returns null for no owner */
  async find(pin: string): Promise<PinFound | null> {
    let found: PinFound | null = null;
    for (const person of PEOPLE) {
      const stored = this.#store.value[person];
      if (stored !== null && (await this.#fits(pin, stored))) found = { person, id: stored.id };
    }
    return found;
  }

  /**
   * Sets the PIN of a person, and voids the one before.
   * @returns the id of the new one
   * @throws {SignInError} `EasyPin`, `PinInUse`, `TechnicianFirst` @throws the file system's error: nothing has changed
   * then
   */
  set(person: Person, pin: string): Promise<string> {
    return this.#queue.run(async () => {
      if (isEasyPin(pin))
        throw new SignInError('EasyPin', 'this PIN is one of the first that anybody tries: choose another one', {
          field: 'pin',
        });
      if (person !== 'technician') this.#requireTechnician();
      const owner = await this.find(pin);
      if (owner !== null && owner.person !== person)
        throw new SignInError(
          'PinInUse',
          'choose a different PIN: by this one the device would not know who signs in',
          {
            field: 'pin',
          },
        );
      const made = await this.#made(pin);
      this.#write(person, made);
      return made.id;
    });
  }

  /** @throws {SignInError} `TechnicianFirst` @throws the file system's error: nothing has changed then */
  remove(person: Person): Promise<void> {
    return this.#queue.run(async () => {
      const isLast = PEOPLE.every((other) => other === person || !this.has(other));
      if (person === 'technician' && !isLast && !this.#hasTechnicianToken())
        throw new SignInError('TechnicianFirst', 'remove the other PINs first: no one could sign in as technician');
      this.#write(person, null);
    });
  }

  #requireTechnician(): void {
    if (this.has('technician') || this.#hasTechnicianToken()) return;
    throw new SignInError('TechnicianFirst', "set the technician's PIN first: else no one could sign in as technician");
  }

  async #made(pin: string): Promise<StoredPin> {
    const salt = randomBytes(SALT_BYTES);
    const digest = await this.#digest(pin, salt);
    return { id: randomBytes(ID_BYTES).toString('hex'), salt: salt.toString('hex'), digest: digest.toString('hex') };
  }

  async #fits(pin: string, { salt, digest }: StoredPin): Promise<boolean> {
    return timingSafeEqual(await this.#digest(pin, Buffer.from(salt, 'hex')), Buffer.from(digest, 'hex'));
  }

  #digest(pin: string, salt: Buffer): Promise<Buffer> {
    const peppered = this.#sealer.digest(pin, PURPOSE);
    return new Promise((resolve, reject) => {
      scrypt(peppered, salt, DIGEST_BYTES, COST, (error, digest) => (error === null ? resolve(digest) : reject(error)));
    });
  }

  #write(person: Person, stored: StoredPin | null): void {
    this.#store.write({ ...this.#store.value, key: this.#sealer.name, [person]: stored });
    this.#onChange();
  }
}
