/** What the documents hold: headings, links, and the commands that a reader is to type. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../root.ts';

/** Paths of the documents for people, from the root of the repository. */
export const PAGES: readonly string[] = [
  'README.md',
  'README.ru.md',
  'CONTRIBUTING.md',
  'ARCHITECTURE.md',
  'CHANGELOG.md',
  'SECURITY.md',
  'docs/acceptance/sbp.md',
  'docs/decisions/README.md',
  'docs/en/README.md',
  'docs/ru/README.md',
  'docs/en/universal-code.md',
  'docs/ru/universal-code.md',
  'clients/README.md',
  'clients/calls.md',
  'firmware/core/pages/README.md',
  'models/README.md',
  ...readdirSync(join(ROOT, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .sort()
    .map((name) => `docs/${name}`),
];

/** The documents whose commands are run. */
export const INSTRUCTIONS: readonly string[] = PAGES.filter(
  (page) => page === 'README.md' || page === 'CONTRIBUTING.md' || page.startsWith('docs/'),
);

export interface Block {
  /** What stands behind the opening fence: `sh`, `js`, `mermaid`, `text`; empty where nothing does. */
  readonly language: string;
  readonly text: string;
}

const FENCED = /^```(\S*)\n([\s\S]*?)^```$/gm;
/** Inline code that is a command: a program that the project names, with what follows it. */
const COMMAND =
  /^(?:[A-Z_][A-Z0-9_]*=\S+ )*(?:sudo |npm |npx |node |curl |ssh |git |apt-get |export |systemctl |journalctl |ls |(?:(?:scripts|test)\/(?:[a-z]+\/)?)?[a-z-]+\.sh )/;

export const read = (page: string): string => readFileSync(join(ROOT, page), 'utf8');

/** What the features say of themselves, each in its folder. */
export const readmesOfFeatures = (): string =>
  readdirSync(join(ROOT, 'firmware/features'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => read(`firmware/features/${name}/README.md`))
    .join('\n');

export const blocksOf = (markdown: string): Block[] =>
  [...markdown.matchAll(FENCED)].map(([, language = '', text = '']) => ({ language, text }));

const withoutBlocks = (markdown: string): string => markdown.replaceAll(FENCED, '');

/** Commands between backticks, in tables and in running text. */
export const inlineCommandsOf = (markdown: string): string[] =>
  [...withoutBlocks(markdown).matchAll(/`([^`]+)`/g)]
    .map(([, code = '']) => code.replaceAll('\n', ' '))
    .filter((code) => COMMAND.test(code));

/** Anchors as GitHub makes them of headings. */
export function anchorsOf(markdown: string): string[] {
  const seen = new Map<string, number>();
  return [...withoutBlocks(markdown).matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) => {
    const anchor = heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replaceAll(' ', '-');
    const count = seen.get(anchor) ?? 0;
    seen.set(anchor, count + 1);
    return count === 0 ? anchor : `${anchor}-${count}`;
  });
}

/** Targets of links and pictures that lead into the repository. */
export const linksOf = (markdown: string): string[] =>
  [...withoutBlocks(markdown).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !/^[a-z]+:/.test(target));
