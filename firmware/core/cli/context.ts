/** The common part of all commands: common options, the device, and the output. */
import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { baseUrl, type Port } from './addresses.ts';
import { DeviceClient } from './client.ts';
import { EXIT_CODES, type ExitName, misuse } from './exit-codes.ts';
import { Output } from './output.ts';
import { isHeaderText, readNamedText, unreadableReason } from './values.ts';

export interface CommonOptions {
  readonly url?: string;
  readonly recognitionUrl?: string;
  readonly token?: string;
  readonly tokenFile?: string;
  readonly ca?: string;
  readonly json?: boolean;
}

export interface Tools {
  readonly device: DeviceClient;
  readonly out: Output;
}

/** Trusts further certificates, such as the device's own; loaded late, as Node's parts for it take longer than a help text. @throws {CommandFailure} */
async function trust(file: string): Promise<void> {
  const [{ X509Certificate }, { default: tls }] = await Promise.all([import('node:crypto'), import('node:tls')]);
  try {
    const pem = readFileSync(file, 'utf8');
    new X509Certificate(pem); // setDefaultCACertificates ignores an invalid one silently
    tls.setDefaultCACertificates([...tls.getCACertificates('default'), pem]);
  } catch (cause) {
    throw misuse('File', `--ca: ${file} is not a readable certificate: ${unreadableReason(cause)}`, cause);
  }
}

/** The token, from the options or the environment; its text is never printed. @throws {CommandFailure} */
async function tokenOf(options: CommonOptions, env: NodeJS.ProcessEnv): Promise<string | null> {
  const token = await givenToken(options, env);
  if (token === null || isHeaderText(token)) return token;
  if (token === '') throw misuse('Value', 'the token is empty: set it, or leave out its option and its variable');
  throw misuse('Value', 'the token must be one line of Latin letters, digits and signs: copy it again');
}

async function givenToken({ token, tokenFile }: CommonOptions, env: NodeJS.ProcessEnv): Promise<string | null> {
  if (token !== undefined) return token;
  const file = tokenFile ?? (env.LANEWARE_TOKEN === undefined ? env.LANEWARE_TOKEN_FILE : undefined);
  if (file === undefined) return env.LANEWARE_TOKEN ?? null;
  return (await readNamedText(file)).trim();
}

async function openTools(options: CommonOptions): Promise<Tools> {
  const { env } = process;
  const ca = options.ca ?? env.LANEWARE_CA;
  if (ca !== undefined) await trust(ca);
  const address = (port: Port, text: string | undefined) => (text === undefined ? null : baseUrl(port, text));
  const given = {
    terminal: address('terminal', options.url ?? env.LANEWARE_URL),
    recognition: address('recognition', options.recognitionUrl ?? env.LANEWARE_RECOGNITION_URL),
  };
  const typed = [
    ...(options.url === undefined ? [] : [`--url ${given.terminal}`]),
    ...(options.recognitionUrl === undefined ? [] : [`--recognition-url ${given.recognition}`]),
  ].join(' ');
  const out = new Output({ isJson: options.json === true });
  const device = new DeviceClient({
    given,
    options: typed,
    token: await tokenOf(options, env),
    onSlow: (words) => out.waiting(words),
  });
  return { device, out };
}

const NO_TOKEN_NEEDED = 'lanectl: the device needs no token here and did not check yours: it may be wrong';

/** A command's work: it gets its arguments, then its own options, as commander passes them. */
type Work<Given extends readonly unknown[]> = (tools: Tools, ...given: Given) => Promise<ExitName | undefined>;

/** The action of a command: its result is the exit code, `ok` where it returns nothing. */
export function acting<Given extends readonly unknown[]>(work: Work<Given>) {
  return async (...given: [...Given, Command]): Promise<void> => {
    const command = given.at(-1) as Command;
    const options = command.optsWithGlobals<CommonOptions>();
    const tools = await openTools(options);
    const exit = await work(tools, ...(given.slice(0, -1) as unknown as Given));
    process.exitCode = EXIT_CODES[exit ?? 'ok'];
    const isTokenGiven = options.token !== undefined || options.tokenFile !== undefined;
    if (isTokenGiven && (await tools.device.answersWithoutToken())) tools.out.printAside(NO_TOKEN_NEEDED);
  };
}
