/**
 * With what the banks of payments are asked, by the merchant: who is paid, and where. A payment names its merchant only, so that
 * a certificate or a password that has been renewed since is the one it is asked about with, also where the settings do not
 * know the merchant any more. Sealed, in a file of its own.
 */
import Type from 'typebox';
import { isStoreError, StoreError } from '../../../store/errors.ts';
import { JsonStore } from '../../../store/json-store.ts';
import type { Sealer } from '../../../store/sealer.ts';
import { type BankContext, type BankProfile, isBankProfile, merchantOf } from '../registry.ts';

/** Merchants that are remembered, the newest: a lane has few, and a profile is filled in by hand. */
const MOST_MERCHANTS = 200;

/** By merchant, its profile as it was set up last, sealed. The newest is the last. */
const StoredMerchants = Type.Record(Type.String(), Type.String());

const purposeOf = (merchant: string): string => `merchant/${merchant}`;

export class Merchants {
  readonly #store: JsonStore<Type.Static<typeof StoredMerchants>>;
  readonly #sealer: Sealer;
  readonly #context: BankContext;
  /** Those of the settings, first of all. */
  readonly #profiles: () => readonly BankProfile[];

  /** @param profiles that are set up now, the one in use first */
  constructor(path: string, sealer: Sealer, context: BankContext, profiles: () => readonly BankProfile[]) {
    this.#store = JsonStore.open(path, StoredMerchants, {});
    this.#sealer = sealer;
    this.#context = context;
    this.#profiles = profiles;
  }

  /** Names who is paid by a profile: what a payment keeps. */
  of(profile: BankProfile): string {
    return merchantOf(profile, this.#context);
  }

  /**
   * The profiles that a merchant's payments may be asked about with, the best first: what is set up now may not work, and what
   * was then may still do. None where nothing is known of it. @throws {StoreError} `SEAL_BROKEN`
   */
  find(merchant: string): readonly BankProfile[] {
    const current = this.#profiles().filter((profile) => this.of(profile) === merchant);
    const kept = this.#kept(merchant);
    return kept === null ? current : [...current, kept];
  }

  /** Remembers profiles, whatever the settings say later. @throws the file system's error: nothing has changed then */
  async keep(profiles: readonly BankProfile[]): Promise<void> {
    const changed = profiles.filter((profile) => !this.#isKept(profile));
    if (changed.length === 0) return;
    const merchants = new Map(Object.entries(this.#store.value));
    for (const profile of changed.toReversed()) {
      const merchant = this.of(profile);
      merchants.delete(merchant); // the newest comes last
      merchants.set(merchant, this.#sealer.seal(JSON.stringify(profile), purposeOf(merchant)));
    }
    await this.#store.replace(Object.fromEntries([...merchants].slice(-MOST_MERCHANTS)));
  }

  #isKept(profile: BankProfile): boolean {
    try {
      return JSON.stringify(this.#kept(this.of(profile))) === JSON.stringify(profile);
    } catch (error) {
      if (isStoreError(error, 'SEAL_BROKEN')) return false;
      throw error;
    }
  }

  /** @throws {StoreError} `SEAL_BROKEN` */
  #kept(merchant: string): BankProfile | null {
    const sealed = this.#store.value[merchant];
    if (sealed === undefined) return null;
    const profile: unknown = JSON.parse(this.#sealer.open(sealed, purposeOf(merchant)));
    if (!isBankProfile(profile)) throw new StoreError('SEAL_BROKEN', 'the profile of a merchant is of another shape');
    return profile;
  }
}
