/** The arguments of the process: `node firmware/main.ts [--config FILE] [--help] [--version]`. */
import { parseArgs } from 'node:util';
import { CodedError } from '../../drivers/lib/errors.ts';
import { nearest } from '../../drivers/lib/text.ts';

const OPTIONS = {
  config: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean' },
} as const;

const NAMES = Object.keys(OPTIONS).map((name) => `--${name}`);

/** An invalid argument. */
class ArgumentError extends CodedError<'ARGUMENT_INVALID'> {
  constructor(message: string) {
    super('ARGUMENT_INVALID', message);
  }
}

export interface Arguments {
  /** The configuration file of `--config`; null without one. */
  readonly config: string | null;
  /** What to print instead of starting. */
  readonly print: 'help' | 'version' | null;
}

function unknown(option: string): ArgumentError {
  const like = nearest(option, NAMES);
  const meant = like === null ? `there are ${NAMES.join(', ')}` : `did you mean ${like}?`;
  return new ArgumentError(`there is no option ${option}: ${meant}`);
}

/**
 * Reads the arguments.
 * @throws {ArgumentError} that names the wrong argument, and the option that was probably meant
 */
export function readArguments(args: readonly string[]): Arguments {
  const { values, tokens } = parseArgs({ args: [...args], options: OPTIONS, strict: false, tokens: true });
  for (const token of tokens) {
    if (token.kind === 'positional')
      throw new ArgumentError(
        `"${token.value}" is no option: see --help. A file of the configuration is named by --config`,
      );
    if (token.kind !== 'option') continue;
    if (!Object.hasOwn(OPTIONS, token.name)) throw unknown(token.rawName);
    if (token.name === 'config' && !token.value)
      throw new ArgumentError('--config needs a file: --config /etc/laneware/config.json');
    if (token.name !== 'config' && token.value !== undefined)
      throw new ArgumentError(`${token.rawName} takes no value`);
  }
  const config = typeof values.config === 'string' ? values.config : null;
  return { config, print: values.help === true ? 'help' : values.version === true ? 'version' : null };
}
