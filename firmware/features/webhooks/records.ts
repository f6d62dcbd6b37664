/** Errors of the calls of webhooks, and reasons in `/health` about the delivery of events. */
import { degraded, reasonsFrom, refused } from '../../../drivers/lib/records.ts';

export const WEBHOOK_ERRORS = {
  'Webhooks.DeliveryNotFound': refused({
    status: 404,
    again: 'no',
    en: {
      meaning: 'there is no such delivery',
      todo: 'list the deliveries',
      page: 'This delivery is no longer kept.',
    },
    ru: {
      meaning: 'такой доставки нет',
      todo: 'посмотрите список доставок',
      page: 'Такой доставки больше нет.',
    },
  }),
  'Webhooks.EventGone': refused({
    status: 409,
    again: 'no',
    en: {
      meaning: 'the event is no longer kept',
      todo: 'read the payment itself',
      page: 'This event is no longer kept: look at the payment itself.',
    },
    ru: {
      meaning: 'событие больше не хранится',
      todo: 'прочтите сам платёж',
      page: 'Это событие больше не хранится: посмотрите сам платёж.',
    },
  }),
  'Webhooks.NotConfigured': refused({
    status: 409,
    again: 'mended',
    en: {
      meaning: 'the address is no longer in the configuration',
      todo: 'add it to `terminal.webhooks` again',
      page: 'The address is no longer in the configuration.',
    },
    ru: {
      meaning: 'адреса в конфигурации больше нет',
      todo: 'верните его в `terminal.webhooks`',
      page: 'Этого адреса в конфигурации больше нет.',
    },
  }),
  'Webhooks.AddressNotFound': refused({
    status: 404,
    again: 'no',
    en: {
      meaning: 'the configuration has no such address',
      todo: 'list the webhooks',
      page: 'This address is not in the configuration.',
    },
    ru: {
      meaning: 'такого адреса в конфигурации нет',
      todo: 'посмотрите список вебхуков',
      page: 'Такого адреса в конфигурации нет.',
    },
  }),
} as const;

export const WEBHOOK_REASONS = {
  'webhooks-unkept': degraded('card', ['detail'], {
    en: 'Webhook deliveries cannot be recorded: events wait.',
    ru: 'Не удаётся записать, какие события доставлены: события ждут.',
  }),
  'webhook-failing': degraded('integrate', ['url', 'minutes', 'n', 'detail'], {
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
  'webhook-given-up': degraded('integrate', ['url', 'n'], {
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
