/**
 * Stores the credentials to ask banks about payments, sealed in a file of their own, by merchant: the payee, and the
 * bank's address. A payment names only its merchant, so it is asked about with a certificate or password renewed since,
 * even where the settings no longer have the merchant. Also chooses among the profiles of one merchant.
 */
import Type from 'typebox';
import { JsonStore, StoreError } from '../core/files/index.ts';
import { fits, jsonFitting } from '../core/schema/index.ts';
import type { SealedPart, Sealer } from '../core/secrets/index.ts';
import type { Bank, OnlineBank } from './bank.ts';
import { BankError } from './bank-error.ts';
import type { OpenBanks, Slot } from './open-banks.ts';
import { type BankContext, type BankProfile, isBankProfile, loginOf, merchantOf } from './registry.ts';

export const cannotBeOpened = (cause: unknown): BankError =>
  new BankError('refused', `the bank profile of the payment cannot be opened: ${(cause as Error).message}`, { cause });

function onlineOnly(bank: Bank): OnlineBank {
  if (bank.kind === 'online') return bank;
  throw new BankError('refused', 'the payment belongs to a static code, whose payments no bank reports');
}

/**
 * Chooses among the profiles of one merchant to ask its bank. A stale secret, or a certificate that cannot be opened,
 * says nothing about a payment: the next profile is tried, and stays first as long as it works.
 */
export class UsableProfiles {
  readonly #banks: Pick<OpenBanks, 'open' | 'slotOf'>;
  #attempts = 0;

  constructor(banks: Pick<OpenBanks, 'open' | 'slotOf'>) {
    this.#banks = banks;
  }

  /**
   * The first bank that opens. Asks nothing.
   * @param profiles of one merchant, the best first
   * @throws {BankError} why the last one tried cannot be opened
   */
  opened(profiles: readonly BankProfile[]): Promise<OnlineBank> {
    return this.#first(profiles, async (bank) => bank);
  }

  /**
   * Asks with one profile after the other, until a bank takes the credentials.
   * @throws {BankError} the bank's error, or why the last profile tried got no answer
   */
  ask<T>(profiles: readonly BankProfile[], question: (bank: OnlineBank) => Promise<T>): Promise<T> {
    return this.#first(profiles, async (bank, slot) => {
      try {
        const answer = await question(bank);
        this.recordAccepted(slot);
        return answer;
      } catch (error) {
        this.recordFailure(slot, error);
        throw error;
      }
    });
  }

  /** Records that a bank has accepted the credentials of a profile. */
  recordAccepted(slot: Slot): void {
    slot.unauthorized = null;
    slot.silence = null;
    slot.failedAt = 0;
  }

  /**
   * Records a failure: the bank refused the credentials; or it accepted them, as its error is about something else. An
   * unreachable bank shows neither.
   */
  recordFailure(slot: Slot, error: unknown): void {
    if (!(error instanceof BankError)) return;
    if (error.isUnauthorized) {
      slot.unauthorized = error;
      this.#recordUseless(slot);
    } else if (error.code !== 'unreachable') {
      this.recordAccepted(slot);
    }
  }

  #recordUseless(slot: Slot): void {
    this.#attempts += 1;
    slot.failedAt = this.#attempts;
  }

  /** Tries the profiles. Failed ones come last, one at a time: a bank may lock a login that fails too often. */
  async #first<T>(profiles: readonly BankProfile[], work: (bank: OnlineBank, slot: Slot) => Promise<T>): Promise<T> {
    const tried = profiles.map((profile) => ({ profile, slot: this.#banks.slotOf(profile) }));
    const [first, ...others] = tried.toSorted((a, b) => a.slot.failedAt - b.slot.failedAt);
    if (first === undefined) throw new RangeError('no profile of the merchant');
    const fresh = others.filter(({ slot }) => slot.failedAt === 0);
    let failure: BankError | null = null;
    for (const { profile, slot } of [first, ...fresh]) {
      const bank = await this.#open(profile, slot);
      try {
        if (!(bank instanceof BankError)) return await work(onlineOnly(bank), slot);
        failure = bank;
      } catch (error) {
        // no other profile is tried: a call without an answer may have been carried out
        if (!(error instanceof BankError && error.isUnauthorized)) throw error;
        failure = error;
      }
    }
    throw failure;
  }

  async #open(profile: BankProfile, slot: Slot): Promise<Bank | BankError> {
    try {
      return await this.#banks.open(profile);
    } catch (cause) {
      this.#recordUseless(slot);
      return cannotBeOpened(cause);
    }
  }
}

