/** Reasons in `/health` about the delivery of events to addresses. */
import { later, reasonsFrom } from '../../../drivers/lib/records.ts';

export const WEBHOOK_REASONS = {
  'webhooks-unkept': later('card', ['detail'], {
    en: 'Webhook deliveries cannot be recorded: events wait.',
    ru: 'Не удаётся записать, какие события доставлены: события ждут.',
  }),
  'webhook-failing': later('integrate', ['url', 'minutes', 'n', 'detail'], {
    en: {
      one: '{url} has accepted nothing for {minutes} min; {n} event waits.',
      other: '{url} has accepted nothing for {minutes} min; {n} events wait.',
    },
    ru: {
      one: '{url} ничего не принимает {minutes} мин; ждёт {n} событие.',
      many: '{url} ничего не принимает {minutes} мин; ждут {n} событий.',
      other: '{url} ничего не принимает {minutes} мин; ждут {n} события.',
    },
  }),
  'webhook-given-up': later('integrate', ['url', 'n'], {
    en: {
      one: '{n} event was dropped: {url} did not accept it within a day.',
      other: '{n} events were dropped: {url} did not accept them within a day.',
    },
    ru: {
      one: 'Не доставлено {n} событие: {url} не принимал его сутки.',
      many: 'Не доставлено {n} событий: {url} не принимал их сутки.',
      other: 'Не доставлены {n} события: {url} не принимал их сутки.',
    },
  }),
};
export const reasonOf = reasonsFrom(WEBHOOK_REASONS);
