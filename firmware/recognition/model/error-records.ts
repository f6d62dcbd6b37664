/** Codes of refused calls of recognition: those of camera and model, and all others by their subjects. */
import { ITEM_ERRORS } from './item-error-records.ts';
import { numbered } from './numbered-error-records.ts';
import { STORE_ERRORS } from './store-error-records.ts';
import { TEMPLATE_ERRORS } from './template-error-records.ts';
import { TRAY_ERRORS } from './tray-error-records.ts';

export { ITEM_FILE_ERRORS } from './item-error-records.ts';

const SIGHT_ERRORS = {
  'Camera.Lost': numbered({
    number: -6103,
    status: 503,
    again: 'later',
    en: {
      meaning: 'the camera is not connected',
      todo: 'call the technician; see `/health`',
      page: 'No camera: Health says why. The device reconnects automatically.',
    },
    ru: {
      meaning: 'камера не подключена',
      todo: 'позовите техника; подробности — в `/health`',
      page: 'Нет камеры: причина — в «Состоянии». Устройство подключится само.',
    },
  }),
  'Camera.NoPicture': numbered({
    number: -6308,
    status: 503,
    again: 'later',
    en: {
      meaning: 'no usable picture yet',
      todo: 'wait a second',
      page: 'No picture from the camera yet.',
    },
    ru: {
      meaning: 'пригодного изображения пока нет',
      todo: 'подождите секунду',
      page: 'Изображения с камеры пока нет.',
    },
  }),
  'Camera.NotDrawn': numbered({
    number: -6320,
    status: 404,
    again: 'no',
    en: {
      meaning: 'the device has a camera or uses a folder of pictures: it has no drawn tray',
      todo: 'put the item under the camera',
      page: 'This device has no drawn tray: put the item under the camera.',
    },
    ru: {
      meaning: 'у устройства есть камера или папка со снимками: нарисованного лотка нет',
      todo: 'положите товар под камеру',
      page: 'На этом устройстве нет нарисованного лотка: положите товар под камеру.',
    },
  }),
  'Model.NotReady': numbered({
    number: -6209,
    status: 503,
    again: 'later',
    en: {
      meaning: 'the model is loading, or takes too long',
      todo: 'wait a second',
      page: 'The model is not ready yet. Try again in a moment.',
    },
    ru: {
      meaning: 'модель загружается или не успевает ответить',
      todo: 'подождите секунду',
      page: 'Модель ещё не готова. Попробуйте чуть позже.',
    },
  }),
} as const;

export const RECOGNITION_ERRORS = {
  ...ITEM_ERRORS,
  ...TEMPLATE_ERRORS,
  ...TRAY_ERRORS,
  ...STORE_ERRORS,
  ...SIGHT_ERRORS,
} as const;
