/** Why a backup was not made or not restored; nothing has changed then. */
import { refused } from '../../../drivers/lib/records.ts';

export const BACKUP_ERRORS = {
  'Backups.WrongPassphrase': refused(422, 'mended', {
    en: 'wrong passphrase; nothing was changed | enter the one it was made with; nothing else opens it | Wrong passphrase. Nothing was changed.',
    ru: 'неверный пароль файла; ничего не изменено | введите тот, с которым сделана копия; иначе её не открыть | Неверный пароль файла. Ничего не изменено.',
  }),
  'Backups.Damaged': refused(422, 'mended', {
    en: 'the file is not a backup, incomplete or altered; nothing was changed here | send it again, or another copy of it | This is not a complete backup, or it was changed. Nothing was changed here.',
    ru: 'файл — не резервная копия, неполный или изменён; здесь ничего не изменено | отправьте ещё раз или возьмите другую копию | Это не резервная копия, она неполная или повреждена. Ничего не изменено.',
  }),
  'Backups.TooNew': refused(409, 'mended', {
    en: 'the backup was made by a newer version; nothing was changed | update this device, then send it again | The backup was made by a newer version. Update this device first, then restore it.',
    ru: 'копия сделана более новой версией; ничего не изменено | обновите устройство и отправьте снова | Копия сделана более новой версией. Сначала обновите это устройство, затем восстановите копию.',
  }),
  'Backups.NewerPayments': refused(409, 'mended', {
    en: 'the device has payments or refunds (`newer`: how many) that the backup lacks; nothing was changed | back up this device first; `overNewerPayments` = `true` restores the older backup anyway and keeps the current data beside it | This device has payments that the backup lacks. Nothing was changed.',
    ru: 'на устройстве есть платежи или возвраты, которых нет в копии (`newer`: сколько); ничего не изменено | сначала сделайте копию этого устройства; `overNewerPayments` = `true` всё равно восстановит старую копию, а нынешние данные сохранит рядом | На устройстве есть платежи, которых нет в копии. Ничего не изменено.',
  }),
  'Backups.Busy': refused(409, 'later', {
    en: 'a backup is being made or restored, or waits for the restart | wait until it ends | A backup is already being made or restored. Wait until it ends, then try again.',
    ru: 'копия создаётся, восстанавливается или ждёт перезагрузки | дождитесь конца | Копия уже создаётся или восстанавливается. Попробуйте позже.',
  }),
} as const;
