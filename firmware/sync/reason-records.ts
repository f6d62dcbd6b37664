/** Reasons in `/health` about the devices of a store. */
import { degraded, reasonsFrom } from '../../drivers/lib/records.ts';

export const SYNC_REASONS = {
  'sync-settings-damaged': degraded('store', ['detail'], {
    en: 'The role in the store was damaged: choose it again.',
    ru: 'Роль в магазине повреждена: выберите её снова.',
  }),
  'sync-devices-damaged': degraded('store', ['detail'], {
    en: 'The list of paired devices was damaged: pair those that it lacks anew.',
    ru: 'Список подключённых устройств повреждён: подключите заново те, которых в нём нет.',
  }),
  'sync-twice': degraded('store', ['devices'], {
    en: 'Two devices have the serial number {devices}: change one, and pair both again.',
    ru: 'У двух устройств серийный номер {devices}: смените один и подключите оба заново.',
  }),
  'sync-deletes': degraded('store', ['device', 'count'], {
    en: '{device} has deleted {count} templates of other devices: if nobody meant it, take it out of the store.',
    ru: '{device}: удалено снимков товаров других устройств: {count}. Если этого никто не хотел, исключите устройство из магазина.',
  }),
  'sync-fills': degraded('store', ['device'], {
    en: '{device} has filled its share of the room of the store, and gives nothing more: take it out, and pair it anew if it is sound.',
    ru: '{device}: исчерпана доля места в хранилище магазина, новое от него не принимается. Исключите устройство и, если оно исправно, подключите заново.',
  }),
  'sync-refused': degraded('store', ['devices'], {
    en: 'Changes of items from {devices} are not taken: their numbers cannot be right. Take the device out of the store, and pair it anew if it is sound.',
    ru: 'Изменения товаров с {devices} не принимаются: их номера не могут быть верны. Исключите устройство из магазина и, если оно исправно, подключите заново.',
  }),
  'sync-failing': degraded('sync', ['detail'], {
    en: 'The devices of the store do not synchronise.',
    ru: 'Устройства магазина не синхронизируются.',
  }),
  'sync-other-master': degraded('store', ['address', 'detail'], {
    en: 'What answers at {address} is not the master that this device was paired with: the card of the master was emptied or replaced, or another device has its address. Pair this device with it anew, or correct the address.',
    ru: 'По адресу {address} отвечает не то главное устройство, к которому подключено это: его карту очистили или заменили либо этот адрес теперь у другого. Подключите это устройство заново или исправьте адрес.',
  }),
  'sync-not-known': degraded('store', ['address', 'detail'], {
    en: 'The master at {address} does not know this device: it was taken out of the store there, or the master has lost its list of devices. Pair this device anew.',
    ru: 'Главное устройство по адресу {address} не знает этого: его исключили из магазина или список устройств на главном потерян. Подключите это устройство заново.',
  }),
  'sync-no-answer': degraded('store', ['address', 'detail'], {
    en: 'The master at {address} does not answer. Check that it is on, on the same network, and still the master on its page “Store”. This device retries automatically.',
    ru: 'Главное устройство по адресу {address} не отвечает. Проверьте, что оно включено, в той же сети и по-прежнему главное (на его странице «Магазин»). Устройство повторяет попытки само.',
  }),
  'sync-unpaired': degraded('store', ['detail'], {
    en: 'This device is meant for a store and is not paired: enter the pairing code of its master.',
    ru: 'Это устройство должно входить в магазин, но не подключено: введите код подключения с главного устройства.',
  }),
  'sync-silent': degraded('store', ['devices', 'minutes'], {
    en: '{devices} not seen for {minutes} min: is it on and connected to the network?',
    ru: '{devices}: нет связи {minutes} мин. Проверьте питание и сеть.',
  }),
  'sync-late': degraded('sync', ['minutes'], {
    en: 'Last synchronised {minutes} min ago.',
    ru: 'Последняя синхронизация {minutes} мин назад.',
  }),
  'sync-marks-lost': degraded('store', ['detail'], {
    en: 'What was to be deleted on all devices of the store was lost: what a device kept may come back. Delete it again.',
    ru: 'Потерян список того, что удаляется на всех устройствах магазина: удалённое может вернуться с устройства, где осталось. Удалите заново.',
  }),
  'lane-payments-aside': degraded('file', ['file'], {
    en: 'The payments of the store’s other lanes were damaged and set aside as {file}. Those of lanes that left the store are in that file alone: keep it, and move it away.',
    ru: 'Платежи других касс магазина были повреждены и отложены как {file}. Платежи касс, которых в магазине уже нет, остались только в этом файле: сохраните его в другом месте.',
  }),
  'lane-payments': degraded('store', ['detail'], {
    en: 'The master of the store does not take the payments of this device: its reconciliation lacks them.',
    ru: 'Главное устройство магазина не принимает платежи с этого: в его сверке с банком их не будет.',
  }),
};
export const reasonOf = reasonsFrom(SYNC_REASONS);
