/**
 * `lanectl pins`: lists, sets and removes people's PINs for the console, as when a PIN is lost. On the device itself it
 * needs no token; on another machine it needs the technician's. The device ends the sessions of an old PIN, and records
 * the change in the audit trail.
 */

import { Argument, type Command } from 'commander';
import { PEOPLE, type Person } from '../../core/access/people.ts';
import { acting, readNamedText, type Tools } from '../../core/cli/index.ts';

import type { Pins } from './shapes.ts';

const PATH = '/console/api/pins';

function print({ out }: Tools, body: unknown): void {
  const { pins } = body as Pins;
  out.result({ pins }, [
    ...pins.map(({ role, set }) => `${role}: ${set ? 'has a PIN' : 'has none'}`),
    ...(pins.some(({ set }) => set) ? [] : ['Pages on the device itself need no sign-in.']),
  ]);
}

async function list(tools: Tools): Promise<undefined> {
  print(tools, await tools.device.call('recognition', PATH));
}

/** Sets a PIN from a file: as an argument, other users could see it, and it would be in the shell's history. */
async function set(tools: Tools, role: Person, file: string): Promise<undefined> {
  const pin = (await readNamedText(file)).trim();
  print(tools, await tools.device.call('recognition', `${PATH}/${role}`, { method: 'PUT', body: { pin } }));
}

async function remove(tools: Tools, role: Person): Promise<undefined> {
  print(tools, await tools.device.call('recognition', `${PATH}/${role}`, { method: 'DELETE' }));
}

const roleArgument = (): Argument => new Argument('<role>', 'whose').choices(PEOPLE);

export function addPins(program: Command): void {
  const pins = program.command('pins').description('console PINs: set a new one if one was lost');
  pins
    .command('list', { isDefault: true })
    .description('show which roles have a PIN, not the PINs')
    .action(acting(list));
  pins
    .command('set')
    .description('set or replace a PIN; everyone using the old one is signed out')
    .addArgument(roleArgument())
    .argument('<file>', 'file with the PIN; - reads the standard input')
    .action(acting(set));
  pins
    .command('remove')
    .description(
      'remove a PIN; everyone using it is signed out. Without any PIN, pages on the device itself need no sign-in',
    )
    .addArgument(roleArgument())
    .action(acting(remove));
}
