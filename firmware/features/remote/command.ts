/**
 * `lanectl remote`: starts the chain's own remote access on this machine for a limited time. Before, it records in the
 * audit trail who comes and how long; at the end, how the access ended.
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
 * Records the access. A device that does not run does not prevent it, because somebody may have to repair the device.
 * @throws {CommandFailure} where the device refuses
 */
async function recordAccess(
  { device, out }: Tools,
  body: { readonly by: string; readonly minutes: number },
): Promise<void> {
  try {
    await device.call('recognition', '/console/api/remote', { body });
  } catch (error) {
    if (!(error instanceof CommandFailure && error.exit === 'unreachable')) throw error;
    out.printAside('the device does not answer: its audit trail does not say who came');
  }
}

async function open(tools: Tools, given: { readonly by: string; readonly minutes: number }): Promise<undefined> {
  const unit = `${UNIT}${given.minutes}.service`;
  await recordAccess(tools, given);
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

/** Exit status of the program `timeout` when the time is over. */
const TIME_IS_OVER = '124';
/** Exit statuses of a unit that was stopped, as systemd and `timeout` report them. */
const STOPPED = ['TERM', '143'];

/** How the unit ended, by the variables that systemd sets for the command that it runs afterwards. */
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
