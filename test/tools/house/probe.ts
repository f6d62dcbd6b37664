/**
 * Loaded into a device before its own code, and into its workers (`node --import`): counts the functions that run. A line
 * `begin` on standard input starts a count, `end` writes `walk` and the files of it, as JSON, to standard output.
 */
import { Session } from 'node:inspector/promises';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { BroadcastChannel, isMainThread } from 'node:worker_threads';

/** Busy workers answer when they are done. */
const WORKERS_LIMIT_MS = 500;

const session = new Session();
session.connect();
await session.post('Profiler.enable');
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });

/** @returns files of which a function has run since the last call; a module's own top level is none */
async function ran(): Promise<string[]> {
  const { result } = await session.post('Profiler.takePreciseCoverage');
  return result
    .filter(({ functions }) =>
      functions.some(({ ranges, functionName }) => functionName !== '' && (ranges[0]?.count ?? 0) > 0),
    )
    .map(({ url }) => url)
    .filter((url) => url.startsWith('file:'));
}

const channel = new BroadcastChannel('walk');
channel.unref();
if (isMainThread) {
  const files = new Set<string>();
  channel.onmessage = ({ data }) => {
    if (Array.isArray((data as { files?: unknown }).files))
      for (const file of (data as { files: string[] }).files) files.add(file);
  };
  const lines = createInterface({ input: process.stdin });
  lines.on('line', async (line) => {
    channel.postMessage(line);
    const own = await ran();
    await pause(WORKERS_LIMIT_MS);
    if (line === 'end') process.stdout.write(`${JSON.stringify({ walk: [...new Set([...own, ...files])] })}\n`);
    else process.stdout.write(`${JSON.stringify({ counting: true })}\n`);
    files.clear();
  });
} else {
  channel.onmessage = async () => channel.postMessage({ files: await ran() });
}
