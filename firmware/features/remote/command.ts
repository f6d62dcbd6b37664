/**
 * `lanectl remote`: lets the chain's own remote access run on this machine for a limited time, once the audit trail has
 * recorded who and how long; it also records how that ended.
 */

import { execFileSync } from 'node:child_process';
import type { Command } from 'commander';
import { messageOf } from '../../../drivers/lib/errors.ts';
import { acting, CommandFailure, ROOT, type Tools, wholeNumber } from '../../core/cli/index.ts';
import type { RemoteEnd } from './routes.ts';

const UNIT = 'laneware-remote@';
const MOST_MINUTES = 480;

function systemctl(...args: readonly string[]): void {
  try {
    execFileSync('systemctl', args, { stdio: ['ignore', 'ignore', 'pipe'], encoding: 'utf8' });
  } catch (error) {
    throw new CommandFailure('failed', `systemctl ${args[0]}: ${messageOf(error).trim()}`, {}, error);
  }
}

/**
 * Records the access; a device that does not run is no obstacle, because somebody may have to repair it.
 * @throws {CommandFailure} where the device refuses
 */
async function note({ device, out }: Tools, body: { readonly by: string; readonly minutes: number }): Promise<void> {
  try {
    await device.call('recognition', '/console/api/remote', { body });
  } catch (error) {
    if (!(error instanceof CommandFailure && error.exit === 'unreachable')) throw error;
    out.note('the device does not answer: its audit trail does not say who came');
  }
}

async function open(tools: Tools, given: { readonly by: string; readonly minutes: number }): Promise<undefined> {
  const unit = `${UNIT}${given.minutes}.service`;
  await note(tools, given);
  systemctl('link', '--runtime', '--force', `${ROOT}systemd/${UNIT}.service`);
  systemctl('stop', `${UNIT}*.service`);
  systemctl('start', unit);
  systemctl('is-active', unit); // systemd skips the unit where the chain's program is missing
  tools.out.result(given, [`open for ${given.minutes} minutes; lanectl remote off closes it before`]);
}

async function close({ out }: Tools): Promise<undefined> {
  systemctl('stop', `${UNIT}*.service`);
  out.result({ open: false }, ['closed']);
}

/** Exit status of `timeout` when the time is over. */
const TIME_IS_OVER = '124';
/** Statuses of a unit that systemd was asked to stop, as it and `timeout` report them. */
const STOPPED = ['TERM', '143'];

/** How the unit ended, from the variables that systemd gives to the command after it. */
function endIn({ SERVICE_RESULT, EXIT_STATUS = '' }: NodeJS.ProcessEnv): RemoteEnd {
  if (EXIT_STATUS === TIME_IS_OVER || SERVICE_RESULT === 'timeout') return 'time';
  return STOPPED.includes(EXIT_STATUS) ? 'closed' : 'failed';
}

async function ended({ device }: Tools): Promise<undefined> {
  await device.call('recognition', '/console/api/remote/end', { body: { how: endIn(process.env) } });
}

export function addRemote(program: Command): void {
  const remote = program
    .command('remote')
    .description('open the remote access that the chain has set up: docs/technician.md');
  remote
    .command('on')
    .description('open it for a time; the audit trail says who and how long')
    .requiredOption('--by <name>', 'who comes in')
    .requiredOption('--minutes <number>', `how long, ${MOST_MINUTES} at most`, wholeNumber(1, MOST_MINUTES))
    .action(acting(open));
  remote.command('off').description('close it at once').action(acting(close));
  remote.command('ended').description('called by its unit: the audit trail says how it ended').action(acting(ended));
}
