/** What the terminal reports in `/health`. */
import { because } from '../../drivers/lib/errors.ts';
import type { Clock } from '../host/clock.ts';
import type { HealthBoard, PartState } from '../host/health.ts';
import { bankProblems, type NamedBankHealth, otherBankProblems } from './banks/pool/bank-health.ts';
import type { BankHealth } from './banks/pool/open-banks.ts';
import { adapterOf } from './banks/registry.ts';
import { paymentProblems, type WatchedPayments } from './payment-problems.ts';
import type { Screen } from './screen/screen.ts';
import type { DriverSettings } from './settings/settings.ts';

/** What is reported on; `Terminal` is one. */
export interface WatchedTerminal extends WatchedPayments {
  readonly settings: DriverSettings;
  readonly screen: Screen;
  /** What sets a fresh device up. */
  readonly firstStep: string;
  /** Null until configured. */
  readonly bankHealth: BankHealth | null;
  /** Those of the profiles that are not in use. */
  readonly otherBanks: readonly NamedBankHealth[];
  readonly ledgerProblems: readonly string[];
  readonly storageProblem: string | null;
  readonly webhooks: { readonly isConfigured: boolean; readonly problems: readonly string[] };
}

interface Verdict {
  readonly state: PartState;
  readonly reason?: string;
}

const OK: Verdict = { state: 'ok' };
const degraded = (reason: string): Verdict => ({ state: 'degraded', reason });
const verdictOf = (problems: readonly string[]): Verdict =>
  problems.length === 0 ? OK : degraded(problems.join('. And '));

function settingsVerdict({ settings, firstStep }: WatchedTerminal): Verdict {
  if (settings.problem !== null) return degraded(settings.problem);
  const active = settings.active;
  if (active === null) return degraded(`the terminal is not configured yet: ${firstStep}`);
  const warning = adapterOf(active.profile.bankName).warning?.(active.profile) ?? null;
  return warning === null ? OK : degraded(warning);
}

const bankVerdict = ({ bankHealth, otherBanks }: WatchedTerminal, clock: Clock): Verdict =>
  verdictOf([...(bankHealth === null ? [] : bankProblems(bankHealth, clock)), ...otherBankProblems(otherBanks)]);

function displayVerdict({ settings, screen }: WatchedTerminal): Verdict {
  if (settings.active === null) return OK;
  const state = screen.displayState;
  if (state.name === 'ready') return OK;
  return degraded(
    `the display is not connected${because(state)}. Check its cable or its power; it is looked for all the time`,
  );
}

const ledgerVerdict = ({ ledgerProblems, storageProblem }: WatchedTerminal): Verdict =>
  verdictOf([...(storageProblem === null ? [] : [storageProblem]), ...ledgerProblems]);

export function watchTerminal(board: HealthBoard, terminal: WatchedTerminal, clock: Clock): void {
  board.add('settings', () => settingsVerdict(terminal));
  board.add('bank', () => bankVerdict(terminal, clock));
  board.add('display', () => displayVerdict(terminal));
  board.add('payments', () => verdictOf(paymentProblems(terminal, clock)));
  board.add('ledger', () => ledgerVerdict(terminal));
  if (terminal.webhooks.isConfigured) board.add('webhooks', () => verdictOf(terminal.webhooks.problems));
}
