/** `lanectl sim`: a whole lane without hardware, for the tests of a till. */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Command } from 'commander';
import { type CommonOptions, misuse, ROOT } from '../../core/cli/index.ts';

/** Path of the simulator's program. No release contains it, because a lane that sells does not need it. */
const SIM = join(ROOT, 'firmware/tools/sim/main.ts');

export function addSim(program: Command): void {
  program
    .command('sim')
    .description('run a whole lane without hardware, for testing a till; lanectl sim --help lists its options')
    .helpOption(false)
    .allowUnknownOption()
    .allowExcessArguments()
    .argument('[options...]')
    .action(async (given: readonly string[], _own: object, command: Command) => {
      if (!existsSync(SIM))
        throw misuse(
          'Command',
          'an installed lane has no simulation: run it in a clone (npx lanectl sim) or from its image',
        );
      const options = [...given, ...(command.optsWithGlobals<CommonOptions>().json === true ? ['--json'] : [])];
      process.argv.splice(2, process.argv.length - 2, ...options);
      await import(pathToFileURL(SIM).href);
    });
}
