/** A lane with a bank that is asked over HTTP or HTTPS, and the sandbox bank that answers; one clock for both, turned by hand. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SandboxPayment } from '../../../firmware/sandbox-bank/books/payment.ts';
import type { Fault } from '../../../firmware/sandbox-bank/faults.ts';
import { type SandboxBank, type SandboxTls, startSandboxBank } from '../../../firmware/sandbox-bank/server.ts';
import { Sealer } from '../../../firmware/store/sealer.ts';
import { BankPool } from '../../../firmware/terminal/banks/pool/bank-pool.ts';
import { type BankProfile, merchantOf } from '../../../firmware/terminal/banks/registry.ts';
import type { PaymentRow } from '../../../firmware/terminal/ledger/payment-row.ts';
import type { Pacing } from '../../../firmware/terminal/payments/rhythm.ts';
import { type TemporaryFolder, temporaryFolder } from '../../support.ts';
import { certify, type Validity } from '../certify.ts';
import { HandClock, type Lane, openLane, until } from '../harness.ts';
import type { BankAddress, ConformingBank } from './banks.ts';

/** Roubles of a plain payment, which no script knows. */
const PLAIN_ROUBLES = 123;
const LISTED = 1000;
const CONTEXT = { cftBaseUrl: null, sandboxBaseUrl: null };

export interface CertificateFiles {
  readonly certPath: string;
  readonly keyPath: string;
}

const made = new Map<string, CertificateFiles>();
let folder: TemporaryFolder | null = null;

/** A certificate of a name, its own authority; made once. To be taken away by `removeCertificates`. */
export function certificate(name: string, validity?: Validity): CertificateFiles {
  const known = made.get(name);
  if (known !== undefined) return known;
  folder ??= temporaryFolder();
  certify(folder.path, name, validity);
  const files = { certPath: join(folder.path, `${name}.crt`), keyPath: join(folder.path, `${name}.key`) };
  made.set(name, files);
  return files;
}

export function removeCertificates(): void {
  made.clear();
  folder?.[Symbol.dispose]();
  folder = null;
}

export const readCertificate = ({ certPath, keyPath }: CertificateFiles) => ({
  cert: readFileSync(certPath),
  key: readFileSync(keyPath),
});

/** What the bank shows and asks for: any of the till's certificates where it knows shops by them. */
function tlsOf({ isMutual }: ConformingBank, clients: readonly CertificateFiles[]): SandboxTls | null {
  if (clients.length === 0) return null;
  const clientCa = Buffer.concat(clients.map(({ certPath }) => readFileSync(certPath)));
  return { ...readCertificate(certificate('bank')), ...(isMutual && { clientCa }) };
}

export interface Rig {
  readonly lane: Lane;
  readonly clock: HandClock;
  readonly sandbox: SandboxBank;
  readonly pool: BankPool;
  readonly bank: ConformingBank;
  /** Has the settings know the till by another certificate from now on. */
  readonly setUp: (client: CertificateFiles) => BankProfile;
  /** Whose settings the till has now. */
  readonly profile: () => BankProfile;
  /** Asks for a payment. @param kopecks the last two digits: what the bank is to do */
  show(kopecks?: number, roubles?: number): Promise<void>;
  /** The payments of the ledger, oldest first. */
  rows(): PaymentRow[];
  /** The bank's book, oldest first. */
  book(): SandboxPayment[];
  /** The payer's deed with the code that is on the display. */
  payer(deed: 'pay' | 'decline'): void;
  spoil(...faults: readonly Fault[]): void;
  /** Turns the clock. */
  pass(seconds: number): void;
  /** Waits until a payment has come to a state. @param n of the ledger, from 0 */
  ends(state: string, n?: number): Promise<void>;
}

export interface RigParts {
  readonly pacing?: Partial<Pacing>;
  /** Certificates that the bank knows, the one in use first: it is asked over TLS then. */
  readonly clients?: () => readonly CertificateFiles[];
}

/** The bank knows the till by its certificate, and by no other. */
export const overTls: RigParts = { clients: () => [certificate('till')] };

export const onRig =
  (bank: ConformingBank, work: (rig: Rig) => Promise<void>, { pacing, clients = () => [] }: RigParts = {}) =>
  async (): Promise<void> => {
    using own = temporaryFolder();
    const clock = new HandClock();
    const known = clients();
    const tls = tlsOf(bank, known);
    const sandbox = await startSandboxBank({ port: 0, dataFile: join(own.path, 'bank.db'), clock, tls });
    bank.prepare?.(sandbox);
    const profileWith = (client: CertificateFiles | undefined): BankProfile => {
      const address: BankAddress = {
        url: sandbox.url,
        folder: own.path,
        ...(tls !== null && { caPath: certificate('bank').certPath }),
        ...(tls !== null && bank.isMutual && client !== undefined && { client }),
      };
      return bank.profile(address);
    };
    let profile = profileWith(known[0]);
    const pool = new BankPool({
      context: CONTEXT,
      clock,
      sealer: new Sealer(Buffer.alloc(32, 7)),
      merchants: { of: (each) => merchantOf(each, CONTEXT), find: () => [profile] },
    });
    const real = {
      pool,
      get profile() {
        return profile;
      },
    };
    const lane = await openLane({ clock, real, pacing: { bankDeadlineMs: 4000, ...pacing } });
    const rig: Rig = {
      lane,
      clock,
      sandbox,
      pool,
      bank,
      setUp: (client) => {
        profile = profileWith(client);
        return profile;
      },
      profile: () => profile,
      show: async (kopecks = 0, roubles = PLAIN_ROUBLES) => {
        await lane.showQR(roubles * 100 + kopecks, { ttl: bank.ttl });
      },
      rows: () => lane.ledger.after(0, LISTED),
      book: () => sandbox.payments.list(LISTED).toReversed(),
      payer: (deed) => {
        const { picture } = lane.screen;
        if (picture.kind !== 'qr') throw new Error('no code is on the display');
        sandbox.payments[deed](picture.payload.split('/').at(-1) ?? '');
      },
      spoil: (...faults) => sandbox.faults.set(faults),
      pass: (seconds) => {
        clock.now += seconds * 1000;
      },
      ends: async (state, n = 0) => {
        await until(`${state} of payment ${n}`, () => rig.rows()[n]?.status.state === state);
      },
    };
    try {
      await work(rig);
    } finally {
      await lane.stop();
      await pool.close();
      await sandbox.close();
    }
  };
