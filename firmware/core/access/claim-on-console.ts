/**
 * Shows the technician's code on the consoles of the board, beside the display: without it, an absent or broken display
 * would leave a flashed lane without access. The code is written to a file in systemd's folder in memory;
 * `scripts/claim-console.sh`, as root, shows it.
 */
import { rmSync } from 'node:fs';
import { hostname } from 'node:os';
import { isEverywhere, lanAddress } from '../config/index.ts';
import type { LogLine } from '../host/index.ts';
import { replaceFile } from '../store/index.ts';
import type { Sign } from './claims.ts';

// The address of the page where a person types the code.

const DEFAULT_PORTS = { https: 443, http: 80 } as const;
/** An address that a machine gives itself when it gets none. */
const LINK_LOCAL = /^169\.254\./;

function networkAddress(): string | null {
  const address = lanAddress();
  return address === null || LINK_LOCAL.test(address) ? null : address;
}

/** @param host what the port listens on @returns `https://192.168.1.20:8080`; by its name in the LAN until it has an address */
export function networkUrl(host: string, port: number, isTls = true): string {
  const scheme = isTls ? 'https' : 'http';
  const [name = ''] = hostname().split('.');
  const found = isEverywhere(host) ? (networkAddress() ?? `${name}.local`) : host;
  const authority = found.includes(':') ? `[${found}]` : found;
  return `${scheme}://${authority}${port === DEFAULT_PORTS[scheme] ? '' : `:${port}`}`;
}

export const claimAddress = (host: string, port: number): string => `${networkUrl(host, port)}/claim`;

/**
 * The link of a code. The part after `#` is for the page only: no browser sends it, so no log has it. The part after
 * the code is for displays that echo what they got: the ends of such an echo are logged.
 */
export const claimLink = (address: string, code: string): string => `${address}#${code}&for=laneware-technician`;

/**
 * A sign that shows its codes on the consoles, too. A failing console never removes the display's code.
 * @param file `key=value` lines, present while the code is valid. The script reads these and no others
 * @param address present address of the page where a person types the code
 */
export function onConsole(sign: Sign, file: string, address: () => string, log: LogLine): Sign {
  let shown = '';
  const write = (text: string): void => {
    if (text === shown) return;
    shown = text;
    try {
      if (text === '') rmSync(file, { force: true });
      else replaceFile(file, text);
    } catch (err) {
      log('the consoles of the board do not show the code for a token, or show an old one', { err });
    }
  };
  return {
    get isShown(): boolean {
      return sign.isShown;
    },

    get hasDisplay(): boolean {
      return sign.hasDisplay;
    },

    /**
     * Shows the code on the console first: a display that shows something else at once hides the code, and then it must
     * not come back.
     */
    show(code: string): boolean {
      write(`code=${code}\naddress=${address()}\n`);
      const isShown = sign.show(code);
      if (!isShown) write('');
      return isShown;
    },

    hide(): void {
      write('');
      sign.hide();
    },
  };
}
