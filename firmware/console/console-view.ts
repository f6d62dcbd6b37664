/** Composes the state that the console shows, in one object; and the first settings of a device for testing. */

import { isDeepStrictEqual } from 'node:util';
import Type, { type Static } from 'typebox';
import type { DisplayLanguage } from '../../drivers/lib/languages.ts';
import { type Clock, type HealthBoard, HealthReportSchema, type LogRing, zoneNow } from '../core/host/index.ts';
import type { EventStreamPool } from '../core/http/index.ts';
import type { DeviceState } from '../core/pages/app/device-state.d.ts';
import { orNull } from '../core/schema/index.ts';
import type { TlsIdentity } from '../core/tls/index.ts';
import type { Added } from '../features/feature.ts';
import {
  FailureAnswer,
  failureAnswer,
  isOpen,
  PAYMENT_STATES,
  type PaymentRow,
  remainingMsOf,
  type SettingsObject,
  type Terminal,
} from '../payments/index.ts';
import type { Revision } from '../recognition/index.ts';
import { type DisplayEvent, DisplayEventSchema } from './display-view.ts';
import type { PageFiles } from './page-files.ts';

/**
 * The settings of **Set up for testing**, with which a fresh device takes payments: the on-screen display and the
 * sandbox bank.
 */
export const FIRST_SETTINGS: SettingsObject = Object.freeze({
  bankProfile: 'sandbox',
  bankProfiles: { sandbox: { bankName: 'Sandbox' } },
  deviceConnection: { connectionType: 'Screen' },
});

/** Whether the device has `FIRST_SETTINGS`. */
export const isSetUpSo = ({ settings }: Terminal): boolean =>
  !settings.isUnsure && isDeepStrictEqual(settings.masked(), FIRST_SETTINGS);

/**
 * Why **Set up for testing** is refused, in words; null where it is not. A real bank's settings are never overwritten.
 */
export function setupRefusal({ settings }: Terminal, sandboxUrl: string | null): string | null {
  if (settings.active !== null)
    return 'this device is already set up: to change its bank or its display, send updateDriverSettings';
  if (settings.problem !== null) return `this device is not fresh: ${settings.problem}`;
  if (sandboxUrl === null)
    return 'the sandbox bank does not run here (sandboxBank.enabled): send the settings of your bank with updateDriverSettings';
  return null;
}

const RECENT_PAYMENTS = 12;

const PaymentSchema = Type.Object({
  orderId: Type.String(),
  amount: Type.Integer({ description: 'kopecks' }),
  purpose: orNull(Type.String(), 'what it is for'),
  bank: Type.String(),
  state: Type.Enum([...PAYMENT_STATES], { title: 'PaymentState' }),
  refunded: Type.Integer({ description: 'kopecks refunded so far' }),
  late: Type.Boolean({ description: 'accepted late or not read by a till, and not acknowledged yet' }),
  awaited: Type.Boolean({
    description: 'a till waits for its outcome: it has neither hung up nor cleared the display',
  }),
  failure: orNull(FailureAnswer, 'why it failed'),
  createdAt: Type.String({ description: 'ISO 8601, UTC' }),
  seen: Type.Boolean({ description: 'a customer may have seen its code; before that the bank is being asked' }),
  onDisplay: Type.Boolean({ description: 'its code is what the customer sees' }),
  leftMs: orNull(Type.Integer(), 'how long an open one can still be paid'),
  link: orNull(Type.String(), "the payer's page of the sandbox bank, while it is open"),
});
export type PaymentView = Static<typeof PaymentSchema>;

