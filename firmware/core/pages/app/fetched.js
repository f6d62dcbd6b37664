/** Data that a page fetches from the device, and fetches again when it may have changed. */
import { useEffect, useRef, useState } from '/console/assets/preact.js';
import { ask } from './api.js';
import { useBusy } from './busy-state.js';
import { useDevice } from './device.js';

/**
 * @template Data
 * @typedef {object} Fetched
 * @property {Data | null} data the latest answer; null before the first
 * @property {unknown} error the latest call's error; null where the call succeeded
 * @property {boolean} isWaiting
 * @property {() => Promise<void>} again fetches again; settles when the answer has come, or the call has failed
 */

/**
 * @template Data
 * @param {string | null} path null: nothing is fetched
 * @param {unknown} [revision] a new value fetches the data again
 * @param {(path: string) => Promise<Data>} [read]
 * @returns {Fetched<Data>} data of the present path: a late answer of an earlier path is ignored
 */
export function useFetched(path, revision, read = ask) {
  const { isLive } = useDevice();
  const [count, setCount] = useState(0);
  const [latest, setLatest] = useState(
    /** @type {{path: string | null, data: Data | null, error: unknown}} */ ({ path: null, data: null, error: null }),
  );
  const [isWaiting, setWaiting] = useState(false);
  const turn = useRef(0);
  /** Calls of `again` that wait for the next answer. @type {{current: (() => void)[]}} */
  const waiters = useRef([]);
  useEffect(() => {
    const own = ++turn.current;
    if (path === null || !isLive) return;
    setWaiting(true);
    read(path)
      .then(
        (data) => own === turn.current && setLatest({ path, data, error: null }),
        (error) =>
          own === turn.current &&
          setLatest((before) => ({ path, data: before.path === path ? before.data : null, error })),
      )
      .finally(() => {
        if (own !== turn.current) return;
        setWaiting(false);
        for (const resume of waiters.current.splice(0)) resume();
      });
  }, [path, revision, isLive, count]);
  const isCurrent = latest.path === path;
  useBusy(path !== null && !isCurrent);
  return {
    data: isCurrent ? latest.data : null,
    error: isCurrent ? latest.error : null,
    isWaiting,
    again: () =>
      new Promise((resolve) => {
        waiters.current.push(resolve);
        setCount((before) => before + 1);
      }),
  };
}
