/**
 * `node firmware/main.ts [--config FILE]`: the process. It only turns on Node's compile cache, which halves the time to the
 * first answer, before anything else is loaded. Where the folder cannot be written, Node does without.
 */
import { readdirSync, rmSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { basename, dirname, join } from 'node:path';

const ROOT = dirname(import.meta.dirname);

/** This release's own folder in the cache folder that systemd gives; removes what earlier releases have left there. */
function folderIn(given: string): string {
  const own = basename(ROOT);
  try {
    for (const name of readdirSync(given))
      if (name !== own) rmSync(join(given, name), { recursive: true, force: true });
  } catch {
    // a card that does not let anything be removed: the device starts without that space
  }
  return join(given, own);
}

if (process.env.NODE_COMPILE_CACHE === undefined) {
  const { CACHE_DIRECTORY } = process.env;
  enableCompileCache(
    CACHE_DIRECTORY === undefined ? join(ROOT, 'node_modules/.cache/laneware') : folderIn(CACHE_DIRECTORY),
  );
}
const { run } = await import('./device/run.ts');
await run();
