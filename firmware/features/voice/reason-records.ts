/** Reasons in `/health` about a voice that is not heard. None of them stops a sale. */
import { degraded, info, reasonsFrom } from '../../../drivers/lib/records.ts';

export const VOICE_REASONS = {
  'voice-no-player': degraded('voice', [], {
    en: 'Payments are not announced: the player is missing. Run apt-get install alsa-utils.',
    ru: 'Оплата не озвучивается: нет проигрывателя. Выполните apt-get install alsa-utils.',
  }),
  'voice-absent': degraded('voice', ['device', 'detail'], {
    en: 'Payments are not announced: there is no sound card {device}. Plug it in, or choose another one.',
    ru: 'Оплата не озвучивается: звуковой карты {device} нет. Подключите её или выберите другую.',
  }),
  'voice-busy': degraded('voice', ['device', 'detail'], {
    en: 'Payments are not announced: another program uses the sound card {device}. End it, or choose another card.',
    ru: 'Оплата не озвучивается: звуковую карту {device} занимает другая программа. Закройте её или выберите другую карту.',
  }),
  'voice-denied': degraded('voice', ['device', 'detail'], {
    en: 'Payments are not announced: the device may not use the sound card {device}. Add its user to the group audio.',
    ru: 'Оплата не озвучивается: нет прав на звуковую карту {device}. Добавьте пользователя устройства в группу audio.',
  }),
  'voice-stuck': degraded('voice', ['device', 'detail'], {
    en: 'The sound card {device} hung and was broken off. Unplug it and plug it in again, or choose another one.',
    ru: 'Звуковая карта {device} зависла, и проигрывание прервано. Отключите и снова подключите её или выберите другую.',
  }),
  'voice-failed': degraded('voice', ['device', 'detail'], {
    en: 'Payments are not announced: the sound card {device} cannot play. Try the voice, or choose another card.',
    ru: 'Оплата не озвучивается: звуковая карта {device} не играет. Проверьте голос или выберите другую карту.',
  }),
  'voice-recordings': degraded('voice', ['detail'], {
    en: 'The shop’s own recordings cannot be used: the voice of Laneware speaks. Mend the files, or name no folder.',
    ru: 'Записи магазина не подходят: говорит голос Laneware. Исправьте файлы или не указывайте папку.',
  }),
  'voice-unkept': degraded('voice', ['detail'], {
    en: 'The settings of the voice are lost, so it is off. Set it again.',
    ru: 'Настройки голоса потеряны, он выключен. Настройте его снова.',
  }),
  'voice-touch': degraded('voice', [], {
    en: 'Payments are not announced: the browser keeps the page silent. Touch its screen once.',
    ru: 'Оплата не озвучивается: браузер не даёт странице звук. Коснитесь экрана один раз.',
  }),
  'voice-no-page': info([], {
    en: 'No speaker is chosen and no page is open: nobody hears payments.',
    ru: 'Динамик не выбран, и ни одна страница не открыта: оплату никто не слышит.',
  }),
};
export const reasonOf = reasonsFrom(VOICE_REASONS);
