/**
 * Every document asks the browser not to translate it. A translator replaces texts by elements of its own, so that what
 * a page draws later stands beside the old: two amounts, one of which is no longer true.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ROOT } from '../root.ts';

const test = suite('http: documents that a browser must not translate');

/** The one is the standard's, the other is understood by browsers and translators that are older than it. */
const SIGNS: readonly RegExp[] = [
  /<html [^>]*\btranslate="no"/,
  /<head>\s*(?:<meta charset="utf-8">)?\s*<meta name="google" content="notranslate">/,
];

/** @returns the beginnings of all documents in the text of a source */
const documentsIn = (text: string): string[] => text.split(/<!doctype html>/i).slice(1);
const isLeftAlone = (document: string): boolean => SIGNS.every((sign) => sign.test(document));

test('each that a source holds says so', () => {
  const sources = ['firmware', 'drivers', 'scripts'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(?:ts|js|mjs|html)$/.test(name))
      .map((name) => join(folder, name)),
  );
  const documents = sources.flatMap((name) =>
    documentsIn(readFileSync(join(ROOT, name), 'utf8')).map((document) => ({ name, document })),
  );
  assert.ok(documents.length >= 8, 'the search finds them');
  assert.equal(
    documents.filter(({ document }) => !isLeftAlone(document)).map(({ name }) => name),
    [],
  );
});

test('one sign alone is not enough', () => {
  assert.not(isLeftAlone('<html lang="ru"><head><meta name="google" content="notranslate">'));
  assert.not(isLeftAlone('<html lang="ru" translate="no"><head><title>'));
});

test.run();
