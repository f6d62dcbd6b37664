/**
 * Codes of refused calls about the machine; reasons in `/health` about the clock, the zone, the log and the program's own
 * errors.
 */
import { blocking, degraded, reasonsFrom, refused } from '../../../drivers/lib/records.ts';

export const HOST_REASONS = {
  'zone-unset': degraded('shop', ['zone'], {
    en: 'No time zone was chosen: days and reports begin by {zone}. Choose the shop’s time zone.',
    ru: 'Часовой пояс не выбран: сутки и отчёты считаются по {zone}. Выберите часовой пояс магазина.',
  }),
  'zone-unknown': degraded('shop', ['given', 'zone'], {
    en: 'TZ, the time zone of the environment, is "{given}", which names no zone: days and reports begin by {zone}. Write it as Europe/Moscow, or choose the shop’s time zone.',
    ru: 'Часовой пояс в переменной TZ — «{given}», такого нет: сутки и отчёты считаются по {zone}. Запишите его как Europe/Moscow или выберите часовой пояс магазина.',
  }),
  'clock-behind': degraded('clock', ['says', 'known'], {
    en: 'The clock is behind: it shows {says}, but {known} has already passed.',
    ru: 'Часы отстают: показывают {says}, хотя {known} уже прошло.',
  }),
  'log-lost': degraded('log', ['detail'], {
    en: 'Lines of the log are lost: the standard output does not take them. The page Log has the last ones.',
    ru: 'Строки журнала теряются: стандартный вывод их не принимает. Последние есть на странице «Журнал».',
  }),
  'sales-failing': blocking('log', ['n'], {
    en: 'The last {n} payments failed by an error in the device’s program.',
    ru: 'Последние платежи не прошли из-за ошибки в программе устройства: {n}.',
  }),
  'refunds-failing': degraded('log', ['n'], {
    en: 'The last {n} refunds failed by an error in the device’s program.',
    ru: 'Последние возвраты не прошли из-за ошибки в программе устройства: {n}.',
  }),
  'cancellations-failing': degraded('log', ['n'], {
    en: 'The last {n} cancellations failed by an error in the device’s program.',
    ru: 'Последние отмены не прошли из-за ошибки в программе устройства: {n}.',
  }),
  'looks-failing': degraded('log', ['n'], {
    en: 'The last {n} recognitions failed by an error in the device’s program.',
    ru: 'Последние распознавания не удались из-за ошибки в программе устройства: {n}.',
  }),
  'synchronisation-failing': degraded('log', ['n'], {
    en: 'The last {n} synchronisations failed by an error in the device’s program.',
    ru: 'Последние синхронизации не удались из-за ошибки в программе устройства: {n}.',
  }),
};
export const reasonOf = reasonsFrom(HOST_REASONS);

