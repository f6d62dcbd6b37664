/** What the terminal reports in `/health`. */
import { because } from '../../drivers/lib/errors.ts';
import type { Clock } from '../host/clock.ts';
import type { HealthBoard, PartState } from '../host/health.ts';
import { bankProblems } from './banks/bank-health.ts';
import type { BankHealth } from './banks/bank-pool.ts';
import { adapterOf } from './banks/registry.ts';
import { paymentTroubles, type WatchedPayments } from './payment-troubles.ts';
import type { Presenter } from './screen/presenter.ts';
import type { DriverSettings } from './settings/settings.ts';

/** What the verdicts are passed on; `Terminal` is one. */
export interface WatchedTerminal extends WatchedPayments {
  readonly settings: DriverSettings;
  readonly presenter: Presenter;
  /** What sets a fresh device up. */
  readonly firstStep: string;
  /** Null until configured. */
  readonly bankHealth: BankHealth | null;
  readonly ledgerTroubles: readonly string[];
  readonly storageTrouble: string | null;
}

interface Verdict {
  readonly state: PartState;
  readonly reason?: string;
}

const OK: Verdict = { state: 'ok' };
const degraded = (reason: string): Verdict => ({ state: 'degraded', reason });

function settingsHealth({ settings, firstStep }: WatchedTerminal): Verdict {
  if (settings.problem !== null) return degraded(settings.problem);
  const active = settings.active;
  if (active === null) return degraded(`the terminal is not configured yet: ${firstStep}`);
  const warning = adapterOf(active.profile.bankName).warning?.(active.profile) ?? null;
  return warning === null ? OK : degraded(warning);
}

function bankVerdict({ bankHealth }: WatchedTerminal, clock: Clock): Verdict {
  const problems = bankHealth === null ? [] : bankProblems(bankHealth, clock);
  return problems.length === 0 ? OK : degraded(problems.join('. And '));
}

function displayHealth({ settings, presenter }: WatchedTerminal): Verdict {
  if (settings.active === null) return OK;
  const state = presenter.displayState;
  if (state.name === 'ready') return OK;
  return degraded(
    `the display is not connected${because(state)}. Check its cable or its power; it is looked for all the time`,
  );
}

function paymentsHealth(terminal: WatchedTerminal, clock: Clock): Verdict {
  const troubles = paymentTroubles(terminal, clock);
  return troubles.length === 0 ? OK : degraded(troubles.join('. And '));
}

function ledgerHealth({ ledgerTroubles, storageTrouble }: WatchedTerminal): Verdict {
  const troubles = [...(storageTrouble === null ? [] : [storageTrouble]), ...ledgerTroubles];
  return troubles.length === 0 ? OK : degraded(troubles.join('. And '));
}

export function watchHealth(board: HealthBoard, terminal: WatchedTerminal, clock: Clock): void {
  board.add('settings', () => settingsHealth(terminal));
  board.add('bank', () => bankVerdict(terminal, clock));
  board.add('display', () => displayHealth(terminal));
  board.add('payments', () => paymentsHealth(terminal, clock));
  board.add('ledger', () => ledgerHealth(terminal));
}
