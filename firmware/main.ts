/**
 * `node firmware/main.ts [--config FILE]`: begins the device's process. It turns on Node's compile cache before anything else is
 * loaded, which halves the time to the first answer, and then runs `device/run.ts`. Where the cache's folder cannot be written,
 * Node runs without it.
 */
import { readdirSync, rmSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { basename, dirname, join } from 'node:path';

const ROOT = dirname(import.meta.dirname);

/** This release's folder in the cache folder of systemd; removes the folders of earlier releases. */
function folderIn(given: string): string {
  const own = basename(ROOT);
  try {
    for (const name of readdirSync(given))
      if (name !== own) rmSync(join(given, name), { recursive: true, force: true });
  } catch {
    // nothing can be removed, as on a read-only card: the device starts all the same
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
