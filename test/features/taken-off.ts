/** Takes a feature off a copy, and sees that the rest makes its documents, compiles, starts, sells, gives back, closes a shift and recognises. */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { FEATURES } from '../../firmware/features.ts';
import { startFirmware } from '../process.ts';
import { SHIPPED_MANIFEST } from '../recognition/fixtures/models.ts';
import { ROOT } from '../root.ts';
import { call, temporaryFolder, until } from '../support.ts';

const AMOUNT = 12_345;
/** Its calls and its start are the device's own. */
const KNOTTED = new Set(['backup']);
const COPIED = ['firmware', 'drivers', 'scripts', 'clients', 'docs', 'systemd'];
const BESIDE = [
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'tsconfig.pages.json',
  'README.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
];
/** Calls that a feature takes along: what is asked, and with which body. */
const TAKEN_ALONG: Readonly<Record<string, readonly [path: string, json?: object]>> = {
  reconciliation: ['/v1/reconciliations', { from: '2026-11-21', file: 'aWQK' }],
  scale: ['/scale'],
  teach: ['/console/api/recognition/uncertain'],
};
/** Without the tests, which know every feature. */
const PRODUCT = { extends: './tsconfig.json', include: ['firmware', 'drivers'], exclude: [] };

function copyWithout(feature: string, folder: string): void {
  for (const part of [...COPIED, ...BESIDE]) cpSync(join(ROOT, part), join(folder, part), { recursive: true });
  for (const part of ['node_modules', 'models', 'test']) symlinkSync(join(ROOT, part), join(folder, part));
  rmSync(join(folder, 'firmware/features', feature), { recursive: true });
  const list = join(folder, 'firmware/features.ts');
  const lines = readFileSync(list, 'utf8').split('\n');
  const [, name = ''] =
    lines
      .map((line) => new RegExp(`import \\{ (\\w+) \\} from '\\./features/${feature}/`).exec(line))
      .find((found) => found !== null) ?? [];
  const kept = lines.filter((line) => !line.includes(`./features/${feature}/`) && !line.startsWith(`  ${name}, //`));
  assert.is(kept.length, lines.length - 2, `${feature} is an import and a line of the list`);
  writeFileSync(list, kept.join('\n'));
}

/** All that a browser loads of the console, from the page to the last import. */
async function loadPages(url: string, without: string): Promise<void> {
  const seen = new Set(['/console/assets/console/pages/console.js', '/console/assets/features.css']);
  for (const path of seen) {
    const { status, text } = await call(url + path);
    assert.is(status, 200, path);
    for (const [, from = ''] of text.matchAll(/^(?:import|export)\b[^;'`]*\bfrom '([^'\n]+)'/gm))
      seen.add(new URL(from, url + path).pathname);
  }
  assert.ok(seen.size > 60, `${seen.size} files`);
  assert.not.ok([...seen].some((path) => path.includes(`/features/${without}/`)));
}

const run = (folder: string, ...args: readonly string[]): string =>
  execFileSync(process.execPath, args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });

const hasPage = (name: string): boolean => existsSync(join(ROOT, 'firmware/features', name, 'page'));
/** Those that can be taken off, with a page or without. */
export const featuresWith = (page: boolean): string[] =>
  FEATURES.map(({ name }) => name).filter((name) => !KNOTTED.has(name) && hasPage(name) === page);

export async function takeOff(name: string): Promise<void> {
  using folder = temporaryFolder();
  using data = temporaryFolder();
  copyWithout(name, folder.path);
  run(folder.path, 'scripts/generate.ts');
  writeFileSync(join(folder.path, 'tsconfig.product.json'), JSON.stringify(PRODUCT));
  for (const project of ['tsconfig.product.json', 'tsconfig.pages.json'])
    run(folder.path, 'node_modules/typescript/bin/tsc', '--noEmit', '--checkers', '1', '-p', project);

  const settings = {
    LANEWARE_CAMERA_DRIVER: 'replay',
    LANEWARE_MODEL_MANIFEST: SHIPPED_MANIFEST,
    LANEWARE_SANDBOXBANK_ENABLED: 'true',
  };
  const { program, urls } = await startFirmware(data.path, { root: folder.path, settings });
  await using _program = program;
  const ask = (path: string, json?: object, key?: string) =>
    call(`${urls.terminal}${path}`, { ...(json && { json }), ...(key && { headers: { 'idempotency-key': key } }) });
  assert.is((await call(`${urls.recognition}/console/api/sandbox/setup`, { json: {} })).status, 200);
  const sale = await ask('/v1/payments', { amount: AMOUNT, purpose: 'Apples' }, 'sale');
  assert.is(sale.status, 201, sale.text);
  await call(`${urls.sandbox}/sandbox/payments/${sale.body.id}/pay`, { json: {} });
  const state = async () => (await ask(`/v1/payments/${sale.body.id}?wait=5`)).body.state;
  await until('ACCEPTED', async () => (await state()) === 'ACCEPTED');
  const back = await ask(`/v1/payments/${sale.body.id}/refunds`, { amount: AMOUNT }, 'back');
  assert.is(back.body.state, 'done', back.text);
  const closed = await ask('/v1/shifts/close', { cashier: 'Anna' }, 'close');
  assert.is(closed.status, 201, closed.text);
  const learned = await call(`${urls.recognition}/v1/items/tea/templates`, { method: 'POST' });
  assert.is(learned.status, 201, learned.text);
  const seen = await call(`${urls.recognition}/v1/recognition`);
  assert.is(seen.body.candidates?.[0]?.id, 'tea', seen.text);
  assert.is((await call(`${urls.recognition}/`)).status, 200);
  const [gone, json] = TAKEN_ALONG[name] ?? [];
  if (gone !== undefined) assert.is((await call(urls.recognition + gone, { ...(json && { json }) })).status, 404, gone);
  await loadPages(urls.recognition, name);
  assert.is((await call(`${urls.recognition}/openapi.json`)).status, 200);
}
