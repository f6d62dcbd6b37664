/**
 * Finds the addresses of the two ports of one device. The address of a port that is not given is asked of the other
 * port; two devices are never mixed.
 */
import { readFileSync } from 'node:fs';
import { isCode, messageOf } from '../../../drivers/lib/errors.ts';
import { RECOGNITION_PORT, TERMINAL_PORT } from '../config/limits.ts';
import type { HealthReport } from '../host/index.ts';
import { CommandFailure, misuse } from './exit-codes.ts';

/** File in which an installed device names its ports. */
const ENDPOINTS = '/run/laneware/endpoints';

export type Port = 'terminal' | 'recognition';

/** Base addresses as the user gave them; null for one that was not given. */
export type GivenAddresses = Readonly<Record<Port, string | null>>;

const OPTION: Readonly<Record<Port, string>> = { terminal: '--url', recognition: '--recognition-url' };
const NAME: Readonly<Record<Port, string>> = { terminal: 'payment terminal', recognition: 'recognition device' };
const USUAL: Readonly<Record<Port, number>> = { terminal: TERMINAL_PORT, recognition: RECOGNITION_PORT };
const partnerOf = (port: Port): Port => (port === 'terminal' ? 'recognition' : 'terminal');

/** The user part before a host, which may hold a password. */
const USER = /^(\w+:\/\/)?.*@/;

/** The address without slashes at its end. A pattern would start anew at each other slash. */
function withoutEnd(address: string): string {
  let end = address.length;
  while (address[end - 1] === '/') end -= 1;
  return address.slice(0, end);
}

/** The address without a slash at its end. @throws {CommandFailure} */
export function baseUrl(port: Port, text: string): string {
  const url = URL.parse(text);
  const isHttp = url?.protocol === 'http:' || url?.protocol === 'https:';
  if (!isHttp || `${url.username}${url.password}${url.search}${url.hash}` !== '')
    throw misuse(
      'Value',
      `${OPTION[port]}: "${text.replace(USER, '$1…@')}" is not an address; write it as http://127.0.0.1:1234${USER.test(text) ? ' and use --token-file to sign in' : ''}`,
    );
  return withoutEnd(url.href);
}

/**
 * The address of the device on this machine: from an installed device's file, else the usual one.
 * @throws {CommandFailure} `usage` where that file cannot be read: another program may have the usual port
 */
export function ownUrl(port: Port, endpoints = ENDPOINTS): string {
  const usual = `http://127.0.0.1:${USUAL[port]}`;
  try {
    return new RegExp(`^${port}=(\\S+)$`, 'm').exec(readFileSync(endpoints, 'utf8'))?.[1] ?? usual;
  } catch (cause) {
    if (isCode(cause, 'ENOENT', 'ENOTDIR')) return usual; // no installed device runs here
    const what = `${endpoints}, which names the ports of the device here, cannot be read: ${messageOf(cause)}`;
    throw misuse('File', `${what}; ${OPTION[port]} names one`, cause);
  }
}

function atPort(url: string, port: number): string {
  const partner = new URL('/', url);
  partner.port = String(port);
  return withoutEnd(partner.href);
}

/** The report in the body of `/health`, which each port wraps in its own way. @throws {CommandFailure} `refused` */
export function healthIn(body: unknown, port: Port, url: string): HealthReport {
  const { health, data } = (body ?? {}) as Readonly<Partial<Record<'health' | 'data', HealthReport>>>;
  const [own, other] = port === 'terminal' ? [health, data] : [data, health];
  if (own?.parts !== undefined) return own;
  if (other?.parts === undefined)
    throw new CommandFailure('refused', `${url} is not a Laneware device: its /health lists no parts`, { url });
  const right = atPort(url, other.ports[port]);
  throw new CommandFailure(
    'usage',
    `${OPTION[port]}: ${url} is the ${NAME[partnerOf(port)]}; the ${NAME[port]} of that device is ${right}`,
    { code: 'device.port', option: OPTION[port], right, url },
  );
}

const isUnreachable = (error: unknown): boolean => error instanceof CommandFailure && error.exit === 'unreachable';

export class Addresses {
  readonly #given: GivenAddresses;
  readonly #read: (url: string) => Promise<unknown>;
  /** Found addresses; each is looked for once. */
  readonly #found = new Map<Port, Promise<string>>();

  /** @param read the body of `/health` of a port */
  constructor(given: GivenAddresses, read: (url: string) => Promise<unknown>) {
    this.#given = given;
    this.#read = read;
  }

  /** The address as far as it is known without a call. */
  guess(port: Port): string {
    return this.#given[port] ?? this.#given[partnerOf(port)] ?? ownUrl(port);
  }

  /**
   * The base address of a port.
   * @throws {CommandFailure} `refused` where the ports belong to different devices, `unreachable` where the other port
   * cannot be asked
   */
  of(port: Port): Promise<string> {
    const known = this.#found.get(port);
    if (known !== undefined) return known;
    const found = this.#find(port);
    this.#found.set(port, found);
    found.catch(() => this.#found.delete(port)); // a device that restarts may be asked again
    return found;
  }

  async #find(port: Port): Promise<string> {
    const given = this.#given[port];
    const other = this.#given[partnerOf(port)];
    if (given !== null) return other === null || port === 'terminal' ? given : this.#pair(other, given);
    if (other !== null) return this.#partner(port, other);
    if (port === 'terminal') return ownUrl('terminal');
    try {
      return await this.#partner('recognition', ownUrl('terminal'));
    } catch (error) {
      if (isUnreachable(error)) return ownUrl('recognition'); // this port may answer where the other does not
      throw error;
    }
  }

  async #health(port: Port, url: string): Promise<HealthReport> {
    return healthIn(await this.#read(url), port, url);
  }

  /** The address of a port, as the other port names it. */
  async #partner(port: Port, other: string): Promise<string> {
    const { ports, instance } = await this.#health(partnerOf(port), other);
    const url = atPort(other, ports[port]);
    const answered = await this.#health(port, url).catch((error: unknown) => {
      if (!(error instanceof CommandFailure)) throw error;
      const words = `${error.message}; ${other} names it as its ${NAME[port]}: where that is elsewhere, ${OPTION[port]} says so`;
      throw new CommandFailure(error.exit, words, error.details, error);
    });
    if (answered.instance !== instance) throw twoDevices(other, url, port, false);
    return url;
  }

  /** Checks that two given addresses belong to one device, where both answer. */
  async #pair(terminal: string, recognition: string): Promise<string> {
    const answers = await Promise.all([
      this.#health('terminal', terminal).catch(nullIfSilent),
      this.#health('recognition', recognition).catch(nullIfSilent),
    ]);
    const [one, other] = answers;
    if (one !== null && other !== null && one.instance !== other.instance)
      throw twoDevices(terminal, recognition, 'recognition', true);
    return recognition;
  }
}

/** Null for a port that is silent or no device's: the call that needs the port reports that. @throws any other error */
function nullIfSilent(error: unknown): null {
  if (error instanceof CommandFailure && (error.exit === 'unreachable' || error.exit === 'refused')) return null;
  throw error;
}

function twoDevices(one: string, other: string, port: Port, isTold: boolean): CommandFailure {
  const what = `${one} and ${other} are two devices: name the ${NAME[port]} of the one that is meant with ${OPTION[port]}`;
  return new CommandFailure('refused', what, { code: 'device.two', url: one, isTold });
}
