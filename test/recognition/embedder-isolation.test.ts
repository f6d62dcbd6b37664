/** The payment terminal goes on without a model, a camera or a picture library: it never even loads them. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ROOT } from '../root.ts';

const isolation = suite('isolation of the terminal');
const IMPORT = /(?:from|import)\s*\(?\s*['"]([^'"]+)['"]/g;
const STATIC_IMPORT = /(?:from|import)\s+['"]([^'"]+)['"]/g;
/** The configuration asks these for the names of their drivers; they load one when it is opened. */
const REGISTRIES = ['drivers/camera/registry.ts', 'drivers/gpio/registry.ts'];

function importsOf(file: string): string[] {
  const pattern = REGISTRIES.includes(relative(ROOT, file)) ? STATIC_IMPORT : IMPORT;
  return [...readFileSync(file, 'utf8').matchAll(pattern)].map((match) => match[1] ?? '');
}

/** Every file and package that a set of files reaches. */
function reach(files: readonly string[]): Set<string> {
  const seen = new Set(files);
  for (const file of seen) {
    if (!file.endsWith('.ts') || !existsSync(file)) continue;
    for (const name of importsOf(file)) seen.add(name.startsWith('.') ? resolve(dirname(file), name) : name);
  }
  return new Set([...seen].map((file) => (file.startsWith(ROOT) ? relative(ROOT, file) : file)));
}

function sources(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => join(ROOT, folder, file));
}

isolation('no file of the terminal or of the displays reaches the recognition part', () => {
  // the simulator draws pictures for people, and is a tool of its own
  const displays = sources('drivers/display').filter((file) => !file.includes('/display/simulator/'));
  const reached = [...reach([...sources('firmware/terminal'), ...displays])];
  assert.ok(reached.length > 2, 'the walk found nothing');
  assert.equal(
    reached.filter((file) =>
      /^firmware\/recognition|^drivers\/camera\/(?!registry|contract)|^@litertjs|^sharp$/.test(file),
    ),
    [],
  );
});

isolation('the walk finds what the recognition part does load', () => {
  assert.ok(reach([join(ROOT, 'firmware/recognition/embedding/embedder-worker.ts')]).has('@litertjs/core'));
});

isolation.run();
