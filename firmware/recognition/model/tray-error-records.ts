/** Codes of refused calls about the tray, and about answers to what was recognised on it. */
import { refused } from '../../../drivers/lib/records.ts';
import { numbered } from './numbered-error-records.ts';

export const TRAY_ERRORS = {
  'Tray.Empty': numbered({
    number: -6308,
    status: 409,
    again: 'mended',
    en: {
      meaning: 'the tray is empty',
      todo: 'put the item on it and retry',
      page: 'The tray is empty: put an item on it.',
    },
    ru: {
      meaning: 'лоток пуст',
      todo: 'положите товар и повторите',
      page: 'Лоток пуст: положите на него товар.',
    },
  }),
  'Tray.NotEmpty': numbered({
    number: -6317,
    status: 409,
    again: 'mended',
    en: {
      meaning: 'something is on the tray, so it was not learned as empty; the earlier one stays',
      todo: 'take everything off, hands too, and retry; if the tray itself has changed, have a person check the picture, then send it with `things=ignore`',
      page: 'There is something on the tray, so nothing was learned. Take everything off, your hand too, and press again.',
    },
    ru: {
      meaning: 'на лотке что-то есть, поэтому пустым он не запомнен; прежний остаётся',
      todo: 'уберите всё, и руку тоже, и повторите; если изменился сам лоток, пусть человек посмотрит на снимок, затем отправьте с `things=ignore`',
      page: 'На лотке что-то есть, поэтому ничего не запомнено. Уберите всё, и руку тоже, и нажмите ещё раз.',
    },
  }),
  'Tray.NotLearned': numbered({
    number: -6318,
    status: 404,
    again: 'no',
    en: {
      meaning: 'the empty tray has not been learned',
      todo: '`PUT /console/api/camera/empty-tray`',
      page: 'The empty tray has not been learned.',
    },
    ru: {
      meaning: 'пустой лоток ещё не запоминали',
      todo: '`PUT /console/api/camera/empty-tray`',
      page: 'Пустой лоток ещё не запоминали.',
    },
  }),
  'Recognition.AnsweredOtherwise': numbered({
    number: -6310,
    status: 409,
    again: 'no',
    en: {
      meaning: 'this recognition already has other feedback, which stands',
      todo: 'recognise again',
      page: 'This picture was answered differently before, and that answer stands. Try again.',
    },
    ru: {
      meaning: 'для этого распознавания уже есть другой отзыв, и он в силе',
      todo: 'распознайте ещё раз',
      page: 'На этот снимок уже дали другой ответ, и он в силе. Снимите ещё раз.',
    },
  }),
  'Recognition.NotFound': numbered({
    number: -6310,
    status: 404,
    again: 'no',
    en: {
      meaning: 'no recognition of the last 15 minutes has this id, or it has no such `thing`',
      todo: 'recognise again',
      page: 'This picture is too old. Try again.',
    },
    ru: {
      meaning: 'за последние 15 минут такого распознавания не было, или в нём нет такого `thing`',
      todo: 'распознайте ещё раз',
      page: 'Этот снимок слишком старый. Снимите ещё раз.',
    },
  }),
  'Uncertain.NotFound': refused({
    status: 404,
    again: 'no',
    en: {
      meaning: 'this answer, or its assignment, is no longer kept',
      todo: '`GET /console/api/recognition/uncertain` and `GET /v1/contradictions` list what is kept',
      page: 'One of these pictures is no longer kept. Check the list again.',
    },
    ru: {
      meaning: 'этот ответ или его разбор больше не хранится',
      todo: 'что есть, покажут `GET /console/api/recognition/uncertain` и `GET /v1/contradictions`',
      page: 'Одного из этих снимков уже нет. Посмотрите список снова.',
    },
  }),
  'Uncertain.AnsweredOtherwise': refused({
    status: 409,
    again: 'no',
    en: {
      meaning: 'one of the answers was assigned differently before; nothing was added',
      todo: 'leave it out, or undo the assignment (`DELETE /console/api/recognition/uncertain/assignments/{id}`)',
      page: 'One of these pictures was assigned differently before. Nothing was added: check the list again.',
    },
    ru: {
      meaning: 'один из ответов уже отнесли к другому товару; ничего не добавлено',
      todo: 'уберите его или отмените это (`DELETE /console/api/recognition/uncertain/assignments/{id}`)',
      page: 'Один из этих снимков уже отнесли к другому товару. Ничего не добавлено: посмотрите список снова.',
    },
  }),
} as const;
