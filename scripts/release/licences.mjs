/**
 * Adds the licence text to each package of a release, or of an image, that npm has installed without one.
 *
 *   node licences.mjs ROOT   ROOT: with node_modules
 *
 * The texts are those of scripts/release/licences, word for word; the MIT licence also needs the name of the package's author.
 */
import { copyFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const [root = ''] = process.argv.slice(2);
const TEXTS = join(import.meta.dirname, 'licences');
const PACKAGE = /^(?:.*node_modules\/)?(?:@[^/]+\/)?[^/]+\/package\.json$/;
const TEXT = /licen[cs]e|copying|notice/i;

for (const path of readdirSync(join(root, 'node_modules'), { recursive: true, encoding: 'utf8' })) {
  const folder = join(root, 'node_modules', dirname(path));
  if (!PACKAGE.test(path) || readdirSync(folder).some((name) => TEXT.test(name))) continue;
  const { name, license, author } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const text = join(TEXTS, `${license}.txt`);
  if (!existsSync(text)) throw new Error(`${name} brings no text of its licence (${license}): put it into ${TEXTS}`);
  const by = license === 'MIT' ? `Copyright (c) ${author?.name ?? author}\n\n` : '';
  writeFileSync(join(folder, 'LICENSE'), by + readFileSync(text, 'utf8'));
  // The LGPL is the GPL with additional permissions.
  if (license.startsWith('LGPL-3.0')) copyFileSync(join(TEXTS, 'GPL-3.0.txt'), join(folder, 'COPYING'));
}
