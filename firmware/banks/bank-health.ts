/** Reasons in `/health` why the bank in use may register no payment, now or soon. */
import { isCode } from '../../drivers/lib/errors.ts';
import type { Reason } from '../../drivers/lib/records.ts';
import type { Clock } from '../core/host/index.ts';
import { type BankError, type BankErrorCode, bankMessage } from './bank.ts';
import type { WatchedCertificate } from './certificate-watch.ts';
import type { BankHealth, RegistrationFailures } from './open-banks.ts';
import { reasonOf } from './reason-records.ts';

const DAY_MS = 24 * 3_600_000;
/** A bank may take weeks for a new certificate, and a technician has to come with it. */
const CERTIFICATE_NOTICE_MS = 30 * DAY_MS;

/** Made only when there is a problem: made at the start, it would cost some milliseconds each time. */
const dateOf = (wall: number): string => new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium' }).format(wall);

const ADVICE: { readonly [Code in BankErrorCode]: (now: string) => string } = {
  unreachable: (now) =>
    `check the internet connection; where it works, the certificates of the bank profile and the clock of this device (it says ${now})`,
  refused: () => 'check the bank profile, or ask the bank',
  contradiction: () => 'ask the bank',
};

/** Advice where the bank's own certificate is out of its time: no connection succeeds, so it is not among the watched ones. */
const bankCertificateAdvice = (now: string): string =>
  `the bank renews its own; where it has not, report it to the bank. If this device is wrong about the date (${now}), set its clock`;

const isOutOfTime = ({ cause }: BankError): boolean => isCode(cause, 'CERT_HAS_EXPIRED', 'CERT_NOT_YET_VALID');

const CODES = {
  unreachable: 'bank-unreachable',
  refused: 'bank-refuses',
  contradiction: 'bank-contradicts',
} as const satisfies { readonly [Code in BankErrorCode]: string };
/**
 * The code of failed registrations: a single refusal may be about that payment; several in a row, or refused
 * credentials, stop sales.
 */
function codeOf({ payments, error }: RegistrationFailures) {
  if (isOutOfTime(error)) return 'bank-certificate-doubted';
  const isOne = error.code === 'refused' && payments === 1 && !error.isUnauthorized;
  return isOne ? 'bank-refused' : CODES[error.code];
}

const adviceOn = (error: BankError, now: string): string =>
  isOutOfTime(error) ? bankCertificateAdvice(now) : ADVICE[error.code](now);

const RENEWAL = 'ask the bank for a new one, put it in its place and send the settings again with updateDriverSettings';

/** Sentences about a certificate: its owner, the consequence of its end, what to do. */
interface CertificateMessages {
  readonly it: (certificate: WatchedCertificate) => string;
  /** The consequence once it has ended. */
  readonly ended: string;
  /** The consequence when it ends. */
  readonly ending: string;
  readonly advice: string;
}

const MESSAGES: { readonly [Kind in WatchedCertificate['kind']]: CertificateMessages } = {
  client: {
    it: ({ field }) => `the client certificate of the bank profile (${field})`,
    ended: 'the bank will refuse payments',
    ending: 'no payment can be registered after that',
    advice: RENEWAL,
  },
  authority: {
    it: ({ field, name }) => `an authority that the bank is known by (${field}: ${name})`,
    ended: 'the bank may not be known any more',
    ending: 'the bank may not be known after that',
    advice: RENEWAL,
  },
  bank: {
    it: ({ name }) => `the certificate of the bank itself${name === '' ? '' : ` (${name})`}`,
    ended: 'no call to the bank goes through',
    ending: 'no call to the bank goes through after that',
    advice: 'the bank renews it; where it has not, report it to the bank',
  },
};

function certificateProblem(certificate: WatchedCertificate, wall: number): Reason | null {
  const { kind, validFrom, validTo } = certificate;
  const { it, ended, ending, advice } = MESSAGES[kind];
  const say = (what: 'ended' | 'early' | 'ending', at: number, sentence: string): Reason =>
    reasonOf(
      `certificate-${kind}-${what}`,
      { name: certificate.name, at: new Date(at).toISOString(), today: new Date(wall).toISOString() },
      sentence,
    );
  if (wall >= validTo) {
    return say(
      'ended',
      validTo,
      `${it(certificate)} expired on ${dateOf(validTo)}, so that ${ended}: ${advice}. If this device is wrong about the date (${dateOf(wall)}), set its clock`,
    );
  }
  if (wall < validFrom) {
    return say(
      'early',
      validFrom,
      `${it(certificate)} is valid from ${dateOf(validFrom)} only. Most likely this device is wrong about the date (${dateOf(wall)}): set its clock`,
    );
  }
  if (wall < validTo - CERTIFICATE_NOTICE_MS) return null;
  return say('ending', validTo, `${it(certificate)} expires on ${dateOf(validTo)}, and ${ending}: ${advice}`);
}