/** Most merchants that are stored, the newest: a lane has few, and a profile is filled in by hand. */
const MOST_MERCHANTS = 200;

/** The profiles of each merchant as last set up, sealed. The newest comes last. */
export const StoredMerchants = Type.Record(Type.String(), Type.String());

const purposeOf = (merchant: string): string => `merchant/${merchant}`;

/** The profiles of a merchant as they were sealed; null for a text that is something else. */
function profilesIn(text: string): readonly BankProfile[] | null {
  const profiles = jsonFitting(Type.Array(Type.Unknown()), text);
  return profiles?.every(isBankProfile) ? profiles : null;
}

/** The sealed parts of a stored document; none of any other document. */
export const sealedMerchants = (stored: unknown): SealedPart[] =>
  fits(StoredMerchants, stored)
    ? Object.entries(stored).map(([merchant, sealed]) => ({
        sealed,
        purpose: purposeOf(merchant),
        isFit: (text) => profilesIn(text) !== null,
      }))
    : [];

/** A profile under the name that it is set up by. */
interface SetUpProfile {
  readonly profileName: string;
  readonly profile: BankProfile;
}

/** The merchant and profile of a payment. */
export interface MadeWith {
  readonly merchant: string;
  /** Name of its profile, which another profile may have by now. */
  readonly profile: string;
}

export class Merchants {
  readonly #store: JsonStore<Type.Static<typeof StoredMerchants>>;
  readonly #sealer: Sealer;
  readonly #context: BankContext;
  /** The profiles of the settings, which come first. */
  readonly #profiles: () => readonly SetUpProfile[];

  /** @param profiles those set up now, the one in use first */
  constructor(path: string, sealer: Sealer, context: BankContext, profiles: () => readonly SetUpProfile[]) {
    this.#store = JsonStore.open(path, StoredMerchants, {});
    this.#sealer = sealer;
    this.#context = context;
    this.#profiles = profiles;
  }

  /** Names the payee of a profile, as the ledger stores it with a payment. */
  of(profile: BankProfile): string {
    return merchantOf(profile, this.#context);
  }

  /**
   * The profiles to ask about a payment, the best first: its own, others of its merchant, others of the same login;
   * then earlier versions, which may still work where the present one does not. None where nothing is known.
   * @throws {StoreError} `SEAL_BROKEN`
   */
  find({ merchant, profile: ownName }: MadeWith): readonly BankProfile[] {
    const login = loginOf(merchant);
    const rank = ({ profileName, profile }: SetUpProfile): number =>
      (this.of(profile) === merchant ? 0 : 2) + (profileName === ownName ? 0 : 1);
    const current = this.#profiles()
      .filter(({ profile }) => this.of(profile).startsWith(login))
      .toSorted((a, b) => rank(a) - rank(b));
    const newestFirst = Object.keys(this.#store.value).toReversed();
    const stored = newestFirst.filter((each) => each.startsWith(login)).flatMap((each) => this.#storedOf(each));
    return [...current.map(({ profile }) => profile), ...stored];
  }

  /** Stores profiles, also for when the settings change. @throws the file system's error: nothing has changed then */
  async store(profiles: readonly SetUpProfile[]): Promise<void> {
    const byMerchant = Map.groupBy(
      profiles.map(({ profile }) => profile),
      (profile) => this.of(profile),
    );
    if (byMerchant.size === 0) return;
    const merchants = new Map(Object.entries(this.#store.value));
    for (const [merchant, these] of [...byMerchant].toReversed()) {
      merchants.delete(merchant); // the newest comes last
      merchants.set(merchant, this.#sealer.seal(JSON.stringify(these), purposeOf(merchant)));
    }
    this.#store.write(Object.fromEntries([...merchants].slice(-MOST_MERCHANTS)));
  }

  /** @throws {StoreError} `SEAL_BROKEN` */
  #storedOf(merchant: string): readonly BankProfile[] {
    const sealed = this.#store.value[merchant];
    if (sealed === undefined) return [];
    const profiles = profilesIn(this.#sealer.open(sealed, purposeOf(merchant)));
    if (profiles !== null) return profiles;
    throw new StoreError('SEAL_BROKEN', 'the profile of a merchant is of another shape');
  }
}
