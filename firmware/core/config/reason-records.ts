/** Reasons in `/health` about the configuration. */
import { later, reasonsFrom } from '../../../drivers/lib/records.ts';

export const CONFIG_REASONS = {
  'config-unknown': later('config', ['keys'], {
    en: 'The configuration has unknown keys: {keys}.',
    ru: 'В конфигурации есть неизвестные ключи: {keys}.',
  }),
  'config-last-good': later('tryFile', ['keys', 'at', 'detail'], {
    en: 'The configuration file cannot be used. Correct {keys}. Until then, the last valid configuration ({at}) is in use.',
    ru: 'Файл конфигурации использовать нельзя: исправьте {keys}. Пока действует последняя верная конфигурация ({at}).',
  }),
};
export const reasonOf = reasonsFrom(CONFIG_REASONS);
