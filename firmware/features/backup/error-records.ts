/** Why a backup was not made or not restored; nothing has changed then. */
import { refused } from '../../../drivers/lib/records.ts';

export const BACKUP_ERRORS = {
  'Backups.WrongPassphrase': refused({
    status: 422,
    again: 'mended',
    en: {
      meaning: 'wrong passphrase; nothing was changed',
      todo: 'enter the one it was made with; nothing else opens it',
      page: 'Wrong passphrase. Nothing was changed.',
    },
    ru: {
      meaning: 'неверный пароль файла; ничего не изменено',
      todo: 'введите тот, с которым сделана копия; иначе её не открыть',
      page: 'Неверный пароль файла. Ничего не изменено.',
    },
  }),
  'Backups.Damaged': refused({
    status: 422,
    again: 'mended',
    en: {
      meaning: 'the file is not a backup, incomplete or altered; nothing was changed here',
      todo: 'send it again, or another copy of it',
      page: 'This is not a complete backup, or it was changed. Nothing was changed here.',
    },
    ru: {
      meaning: 'файл — не резервная копия, неполный или изменён; здесь ничего не изменено',
      todo: 'отправьте ещё раз или возьмите другую копию',
      page: 'Это не резервная копия, она неполная или повреждена. Ничего не изменено.',
    },
  }),
  'Backups.TooNew': refused({
    status: 409,
    again: 'mended',
    en: {
      meaning: 'the backup was made by a newer version; nothing was changed',
      todo: 'update this device, then send it again',
      page: 'The backup was made by a newer version. Update this device first, then restore it.',
    },
    ru: {
      meaning: 'копия сделана более новой версией; ничего не изменено',
      todo: 'обновите устройство и отправьте снова',
      page: 'Копия сделана более новой версией. Сначала обновите это устройство, затем восстановите копию.',
    },
  }),
  'Backups.NewerPayments': refused({
    status: 409,
    again: 'mended',
    en: {
      meaning: 'the device has payments or refunds (`newer`: how many) that the backup lacks; nothing was changed',
      todo: 'back up this device first; `overNewerPayments` = `true` restores the older backup anyway and keeps the current data beside it',
      page: 'This device has payments that the backup lacks. Nothing was changed.',
    },
    ru: {
      meaning: 'на устройстве есть платежи или возвраты, которых нет в копии (`newer`: сколько); ничего не изменено',
      todo: 'сначала сделайте копию этого устройства; `overNewerPayments` = `true` всё равно восстановит старую копию, а нынешние данные сохранит рядом',
      page: 'На устройстве есть платежи, которых нет в копии. Ничего не изменено.',
    },
  }),
  'Backups.Busy': refused({
    status: 409,
    again: 'later',
    en: {
      meaning: 'a backup is being made or restored, or waits for the restart',
      todo: 'wait until it ends',
      page: 'A backup is already being made or restored. Wait until it ends, then try again.',
    },
    ru: {
      meaning: 'копия создаётся, восстанавливается или ждёт перезагрузки',
      todo: 'дождитесь конца',
      page: 'Копия уже создаётся или восстанавливается. Попробуйте позже.',
    },
  }),
} as const;
