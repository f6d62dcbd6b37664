/**
 * The certificate for callers from the network: the shop's where the configuration names one, read again when renewed,
 * else the device's own. With wrong files of the shop the device starts and reports it.
 */
import { type Config, isLoopbackHost } from '../config/index.ts';
import { type Clock, degradedBy, type HealthBoard, type Log, okWith, type Verdict } from '../host/index.ts';
import type { TlsConfig } from './config.ts';
import {
  CertificateError,
  namesOf,
  type OwnNames,
  type OwnPair,
  openOwnPair,
  readCertificateFile,
  type TlsPair,
  tlsPair,
} from './pair.ts';
import { reasonOf } from './reason-records.ts';

/** A certificate that ends within this time should be renewed by now. */
const ENDS_SOON_MS = 14 * 86_400_000;
/** How often the shop's files are checked for a renewed certificate. */
const CHECK_MS = 60_000;

interface ShopFiles {
  readonly certFile: string;
  readonly keyFile: string;
}

/** Adds the configuration's key of the file to an error. */
function named(key: keyof ShopFiles, error: unknown): unknown {
  return error instanceof CertificateError
    ? new CertificateError(error.code, `tls.${key} ${error.message}`, { cause: error })
    : error;
}

async function readShopFile(key: keyof ShopFiles, path: string): Promise<string> {
  try {
    return (await readCertificateFile(path)).toString('latin1'); // PEM is ASCII
  } catch (error) {
    throw named(key, error);
  }
}

/** Reads the shop's certificate and key. @throws {CertificateError} its message begins with the configuration's key */
async function readShopPair({ certFile, keyFile }: ShopFiles): Promise<TlsPair> {
  const certificate = await readShopFile('certFile', certFile);
  const key = await readShopFile('keyFile', keyFile);
  try {
    return tlsPair(certificate, key);
  } catch (error) {
    throw named(error instanceof CertificateError && error.code === 'key' ? 'keyFile' : 'certFile', error);
  }
}

