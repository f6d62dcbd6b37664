/**
 * A code for the technician on the consoles of the board, beside the display: one that is absent or broken would else leave a
 * flashed lane without access. It is written to a file in systemd's folder in memory; `scripts/claim-console.sh`, as root, shows it.
 */
import { rmSync } from 'node:fs';
import type { LogLine } from '../host/index.ts';
import { replaceFile } from '../store/index.ts';
import type { Sign } from './claims.ts';

/**
 * A sign whose codes are shown on the consoles, too. A console that fails never removes the display's code.
 * @param file `key=value` lines, and there for as long as the code is good. The script takes these and no others
 * @param address of the page that a code is typed into, as it is now
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

    /** The console first: a display that shows something else at once hides the code, and then it must not come back. */
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
