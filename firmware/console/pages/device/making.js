/** Makes a backup, and has the browser keep it. */
import { html, useState } from '/console/assets/preact.js';
import { useWords } from '../app/language.js';
import { useUnsaved } from '../app/unsaved.js';
import { Button, Card, Form, Outcome, TextField, useAction } from '../parts/parts.js';
import { fetchBackup, keep } from './sending.js';

/** As the device asks for. */
const MIN_PASSPHRASE = 10;

export function Making() {
  const { t } = useWords();
  const [passphrase, setPassphrase] = useState('');
  const [again, setAgain] = useState('');
  const [isAsked, setAsked] = useState(false);
  const [share, setShare] = useState(0);
  const { action, isBusy, run } = useAction();
  useUnsaved(passphrase !== '' || again !== '');
  const isShort = [...passphrase].length < MIN_PASSPHRASE;
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
  const short = isAsked && isShort ? t('backup.short', { limit: MIN_PASSPHRASE }) : '';
  const other = isAsked && !isShort && isOther ? t('backup.other') : '';
  return html`<${Card} id="backup-out" title=${t('backup.out')}>
    <p>${t('backup.outWords')}</p>
    <${Form} onSubmit=${make}>
      <${TextField} id="backup-passphrase" label=${t('backup.passphrase')} help=${t('backup.passphraseHelp', { limit: MIN_PASSPHRASE })} problem=${short}
        type="password" autocomplete="new-password" value=${passphrase} onText=${setPassphrase} />
      <${TextField} id="backup-again" label=${t('backup.again')} problem=${other}
        type="password" autocomplete="new-password" value=${again} onText=${setAgain} />
      <${Button} type="submit" kind="primary" disabled=${isBusy}>${t('backup.make')}</${Button}>
    </${Form}>
    ${isBusy && html`<div class="task"><p role="status">${t('backup.making')}</p><progress max="1" value=${share} aria-label=${t('backup.making')}></progress></div>`}
    ${!isBusy && html`<${Outcome} action=${action} />`}
  </${Card}>`;
}
