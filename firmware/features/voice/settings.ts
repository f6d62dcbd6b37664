/** What a shop sets of its voice; durable before the call is answered. */
import Type, { type Static } from 'typebox';
import { RUSSIAN } from '../../../drivers/lib/languages.ts';
import { LanguageName } from '../../core/http/index.ts';
import { orNull, patternWithMessage } from '../../core/schema/index.ts';

export const MODES = ['off', 'chime', 'sum'] as const;

const TimeOfDay = Type.String({
  title: 'TimeOfDay',
  pattern: patternWithMessage('^([01][0-9]|2[0-3]):[0-5][0-9]$', 'must be a time of the day, as 22:00'),
  description: 'by the clock of the shop',
});
const Quiet = Type.Object(
  { from: TimeOfDay, to: TimeOfDay },
  { title: 'QuietHours', additionalProperties: false, description: 'where `to` is earlier, it is on the next day' },
);

/** A card is addressed by its name: its number is another one after a start. */
const DEVICE = '^[A-Za-z_][A-Za-z0-9_-]*(:CARD=[A-Za-z0-9_-]+(,DEV=[0-9]{1,2})?)?$';

/** The fields of the settings, each as an answer has it. */
export const VOICE_FIELDS = {
  mode: Type.Enum([...MODES], {
    title: 'VoiceMode',
    description: 'off: nothing is said. chime: a chime for each payment. sum: “paid”, and the sum',
  }),
  volume: Type.Integer({ minimum: 0, maximum: 100, description: 'per cent of the recordings' }),
  quiet: orNull(Quiet, 'hours in which nothing is said; null: none'),
  language: LanguageName,
  device: orNull(
    Type.String({
      title: 'SpeakerName',
      maxLength: 100,
      pattern: patternWithMessage(DEVICE, 'must be the name of a device of ALSA, as plughw:CARD=Headphones'),
    }),
    'speaker, by its name; null: Checkout or the customer’s page plays it in its browser',
  ),
  recordings: orNull(
    Type.String({
      title: 'RecordingsFolder',
      minLength: 1,
      maxLength: 1000,
      pattern: patternWithMessage('^/', 'must be the path of a folder on the device, from /'),
    }),
    'folder on the device with a person’s own recordings; null: those of Laneware',
  ),
  button: Type.Boolean({
    description: 'a press of the lane’s button says the last payment again, in place of learning the empty tray',
  }),
};

/** Each may be left out, and then stays as it is. */
export const VoiceChanges = Type.Partial(Type.Object(VOICE_FIELDS), {
  title: 'VoiceChanges',
  additionalProperties: false,
  examples: [{ mode: 'sum', volume: 80 }],
});

export const StoredVoice = Type.Partial(Type.Object(VOICE_FIELDS));
export type VoiceSettings = Required<Static<typeof StoredVoice>>;

export const DEFAULT_VOICE: VoiceSettings = Object.freeze({
  mode: 'off',
  volume: 100,
  quiet: null,
  language: RUSSIAN,
  device: null,
  recordings: null,
  button: false,
});

/** Whether a time of the day is within hours that may span midnight. @param now `22:05` */
export function isWithin(quiet: VoiceSettings['quiet'], now: string): boolean {
  if (quiet === null) return false;
  const { from, to } = quiet;
  return from <= to ? from <= now && now < to : now >= from || now < to;
}

/** The time of the day that the clocks of the shop show: `22:05`. @param wall ms since 1970 */
export const timeOfDay = (wall: number, timeZone: string): string =>
  new Date(wall).toLocaleTimeString('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' });
