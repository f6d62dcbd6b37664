/**
 * Makes a backup, which the browser then saves. Restores a backup, and shows the result once the device has restarted.
 * @import { Fetched } from '../../../core/pages/app/fetched.js'
 * @import { BackupsAnswer, RestoreAnswer } from '../../../features/backup/routes.ts'
 * @import { Static } from 'typebox'
 */

import { LIMITS } from '/console/assets/limits.js';
import { html, useEffect, useRef, useState } from '/console/assets/preact.js';
import { ask, CallError, request } from '../../../core/pages/app/api.js';
import { useIsLive } from '../../../core/pages/app/device.js';
import { useUnsaved } from '../../../core/pages/app/drafts.js';
import { useFetched } from '../../../core/pages/app/fetched.js';
import { t, time } from '../../../core/pages/app/language.js';
import { upload } from '../../../core/pages/app/upload.js';
import { Question } from '../../../core/pages/parts/dialog.js';
import { Button, Card, FileField, Form, Outcome, TextField, useAction } from '../../../core/pages/parts/parts.js';

/** @typedef {Static<typeof BackupsAnswer>} State */
/** @typedef {Static<typeof RestoreAnswer>} Ready */

/** Time limit for a backup of a full card: the device copies it, and the browser downloads the copy. */
const LIMIT_MS = 20 * 60_000;
/** File name where the device has sent none. */
const NAME = 'laneware.backup';

/** @param {Response} response */
const nameOf = (response) => /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1] ?? NAME;

/**
 * Downloads a backup completely.
 * @param {string} passphrase
 * @param {(share: number) => void} onShare gets the share that has arrived, 0 to 1
 * @returns {Promise<{name: string, blob: Blob, leftOut: string}>} `leftOut`: names of the documents that the backup
 * lacks
 * @throws {CallError}
 */
async function fetchBackup(passphrase, onShare) {
  const response = await request('/console/api/backups', { method: 'POST', json: { passphrase }, limitMs: LIMIT_MS });
  const total = Number(response.headers.get('content-length'));
  let count = 0;
  const counting = new TransformStream({
    transform(piece, controller) {
      count += piece.byteLength;
      onShare(total === 0 ? 0 : count / total);
      controller.enqueue(piece);
    },
  });
  try {
    const blob = await new Response(response.body?.pipeThrough(counting)).blob();
    if (blob.size !== total) throw new Error(`${blob.size} of ${total} bytes`);
    return { name: nameOf(response), blob, leftOut: response.headers.get('laneware-left-out') ?? '' };
  } catch (cause) {
    throw new CallError('cut-short', {}, cause);
  }
}

/** Makes the browser save the file. @param {{name: string, blob: Blob}} file */
function keep({ name, blob }) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  // by then the browser has begun to save
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

export function Making() {
  const [passphrase, setPassphrase] = useState('');
  const [again, setAgain] = useState('');
  const [isAsked, setAsked] = useState(false);
  const [share, setShare] = useState(0);
  const [leftOut, setLeftOut] = useState('');
  const { action, isBusy, run } = useAction();
  useUnsaved(passphrase !== '' || again !== '');
  const isShort = [...passphrase].length < LIMITS.shortestPassphrase;
  const isOther = passphrase !== again;
  const make = async () => {
    setAsked(true);
    if (isShort || isOther) return;
    setShare(0);
    setLeftOut('');
    const isMade = await run(async () => {
      const file = await fetchBackup(passphrase, setShare);
      setLeftOut(file.leftOut);
      keep(file);
    }, 'backup.made');
    if (!isMade) return;
    setPassphrase('');
    setAgain('');
    setAsked(false);
  };
  const short = isAsked && isShort ? t('backup.short', { limit: LIMITS.shortestPassphrase }) : '';
  const other = isAsked && !isShort && isOther ? t('backup.other') : '';
  return html`<${Card} id="backup-out" title=${t('backup.out')}>
    <p>${t('backup.outWords')}</p>
    <${Form} onSubmit=${make}>
      <${TextField} id="backup-passphrase" label=${t('backup.passphrase')} help=${t('backup.passphraseHelp', { limit: LIMITS.shortestPassphrase })} problem=${short}
        type="password" autocomplete="new-password" value=${passphrase} onText=${setPassphrase} />
      <${TextField} id="backup-again" label=${t('backup.again')} problem=${other}
        type="password" autocomplete="new-password" value=${again} onText=${setAgain} />
      <${Button} type="submit" kind="primary" disabled=${isBusy}>${t('backup.make')}</${Button}>
    </${Form}>
    ${isBusy && html`<div class="task"><p role="status">${t('backup.making')}</p><progress max="1" value=${share} aria-label=${t('backup.making')}></progress></div>`}
    ${!isBusy && html`<${Outcome} action=${action} />`}
    ${leftOut !== '' && html`<p class="problem" role="status">${t('backup.leftOut', { files: leftOut })}</p>`}
  </${Card}>`;
}

const RESTORE = '/console/api/backups/restore';

/** @param {{last: NonNullable<State['last']>}} properties */
function Last({ last }) {
  const said = { device: last.device, at: time(last.madeAt), version: last.version };
  return html`<div class="task" id="last-restore">
    <p role="status" class=${last.restored ? '' : 'problem'}>${t(last.restored ? 'backup.restored' : 'backup.notRestored', said)}</p>
    ${last.restored && !last.sameBoard && html`<p class="help">${t('backup.otherBoard')}</p>`}
    ${last.restored && last.unopened > 0 && html`<p class="problem">${t('backup.unopened', { n: last.unopened })}</p>`}
    ${last.restored && html`<p class="help">${t('backup.before')} <code>${last.before}</code></p>`}
  </div>`;
}

