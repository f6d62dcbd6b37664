/** Where a technician's code is shown: the display, and the consoles of the board. */
import { rmSync } from 'node:fs';
import { replaceFile } from '../files/index.ts';
import type { LogLine } from '../host/index.ts';

/** Where a code is shown. */
export interface Sign {
  /** Shows a code. @returns false while the display belongs to a payment or a till: nothing is shown then */
  show(code: string): boolean;
  /** Removes the code, where it is still shown. */
  hide(): void;
  /** Whether the code is still shown: any other picture replaces it at once. */
  readonly isShown: boolean;
  /** Whether there is a display in front of somebody. */
  readonly hasDisplay: boolean;
}

/**
 * A sign that shows its codes on the consoles of the board, too: without them, an absent or broken display would leave
 * a flashed lane without access. A failing console never removes the display's code.
 * @param file in systemd's folder in memory: `key=value` lines, present while the code is valid.
 * `scripts/install/claim-console.sh`, as root, shows them; it reads `code` and `address` alone
 * @param address gives the present address of the page where a person types the code
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
     * Shows the code on the console first: where a display at once shows something else, `hide` is called, and the console
     * must not show the code after that.
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
