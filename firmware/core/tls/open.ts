/** Whether the device speaks TLS at all, and what it says of it. */
import { type Config, isLoopbackHost } from '../config/index.ts';
import { degraded, type HealthBoard, okWith, type Verdict } from '../host/index.ts';
import { type IdentityOptions, TlsIdentity } from './identity.ts';
import { namesOf, type OwnNames } from './own-pair.ts';
import { reasonOf } from './reason-records.ts';

interface Options extends Omit<IdentityOptions, 'config' | 'names'> {
  readonly config: Config;
  /** The names that a certificate of its own is to be for, as they are at the moment. */
  readonly names: () => OwnNames;
  readonly health: HealthBoard;
}

const hasNetwork = ({ terminal, recognition }: Config): boolean =>
  [terminal, recognition].some(({ host }) => !isLoopbackHost(host));

/** Of this machine alone, or of one cable: no till uses them. */
const NOT_CALLED = /^(fe80:|127\.|::1$)/i;

/** Addresses of the moment that the device's own certificate is not for; an authority's may be for a name alone. */
function lacking({ isOwn, pair }: TlsIdentity, { more }: OwnNames): string[] {
  if (!isOwn) return [];
  const called = more.filter((address) => !NOT_CALLED.test(address));
  const present = namesOf(pair, called);
  return called.filter((address) => !present.includes(address));
}

function lackingInWords(missing: readonly string[]): string {
  if (missing.length === 0) return '';
  return `; it is not for ${missing.join(', ')}: call the device by its name, or add the address to api.hosts, restart it and give the new certificate to the tills`;
}

function stateOf(tls: TlsIdentity, names: OwnNames): Verdict {
  const { problem, pair } = tls;
  const missing = lacking(tls, names);
  const shown = reasonOf(
    'tls-on',
    { fingerprint: pair.fingerprint, lacking: missing.join(', ') },
    `callers from the network speak TLS; the certificate has the SHA-256 fingerprint ${pair.fingerprint}${lackingInWords(missing)}`,
  );
  return problem === null ? okWith(shown) : degraded(reasonOf('tls-troubled', { detail: problem }, problem), shown);
}

/** @returns null where the network has no access, or the shop has turned TLS off */
export async function openTls({ config, names, health, ...options }: Options): Promise<TlsIdentity | null> {
  if (!hasNetwork(config)) return null;
  if (config.tls.mode === 'off') {
    const sentence = 'tls.mode is off: anyone who listens on the network reads what callers send, tokens included';
    health.add('tls', () => okWith(reasonOf('tls-off', {}, sentence)));
    return null;
  }
  const tls = await TlsIdentity.open({ ...options, config: config.tls, names: names() });
  health.add('tls', () => stateOf(tls, names()));
  return tls;
}
