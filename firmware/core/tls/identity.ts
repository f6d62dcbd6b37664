/**
 * What the device shows callers from the network: the shop's certificate where the configuration names one, read again when
 * it was renewed, else its own. Where the shop's files are wrong, the device starts and says so.
 */
import type { Config } from '../config/index.ts';
import type { Clock, Log } from '../host/index.ts';
import { CertificateError, readCertificateFile } from './certificate-file.ts';
import { type OwnNames, type OwnPair, openOwnPair } from './own-pair.ts';
import { type TlsPair, tlsPair } from './pair.ts';

/** A certificate that ends so soon should be renewed by now. */
const ENDS_SOON_MS = 14 * 86_400_000;

export interface IdentityOptions {
  readonly config: Config['tls'];
  /** Where the device's own key and certificate are kept. */
  readonly file: string;
  readonly names: OwnNames;
  readonly clock: Clock;
  readonly log: Log;
}

interface ShopFiles {
  readonly certFile: string;
  readonly keyFile: string;
}

/** Names the key of the configuration that the file stands under. */
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

/** @throws {CertificateError} its message begins with the key of the configuration */
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
  readonly #options: IdentityOptions;
  readonly #files: ShopFiles | null;
  readonly #own: OwnPair;
  readonly #listeners = new Set<(pair: TlsPair) => void>();
  #shop: TlsPair | null = null;
  #problem: string | null = null;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  private constructor(options: IdentityOptions) {
    const { config, file, names, clock, log } = options;
    const { certFile, keyFile } = config;
    this.#options = options;
    this.#files = certFile === null || keyFile === null ? null : { certFile, keyFile };
    this.#own = openOwnPair(file, names, clock.wall());
    const { setAside, unsaved } = this.#own;
    if (setAside !== null)
      log.warn({ file: setAside }, 'the key for TLS was damaged and set aside: a new one was made');
    if (unsaved !== null) log.warn({ err: unsaved }, 'the key for TLS could not be stored');
  }

  static async open(options: IdentityOptions): Promise<TlsIdentity> {
    const identity = new TlsIdentity(options);
    if (identity.#files !== null) await identity.#follow(identity.#files);
    return identity;
  }

  get pair(): TlsPair {
    return this.#shop ?? this.#own.pair;
  }

  /** Whether it is the device's own, which no authority vouches for. */
  get isOwn(): boolean {
    return this.#shop === null;
  }

  /** What a person should see to, in a sentence; null when all is well. */
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
    const left = validTo - this.#options.clock.wall();
    if (left > ENDS_SOON_MS) return null;
    const day = new Date(validTo).toISOString().slice(0, 10);
    return `the certificate of tls.certFile ${left > 0 ? 'ends' : 'ended'} on ${day}: put the renewed one in its place`;
  }

  /** Looks at the files now and then: folders of links, as some tools renew them, cause no event. */
  async #follow(files: ShopFiles): Promise<void> {
    await this.#look(files);
    if (this.#isClosed) return;
    this.#timer = setTimeout(() => void this.#follow(files), this.#options.config.lookMs);
    this.#timer.unref();
  }

  async #look(files: ShopFiles): Promise<void> {
    try {
      const pair = await readShopPair(files);
      this.#problem = null;
      if (pair.certificate === this.#shop?.certificate && pair.key === this.#shop.key) return;
      this.#shop = pair;
      this.#options.log.info({ fingerprint: pair.fingerprint }, 'the certificate of the shop is shown from now on');
      for (const listener of this.#listeners) listener(pair);
    } catch (error) {
      if (!(error instanceof CertificateError)) throw error;
      if (this.#problem !== error.message) this.#options.log.warn({ err: error }, error.message);
      this.#problem = error.message;
    }
  }
}
