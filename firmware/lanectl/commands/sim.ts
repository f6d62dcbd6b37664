/** `lanectl sim`: a whole lane without hardware, for the tests of a till. */
import type { Command } from 'commander';

export function addSim(program: Command): void {
  program
    .command('sim')
    .description('a whole lane without hardware, for the tests of a till; lanectl sim --help lists its options')
    .helpOption(false)
    .allowUnknownOption()
    .allowExcessArguments()
    .argument('[options...]')
    .action(async (options: readonly string[]) => {
      process.argv.splice(2, process.argv.length - 2, ...options);
      await import('../../sim/main.ts');
    });
}