export const DEVICE_ERRORS = {
  'Device.NotManaged': refused({
    status: 409,
    again: 'no',
    en: {
      meaning: 'the device was started manually or runs in a container: the machine is not its own',
      todo: 'do it on the machine itself',
      page: 'This device was started by a command: do this on the computer it runs on.',
    },
    ru: {
      meaning: 'устройство запущено вручную или в контейнере',
      todo: 'сделайте это на компьютере, где оно работает',
      page: 'Устройство запущено командой: сделайте это на компьютере, где оно работает.',
    },
  }),
  'Device.NotPermitted': refused({
    status: 409,
    again: 'mended',
    en: {
      meaning: 'the system does not allow this',
      todo: 'the check of the installation, in the technician’s guide, says what is missing',
      page: 'The system does not allow this: install.sh --check shows what is missing.',
    },
    ru: {
      meaning: 'система этого не разрешает',
      todo: 'чего не хватает, покажет проверка установки из руководства техника',
      page: 'Система этого не разрешает: чего не хватает, покажет install.sh --check.',
    },
  }),
  'Device.UpdateRuns': refused({
    status: 409,
    again: 'later',
    en: {
      meaning: 'an update is in progress',
      todo: 'wait until it ends: `GET /console/api/device`',
      page: 'An update is in progress: try again when it has ended.',
    },
    ru: {
      meaning: 'идёт обновление',
      todo: 'дождитесь конца: `GET /console/api/device`',
      page: 'Идёт обновление: повторите, когда закончится.',
    },
  }),
  'Device.NoReleaseBefore': refused({
    status: 409,
    again: 'no',
    en: {
      meaning: 'there is no previous version on the device',
      todo: 'install one: `laneware-ota update --from FILE --allow-downgrade`',
      page: 'There is no previous version on this device.',
    },
    ru: {
      meaning: 'предыдущей версии на устройстве нет',
      todo: 'установите: `laneware-ota update --from FILE --allow-downgrade`',
      page: 'Предыдущей версии на устройстве нет.',
    },
  }),
  'Device.WrongName': refused({
    status: 409,
    again: 'mended',
    en: {
      meaning: 'wrong device name; nothing was changed',
      todo: 'check which device it is and enter its serial number',
      page: 'Wrong device name. Nothing was changed.',
    },
    ru: {
      meaning: 'неверное имя устройства; ничего не изменено',
      todo: 'проверьте, какое это устройство, и введите его серийный номер',
      page: 'Неверное имя устройства. Ничего не изменено.',
    },
  }),
  'Device.ClockRefused': refused({
    status: 503,
    again: 'mended',
    en: {
      meaning: 'the system did not allow its clock to be set; the service uses the sent time anyway',
      todo: 'set the system clock, or use network time (NTP)',
      page: 'The system did not allow its clock to be set. Laneware uses the new time anyway.',
    },
    ru: {
      meaning: 'система не дала установить часы; присланное время всё равно используется',
      todo: 'установите часы системы или включите сетевое время (NTP)',
      page: 'Система не дала перевести часы. Laneware всё равно использует новое время.',
    },
  }),
  'Device.NotFresh': refused({
    status: 409,
    again: 'no',
    en: {
      meaning: 'the device is already set up, or has no sandbox bank; nothing was changed',
      todo: 'send the settings of the bank and the display (`PUT /console/api/settings`)',
      page: 'This device is already set up, or has no test bank.',
    },
    ru: {
      meaning: 'устройство уже настроено или в нём нет тестового банка; ничего не изменено',
      todo: 'отправьте настройки банка и дисплея (`PUT /console/api/settings`)',
      page: 'Устройство уже настроено, или в нём нет тестового банка.',
    },
  }),
  'Device.SaleRuns': refused({
    status: 409,
    again: 'later',
    en: {
      meaning: 'a payment is in progress, or its outcome is on the display: nothing was begun',
      todo: 'start it when the display is at rest',
      page: 'A payment is in progress, or its outcome is on the display for a few seconds more: try again when the display is at rest.',
    },
    ru: {
      meaning: 'идёт оплата, или на дисплее её итог: ничего не начато',
      todo: 'начните, когда дисплей свободен',
      page: 'Идёт оплата, или её итог ещё несколько секунд на дисплее: повторите, когда дисплей освободится.',
    },
  }),
  'Device.PortTaken': refused({
    status: 409,
    again: 'mended',
    en: {
      meaning: 'another program on this machine listens on a port of the device; nothing was changed',
      todo: 'stop the program that `detail` names, or choose another port',
      page: 'Another program on this device uses the port: stop it, then try again.',
    },
    ru: {
      meaning: 'другая программа на этой машине занимает порт устройства; ничего не изменено',
      todo: 'остановите её (адрес в `detail`) или выберите другой порт',
      page: 'Порт занят другой программой на этом устройстве: остановите её и повторите.',
    },
  }),
  'Device.ConfigWrong': refused({
    status: 409,
    again: 'mended',
    en: {
      meaning: 'the configuration file is still invalid; the last valid configuration remains in use',
      todo: 'correct what `detail` names',
      page: 'The file is still invalid.',
    },
    ru: {
      meaning: 'файл конфигурации всё ещё неверен; действует последняя верная конфигурация',
      todo: 'исправьте то, что названо в `detail`',
      page: 'Файл всё ещё неверен.',
    },
  }),
  'Device.ConfigInForce': refused({
    status: 409,
    again: 'no',
    en: {
      meaning: 'the configuration file is in use: there is nothing to try',
      todo: 'restart the device where the file has changed',
      page: 'The file is in use.',
    },
    ru: {
      meaning: 'файл конфигурации уже действует: пробовать нечего',
      todo: 'если файл изменён, перезагрузите устройство',
      page: 'Файл уже действует.',
    },
  }),
  'Device.NoReport': refused({
    status: 404,
    again: 'no',
    en: {
      meaning: 'there is no report of this number: the last five are kept',
      todo: 'read which there are: `GET /console/api/self-test`',
      page: 'This report is no longer there: the last five are kept.',
    },
    ru: {
      meaning: 'отчёта с таким номером нет: хранятся последние пять',
      todo: 'какие есть, покажет `GET /console/api/self-test`',
      page: 'Этого отчёта уже нет: хранятся последние пять.',
    },
  }),
  'Device.SystemFailed': refused({
    status: 503,
    again: 'later',
    en: {
      meaning: 'the system could not do it, or did not answer',
      todo: 'check the outcome and read the log',
      page: 'The system could not do this, or did not answer: see the log.',
    },
    ru: {
      meaning: 'система не смогла этого сделать или не ответила',
      todo: 'проверьте, что получилось, и посмотрите журнал устройства',
      page: 'Система не смогла этого сделать или не ответила. Подробности — в журнале устройства.',
    },
  }),
} as const;
