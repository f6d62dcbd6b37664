/** Follows pages of the documents: every command is typed as it stands (what is changed in it: `typed.ts`), or is in the closed list. */
import type { Test } from 'uvu';
import * as assert from 'uvu/assert';
import { BLOCKS_ELSEWHERE, ELSEWHERE, SCRIPTS } from './elsewhere.ts';
import { type Block, blocksOf, INSTRUCTIONS, inlineCommandsOf, read } from './pages.ts';
import { Reader } from './typed.ts';

/** Pages that a test file of their own follows, so that no file takes minutes. */
export const TILLS = ['docs/events.md'];
/** A developer of a till pastes these one after another, into one device that is not set up. */
export const IN_ORDER = [
  'README.md',
  'docs/till.md',
  'docs/nine-calls.md',
  'docs/recognition.md',
  'docs/lanectl.md',
  'docs/after-payment.md',
  'docs/sim.md',
];
export const DEVELOPERS = ['CONTRIBUTING.md', 'docs/measurements.md', 'docs/pages.md'];
export const OTHERS = INSTRUCTIONS.filter((page) => ![...TILLS, ...IN_ORDER, ...DEVELOPERS].includes(page));

/** What a page's commands must have printed: they must not only end well. */
const PRINTS: Readonly<Record<string, readonly RegExp[]>> = {
  'README.md': [/"state":"PENDING"[\s\S]*"dynamicQRStatus":"PENDING"/, /"state":"item"/],
  'docs/till.md': [/"state":"ACCEPTED"[\s\S]*"state":"done"/, /is paid/],
  'docs/nine-calls.md': [/"dynamicQRStatus":"PENDING"[\s\S]*"dynamicQRStatus":"ACCEPTED"/],
  'docs/after-payment.md': [/"state":"ACCEPTED"[\s\S]*"state":"done"[\s\S]*"state":"done"/],
  'docs/recognition.md': [/"template":"\d{23}"[\s\S]*"sid":"\d{23}"/, /"state":"item"[\s\S]*"verdict":/],
  'docs/sim.md': [/"dynamicQRStatus":"ACCEPTED"[\s\S]*"dynamicQRStatus":"CANCELED"/],
  'docs/lanectl.md': [/settings saved[\s\S]*"bankName": "Sandbox"/],
  'docs/events.md': [/^event: hello$/m],
  'docs/operator.md': [/"part":"ledger"/, /# HELP/],
};

const withoutComment = (line: string): string => line.replace(/\s+#.*$/, '').trim();
const firstLine = (text: string): string => text.split('\n').find((line) => !line.startsWith('#')) ?? '';
const isElsewhere = (command: string): boolean => ELSEWHERE.some((entry) => entry.command === command);
const isBlockElsewhere = (text: string): boolean =>
  BLOCKS_ELSEWHERE.some(({ command }) => firstLine(text).startsWith(command));

/** Lines of a block that are typed here. */
const typedHere = ({ language, text }: Block): Block => {
  const lines = text.split('\n').filter((line) => !isElsewhere(withoutComment(line)));
  return { language, text: lines.join('\n').trim() };
};

/** What a reader of a page types, in its order; commands in running text after the blocks. */
function typedOf(page: string): Block[] {
  const markdown = read(page);
  const blocks = blocksOf(markdown)
    .filter(({ language, text }) => language === 'js' || (language === 'sh' && !isBlockElsewhere(text)))
    .map(typedHere);
  const inline = [...new Set(inlineCommandsOf(markdown))]
    .filter((command) => !isElsewhere(command) && !SCRIPTS.test(command))
    .map((text) => ({ language: 'sh', text }));
  return [...blocks, ...inline].filter(({ text }) => text !== '');
}

/** What waits until a customer has paid. */
const WAITS = /lanectl pay /;

async function follow(reader: Reader, page: string): Promise<void> {
  let output = '';
  for (const { language, text } of typedOf(page)) {
    await reader.startFor(text);
    const typed = () => (language === 'sh' ? reader.type(text) : reader.script(text));
    output += language === 'js' || WAITS.test(text) ? await reader.payMeanwhile(typed) : await typed();
  }
  for (const expected of PRINTS[page] ?? []) assert.match(output, expected, `${page} printed: ${output}`);
}

export function followAll(test: Test, pages: readonly string[]): void {
  for (const page of pages) {
    if (typedOf(page).length === 0) continue;
    test(`${page}: the commands that it gives work`, async () => {
      await using reader = await Reader.open();
      await follow(reader, page);
    });
  }
}

/** Pages pasted one after another into one fresh device, which they alone set up. */
export function followInOrder(test: Test, pages: readonly string[]): void {
  test(`the commands of ${pages.join(', ')} work on one fresh device`, async () => {
    await using reader = await Reader.open(false);
    for (const page of pages) await follow(reader, page);
  });
}
