/** What a test file leaves behind in the process that it shares with others. */
import { readdirSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { childrenOf } from './command.ts';

/** Sockets and threads that were closed are gone by then; what is still open was forgotten. */
const SETTLE_MS = 4_000;
const LOOK_AGAIN_MS = 5;
/** Handles that come and go with the process itself: its pipes, and the work of the file system. */
const OWN_HANDLES = new Set(['PipeWrap', 'FSReqCallback', 'FSReqPromise', 'CloseReq', 'TTYWrap', 'Immediate']);
/** Listeners for these are a program's own; a test that starts one in this process has to end it. */
const EVENTS = ['exit', 'SIGTERM', 'SIGINT', 'SIGHUP', 'uncaughtException', 'unhandledRejection', 'warning'] as const;

/** Set by the libraries that stand on them, once for the process. */
const OWN_VARIABLES = new Set(['VIPSHOME', 'TMPDIR']);

interface State {
  readonly handles: ReadonlyMap<string, number>;
  readonly listeners: ReadonlyMap<string, number>;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly folder: string;
}

function count(names: readonly string[]): Map<string, number> {
  const counted = new Map<string, number>();
  for (const name of names) counted.set(name, (counted.get(name) ?? 0) + 1);
  return counted;
}

const handles = (): Map<string, number> =>
  count(process.getActiveResourcesInfo().filter((name) => !OWN_HANDLES.has(name)));

export const look = (): State => ({
  handles: handles(),
  listeners: new Map(EVENTS.map((event) => [event, process.listenerCount(event)])),
  environment: { ...process.env },
  folder: process.cwd(),
});

function more(now: ReadonlyMap<string, number>, before: ReadonlyMap<string, number>): string[] {
  return [...now].flatMap(([name, many]) => {
    const left = many - (before.get(name) ?? 0);
    return left > 0 ? [`${left} ${name}`] : [];
  });
}

/** Waits for what is still closing. @returns in words what a file left open, changed or started since `before` */
export async function leftSince(before: State, temporary: string): Promise<string[]> {
  const end = performance.now() + SETTLE_MS;
  const open = (): string[] => [
    ...more(handles(), before.handles),
    ...childrenOf(process.pid).map((pid) => `process ${pid}`),
  ];
  while (open().length > 0 && performance.now() < end) await pause(LOOK_AGAIN_MS, undefined, { ref: false });
  const after = look();
  const names = new Set([...Object.keys(after.environment), ...Object.keys(before.environment)]);
  const changed = [...names].filter(
    (name) => !OWN_VARIABLES.has(name) && after.environment[name] !== before.environment[name],
  );
  return [
    ...open(),
    ...more(after.listeners, before.listeners).map((left) => `listener: ${left}`),
    ...changed.map((name) => `variable ${name}`),
    ...(after.folder === before.folder ? [] : [`working folder ${after.folder}`]),
    ...readdirSync(temporary).map((name) => `temporary ${name}`),
  ];
}
