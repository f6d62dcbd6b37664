/**
 * Reads the updater's files (scripts/lib/update-state.sh, proving.sh): its present work, releases that were undone and
 * why, how often the running release ended by itself. The device writes nothing there.
 */
import { basename } from 'node:path';
import type { Reason } from '../../../drivers/lib/records.ts';
import { isNewer } from '../../../drivers/lib/version.ts';
import { reasonOf } from './reason-records.ts';
import { type SystemFiles, settingIn } from './system-files.ts';

const UPDATER = '/var/lib/laneware-update';
const RELEASES = '/opt/laneware';
const CONFIG = '/etc/laneware/update.conf';
const VERSION = /^\d{1,6}(\.\d{1,6}){1,3}$/;
/** A release that ends by itself more often than this in a day is unwell, even if the one before did the same. */
const MANY_ENDS = 5;
/** Causes of an end, in systemd's words, that outside load can bring, too. */
const LOAD_ENDS = /\b(?:oom-kill|watchdog)\b/;
const DAY_MS = 86_400_000;
/** A usual wait, for the night and for the device's turn, is shorter than this. */
const WAITS_MS = 2 * DAY_MS;
/** After this time somebody must look: the obstacle does not pass by itself. */
const LONG_MS = 14 * DAY_MS;
/** Longest text of the updater that is shown. */
const MAX_WORDS = 300;

interface UndoneRelease {
  readonly version: string;
  readonly reason: string;
}

export interface UpdateFacts {
  /** The updater's present work; `idle` for none. */
  readonly doing: string;
  /** The outcome of the last update, in the updater's words. */
  readonly outcome: string;
  readonly previous: string | null;
  /** Since when this release runs, ms since 1970. */
  readonly runsSince: number | null;
  /** The address of releases, without a password; null: none. */
  readonly source: string | null;
  /** Newer releases that were tried and undone. */
  readonly undone: readonly UndoneRelease[];
  /**
   * When the system's security updates were last installed (seconds since 1970); null where the updater does not
   * install them.
   */
  readonly systemAt: number | null;
  /** How often the running release ended by itself in the present day of its running. */
  readonly endsToday: number;
  /** How often memory ran out, or it hung, in that day: by its own fault, or by outside load. */
  readonly loadEndsToday: number;
  /** Since when the timer's updates fail, ms since 1970, and the last reason; null where they do not fail. */
  readonly putOff: { readonly since: number; readonly why: string } | null;
}

const words = (text: string): string => text.replaceAll(/[^\P{Cc}]/gu, ' ').slice(0, MAX_WORDS);

/** @param running version of this process. Null on a machine without an updater. */
export function updateFacts(files: SystemFiles, running: string): UpdateFacts | null {
  const state = files.text(`${UPDATER}/state`);
  if (state === null && files.link(`${RELEASES}/current`) === null) return null;
  const previous = files.link(`${RELEASES}/previous`);
  const undone = files
    .list(`${UPDATER}/failures`)
    .filter((version) => VERSION.test(version) && isNewer(version, running));
  const systemAt = /^\d{1,11}$/.exec(settingIn('at', files.text(`${UPDATER}/system`)))?.[0];
  const ends = files.text(`${UPDATER}/ends/${running}`);
  return {
    doing: settingIn('state', state) || 'idle',
    outcome: words(settingIn('outcome', state)),
    previous: previous === null ? null : basename(previous),
    runsSince: files.writtenAt(`${RELEASES}/current`),
    source: sourceIn(files.text(CONFIG)),
    undone: undone.map((version) => ({
      version,
      reason: words(settingIn('reason', files.text(`${UPDATER}/failures/${version}`))),
    })),
    systemAt: systemAt === undefined ? null : Number(systemAt),
    putOff: putOffIn(files.text(`${UPDATER}/put-off`)),
    endsToday: Number(/^\d{1,9}$/.exec(settingIn('ends', ends))?.[0] ?? 0),
    loadEndsToday: loadEndsIn(settingIn('causes', ends)),
  };
}

function sourceIn(config: string | null): string | null {
  const source = settingIn('source', config);
  return source === '' ? null : words(source.replace(/\/\/[^/@]*@/, '//'));
}

/** @param causes as `exit-code:3 oom-kill:1` */
function loadEndsIn(causes: string): number {
  const counts = causes.split(' ').map((each) => /^(\S+):(\d{1,9})$/.exec(each) ?? []);
  return counts.reduce((sum, [, cause = '', count]) => sum + (LOAD_ENDS.test(cause) ? Number(count) : 0), 0);
}

/** How to have an undone release tried again; a later release is installed without that. */
const RETRY = 'to try it again: laneware-ota update --retry';

const undoneReason = ({ version, reason }: UndoneRelease): Reason =>
  reasonOf(LOAD_ENDS.test(reason) ? 'update-undone-load' : 'update-undone', { version, detail: reason }, RETRY);

function putOffIn(text: string | null): UpdateFacts['putOff'] {
  const [seconds] = /^[1-9]\d{0,10}$/.exec(settingIn('since', text)) ?? [];
  return seconds === undefined ? null : { since: Number(seconds) * 1000, why: words(settingIn('why', text)) };
}

/** The reason of an update that is put off for longer than a usual wait; else null. @param now ms since 1970 */
export function putOffReason({ putOff }: UpdateFacts, now: number): Reason | null {
  if (putOff === null || now - putOff.since < WAITS_MS) return null;
  const at = new Date(putOff.since).toISOString();
  const isLong = now - putOff.since >= LONG_MS;
  return reasonOf(isLong ? 'update-put-off' : 'update-waiting', { at, detail: putOff.why });
}

/** What is wrong; empty when all is well. @param now ms since 1970 */
export function updateReasons(facts: UpdateFacts, now: number): Reason[] {
  const { undone, endsToday, loadEndsToday } = facts;
  const reasons = undone.map(undoneReason);
  if (loadEndsToday > 0) reasons.push(reasonOf('update-load', { n: loadEndsToday }));
  if (endsToday > MANY_ENDS) reasons.push(reasonOf('update-ends', { n: endsToday }));
  const putOff = putOffReason(facts, now);
  if (putOff?.code === 'update-put-off') reasons.push(putOff);
  return reasons;
}
