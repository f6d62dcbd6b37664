/** Reasons in `/health` about the machine: storage, supply, heat, watchdog, updates. */
import { blocking, degraded, info, reasonsFrom } from '../../../drivers/lib/records.ts';

export const BOARD_REASONS = {
  'root-absent': blocking('card', ['detail'], {
    en: 'Nothing is stored and payments are not possible: the card’s data partition is not in use.',
    ru: 'Ничего не сохраняется и платежи не принимаются: раздел карты для данных не используется.',
  }),
  'disk-full': degraded('room', ['free', 'needed'], {
    en: 'Space is running out: {free} MB free, updates and payments need {needed} MB.',
    ru: 'Заканчивается место: свободно {free} МБ, для обновлений и платежей нужно {needed} МБ.',
  }),
  'disk-files': degraded('room', ['n'], {
    en: {
      one: 'Only {n} more file can be created.',
      other: 'Only {n} more files can be created.',
    },
    ru: {
      one: 'Можно создать ещё только {n} файл.',
      many: 'Можно создать ещё только {n} файлов.',
      other: 'Можно создать ещё только {n} файла.',
    },
  }),
  'disk-faulty': degraded('card', ['n'], {
    en: {
      one: 'The file system reports {n} error.',
      other: 'The file system reports {n} errors.',
    },
    ru: {
      one: 'Ошибок файловой системы: {n}.',
      few: 'Ошибок файловой системы: {n}.',
      many: 'Ошибок файловой системы: {n}.',
      other: 'Ошибок файловой системы: {n}.',
    },
  }),
  'disk-worn': degraded('card', ['percent'], {
    en: 'The storage has used up to {percent} % of its life.',
    ru: 'Накопитель израсходовал до {percent} % ресурса.',
  }),
  'database-held': degraded('holder', ['file', 'pid'], {
    en: 'Another program holds {file} (process {pid}): nothing can be written to it.',
    ru: 'Другая программа держит {file} (процесс {pid}): записать в него ничего нельзя.',
  }),
  'root-repaired': degraded('repaired', [], {
    en: 'The card’s data partition was damaged and repaired, possibly with losses: reconcile the sales with the bank.',
    ru: 'Раздел карты для данных был повреждён и исправлен, возможно с потерями: сверьте продажи с банком.',
  }),
  'root-troubled': degraded('card', ['detail'], {
    en: 'The card’s write protection reports a problem.',
    ru: 'Защита карты от записи сообщает о проблеме.',
  }),
  'root-writable': degraded('readonly', [], {
    en: 'The card’s system partition is writable: end the maintenance.',
    ru: 'Системный раздел карты открыт для записи: завершите обслуживание.',
  }),
  'supply-low': degraded('supply', [], {
    en: 'The supply voltage is too low.',
    ru: 'Напряжение питания слишком низкое.',
  }),
  'supply-was-low': degraded('supply', ['n'], {
    en: {
      one: 'The supply voltage was too low {n} time.',
      other: 'The supply voltage was too low {n} times.',
    },
    ru: {
      one: 'Напряжение питания падало {n} раз.',
      many: 'Напряжение питания падало {n} раз.',
      other: 'Напряжение питания падало {n} раза.',
    },
  }),
  'board-slow': degraded('supply', [], {
    en: 'The board is throttling.',
    ru: 'Плата снизила частоту.',
  }),
  'board-was-slow': degraded('supply', ['n'], {
    en: {
      one: 'The board throttled {n} time.',
      other: 'The board throttled {n} times.',
    },
    ru: {
      one: 'Плата снижала частоту {n} раз.',
      many: 'Плата снижала частоту {n} раз.',
      other: 'Плата снижала частоту {n} раза.',
    },
  }),
  'board-hot': degraded('supply', ['degrees', 'limit'], {
    en: 'The board is at {degrees} °C and throttles from {limit} °C.',
    ru: 'Температура платы {degrees} °C; с {limit} °C она снижает частоту.',
  }),
  'board-unwatched': degraded('watchdog', [], {
    en: 'The board’s watchdog is off: a hang needs a manual restart.',
    ru: 'Сторожевой таймер платы выключен: зависшую плату придётся перезагружать вручную.',
  }),
  'update-undone': degraded('release', ['version', 'detail'], {
    en: 'Version {version} was rolled back: it failed its checks here.',
    ru: 'Версия {version} отменена: она не прошла проверку.',
  }),
  'update-undone-load': degraded('log', ['version', 'detail'], {
    en: 'Version {version} was rolled back: it ran out of memory or hung. The cause is the version, or load from outside.',
    ru: 'Версия {version} отменена: ей не хватало памяти или она зависала. Причина в ней самой или во внешней нагрузке.',
  }),
  'update-load': degraded('log', ['n'], {
    en: {
      one: 'Within a day, this version ran out of memory or hung {n} time. The cause is the version, or load from outside.',
      other:
        'Within a day, this version ran out of memory or hung {n} times. The cause is the version, or load from outside.',
    },
    ru: {
      one: 'За сутки этой версии {n} раз не хватило памяти или она зависла. Причина в ней самой или во внешней нагрузке.',
      many: 'За сутки этой версии {n} раз не хватило памяти или она зависла. Причина в ней самой или во внешней нагрузке.',
      other:
        'За сутки этой версии {n} раза не хватило памяти или она зависла. Причина в ней самой или во внешней нагрузке.',
    },
  }),
  'update-ends': degraded('log', ['n'], {
    en: {
      one: 'This version crashed {n} time within a day.',
      other: 'This version crashed {n} times within a day.',
    },
    ru: {
      one: 'Эта версия за сутки аварийно завершилась {n} раз.',
      many: 'Эта версия за сутки аварийно завершилась {n} раз.',
      other: 'Эта версия за сутки аварийно завершилась {n} раза.',
    },
  }),
  'update-put-off': degraded('release', ['at', 'detail'], {
    en: 'Updates postponed since {at}.',
    ru: 'Обновления откладываются с {at}.',
  }),
  'update-running': info(['doing'], {
    en: 'An update is in progress.',
    ru: 'Идёт обновление.',
  }),
  'update-waiting': info(['at', 'detail'], {
    en: 'Updates postponed since {at}; the device retries automatically.',
    ru: 'Обновления откладываются с {at}; устройство само пробует снова.',
  }),
};
export const reasonOf = reasonsFrom(BOARD_REASONS);
