/** The time from ACCEPTED in the ledger to the first sample at a sound device that is a file, with the real player. */
import { setTimeout as pause } from 'node:timers/promises';
import { voiceOn } from '../../features/voice/lane.ts';
import { fileSpeaker } from '../../features/voice/speakers.ts';
import { temporaryFolder } from '../../support.ts';
import { openLane, report } from '../../terminal/harness.ts';

const PLAIN_KOPECKS = 12_345;
const LOOK_EVERY_MS = 1;

/** @returns ms of each sale, by the clock of this machine: the player is a program of its own */
export async function toFirstSample(sales: number): Promise<number[]> {
  using folder = temporaryFolder();
  await using lane = await openLane();
  const { env, samples, clear } = fileSpeaker(folder.path);
  let acceptedAt: number | null = null;
  lane.terminal.outbox.onAppended(() => {
    acceptedAt ??= performance.now();
  });
  const { voice, problems } = voiceOn(lane, folder.path, { ...process.env, ...env }, { device: 'speaker' });
  await voice.try(); // the recordings are read, as some time after a start
  const taken: number[] = [];
  for (let n = 0; n < sales; n += 1) {
    await lane.showQR(PLAIN_KOPECKS + n);
    clear();
    acceptedAt = null;
    await report(lane, 'accepted', n);
    while (problems.length === 0 && samples().length === 0) await pause(LOOK_EVERY_MS);
    taken.push(performance.now() - (acceptedAt ?? Number.NaN));
    if (problems.length > 0) throw new Error(problems.join('; '));
    await voice.try(); // after the sum
  }
  await voice.close();
  return taken;
}
