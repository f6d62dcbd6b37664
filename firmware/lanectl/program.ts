/** Builds the program with the typed command and the common options. */

import { Command } from 'commander';
import manifest from '../../package.json' with { type: 'json' };
import { inPlainWords } from '../core/cli/index.ts';
import type { Shell } from '../features/feature.ts';
import { FEATURES, featureDatabases } from '../features.ts';

type Add = (program: Command, shell: () => Promise<Shell>) => void;

async function shell(): Promise<Shell> {
  const [doctor, { wordsIn }] = await Promise.all([import('./commands/doctor.ts'), import('../console/words.ts')]);
  const configSchema = async () => (await import('../device/composition/config.ts')).CONFIGURATION.schema;
  return { ...doctor, words: wordsIn, configSchema, databases: featureDatabases };
}

/**
 * First words of commands, and what loads the file that adds them. A file, with everything that it imports, is loaded
 * only where one of its commands is typed.
 */
const COMMANDS: readonly (readonly [words: readonly string[], load: () => Promise<Add>])[] = [
  [['setup'], async () => (await import('./commands/setup.ts')).addSetup],
  [['status'], async () => (await import('./commands/status.ts')).addStatus],
  [['pay'], async () => (await import('./commands/pay.ts')).addPay],
  [['watch'], async () => (await import('./commands/watch.ts')).addWatch],
  [['refund'], async () => (await import('./commands/refund.ts')).addRefund],
  [['journal'], async () => (await import('./commands/journal.ts')).addJournal],
  [['dataset'], async () => (await import('./commands/dataset.ts')).addDataset],
  [['call'], async () => (await import('./commands/call.ts')).addCall],
  [['pins'], async () => (await import('./commands/pins.ts')).addPins],
  [['logs'], async () => (await import('./commands/logs.ts')).addLogs],
  [['doctor'], async () => (await import('./commands/doctor.ts')).addDoctor],
  [['sim'], async () => (await import('./commands/sim.ts')).addSim],
  ...FEATURES.flatMap(({ command }) => (command === undefined ? [] : [[command.words, command.load] as const])),
];

const EXAMPLES = `
Examples:
  lanectl pay 123.45 --purpose Apples
  lanectl watch --types payment.accepted,payment.late
  lanectl call getDayReport --day 2026-11-21
  lanectl doctor

The default is the device on this machine. For another one use --url or LANEWARE_URL, --token-file, LANEWARE_TOKEN_FILE or
LANEWARE_TOKEN for its token, and --ca or LANEWARE_CA for its certificate. Exit codes: docs/lanectl.md.`;

/** The first argument that is neither an option nor the value of one; null without one. */
function commandIn(program: Command, args: readonly string[]): string | null {
  const values = new Set(program.options.filter(({ required }) => required).map(({ long }) => long));
  return args.find((word, at) => !word.startsWith('-') && !values.has(args[at - 1])) ?? null;
}

/** The commands that must be loaded: the typed one, or all of them for help and for an unknown word. */
function neededFor(command: string | null, args: readonly string[]) {
  if (command === null && args.includes('--version')) return [];
  const typed = COMMANDS.filter(([words]) => command !== null && words.includes(command));
  return typed.length === 0 ? COMMANDS : typed;
}

/** Builds the program. @param args the typed arguments: the program has only the commands that they need */
export async function createProgram(args: readonly string[]): Promise<Command> {
  const program = new Command('lanectl')
    .description('Control a Laneware device from a shell: payments, recognition, maintenance')
    .version(manifest.version, '--version', 'print the version')
    .option('--url <address>', 'address of the payment terminal, e.g. https://lane-7.shop.example:1234')
    .option('--recognition-url <address>', 'address of the recognition device (default: the one the device names)')
    .option('--token <token>', 'the device’s token; it stays in your shell’s history, so prefer a file')
    .option('--token-file <file>', 'file with the token')
    .option('--ca <file>', 'the device’s own certificate')
    .option('--json', 'print JSON, one document a line')
    .helpCommand('help [command]', 'print help on a command')
    .helpOption('-h, --help', 'print help')
    .configureHelp({ optionTerm: ({ flags, mandatory }) => (mandatory ? `${flags} (required)` : flags) })
    .configureOutput({ outputError: (words, write) => write(inPlainWords(words)) })
    .addHelpText('after', EXAMPLES)
    .showHelpAfterError('(lanectl --help lists the commands, lanectl COMMAND --help the options of one)')
    .exitOverride();
  const needed = neededFor(commandIn(program, args), args);
  for (const add of await Promise.all(needed.map(([, load]) => load()))) add(program, shell);
  return program;
}
