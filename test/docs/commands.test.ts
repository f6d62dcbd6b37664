/** Every command of README, docs/ and CONTRIBUTING.md is run as it stands (what is changed in it: `typed.ts`), or is in the closed list. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ROOT } from '../root.ts';
import { runCommand } from '../runner/command.ts';
import { missingPrograms, needing } from '../skipping.ts';
import { BLOCKS_ELSEWHERE, ELSEWHERE, type Elsewhere, SCRIPTS } from './elsewhere.ts';
import { blocksOf, INSTRUCTIONS, inlineCommandsOf, read } from './pages.ts';
import { Reader } from './typed.ts';

const test = suite('commands of the documents');

// `npm start` of a clone whose packages are not whole installs them, and its reader does not wait for that
test.before(async () => {
  const { code, output } = await runCommand(process.execPath, ['scripts/setup.mjs']);
  assert.is(code, 0, output);
});

/** What a page's commands must have printed: they must not only end well. */
const PRINTS: Readonly<Record<string, readonly RegExp[]>> = {
  'README.md': [/"state":"PENDING"[\s\S]*"dynamicQRStatus":"PENDING"/, /"state":"item"/],
  'docs/till.md': [
    /"dynamicQRStatus":"PENDING"[\s\S]*"dynamicQRStatus":"ACCEPTED"/,
    /"state":"ACCEPTED"[\s\S]*"state":"done"/,
    /is paid[\s\S]*the sale is paid/,
    /<PASSWORD>/,
  ],
  'docs/after-payment.md': [/"state":"ACCEPTED"[\s\S]*"state":"done"[\s\S]*"state":"done"/],
  'docs/recognition.md': [/"template":"\d{23}"[\s\S]*"sid":"\d{23}"/, /"state":"item"[\s\S]*"verdict":/],
  'docs/sim.md': [/"dynamicQRStatus":"ACCEPTED"[\s\S]*"dynamicQRStatus":"CANCELED"/],
  'docs/lanectl.md': [/the settings are taken[\s\S]*"bankName": "Sandbox"/],
  'docs/events.md': [/^event: hello$/m, /paid: [0-9a-f-]{36}/],
  'docs/operator.md': [/"part":"ledger"/, /# HELP/],
  'docs/technician.md': [/"part":"camera"/, /"part":"payments"/],
};

/** The last four are run by `receivers.test.ts`. */
const LANGUAGES = ['sh', 'js', 'mermaid', 'text', 'mjs', 'python', 'php', 'csharp'];
const withoutComment = (line: string): string => line.replace(/\s+#.*$/, '').trim();
const firstLine = (text: string): string => text.split('\n').find((line) => !line.startsWith('#')) ?? '';
const elsewhereOf = (command: string): Elsewhere | undefined => ELSEWHERE.find((entry) => entry.command === command);
const blockElsewhereOf = (text: string): Elsewhere | undefined =>
  BLOCKS_ELSEWHERE.find(({ command }) => firstLine(text).startsWith(command));

/** Lines of a block that are run here. */
const runHere = (text: string): string =>
  text
    .split('\n')
    .filter((line) => elsewhereOf(withoutComment(line)) === undefined)
    .join('\n')
    .trim();

/** Inline commands that are typed by the reader's shell; `null` where the list or a script's help answers for them. */
const typedInline = (command: string): string | null =>
  elsewhereOf(command) !== undefined || SCRIPTS.test(command) ? null : command;

for (const page of INSTRUCTIONS) {
  const markdown = read(page);
  const blocks = blocksOf(markdown);

  test(`${page}: each block names its language`, () => {
    for (const { language, text } of blocks) assert.ok(LANGUAGES.includes(language), text);
  });

  const typed = blocks
    .filter(({ language, text }) => language === 'js' || (language === 'sh' && blockElsewhereOf(text) === undefined))
    .map(({ language, text }) => ({ language, text: runHere(text) }))
    .filter(({ text }) => text !== '');
  const inline = [...new Set(inlineCommandsOf(markdown))].map(typedInline).filter((command) => command !== null);
  if (typed.length + inline.length === 0) continue;

  test(`${page}: what it tells a reader to type works`, async () => {
    await using reader = await Reader.open();
    await reader.start('npm start');
    let output = '';
    for (const { language, text } of typed)
      output += language === 'sh' ? await reader.type(text) : await reader.payMeanwhile(reader.script(text));
    for (const command of inline) output += await reader.type(command);
    for (const expected of PRINTS[page] ?? []) assert.match(output, expected, `${page} printed: ${output}`);
  });
}

test('a command that fails, that is answered with an error, or that needs root fails the test', async () => {
  await using reader = await Reader.open();
  for (const command of ['false', 'node nowhere.ts', 'sudo true', 'curl http://127.0.0.1:1234/version']) {
    const error = await reader.type(command).catch((reason: unknown) => reason);
    assert.instance(error, Error, command);
  }
});

test('each command that is run elsewhere has a reason and a place, and still stands in a document', () => {
  const all = INSTRUCTIONS.map(read).join('\n');
  for (const { command, reason, cheap, by } of [...ELSEWHERE, ...BLOCKS_ELSEWHERE]) {
    assert.ok(all.includes(command), `${command} stands in no document any more`);
    assert.ok(reason !== '' && (cheap !== undefined || by !== undefined), command);
    if (by === undefined) continue;
    const [file, words] = by;
    assert.ok(readFileSync(join(ROOT, file), 'utf8').includes(words), `${file} does not have ${words} (${command})`);
  }
});

for (const { command, cheap, needs = [] } of ELSEWHERE) {
  if (cheap === undefined) continue;
  needing(
    missingPrograms(...needs),
    command,
    test,
  )(`${command}, with less to do: ${cheap}`, async () => {
    const { code, output } = await runCommand('bash', ['-c', cheap]);
    assert.is(code, 0, output);
  });
}

test('each script knows the options and the names that the documents give it', async () => {
  for (const command of new Set(INSTRUCTIONS.flatMap((page) => inlineCommandsOf(read(page))))) {
    const script = SCRIPTS.exec(command)?.[1];
    if (script === undefined) continue;
    const { code, output } = await runCommand('bash', [script, '--help']);
    assert.is(code, 0, `${script} --help: ${output}`);
    const words = command.slice(command.indexOf(script) + script.length).match(/--[a-z-]+|\b[a-z]{4,}\b/g) ?? [];
    for (const word of words) assert.ok(output.includes(word), `${script} --help does not know ${word} (${command})`);
  }
});

test.run();
