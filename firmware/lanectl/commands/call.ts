/**
 * `lanectl call`: makes any call of the device's OpenAPI documents by its `operationId`; without one, lists the calls.
 */

import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { Command, InvalidArgumentError, Option } from 'commander';
import { isFields } from '../../../drivers/lib/strict-json.ts';
import { nearest } from '../../../drivers/lib/text.ts';
import {
  acting,
  bodyOf,
  type Call,
  type ExitName,
  idOf,
  misuse,
  type Port,
  readNamed,
  repeating,
  type Tools,
  table,
  unreadableReason,
  writeAnswer,
} from '../../core/cli/index.ts';
import {
  type Described,
  type Document,
  operationsOf,
  type TypedField,
  typedFields,
} from '../../core/http/reference/operations.ts';

/** How long a call with an idempotency key is repeated. */
const ASKING_LIMIT_MS = 60_000;
const KEY = 'Idempotency-Key';
const JSON_TYPE = 'application/json';
const FORM = 'multipart/form-data';
/** Pattern of a file's first bytes, in Latin-1, by its content type. */
const SIGNS: Readonly<Record<string, RegExp>> = {
  'image/png': /^\x89PNG/,
  'image/jpeg': /^\xff\xd8/,
  [JSON_TYPE]: /^(?:\xef\xbb\xbf)?\s*[[{]/,
};

const PORTS = ['terminal', 'recognition'] as const;

interface Found extends Described {
  readonly port: Port;
  readonly document: Document;
}

async function callsAt({ device }: Tools, port: Port): Promise<readonly Found[]> {
  const document = (await device.call(port, '/openapi.json')) as Document;
  return operationsOf(document).map((described) => ({ ...described, port, document }));
}

async function list(tools: Tools): Promise<undefined> {
  const all = await Promise.all(PORTS.map((port) => callsAt(tools, port)));
  const operations = all
    .flat()
    .map(({ operation: { operationId: id = '', summary = '' }, port, method, url: path }) => {
      return { id, summary, port, method: method.toUpperCase(), path };
    });
  const rows = operations.map(({ id, summary, method, path }) => [id, summary, `${method} ${path}`]);
  tools.out.result({ operations }, [...table(rows), 'lanectl call OPERATION --help says what one takes']);
}

/**
 * Finds a call in the documents of both ports; one port may not answer.
 * @throws {CommandFailure} `usage` where no document has it
 */
async function find(tools: Tools, id: string): Promise<Found> {
  const answers = await Promise.allSettled(PORTS.map((port) => callsAt(tools, port)));
  const calls = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  const ids = calls.map(({ operation: { operationId = '' } }) => operationId);
  const found = calls[ids.indexOf(id)];
  if (found !== undefined) return found;
  for (const answer of answers) if (answer.status === 'rejected') throw answer.reason;
  const like = nearest(id, ids);
  const meant = like === null ? '' : ` (did you mean ${like}?)`;
  throw misuse('Command', `there is no operation ${JSON.stringify(id)}${meant}: lanectl call lists them`);
}

function inBase64(file: string): string {
  try {
    return readFileSync(file === '-' ? process.stdin.fd : file, 'base64');
  } catch (cause) {
    throw new InvalidArgumentError(`${file} cannot be read: ${unreadableReason(cause)}`);
  }
}

/** The option of a field. Values are wrapped in an object, because commander treats null as no value. */
function optionOf({ name, place, isRequired, about, must, read }: TypedField): Option {
  const words = [isRequired && name !== KEY ? `required: ${must}` : must, about].filter(Boolean).join('; ');
  const option = new Option(`--${place === 'header' ? name.toLowerCase() : name} <value>`, words);
  if (place === 'body') option.conflicts('body');
  return option.argParser((text: string) => {
    const value = read(place === 'path' ? idOf('the name of what is meant')(text) : text);
    if (value === undefined) throw new InvalidArgumentError(`It must be ${must}.`);
    return { value };
  });
}

/** Makes the command that parses what follows the call's name. */
function optionsOf({ method, url, operation }: Found, options: readonly Option[], program: Command): Command {
  const { operationId, summary, description = '', requestBody } = operation;
  const command = new Command(`lanectl call ${operationId}`)
    .copyInheritedSettings(program)
    .description(`${summary}: ${method.toUpperCase()} ${url}\n\n${description}`.trim())
    .showHelpAfterError(`(lanectl call ${operationId} --help says what it takes, each as --name value)`);
  for (const option of options) command.addOption(option);
  const types = Object.keys(requestBody?.content ?? {}).join(' or ');
  if (types !== '') command.option('--body <file>', `the whole body, ${types}; - reads the standard input`);
  return command.option('--output <file>', 'write the answer to a file');
}

async function contentOf(file: string, types: readonly string[]): Promise<Pick<Call, 'raw' | 'headers'>> {
  const raw = await readNamed(file);
  if (types.includes(FORM)) {
    const form = new FormData();
    form.append('file', new Blob([raw]), basename(file));
    return { raw: form };
  }
  const text = Buffer.from(raw).toString('latin1');
  const type = types.find((each) => SIGNS[each]?.test(text)) ?? types.at(-1) ?? '';
  return { raw, headers: { 'content-type': type } };
}

/**
 * Places typed values into path, query, headers and body.
 * @throws {CommandFailure} `usage` where something is missing
 */
function placed(fields: readonly TypedField[], typed: readonly unknown[], isBodyNamed: boolean) {
  const values: { [place: string]: { [name: string]: unknown } } = {};
  const missing: string[] = [];
  for (const [at, { name, place, isRequired }] of fields.entries()) {
    // a key is made where the call needs one, or where no whole body is named, which may have its own key
    const isMade = name === KEY && (isRequired || !isBodyNamed);
    const made = isMade ? { value: crypto.randomUUID() } : undefined;
    const given = (typed[at] ?? made) as { readonly value: unknown } | undefined;
    if (given !== undefined) values[place] = { ...values[place], [name]: given.value };
    else if (isRequired && !(isBodyNamed && place === 'body'))
      missing.push(place === 'body' ? `--${name} (or --body)` : `--${name}`);
  }
  if (missing.length > 0) throw misuse('Option', `missing: ${missing.join(', ')}`);
  return values;
}

/**
 * Prints the answer, or writes it to a file.
 * @throws {CommandFailure} `failed` where the file cannot be written, `usage` where a terminal cannot show the answer
 */
async function show({ out }: Tools, answer: unknown, file: string | undefined): Promise<void> {
  if (file !== undefined) {
    const whole = answer instanceof Response ? answer : new Response(`${JSON.stringify(answer, null, 2)}\n`);
    await writeAnswer(whole, file, { mode: 0o666, judge: async () => undefined });
    out.result({ file }, [`the answer is in ${file}`]);
  } else if (answer instanceof Response) {
    const type = answer.headers.get('content-type') ?? 'of no type';
    if (out.isJson || (process.stdout.isTTY && !type.startsWith('text/'))) {
      await answer.body?.cancel();
      throw misuse('Option', `the answer is a file (${type}): name it with --output`);
    }
    out.endOnLostOutput();
    await pipeline(bodyOf(answer), process.stdout, { end: false });
  } else out.result(Object(answer), [JSON.stringify(answer, null, 2)]);
}

async function call(tools: Tools, program: Command, id: string, words: readonly string[]): Promise<ExitName> {
  const { device, out } = tools;
  const found = await find(tools, id);
  const types = Object.keys(found.operation.requestBody?.content ?? {});
  const fields = typedFields(found.operation, found.document, inBase64);
  const own = fields.map(optionOf);
  const options = optionsOf(found, own, program).parse(words, { from: 'user' }).opts();
  const { body: file, output }: { readonly body?: string; readonly output?: string } = options;
  const typed = own.map((option) => options[option.attributeName()]);
  const { path = {}, query = {}, header = {}, body } = placed(fields, typed, file !== undefined);
  if (types.length > 0 && !types.includes(JSON_TYPE) && file === undefined) throw misuse('Option', 'missing: --body');
  const content: Call = file === undefined ? { body } : await contentOf(file, types);
  const search = new URLSearchParams(query as Record<string, string>).toString();
  const target = found.url.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(String(path[name])));
  const request = {
    method: found.method.toUpperCase(),
    ...content,
    headers: { ...content.headers, ...(header as Record<string, string>) },
  };
  const ask = (limit: object) =>
    device.call(found.port, `${target}${search && `?${search}`}`, { ...request, ...limit });
  const key = header[KEY];
  const again = `the same command with --${KEY.toLowerCase()} ${key} says what became of it`;
  const patience = { end: performance.now() + ASKING_LIMIT_MS, out, again };
  const answer = await (key === undefined ? ask({}) : repeating((signal) => ask({ signal }), patience));
  await show(tools, answer, output);
  return isFields(answer) && typeof answer.problem === 'string' ? 'faults' : 'ok';
}

export function addCall(program: Command): void {
  const command = program
    .command('call')
    .description('any other call of the device, by its name; alone, lists them')
    .helpOption(false)
    .allowUnknownOption()
    .allowExcessArguments()
    .argument('[operation]', 'as getPayment; lanectl call getPayment --help says what it takes')
    .argument('[fields...]', 'as --id 17; --body FILE sends a file, --output FILE keeps the answer')
    .action(
      acting(async (tools: Tools, id: string | undefined, words: readonly string[]) => {
        if (id === '--help' || id === '-h') command.help();
        return id === undefined ? list(tools) : call(tools, program, id, words);
      }),
    );
}
