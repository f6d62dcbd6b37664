/** Why the bank in use may register no payment, now or soon, in sentences for `/health`. */
import type { Clock } from '../../../host/clock.ts';
import { type BankErrorCode, bankMessage, type ClientCertificate } from '../bank.ts';
import type { BankHealth, RegistrationFailures } from './bank-pool.ts';

const DAY_MS = 24 * 3_600_000;
/** A bank may take a week for a new certificate. */
const CERTIFICATE_NOTICE_MS = 14 * DAY_MS;

/** Made where there is a problem to tell of: made beforehand, it would cost each start some milliseconds. */
const dateOf = (wall: number): string => new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium' }).format(wall);

const ADVICE: { readonly [Code in BankErrorCode]: (now: string) => string } = {
  unreachable: (now) =>
    `check the internet connection; where it works, the certificates of the bank profile and the clock of this device (it says ${now})`,
  refused: () => 'check the bank profile, or ask the bank',
  contradiction: () => 'ask the bank',
};

const RENEWAL = 'ask the bank for a new one, put it in its place and send the settings again with updateDriverSettings';

function certificateProblems({ field, validFrom, validTo }: ClientCertificate, wall: number): string[] {
  const it = `the client certificate of the bank profile (${field})`;
  if (wall >= validTo) {
    return [
      `${it} expired on ${dateOf(validTo)}, so that the bank will refuse payments: ${RENEWAL}. If this device is wrong about the date (${dateOf(wall)}), set its clock`,
    ];
  }
  if (wall < validFrom) {
    return [
      `${it} is valid from ${dateOf(validFrom)} only. Most likely this device is wrong about the date (${dateOf(wall)}): set its clock`,
    ];
  }
  if (wall < validTo - CERTIFICATE_NOTICE_MS) return [];
  return [`${it} expires on ${dateOf(validTo)}, and no payment can be registered after that: ${RENEWAL}`];
}

function openProblems({ isOpen, openProblem }: BankHealth): string[] {
  if (openProblem === null) return [];
  return isOpen
    ? [
        `${openProblem}. What was read before is in use until the device restarts: mend it and send the settings again with updateDriverSettings`,
      ]
    : [`no payment can be registered: ${openProblem}. Mend it, or send other settings with updateDriverSettings`];
}

function failureProblems({ payments, error }: RegistrationFailures, wall: number): string[] {
  const which = payments === 1 ? 'the last payment' : `the last ${payments} payments`;
  return [`${which} could not be registered (${bankMessage(error)}): ${ADVICE[error.code](dateOf(wall))}`];
}

export function bankProblems(health: BankHealth, clock: Clock): string[] {
  const { certificate, failures } = health;
  const wall = clock.wall();
  return [
    ...openProblems(health),
    ...(certificate === null ? [] : certificateProblems(certificate, wall)),
    ...(failures === null ? [] : failureProblems(failures, wall)),
  ];
}
