/** Reasons in `/health` about the connection of a lane to its chain. */
import { degraded, reasonsFrom } from '../../../drivers/lib/records.ts';

export const CHAIN_REASONS = {
  'chain-credentials': degraded('chain', ['detail'], {
    en: 'The chain does not accept the credentials of this device, or their file cannot be used.',
    ru: 'Сеть магазинов не принимает пропуск этого устройства, или его файл непригоден.',
  }),
  'chain-certificate': degraded('chain', ['detail'], {
    en: 'The chain’s server is not recognised by its certificate.',
    ru: 'Сервер сети магазинов не опознан по сертификату.',
  }),
  'chain-refuses': degraded('chain', ['detail'], {
    en: 'The chain accepts nothing at the moment: payments are kept and sent later.',
    ru: 'Сеть магазинов сейчас ничего не принимает: платежи сохраняются и уйдут позже.',
  }),
  'chain-away': degraded('network', ['minutes', 'detail'], {
    en: 'No connection to the chain for {minutes} min.',
    ru: 'Связи с сетью магазинов нет {minutes} мин.',
  }),
};
export const reasonOf = reasonsFrom(CHAIN_REASONS);
