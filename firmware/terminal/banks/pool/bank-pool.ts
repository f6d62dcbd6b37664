/** Banks that are in use: one for each profile, also for profiles that payments still remember after a change of settings. */

import { TerminalError } from '../../errors.ts';
import type { Bank } from '../bank.ts';
import type { ClientCertificate } from '../certificates.ts';
import { BankProfileError } from '../profile-error.ts';
import type { BankProfile } from '../registry.ts';
import { type BankContext, openBank } from '../registry.ts';
import { type Failing, RegistrationWatch } from './registration-watch.ts';

/** How it stands with the bank of a profile. */
export interface BankStanding {
  /** Whether it is open: payments can be registered, as far as the device can tell. */
  readonly isOpen: boolean;
  /** Why it could not be opened when that was tried last; null when it could. */
  readonly shut: string | null;
  /** What it knows us by; null where it needs none. */
  readonly certificate: ClientCertificate | null;
  /** Null where the last registration worked. */
  readonly failing: Failing | null;
}

interface Slot {
  /** Null when it failed: the next call tries anew. */
  opening: Promise<Bank> | null;
  /** What has come of it. */
  bank: Bank | null;
  shut: string | null;
  readonly watch: RegistrationWatch;
}

const UNTRIED: BankStanding = Object.freeze({ isOpen: false, shut: null, certificate: null, failing: null });

const newSlot = (): Slot => ({ opening: null, bank: null, shut: null, watch: new RegistrationWatch() });
const keyOf = (profile: BankProfile): string => JSON.stringify(profile);

async function closeSlot({ opening }: Slot): Promise<void> {
  const bank = await opening?.catch(() => null); // what never opened holds nothing
  if (bank?.kind === 'online') await bank.close();
}

export class BankPool {
  readonly #context: BankContext;
  readonly #slots = new Map<string, Slot>();

  constructor(context: BankContext) {
    this.#context = context;
  }

  /**
   * The bank of a profile, opened where it is not open yet.
   * @throws {TerminalError} 400 naming the field that keeps it shut; the next call tries anew
   */
  open(profile: BankProfile): Promise<Bank> {
    const key = keyOf(profile);
    const slot = this.#slots.get(key) ?? newSlot();
    this.#slots.set(key, slot);
    slot.opening ??= this.#fill(slot, profile);
    return slot.opening;
  }

  /**
   * Opens the bank of a profile anew, for the files that it names may have changed. The one before stays in use when that
   * fails; else it ends with the calls that it is in.
   * @throws {TerminalError} 400 naming the field that keeps the bank shut
   */
  async renew(profile: BankProfile): Promise<void> {
    const key = keyOf(profile);
    const slot = newSlot();
    slot.opening = this.#fill(slot, profile);
    const before = this.#slots.get(key);
    try {
      await slot.opening;
    } catch (error) {
      if (before !== undefined) before.shut = slot.shut;
      throw error;
    }
    this.#slots.set(key, slot);
    if (before !== undefined) await closeSlot(before);
  }

  /** Gives back the banks of all other profiles; they are opened again where a payment needs them. */
  async keepOnly(profile: BankProfile): Promise<void> {
    const others = [...this.#slots].filter(([key]) => key !== keyOf(profile));
    for (const [key] of others) this.#slots.delete(key);
    await Promise.all(others.map(([, slot]) => closeSlot(slot)));
  }

  /** As far as it has been tried. */
  standing(profile: BankProfile): BankStanding {
    const slot = this.#slots.get(keyOf(profile));
    if (slot === undefined) return UNTRIED;
    const { bank, shut, watch } = slot;
    const certificate = bank?.kind === 'online' ? (bank.certificate ?? null) : null;
    return { isOpen: bank !== null, shut, certificate, failing: watch.failing };
  }

  async close(): Promise<void> {
    await Promise.all([...this.#slots.values()].map(closeSlot));
    this.#slots.clear();
  }

  async #fill(slot: Slot, profile: BankProfile): Promise<Bank> {
    try {
      const bank = await openBank(profile, this.#context);
      slot.bank = bank.kind === 'online' ? slot.watch.watch(bank) : bank;
      slot.shut = null;
      return slot.bank;
    } catch (error) {
      slot.opening = null;
      if (!(error instanceof BankProfileError)) throw error;
      slot.shut = `${error.field} cannot be used: ${error.message}`;
      throw TerminalError.invalid(error.field, `cannot be used: ${error.message}`, { cause: error });
    }
  }
}
