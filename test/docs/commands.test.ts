/** The commands of README and of most pages are run as they stand; what is not, is in the closed list. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ROOT } from '../root.ts';
import { runCommand } from '../runner/command.ts';
import { BLOCKS_ELSEWHERE, ELSEWHERE, SCRIPTS } from './elsewhere.ts';
import { followAll, OTHERS } from './following.ts';
import { blocksOf, INSTRUCTIONS, inlineCommandsOf, read } from './pages.ts';
import { Reader } from './typed.ts';

const test = suite('commands of the documents');

/** The last one is run by `receivers.test.ts`. */
const LANGUAGES = ['sh', 'js', 'mermaid', 'text', 'json', 'mjs', 'sql'];

test('each block names its language', () => {
  for (const page of INSTRUCTIONS)
    for (const { language, text } of blocksOf(read(page))) assert.ok(LANGUAGES.includes(language), `${page}: ${text}`);
});

followAll(test, OTHERS);

test('a command that fails, that is answered with an error, or that needs root fails the test', async () => {
  await using reader = await Reader.open();
  for (const command of ['false', 'node nowhere.ts', 'sudo true', 'curl http://127.0.0.1:1234/version']) {
    const error = await reader.type(command).catch((reason: unknown) => reason);
    assert.instance(error, Error, command);
  }
});

test('each command that is run elsewhere has a reason and a place, and stands in a document', () => {
  const all = INSTRUCTIONS.map(read).join('\n');
  for (const { command, reason, cheap, by } of [...ELSEWHERE, ...BLOCKS_ELSEWHERE]) {
    assert.ok(all.includes(command), `${command} stands in no document any more`);
    assert.ok(reason !== '' && (cheap !== undefined || by !== undefined), command);
    if (by === undefined) continue;
    const [file, words] = by;
    assert.ok(readFileSync(join(ROOT, file), 'utf8').includes(words), `${file} does not have ${words} (${command})`);
  }
});

test('each script knows the options and the names that the documents give it', async () => {
  const helps = new Map<string, string>();
  for (const command of new Set(INSTRUCTIONS.flatMap((page) => inlineCommandsOf(read(page))))) {
    const script = SCRIPTS.exec(command)?.[1];
    if (script === undefined) continue;
    if (!helps.has(script)) {
      const { code, output } = await runCommand('bash', [script, '--help']);
      assert.is(code, 0, `${script} --help: ${output}`);
      helps.set(script, output);
    }
    const words = command.slice(command.indexOf(script) + script.length).match(/--[a-z-]+|\b[a-z]{4,}\b/g) ?? [];
    for (const word of words)
      assert.ok(helps.get(script)?.includes(word), `${script} --help does not know ${word} (${command})`);
  }
});

test.run();