export const ConsoleStateSchema = Type.Object({
  health: HealthReportSchema,
  settings: Type.Object({
    bank: orNull(Type.String(), 'the bank of the profile in use; null until configured'),
    test: Type.Boolean({ description: 'whether no money moves with that profile' }),
    sandbox: Type.Boolean({ description: 'whether the sandbox bank runs here' }),
    setupRefusal: orNull(Type.String(), 'why one press cannot set the device up; null where it can'),
  }),
  timeZone: Type.String({ description: 'of the device: its days, and all times on the pages' }),
  terminalUrl: Type.String({ description: 'where the nine calls answer, on this machine' }),
  terminalOnNetwork: Type.Boolean({ description: 'whether they answer callers from the network too' }),
  certificate: orNull(
    Type.Object({
      fingerprint: Type.String({ description: 'SHA-256, as browsers write it: AB:CD:…' }),
      own: Type.Boolean({
        description: 'made by the device: no authority has signed it, so its fingerprint is compared',
      }),
    }),
    'what callers from the network are shown; null where they speak no TLS',
  ),
  needsToken: Type.Boolean({ description: 'whether callers from the network must send a token' }),
  display: DisplayEventSchema,
  payment: orNull(PaymentSchema, 'the payment of the last call: the one that getDynamicQRStatus speaks of'),
  recent: Type.Array(PaymentSchema, { description: 'newest first' }),
  lateCount: Type.Integer({ description: 'how many are to be looked into' }),
  itemsRevision: Type.Integer({
    description: 'another one: something was said, learned, or deleted of the items, or is about to be',
  }),
  uncertain: Type.Integer({
    description: 'another one: the list of uncertain answers, `GET /console/api/recognition/uncertain`, is another',
  }),
  logLines: Type.Integer({ description: 'number of the last line that `GET /console/api/log` lists' }),
  features: Type.Record(Type.String(), Type.Integer(), {
    description: 'by the name of a feature: another number where it has something new',
  }),
});
export type ConsoleState = Static<typeof ConsoleStateSchema>;

export interface ConsoleParts {
  readonly displayLanguage: DisplayLanguage;
  readonly pages: PageFiles;
  readonly terminal: Terminal;
  readonly items: Revision;
  readonly uncertain: Revision;
  readonly health: HealthBoard;
  readonly clock: Clock;
  readonly features: ReadonlyMap<string, Pick<Added, 'revision' | 'sound'>>;
  /** Addresses at which the console shows the page of one feature alone. */
  readonly addresses: readonly string[];
  readonly lines: LogRing;
  /** Address of the sandbox bank; null where it does not run. */
  readonly sandboxUrl: string | null;
  /** Address of the nine calls, once the port is open. */
  readonly terminalUrl: () => string;
  /** Whether the nine calls also answer callers from the network. */
  readonly terminalOnNetwork: boolean;
  readonly streams: EventStreamPool;
  /** Whether callers beyond this machine must send a token. */
  readonly needsToken: () => boolean;
  /** Called when the machine's own screen shows a code for the technician. */
  readonly onClaimRead: () => void;
  /** The certificate for callers from the network; null where they use no TLS. */
  readonly tls: TlsIdentity | null;
}

function paymentView(payment: PaymentRow, { terminal, clock }: ConsoleParts): PaymentView {
  const { orderId, amount, purpose, bank, status, payload, refunded } = payment;
  const open = isOpen(status);
  return {
    orderId,
    amount,
    purpose,
    bank,
    state: status.state,
    refunded,
    late: status.late,
    awaited: status.awaited,
    seen: status.seen,
    failure: status.failure === null ? null : failureAnswer(status.failure),
    createdAt: new Date(payment.createdAt).toISOString(),
    onDisplay: terminal.screen.payment === orderId,
    leftMs: open ? Math.max(0, Math.round(remainingMsOf(payment, clock))) : null,
    link: open && bank === 'Sandbox' ? payload : null,
  };
}

/** Composes the state. @param display the customer's picture with its drawing: so the console needs no second stream */
export function consoleState(parts: ConsoleParts, display: DisplayEvent): ConsoleState {
  const { terminal, health, sandboxUrl, tls } = parts;
  const { active } = terminal.settings;
  const ledger = terminal.ledger.isOpen ? terminal.ledger : null;
  const last = ledger?.last() ?? null;
  const recent = (ledger?.queries.recent(RECENT_PAYMENTS) ?? []).map((payment) => paymentView(payment, parts));
  return {
    health: health.report(),
    settings: {
      bank: active?.profile.bankName ?? null,
      test: terminal.isPlayMoney(null),
      sandbox: sandboxUrl !== null,
      setupRefusal: setupRefusal(terminal, sandboxUrl),
    },
    timeZone: zoneNow(),
    terminalUrl: parts.terminalUrl(),
    terminalOnNetwork: parts.terminalOnNetwork,
    certificate: tls === null ? null : { fingerprint: tls.pair.fingerprint, own: tls.isOwn },
    needsToken: parts.needsToken(),
    display,
    payment: recent.find(({ orderId }) => orderId === last?.orderId) ?? (last && paymentView(last, parts)),
    recent,
    lateCount: ledger?.queries.lateCount() ?? 0,
    itemsRevision: parts.items.number,
    uncertain: parts.uncertain.number,
    logLines: parts.lines.last,
    features: Object.fromEntries(
      [...parts.features].flatMap(([name, { revision }]) => (revision === undefined ? [] : [[name, revision.last]])),
    ),
  } satisfies DeviceState;
}