/** The certificate that ends next: a file of authorities may hold hundreds, and old ones beside their successors. */
function nextToEnd(certificates: readonly WatchedCertificate[], wall: number): WatchedCertificate | undefined {
  const byEnd = certificates.toSorted((a, b) => a.validTo - b.validTo);
  return byEnd.find(({ validTo }) => wall < validTo) ?? byEnd.at(-1);
}

function certificateProblems(certificates: readonly WatchedCertificate[], wall: number): Reason[] {
  return (Object.keys(MESSAGES) as (keyof typeof MESSAGES)[]).flatMap((kind) => {
    const next = nextToEnd(
      certificates.filter((each) => each.kind === kind),
      wall,
    );
    const problem = next === undefined ? null : certificateProblem(next, wall);
    return problem === null ? [] : [problem];
  });
}

function openProblems({ isOpen, openProblem }: BankHealth): Reason[] {
  if (openProblem === null) return [];
  const about = { detail: openProblem };
  return isOpen
    ? [
        reasonOf(
          'bank-stale',
          about,
          `${openProblem}. What was read before is in use until the device restarts: correct it and send the settings again with updateDriverSettings`,
        ),
      ]
    : [
        reasonOf(
          'bank-closed',
          about,
          `no payment can be registered: ${openProblem}. Mend it, or send other settings with updateDriverSettings`,
        ),
      ];
}

function failureProblems(failures: RegistrationFailures, wall: number): Reason[] {
  const { payments, error } = failures;
  const which = payments === 1 ? 'the last payment' : `the last ${payments} payments`;
  const sentence = `${which} could not be registered (${bankMessage(error)}): ${adviceOn(error, dateOf(wall))}`;
  const about = { n: payments, detail: bankMessage(error), today: new Date(wall).toISOString() };
  return [reasonOf(codeOf(failures), about, sentence)];
}

const CREDENTIALS_ADVICE =
  'check its password, key or certificate, also with the bank, and send the settings again with updateDriverSettings';

function unauthorizedProblems({ unauthorized, failures }: BankHealth): Reason[] {
  if (unauthorized === null || failures?.error.isUnauthorized === true) return []; // that is reported anyway
  const detail = bankMessage(unauthorized);
  const sentence = `the bank does not take the bank profile in use (${detail}): ${CREDENTIALS_ADVICE}`;
  return [reasonOf('bank-unauthorised', { detail }, sentence)];
}

/** Unanswered questions that count as silence: one may be lost on the way. */
const SILENT_TIMES = 2;

/** The reason of a silent bank; none where a failed payment says it already. */
function silenceProblems({ silence, failures }: BankHealth, wall: number): Reason[] {
  if (silence === null || silence.times < SILENT_TIMES || failures?.error.code === 'unreachable') return [];
  const detail = bankMessage(silence.error);
  return [reasonOf('bank-silent', { detail }, `${detail}: ${adviceOn(silence.error, dateOf(wall))}`)];
}

function linkProblems({ unusualLink }: BankHealth): Reason[] {
  if (unusualLink === null) return [];
  const sentence = `the last link of the bank has another form (${unusualLink}): it was shown, since host, id, amount and currency were right; if payers report errors, ask the bank`;
  return [reasonOf('bank-link-unusual', { detail: unusualLink }, sentence)];
}

/** Health of the bank of a profile that is not in use; payments of its merchant may still need it. */
export interface NamedBankHealth {
  readonly profileName: string;
  readonly health: BankHealth;
}

export function otherBankProblems(others: readonly NamedBankHealth[]): Reason[] {
  return others.flatMap(({ profileName, health: { openProblem, unauthorized } }) => {
    const which = `the bank profile "${profileName}"`;
    if (openProblem !== null)
      return [
        reasonOf(
          'bank-other-closed',
          { profile: profileName, detail: openProblem },
          `${which} cannot be used: ${openProblem}. Mend it, and send the settings again with updateDriverSettings`,
        ),
      ];
    if (unauthorized === null) return [];
    const detail = bankMessage(unauthorized);
    const sentence = `the bank does not take ${which} (${detail}): ${CREDENTIALS_ADVICE}`;
    return [reasonOf('bank-other-unauthorised', { profile: profileName, detail }, sentence)];
  });
}

export function bankProblems(health: BankHealth, clock: Clock): Reason[] {
  const { certificates, failures } = health;
  const wall = clock.wall();
  return [
    ...openProblems(health),
    ...certificateProblems(certificates, wall),
    ...unauthorizedProblems(health),
    ...(failures === null ? [] : failureProblems(failures, wall)),
    ...silenceProblems(health, wall),
    ...linkProblems(health),
  ];
}
