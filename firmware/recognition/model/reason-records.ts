/** Reasons in `/health` about camera, tray, model, templates, items and pins. */
import { degraded, info, reasonsFrom } from '../../../drivers/lib/records.ts';

export const RECOGNITION_REASONS = {
  'camera-unfed': degraded('camera', [], {
    en: 'No pictures yet: a program sends them to this device.',
    ru: 'Изображений пока нет: их присылает на устройство программа.',
  }),
  'camera-lost': degraded('cable', ['detail'], {
    en: 'The camera is not connected. The device reconnects automatically.',
    ru: 'Камера не подключена. Устройство подключится к ней само.',
  }),
  'camera-held': degraded('taker', ['detail'], {
    en: 'Another program on the device is using the camera.',
    ru: 'Камеру занимает другая программа на устройстве.',
  }),
  'camera-silent': degraded('camera', ['detail'], {
    en: 'No picture from the camera yet.',
    ru: 'Изображения с камеры пока нет.',
  }),
  'tray-misfit': degraded('camera', [], {
    en: 'The empty tray was learned at another picture size and is not used: empty the tray and learn it again.',
    ru: 'Пустой лоток запомнен при другом размере кадра и не используется: освободите лоток и запомните заново.',
  }),
  'model-loading': degraded('wait', [], {
    en: 'The model is loading: recognition starts in a few seconds.',
    ru: 'Модель загружается: распознавание начнётся через несколько секунд.',
  }),
  'model-stopped': degraded('release', ['detail'], {
    en: 'The model is not running: items are not recognised. Payments work.',
    ru: 'Модель не работает: товары не распознаются. Платежи работают.',
  }),
  'barcodes-lost': degraded('wait', ['detail'], {
    en: 'The barcode reader failed and is restarting. Meanwhile, items are recognised by their looks.',
    ru: 'Чтение штрихкодов запускается снова. Пока товары узнаются по виду.',
  }),
  'templates-unopened': degraded('restart', ['detail'], {
    en: 'Item pictures cannot be opened: nothing can be recognised or taught.',
    ru: 'Снимки товаров не открываются: распознавание и обучение не работают.',
  }),
  'templates-damaged': degraded('restart', [], {
    en: 'Item pictures are damaged, and nothing is recognised: restart the device to repair them.',
    ru: 'Снимки товаров повреждены, распознавание не работает: перезагрузите устройство, чтобы исправить.',
  }),
  'templates-gone': degraded('restart', [], {
    en: 'The file of item pictures was removed while the device was running.',
    ru: 'Файл снимков товаров исчез во время работы.',
  }),
  'templates-unpictured': degraded('items', ['n'], {
    en: {
      one: '{n} picture is damaged and is not used: delete it.',
      other: '{n} pictures are damaged and are not used: delete them.',
    },
    ru: {
      one: 'Испорчен {n} снимок, он не используется: удалите его.',
      many: 'Испорчено {n} снимков, они не используются: удалите их.',
      other: 'Испорчены {n} снимка, они не используются: удалите их.',
    },
  }),
  'templates-preparing': degraded('wait', ['n'], {
    en: {
      one: '{n} picture is being prepared for the new model, automatically.',
      other: '{n} pictures are being prepared for the new model, automatically.',
    },
    ru: {
      one: '{n} снимок готовится для новой модели. Это делается само.',
      many: '{n} снимков готовятся для новой модели. Это делается само.',
      other: '{n} снимка готовятся для новой модели. Это делается само.',
    },
  }),
  'templates-aside': degraded('items', ['file'], {
    en: 'The item pictures were damaged and set aside as {file}: import the latest package, or teach the items again.',
    ru: 'Снимки товаров были повреждены и отложены как {file}: загрузите последний пакет или обучите устройство товарам заново.',
  }),
  'recognition-settings-damaged': degraded('camera', ['detail'], {
    en: 'The recognition settings were damaged and reset: check the area and the speed.',
    ru: 'Настройки распознавания повреждены и сброшены: проверьте область и скорость.',
  }),
  'items-unopened': degraded('restart', ['detail'], {
    en: 'The item list cannot be opened: names and prices are missing.',
    ru: 'Список товаров не открывается: нет названий и цен.',
  }),
  'items-damaged': degraded('restart', [], {
    en: 'The item list is damaged: restart the device to repair it.',
    ru: 'Список товаров повреждён: перезагрузите устройство, чтобы исправить.',
  }),
  'items-gone': degraded('restart', [], {
    en: 'The file of items was removed while the device was running.',
    ru: 'Файл товаров исчез во время работы.',
  }),
  'items-aside': degraded('items', ['file'], {
    en: 'The item list was damaged and set aside as {file}: import it again.',
    ru: 'Список товаров был повреждён и отложен как {file}: загрузите его снова.',
  }),
  'items-altered': degraded('items', ['n', 'items'], {
    en: {
      one: 'The memory card has changed the price of {n} item: {items}. Enter it again.',
      other:
        'The memory card has changed the prices of {n} items: {items}. Enter them again, or import the latest table.',
    },
    ru: {
      one: 'Карта памяти испортила цену {n} товара: {items}. Введите её снова или загрузите последнюю таблицу.',
      few: 'Карта памяти испортила цены {n} товаров: {items}. Введите их снова или загрузите последнюю таблицу.',
      many: 'Карта памяти испортила цены {n} товаров: {items}. Введите их снова или загрузите последнюю таблицу.',
      other: 'Карта памяти испортила цены {n} товара: {items}. Введите их снова или загрузите последнюю таблицу.',
    },
  }),
  'pins-lost': degraded('cable', ['detail'], {
    en: 'The button and lamps at the tray are not responding.',
    ru: 'Кнопка и лампы у лотка не отвечают.',
  }),
  'pins-held': degraded('taker', ['detail'], {
    en: 'Another program on the device is using the button or lamps at the tray.',
    ru: 'Кнопку или лампы у лотка занимает другая программа на устройстве.',
  }),
  'pins-unreachable': degraded('programs', ['detail'], {
    en: 'The device lacks the programs for the button and lamps at the tray.',
    ru: 'На устройстве нет программ для кнопки и ламп у лотка.',
  }),
  'camera-none': info([], {
    en: 'No camera is configured: payments do not need one.',
    ru: 'Камера не настроена: для платежей она не нужна.',
  }),
  'native-failed': info(['detail'], {
    en: 'Fast recognition failed: each answer takes up to three times as long.',
    ru: 'Ускорение распознавания не работает: ответы приходят до трёх раз медленнее.',
  }),
};
export const reasonOf = reasonsFrom(RECOGNITION_REASONS);
