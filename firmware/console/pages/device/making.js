/**
 * Makes a backup, which the browser then saves.
 * @import { Static } from 'typebox'
 * @import { BackupsAnswer, RestoreAnswer } from '../../../features/backup/routes.ts'
 */
import { LIMITS } from '/console/assets/limits.js';
import { html, useState } from '/console/assets/preact.js';
import { CallError, request } from '../../../core/pages/app/api.js';
import { useUnsaved } from '../../../core/pages/app/drafts.js';
import { t } from '../../../core/pages/app/language.js';
import { Button, Card, Form, Outcome, TextField, useAction } from '../../../core/pages/parts/parts.js';

/** @typedef {Static<typeof BackupsAnswer>} State */
/** @typedef {Static<typeof RestoreAnswer>} Ready */

/** Time limit in which the device copies a full card and the browser fetches the copy. */
const LIMIT_MS = 20 * 60_000;
/** File name where the device has sent none. */
const NAME = 'laneware.backup';

/** @param {Response} response */
const nameOf = (response) => /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1] ?? NAME;

/**
 * @param {string} passphrase
 * @param {(share: number) => void} onShare 0 to 1
 * @returns {Promise<{name: string, blob: Blob}>} whole
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
    return { name: nameOf(response), blob };
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
  // the browser has begun by then
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

export function Making() {
  const [passphrase, setPassphrase] = useState('');
  const [again, setAgain] = useState('');
  const [isAsked, setAsked] = useState(false);
  const [share, setShare] = useState(0);
  const { action, isBusy, run } = useAction();
  useUnsaved(passphrase !== '' || again !== '');
  const isShort = [...passphrase].length < LIMITS.shortestPassphrase;
  const isOther = passphrase !== again;
  const make = async () => {
    setAsked(true);
    if (isShort || isOther) return;
    setShare(0);
    const isMade = await run(async () => keep(await fetchBackup(passphrase, setShare)), 'backup.made');
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
  </${Card}>`;
}
