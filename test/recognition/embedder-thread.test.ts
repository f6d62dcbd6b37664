import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { WorkerThread } from '../../drivers/lib/worker-thread.ts';
import { EmbedderThread } from '../../firmware/recognition/embedding/embedder-thread.ts';
import { loadModel } from '../../firmware/recognition/embedding/manifest.ts';
import { ROOT } from '../root.ts';

const thread = suite('one thread of the embedder');

/** Runs `work` while it is counted how many worker threads have been told to end, and are still there. */
async function countingEnds(work: (ending: () => number) => Promise<void>): Promise<void> {
  const { end } = WorkerThread.prototype;
  let ending = 0;
  WorkerThread.prototype.end = async function counted(): Promise<void> {
    ending += 1;
    await end.call(this);
    ending -= 1;
  };
  try {
    await work(() => ending);
  } finally {
    WorkerThread.prototype.end = end;
  }
}

thread('is closed when its worker is gone, also one that was still starting', () =>
  countingEnds(async (ending) => {
    const { bytes, manifest } = await loadModel(`${ROOT}/models/lane-embed-1.json`);
    const closing = new AbortController();
    const starting = new EmbedderThread({
      start: { bytes, manifest },
      file: new URL('./fixtures/silent-worker.ts', import.meta.url),
      limits: { startMs: 60_000, backoffMs: 1, maxBackoffMs: 1, lossBudget: 0, stableMs: 0 },
      signal: closing.signal,
      onState: () => undefined,
    });
    void starting.start();
    closing.abort();
    assert.is(ending(), 1);
    await starting.close();
    assert.is(ending(), 0);
  }),
);

thread.run();
