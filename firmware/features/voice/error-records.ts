/** Why the voice says nothing to a call. */
import { refused } from '../../../drivers/lib/records.ts';

export const VOICE_ERRORS = {
  'Voice.Off': refused({
    status: 409,
    again: 'mended',
    en: { meaning: 'the voice is off', todo: 'turn it on by `PATCH /v1/voice`', page: 'The voice is off.' },
    ru: { meaning: 'голос выключен', todo: 'включите его вызовом `PATCH /v1/voice`', page: 'Голос выключен.' },
  }),
  'Voice.NothingToSay': refused({
    status: 409,
    again: 'no',
    en: {
      meaning: 'no payment was accepted in the last three minutes',
      todo: 'look at the payment on the screen of the till',
      page: 'No payment in the last three minutes.',
    },
    ru: {
      meaning: 'за последние три минуты нет принятых платежей',
      todo: 'посмотрите платёж на экране кассы',
      page: 'За последние три минуты оплат не было.',
    },
  }),
  'Voice.NoSound': refused({
    status: 404,
    again: 'no',
    en: {
      meaning: 'nothing was announced since the start, or another sound since the one that is asked for',
      todo: 'wait for a payment',
      page: 'Nothing was announced since the start.',
    },
    ru: {
      meaning: 'с запуска ещё ничего не озвучено, или после этого звука был другой',
      todo: 'подождите оплаты',
      page: 'С запуска ещё ничего не прозвучало.',
    },
  }),
} as const;