export class TlsIdentity {
  readonly #checkMs: number;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #files: ShopFiles | null;
  readonly #own: OwnPair;
  readonly #listeners = new Set<(pair: TlsPair) => void>();
  #shop: TlsPair | null = null;
  #problem: string | null = null;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  private constructor(config: TlsConfig, own: OwnPair, clock: Clock, log: Log, checkMs: number) {
    const { certFile, keyFile } = config;
    this.#checkMs = checkMs;
    this.#clock = clock;
    this.#log = log;
    this.#files = certFile === null || keyFile === null ? null : { certFile, keyFile };
    this.#own = own;
    const { setAside, unsaved } = own;
    if (setAside !== null)
      log.warn({ file: setAside }, 'the key for TLS was damaged and set aside: a new one was made');
    if (unsaved !== null) log.warn({ err: unsaved }, 'the key for TLS could not be stored');
  }

  /** @param file where the device's own key and certificate are stored */
  static async open(
    config: TlsConfig,
    file: string,
    names: OwnNames,
    clock: Clock,
    log: Log,
    checkMs = CHECK_MS,
  ): Promise<TlsIdentity> {
    const identity = new TlsIdentity(config, openOwnPair(file, names, clock.wall()), clock, log, checkMs);
    if (identity.#files !== null) await identity.#follow(identity.#files);
    return identity;
  }

  get pair(): TlsPair {
    return this.#shop ?? this.#own.pair;
  }

  /** Whether it is the device's own certificate, which no authority vouches for. */
  get isOwn(): boolean {
    return this.#shop === null;
  }

  /** What a person should mend, in a sentence; null for nothing. */
  get problem(): string | null {
    const { setAside, unsaved } = this.#own;
    if (this.#problem !== null) {
      const shown = this.isOwn ? 'the certificate of the device is' : 'the one before is still';
      return `${this.#problem}; ${shown} shown meanwhile`;
    }
    if (this.#shop !== null) return this.#endOf(this.#shop);
    if (setAside !== null)
      return `the key was damaged and set aside as ${setAside}: tills that trusted the old certificate must be given the new one`;
    if (unsaved !== null)
      return 'the key could not be stored, so that the next start makes another: see to the storage of the device';
    return null;
  }

  onChange(listener: (pair: TlsPair) => void): void {
    this.#listeners.add(listener);
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  #endOf({ validTo }: TlsPair): string | null {
    const left = validTo - this.#clock.wall();
    if (left > ENDS_SOON_MS) return null;
    const day = new Date(validTo).toISOString().slice(0, 10);
    return `the certificate of tls.certFile ${left > 0 ? 'ends' : 'ended'} on ${day}: put the renewed one in its place`;
  }

  /** Checks the files from time to time: folders of links, with which some tools renew them, cause no event. */
  async #follow(files: ShopFiles): Promise<void> {
    await this.#check(files);
    if (this.#isClosed) return;
    this.#timer = setTimeout(() => void this.#follow(files), this.#checkMs);
    this.#timer.unref();
  }

  async #check(files: ShopFiles): Promise<void> {
    try {
      const pair = await readShopPair(files);
      this.#problem = null;
      if (pair.certificate === this.#shop?.certificate && pair.key === this.#shop.key) return;
      this.#shop = pair;
      this.#log.info({ fingerprint: pair.fingerprint }, 'the certificate of the shop is shown from now on');
      for (const listener of this.#listeners) listener(pair);
    } catch (error) {
      if (!(error instanceof CertificateError)) throw error;
      if (this.#problem !== error.message) this.#log.warn({ err: error }, error.message);
      this.#problem = error.message;
    }
  }
}

const hasNetwork = ({ terminal, recognition }: Config): boolean =>
  [terminal, recognition].some(({ host }) => !isLoopbackHost(host));

/** Addresses that no till uses: of this machine alone, or of one cable. */
const NOT_CALLED = /^(fe80:|127\.|::1$)/i;

/** Present addresses that the device's own certificate lacks; an authority's may be for a name alone. */
function lacking({ isOwn, pair }: TlsIdentity, { more }: OwnNames): string[] {
  if (!isOwn) return [];
  const called = more.filter((address) => !NOT_CALLED.test(address));
  const present = namesOf(pair, called);
  return called.filter((address) => !present.includes(address));
}

function lackingInWords(missing: readonly string[]): string {
  if (missing.length === 0) return '';
  return `it is not for ${missing.join(', ')}: call the device by its name, or add the address to api.hosts, restart it and give the new certificate to the tills`;
}

function stateOf(tls: TlsIdentity, names: OwnNames): Verdict {
  const { problem, pair } = tls;
  const missing = lacking(tls, names);
  const about = { fingerprint: pair.fingerprint, lacking: missing.join(', ') };
  const shown = reasonOf('tls-on', about, lackingInWords(missing));
  return problem === null ? okWith(shown) : degradedBy(reasonOf('tls-troubled', { detail: problem }), shown);
}

/**
 * @param file where the device's own key and certificate are stored
 * @param names present names for a certificate of its own
 * @param checkMs how often the shop's files are checked
 * @returns null without network access, or where the shop has turned TLS off
 */
export async function openTls(
  config: Config & { readonly tls: TlsConfig },
  file: string,
  names: () => OwnNames,
  { clock, health, log }: { readonly clock: Clock; readonly health: HealthBoard; readonly log: Log },
  checkMs = CHECK_MS,
): Promise<TlsIdentity | null> {
  if (!hasNetwork(config)) return null;
  if (config.tls.mode === 'off') {
    health.add('tls', () => okWith(reasonOf('tls-off', {}, 'tls.mode is off')));
    return null;
  }
  const tls = await TlsIdentity.open(config.tls, file, names(), clock, log, checkMs);
  health.add('tls', () => stateOf(tls, names()));
  return tls;
}
