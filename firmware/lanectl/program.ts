/** Every command and its options. */
import { Command } from 'commander';
import manifest from '../../package.json' with { type: 'json' };
import { addChain } from './chain/chain.ts';
import { addDoctor } from './commands/doctor.ts';
import { addItems } from './commands/items.ts';
import { addKeeping } from './commands/keeping.ts';
import { addLogs } from './commands/logs.ts';
import { addLookAlikes } from './commands/look-alikes.ts';
import { addPay } from './commands/pay.ts';
import { addRecognition } from './commands/recognition.ts';
import { addRefund } from './commands/refund.ts';
import { addReport } from './commands/report.ts';
import { addSetup } from './commands/setup.ts';
import { addSim } from './commands/sim.ts';
import { addStatus } from './commands/status.ts';
import { addWatch } from './commands/watch.ts';
import { addWebhooks } from './commands/webhooks.ts';
import { addCompletion } from './completion.ts';
import { addPins } from './people/pins.ts';

const EXAMPLES = `
Examples:
  lanectl pay 123.45 --purpose Apples
  lanectl watch --types payment.accepted,payment.late
  lanectl doctor

The device is the one on this machine, unless --url or LANEWARE_URL names another; --token-file, LANEWARE_TOKEN_FILE or
LANEWARE_TOKEN hold the token of one on the network, --ca or LANEWARE_CA its certificate. docs/lanectl.md says what the exit
codes mean.`;

export function createProgram(): Command {
  const program = new Command('lanectl')
    .description('Drives a Laneware device from a shell: payments, recognition, care')
    .version(manifest.version, '--version', 'print the version')
    .option('--url <address>', 'of the payment terminal, as https://lane-7.shop.example:1234')
    .option('--recognition-url <address>', 'of the recognition device; the one that the device names when left out')
    .option('--token <token>', 'of the device; others may read it in your shell’s history: better a file')
    .option('--token-file <file>', 'that holds the token')
    .option('--ca <file>', 'certificate of the device, where it has made its own')
    .option('--json', 'print JSON, one document a line')
    .helpCommand('help [command]', 'print help on a command')
    .helpOption('-h, --help', 'print help')
    .addHelpText('after', EXAMPLES)
    .showHelpAfterError('(lanectl --help lists the commands, lanectl COMMAND --help the options of one)')
    .exitOverride();
  for (const add of [
    addSetup,
    addStatus,
    addPay,
    addWatch,
    addWebhooks,
    addRefund,
    addReport,
    addRecognition,
    addLookAlikes,
    addItems,
    addKeeping,
    addChain,
    addPins,
    addLogs,
    addDoctor,
    addSim,
    addCompletion,
  ])
    add(program);
  return program;
}
