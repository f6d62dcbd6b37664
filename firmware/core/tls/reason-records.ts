/** Reasons in `/health` about encryption. */
import { degraded, info, reasonsFrom } from '../../../drivers/lib/records.ts';

export const TLS_REASONS = {
  'tls-troubled': degraded('certificate', ['detail'], {
    en: 'The certificate for network calls needs attention.',
    ru: 'Сертификат для вызовов из сети требует внимания.',
  }),
  'tls-off': info([], {
    en: 'Encryption is off: tokens can be read on the network.',
    ru: 'Шифрование выключено: токены в сети можно перехватить.',
  }),
  'tls-on': info(['fingerprint', 'lacking'], {
    en: 'Network calls are encrypted. Certificate fingerprint: {fingerprint}',
    ru: 'Вызовы из сети шифруются. Отпечаток сертификата: {fingerprint}',
  }),
};
export const reasonOf = reasonsFrom(TLS_REASONS);
