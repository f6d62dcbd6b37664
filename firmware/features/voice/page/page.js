/**
 * The page of the voice: what is said, when and where, with a trial; on Checkout the last payment is said again.
 * @import { FeaturePage } from '../../../core/pages/app/feature-pages.js'
 * @import { Sound } from '../../../core/pages/app/sound.js'
 * @import { VoiceSettings } from '../settings.ts'
 */
import { LANGUAGES } from '/console/assets/languages.js';
import { html, useEffect, useRef, useState } from '/console/assets/preact.js';
import { ask } from '../../../core/pages/app/api.js';
import { useDevice, usePart } from '../../../core/pages/app/device.js';
import { useUnsaved } from '../../../core/pages/app/drafts.js';
import { useFetched } from '../../../core/pages/app/fetched.js';
import { t } from '../../../core/pages/app/language.js';
import { PageSpeaker } from '../../../core/pages/app/sound.js';
import { Button, Card, Choice, Form, Outcome, TextField, useAction } from '../../../core/pages/parts/parts.js';
import { Reasons } from '../../../core/pages/parts/reasons.js';

/** @typedef {VoiceSettings & {speakers: readonly {name: string, title: string}[], last: {payment: string} | null}} Voice */

const PATH = '/v1/voice';
const MODES = /** @type {const} */ (['off', 'chime', 'sum']);
/** Hours that are offered first. */
const NIGHT = Object.freeze({ from: '22:00', to: '08:00' });

const YES_NO = /** @type {const} */ (['no', 'yes']);

/** @param {{id: string, label: string, isOn: boolean, onTurn: (isOn: boolean) => void}} properties */
const Switch = ({ id, label, isOn, onTurn }) =>
  html`<${Choice} id=${id} label=${label} value=${isOn ? 'yes' : 'no'} onChoose=${(/** @type {string} */ chosen) => onTurn(chosen === 'yes')}
    options=${YES_NO.map((each) => [each, t(`voice.${each}`)])} />`;

/** @param {{voice: Voice, onSaved: () => void}} properties */
function Fields({ voice, onSaved }) {
  const { speakers, last: _, ...kept } = voice;
  const [typed, setTyped] = useState(kept);
  const { action, isBusy, run, forget } = useAction();
  const isChanged = JSON.stringify(typed) !== JSON.stringify(kept);
  useUnsaved(isChanged);
  /** @param {Partial<VoiceSettings>} changed */
  const type = (changed) => {
    setTyped({ ...typed, ...changed });
    forget();
  };
  const save = async () => {
    if (await run(() => ask(PATH, { method: 'PATCH', json: typed }), 'voice.saved')) onSaved();
  };
  const { quiet } = typed;
  const known = speakers.map(({ name, title }) => /** @type {const} */ ([name, `${title} (${name})`]));
  const other =
    typed.device === null || known.some(([name]) => name === typed.device) ? [] : [[typed.device, typed.device]];
  return html`<${Form} onSubmit=${save}>
    <${Choice} id="voice-mode" label=${t('voice.mode')} help=${t('voice.noProof')} value=${typed.mode}
      onChoose=${(/** @type {VoiceSettings['mode']} */ mode) => type({ mode })} options=${MODES.map((mode) => [mode, t(`voice.mode.${mode}`)])} />
    <${Choice} id="voice-device" label=${t('voice.device')} help=${t('voice.deviceHelp')} value=${typed.device ?? ''}
      onChoose=${(/** @type {string} */ name) => type({ device: name === '' ? null : name })}
      options=${[['', t('voice.pages')], ...known, ...other]} />
    <${TextField} id="voice-volume" label=${t('voice.volume')} type="number" min="0" max="100" step="1" value=${typed.volume}
      onText=${(/** @type {string} */ text) => type({ volume: Number(text) })} />
    <${Choice} id="voice-language" label=${t('voice.language')} value=${typed.language}
      onChoose=${(/** @type {VoiceSettings['language']} */ language) => type({ language })}
      options=${LANGUAGES.map((language) => [language, t(`voice.language.${language}`)])} />
    <${Switch} id="voice-quiet" label=${t('voice.quiet')} isOn=${quiet !== null} onTurn=${(/** @type {boolean} */ isOn) => type({ quiet: isOn ? NIGHT : null })} />
    ${
      quiet !== null &&
      html`<${TextField} id="voice-from" label=${t('voice.from')} type="time" required value=${quiet.from} onText=${(/** @type {string} */ from) => type({ quiet: { ...quiet, from } })} />
      <${TextField} id="voice-to" label=${t('voice.to')} type="time" required value=${quiet.to} onText=${(/** @type {string} */ to) => type({ quiet: { ...quiet, to } })} />`
    }
    <${Switch} id="voice-button" label=${t('voice.button')} isOn=${typed.button} onTurn=${(/** @type {boolean} */ button) => type({ button })} />
    <${TextField} id="voice-recordings" label=${t('voice.recordings')} help=${t('voice.recordingsHelp')} value=${typed.recordings ?? ''}
      onText=${(/** @type {string} */ path) => type({ recordings: path.trim() === '' ? null : path.trim() })} />
    <div class="buttons"><${Button} type="submit" kind=${isChanged ? 'primary' : 'plain'} disabled=${isBusy}>${t('voice.save')}</${Button}></div>
    <${Outcome} action=${action} />
  </${Form}>`;
}

