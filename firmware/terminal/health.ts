/** What the terminal reports in `/health`. */
import { because } from '../../drivers/lib/errors.ts';
import type { Clock } from '../host/clock.ts';
import type { HealthBoard, PartState } from '../host/health.ts';
import { bankProblems, otherBankProblems } from './banks/pool/bank-health.ts';
import { adapterOf } from './banks/registry.ts';
import type { Ledgers } from './ledgers.ts';
import { paymentProblems, type WatchedPayments } from './payment-problems.ts';
import type { Screen } from './screen/screen.ts';
import type { SettingsInUse } from './settings-in-use.ts';

/** What is reported on. */
export interface WatchedTerminal extends WatchedPayments {
  readonly settings: SettingsInUse;
  readonly screen: Screen;
  readonly ledgers: Ledgers;
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

function settingsVerdict({ settings }: WatchedTerminal): Verdict {
  const { problem, active } = settings.driver;
  if (problem !== null) return degraded(problem);
  if (active === null) return degraded(`the terminal is not configured yet: ${settings.firstStep}`);
  const warning = adapterOf(active.profile.bankName).warning?.(active.profile) ?? null;
  return warning === null ? OK : degraded(warning);
}

function bankVerdict({ settings: { bankHealth, otherBanks } }: WatchedTerminal, clock: Clock): Verdict {
  return verdictOf([...(bankHealth === null ? [] : bankProblems(bankHealth, clock)), ...otherBankProblems(otherBanks)]);
}

function displayVerdict({ settings, screen }: WatchedTerminal): Verdict {
  if (settings.driver.active === null) return OK;
  const state = screen.displayState;
  if (state.name === 'ready') return OK;
  return degraded(
    `the display is not connected${because(state)}. Check its cable or its power; it is looked for all the time`,
  );
}

const ledgerVerdict = ({ ledgers: { storageProblem, problems } }: WatchedTerminal): Verdict =>
  verdictOf([...(storageProblem === null ? [] : [storageProblem]), ...problems]);

export function watchTerminal(board: HealthBoard, terminal: WatchedTerminal, clock: Clock): void {
  board.add('settings', () => settingsVerdict(terminal));
  board.add('bank', () => bankVerdict(terminal, clock));
  board.add('display', () => displayVerdict(terminal));
  board.add('payments', () => verdictOf(paymentProblems(terminal, clock)));
  board.add('ledger', () => ledgerVerdict(terminal));
  if (terminal.webhooks.isConfigured) board.add('webhooks', () => verdictOf(terminal.webhooks.problems));
}
