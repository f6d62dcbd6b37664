/** Reasons in `/health` about the configuration. */
import { degraded, reasonsFrom } from '../../../drivers/lib/records.ts';

export const CONFIG_REASONS = {
  'config-unknown': degraded('config', ['keys'], {
    en: 'The configuration has unknown keys: {keys}.',
    ru: 'В конфигурации есть неизвестные ключи: {keys}.',
  }),
  'network-open': degraded('access', ['networks'], {
    en: 'Anyone on the network can ask for payments and refunds: no token is needed, and api.allow lets in {networks}. Create a token, or name the shop’s own network.',
    ru: 'Кто угодно в сети может запрашивать платежи и возвраты: токен не нужен, а api.allow пускает из {networks}. Создайте токен или укажите сеть магазина.',
  }),
  'config-last-good': degraded('tryFile', ['keys', 'at', 'detail'], {
    en: 'The configuration file cannot be used. Correct {keys}. Until then, the last valid configuration ({at}) is in use.',
    ru: 'Файл конфигурации использовать нельзя: исправьте {keys}. Пока действует последняя верная конфигурация ({at}).',
  }),
};
export const reasonOf = reasonsFrom(CONFIG_REASONS);