/** Says "test" and a sum with the saved settings. */
function Try() {
  const { action, isBusy, run } = useAction();
  const [heard, setHeard] = useState(
    /** @type {{heard: 'speaker' | 'pages' | 'nowhere', problem: {code: string} | null} | null} */ (null),
  );
  const attempt = () =>
    run(async () => {
      setHeard(null);
      setHeard(await ask(`${PATH}/try`, { method: 'POST', json: {} }));
    });
  return html`<div class="buttons"><${Button} name="try" disabled=${isBusy} onClick=${attempt}>${t('voice.try')}</${Button}></div>
    ${heard === null ? html`<${Outcome} action=${action} />` : html`<p class=${heard.problem === null ? '' : 'advice'} role="status">${t(`voice.heard.${heard.heard}`)}</p>`}`;
}

function VoicePage() {
  /** @type {import('../../../core/pages/app/fetched.js').Fetched<Voice>} */
  const { data, error, again } = useFetched(PATH);
  const part = usePart('voice');
  return html`<${Card} id="voice" title=${t('settings.voice')} error=${error}>
    <p>${t('voice.how')}</p>
    ${part !== undefined && html`<${Reasons} reasons=${part.reasons} />`}
    ${data !== null && html`<${Fields} key=${JSON.stringify(data.speakers)} voice=${data} onSaved=${() => void again()} /><${Try} />`}
  </${Card}>`;
}

/** Plays on Checkout what the customer's page does not. @returns whether it needs a touch first */
function useSpeaker() {
  const { state, isLive } = useDevice();
  const [isWaiting, setWaiting] = useState(false);
  const speaker = useRef(/** @type {PageSpeaker | null} */ (null));
  /** @type {Sound | null} */
  const sound = state?.display.sound ?? null;
  useEffect(() => {
    speaker.current = new PageSpeaker('checkout', setWaiting);
    return () => speaker.current?.close();
  }, []);
  useEffect(() => {
    if (isLive) speaker.current?.follow(sound);
    else speaker.current?.lose();
  }, [isLive, sound?.number, sound?.isOnDisplay, sound === null]);
  return isWaiting;
}

function OnCheckout() {
  const isWaiting = useSpeaker();
  const { state } = useDevice();
  const payment = state?.payment ?? null;
  /** @type {import('../../../core/pages/app/fetched.js').Fetched<Voice>} */
  const { data, again } = useFetched(PATH);
  useEffect(() => void again(), [payment?.orderId, payment?.state]);
  const { action, isBusy, run } = useAction();
  const canBeSaid =
    data !== null && data.mode !== 'off' && data.last !== null && data.last.payment === payment?.orderId;
  if (!canBeSaid && !isWaiting) return null;
  return html`${isWaiting && html`<p class="advice">${t('voice.touch')}</p>`}
    ${canBeSaid && html`<div class="buttons"><${Button} name="again" disabled=${isBusy} onClick=${() => run(() => ask(`${PATH}/again`, { method: 'POST', json: {} }))}>${t('voice.again')}</${Button}></div><${Outcome} action=${action} />`}`;
}

/** @type {readonly FeaturePage[]} */
export default [
  {
    name: 'voice',
    place: 'section',
    after: 'access',
    icon: 'M4 9v6h4l5 4V5L8 9H4z M16 9a4 4 0 0 1 0 6 M18.5 6.5a8 8 0 0 1 0 11',
    line: 'settings.voiceWords',
    View: VoicePage,
  },
  { name: 'voice-again', place: 'checkout', View: OnCheckout },
];
