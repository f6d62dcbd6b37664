/** An export or an import of pictures, as the device reports it: it goes on over a reload, and in every window. @import { Sayer } from '../app/language.js' @import { Static } from 'typebox' @import { PackageTask } from '../../../recognition/http/v1/package-routes.ts' */
import { html, useEffect, useRef, useState } from '/console/assets/preact.js';
import { ask } from '../app/api.js';
import { useDevice } from '../app/device.js';
import { useWords } from '../app/language.js';
import { Folded } from '../parts/parts.js';

const LOOK_EVERY_MS = 500;

/** @typedef {'export' | 'import'} Kind */
/** @typedef {Static<typeof PackageTask>} Task */
/** @typedef {Task['state']} Stage */

/** @param {Stage} stage */
export const isRunning = (stage) => stage === 'running' || stage === 'checking';

/** @param {Kind} kind @returns {{task: Task | null, look: () => Promise<void>}} `look`: at once, after one was begun here */
export function useTask(kind) {
  const { isLive } = useDevice();
  const [task, setTask] = useState(/** @type {Task | null} */ (null));
  const isLooking = useRef(false);
  const look = async () => {
    if (isLooking.current) return;
    isLooking.current = true;
    try {
      setTask(await ask(`/v1/packages/${kind}`));
    } catch {
      // the next look shows it; the page says already when the device does not answer
    } finally {
      isLooking.current = false;
    }
  };
  useEffect(() => {
    if (!isLive) return;
    void look();
    const timer = setInterval(look, LOOK_EVERY_MS);
    return () => clearInterval(timer);
  }, [isLive]);
  return { task, look };
}

/** With the numbers, where they are known. @param {Sayer} words @param {Kind} kind @param {Stage} stage @param {Readonly<Record<string, number>>} counts */
function saidOf(words, kind, stage, counts) {
  const { t, has } = words;
  const numbers = Object.fromEntries(Object.entries(counts).map(([name, value]) => [name, words.number(value)]));
  const key = `package.${kind}.${stage}`;
  const bare = `${key}.bare`;
  if (has(bare) && Object.keys(counts).length === 0) return t(bare);
  return has(key) ? t(key, numbers) : '';
}

/** @param {{kind: Kind, task: Task}} properties */
export function Progress({ kind, task: { state: stage, detail, counts } }) {
  const words = useWords();
  if (stage === 'none') return null;
  const said = saidOf(words, kind, stage, counts);
  return html`<div class="task">
    <p role="status" class=${stage === 'failed' || stage === 'refused' ? 'problem' : ''}>${said}</p>
    ${(stage === 'failed' || stage === 'refused') && html`<${Folded} code=${kind} detail=${detail} />`}
    ${isRunning(stage) && html`<progress max=${counts.total ?? 1} value=${counts.done ?? 0} aria-label=${said}></progress>`}
  </div>`;
}
