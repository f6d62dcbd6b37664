/** What the terminal reports in `/health`. */
import { because } from '../../drivers/lib/errors.ts';
import {
  type Clock,
  degraded,
  degradedBy,
  failed,
  type HealthBoard,
  type Reason,
  reasonOf,
  type Verdict,
  WELL,
} from '../host/index.ts';
import { bankProblems, otherBankProblems } from './banks/bank-health.ts';
import { adapterOf } from './banks/registry.ts';
import type { Ledgers } from './ledgers.ts';
import { paymentProblems, type WatchedPayments } from './payment-problems.ts';
import type { Screen } from './payments/screen.ts';
import type { SettingsInUse } from './settings-in-use.ts';

/** What is reported on. */
export interface WatchedTerminal extends WatchedPayments {
  readonly settings: SettingsInUse;
  readonly screen: Screen;
  readonly ledgers: Ledgers;
  readonly webhooks: { readonly isConfigured: boolean; readonly problems: readonly Reason[] };
}

function settingsVerdict({ settings }: WatchedTerminal): Verdict {
  const { problem, active, isUnsure } = settings.driver;
  if (isUnsure) return failed(reasonOf('settings-unconfirmed', { detail: problem ?? '' }, problem ?? ''));
  if (problem !== null) return degraded(reasonOf('settings-unreadable', { detail: problem }, problem));
  if (active === null)
    return degraded(reasonOf('settings-missing', {}, `the terminal is not configured yet: ${settings.firstStep}`));
  const warning = adapterOf(active.profile.bankName).warning?.(active.profile) ?? null;
  return warning === null ? WELL : degraded(reasonOf('settings-doubtful', { detail: warning }, warning));
}

/** There is nothing to report of a bank and a display before there are any: `settings` says so. */
const hasNone = ({ settings: { driver } }: WatchedTerminal): boolean =>
  driver.active === null && driver.problem === null;

function bankVerdict(terminal: WatchedTerminal, clock: Clock): Verdict | null {
  if (hasNone(terminal)) return null;
  const { bankHealth, otherBanks } = terminal.settings;
  return degradedBy([
    ...(bankHealth === null ? [] : bankProblems(bankHealth, clock)),
    ...otherBankProblems(otherBanks),
  ]);
}

function displayVerdict(terminal: WatchedTerminal): Verdict | null {
  if (terminal.settings.driver.active === null) return null;
  const state = terminal.screen.displayState;
  if (state.name === 'ready') return WELL;
  return degraded(
    reasonOf(
      'display-lost',
      { detail: 'reason' in state ? (state.reason ?? '') : '' },
      `the display is not connected${because(state)}. Check its cable or its power; it is looked for all the time`,
    ),
  );
}

const ledgerVerdict = ({ ledgers: { storageProblem, problems } }: WatchedTerminal): Verdict =>
  degradedBy([...(storageProblem === null ? [] : [storageProblem]), ...problems]);

export function watchTerminal(board: HealthBoard, terminal: WatchedTerminal, clock: Clock): void {
  board.add('settings', () => settingsVerdict(terminal));
  board.add('bank', () => bankVerdict(terminal, clock));
  board.add('display', () => displayVerdict(terminal));
  board.add('payments', () => degradedBy(paymentProblems(terminal, clock)));
  board.add('ledger', () => ledgerVerdict(terminal));
  if (terminal.webhooks.isConfigured) board.add('webhooks', () => degradedBy(terminal.webhooks.problems));
}
