/**
 * `lanectl pins`: the PINs of people at the console, for whoever has lost one. The device lets a program of its own machine do it, as all
 * else, and asks everybody elsewhere for the technician's token; it ends the sessions of the PIN before, and notes it in its trail.
 */
import { Argument, type Command } from 'commander';
import { PEOPLE, type Person } from '../../sign-in/index.ts';
import { acting, type Tools } from '../context.ts';
import type { Pins } from '../shapes.ts';
import { readNamed } from '../values.ts';

const PATH = '/console/api/pins';

function tell({ out }: Tools, body: unknown): void {
  const { pins } = body as Pins;
  out.result({ pins }, [
    ...pins.map(({ role, set }) => `${role}: ${set ? 'has a PIN' : 'has none'}`),
    ...(pins.some(({ set }) => set) ? [] : ['Nobody is asked at a page on the device itself.']),
  ]);
}

async function list(tools: Tools): Promise<undefined> {
  tell(tools, (await tools.device.call('recognition', PATH)).body);
}

/** A PIN among the arguments would be seen by others of the machine, and stay in the history of the shell. */
async function set(tools: Tools, role: Person, file: string): Promise<undefined> {
  const pin = Buffer.from(readNamed(file)).toString().trim();
  tell(tools, (await tools.device.call('recognition', `${PATH}/${role}`, { method: 'PUT', body: { pin } })).body);
}

async function remove(tools: Tools, role: Person): Promise<undefined> {
  tell(tools, (await tools.device.call('recognition', `${PATH}/${role}`, { method: 'DELETE' })).body);
}

const roleArgument = (): Argument => new Argument('<role>', 'whose').choices(PEOPLE);

export function addPins(program: Command): void {
  const pins = program.command('pins').description('PINs of people at the console: set another where one was lost');
  pins.command('list', { isDefault: true }).description('which there are; none is told').action(acting(list));
  pins
    .command('set')
    .description('set one, or another in its place: whoever signed in with the one before is signed out')
    .addArgument(roleArgument())
    .argument('<file>', 'that holds the PIN; - reads the standard input')
    .action(acting(set));
  pins
    .command('remove')
    .description(
      'remove one: whoever signed in with it is signed out; without any nobody is asked on the device itself',
    )
    .addArgument(roleArgument())
    .action(acting(remove));
}
