/**
 * `lanectl setup`: sets the bank and the display of the device, and reports whether they work; or prints the settings.
 */

import type { Command } from 'commander';
import { pause } from '../../../drivers/lib/async.ts';
import { isFields } from '../../../drivers/lib/strict-json.ts';
import { acting, type ExitName, misuse, readNamedText, type Tools } from '../../core/cli/index.ts';
import type { HealthReport } from '../../core/host/index.ts';

/**
 * Reads a settings document, `-` for the standard input; with or without a byte order mark, and with or without the
 * member `settings` around it.
 * @throws {CommandFailure}
 */
async function readSettings(file: string): Promise<object> {
  const text = await readNamedText(file);
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    // the parser's message quotes the text, which may hold a password
    throw misuse('File', `${file} cannot be used: it is no JSON`);
  }
  if (!isFields(document))
    throw misuse('File', `${file} must hold one JSON object: the settings, as docs/nine-calls.md shows them`);
  return 'settings' in document ? document : { settings: document };
}

/** Parts in `/health` that this command reports; `lanectl status` shows all. */
const OF_PAYMENTS: readonly string[] = ['settings', 'display', 'bank'];

/** How long to wait for a display that is connecting. */
const DISPLAY_LIMIT_MS = 3000;
const LOOK_MS = 200;

/** The states of these parts once the display is connected, or the time is over. */
async function partsOfPayments(device: Tools['device']): Promise<HealthReport['parts']> {
  const end = performance.now() + DISPLAY_LIMIT_MS;
  for (;;) {
    const { parts } = await device.health('terminal');
    const own = parts.filter(({ part }) => OF_PAYMENTS.includes(part));
    const isDark = own.some(({ part, state }) => part === 'display' && state !== 'ok');
    if (!isDark || performance.now() > end) return own;
    await pause(LOOK_MS);
  }
}

async function setup(
  { device, out }: Tools,
  file: string | undefined,
  { print }: { readonly print?: boolean },
): Promise<ExitName> {
  if (print === true) {
    const { settings } = (await device.call('terminal', '/getDriverSettings')) as { readonly settings: object };
    out.result({ settings }, [JSON.stringify(settings, null, 2)]);
    return 'ok';
  }
  if (file === undefined) await device.call('recognition', '/console/api/sandbox/setup', { method: 'POST' });
  else await device.call('terminal', '/updateDriverSettings', { body: await readSettings(file) });
  const parts = await partsOfPayments(device);
  const wrong = parts.filter(({ state }) => state !== 'ok');
  const done = file === undefined ? 'set up: the sandbox bank and the console’s display' : 'settings saved';
  out.result({ parts }, [done, ...wrong.map(({ part, reason }) => out.coloured('yellow', `  ${part}: ${reason}`))]);
  return wrong.some(({ state, sales }) => state === 'failed' || sales === 'does-not-sell') ? 'faults' : 'ok';
}

export function addSetup(program: Command): void {
  program
    .command('setup')
    .description(
      'set up bank and display: the sandbox bank on a fresh device, or as in a file; exits with 9 if one does not work',
    )
    .argument('[file]', 'settings as JSON, as in updateDriverSettings; - reads the standard input')
    .option('--print', 'print the current settings, secrets masked')
    .action(acting(setup));
}