/**
 * Shown until the device has restarted; where nothing restarts it, it asks a person to.
 * @param {{ready: Ready}} properties
 */
function Waiting({ ready }) {
  return html`<p role="status" class="task">${t(ready.restarts ? 'backup.restarting' : 'backup.startIt')}</p>`;
}

/**
 * A prepared restore that waits for a restart, for example because the answer to the upload was lost.
 * @param {{onBegun: (ready: Ready) => void, onDiscarded: () => Promise<void>}} properties
 */
function ReadyOne({ onBegun, onDiscarded }) {
  const { action, isBusy, run } = useAction();
  const url = '/console/api/backups/ready';
  const begin = () => run(async () => onBegun(await ask(url, { method: 'POST' })));
  const discard = () =>
    run(async () => {
      await ask(url, { method: 'DELETE' });
      await onDiscarded();
    });
  return html`<div class="task" id="backup-ready">
    <p role="status">${t('backup.ready')}</p>
    <div class="buttons">
      <${Button} kind="primary" disabled=${isBusy} onClick=${begin}>${t('backup.putBack')}</${Button}>
      <${Button} disabled=${isBusy} onClick=${discard}>${t('backup.discard')}</${Button}>
    </div>
    <${Outcome} action=${action} />
  </div>`;
}

/** Numbers of newer payments and refunds, by kind. @param {unknown} newer */
const newerOf = (newer) => {
  const { payments = 0, refunds = 0 } = /** @type {{payments?: number, refunds?: number}} */ (newer ?? {});
  return { payments, refunds };
};

/** Whether the device has restarted since the request. @param {Ready | null} ready */
function useIsBack(ready) {
  const isLive = useIsLive();
  const hasGone = useRef(false);
  const [isBack, setBack] = useState(false);
  useEffect(() => {
    if (ready === null) {
      hasGone.current = false;
      setBack(false);
    } else if (!isLive) hasGone.current = true;
    else if (hasGone.current) setBack(true);
  }, [ready, isLive]);
  return isBack;
}

export function PuttingBack() {
  /** @type {Fetched<State>} */
  const { data, again } = useFetched('/console/api/backups');
  const [file, setFile] = useState(/** @type {File | null} */ (null));
  const [passphrase, setPassphrase] = useState('');
  const [share, setShare] = useState(0);
  const [newer, setNewer] = useState(/** @type {ReturnType<typeof newerOf> | null} */ (null));
  const [ready, setReady] = useState(/** @type {Ready | null} */ (null));
  const { action, isBusy, run, forget } = useAction();
  const isBack = useIsBack(ready);
  useUnsaved(file !== null || passphrase !== '');
  useEffect(() => {
    if (isBack) setReady(null);
  }, [isBack]);
  /** @param {boolean} isForced */
  const putBack = async (isForced) => {
    if (file === null) return;
    setNewer(null);
    setShare(0);
    await run(async () => {
      try {
        setReady(await upload(RESTORE, { passphrase, overNewerPayments: String(isForced), file }, setShare));
        setPassphrase('');
        setFile(null);
      } catch (error) {
        if (error instanceof CallError && error.code === 'Backups.NewerPayments')
          setNewer(newerOf(error.parameters.newer));
        else void again(); // the restore may be prepared although the answer was lost
        throw error;
      }
    });
  };
  const isWrong = action.field === 'passphrase';
  if (data?.ready && ready === null && !isBusy)
    return html`<${Card} id="backup-in" title=${t('backup.in')}><${ReadyOne} onBegun=${setReady} onDiscarded=${again} /></${Card}>`;
  return html`<${Card} id="backup-in" title=${t('backup.in')}>
    <p>${t('backup.inWords')}</p>
    <${Form} onSubmit=${() => putBack(false)}>
      <${FileField} id="restore-file" label=${t('backup.file')} file=${file} onFile=${setFile} />
      <${TextField} id="restore-passphrase" label=${t('backup.passphrase')} problem=${isWrong ? action.said : ''}
        type="password" value=${passphrase} onText=${setPassphrase} />
      <${Button} type="submit" disabled=${file === null || passphrase === '' || isBusy || ready !== null}>${t('backup.putBack')}</${Button}>
    </${Form}>
    ${isBusy && html`<div class="task"><p role="status">${t(share < 1 ? 'backup.sending' : 'backup.checking')}</p><progress max="1" value=${share} aria-label=${t('backup.sending')}></progress></div>`}
    ${action.stage === 'failed' && !isWrong && newer === null && html`<${Outcome} action=${action} />`}
    ${ready !== null && html`<${Waiting} ready=${ready} />`}
    ${ready === null && !isBusy && data?.last && html`<${Last} last=${data.last} />`}
    ${
      newer !== null &&
      html`<${Question} title=${t('backup.newer')} yes=${t('backup.allTheSame')} kind="danger" onYes=${() => putBack(true)}
        onClose=${() => {
          setNewer(null);
          forget();
        }}>
        <p>${t('backup.newerWords', newer)}</p>
      </${Question}>`
    }
  </${Card}>`;
}
