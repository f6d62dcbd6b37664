/**
 * @import { Static } from 'typebox'
 * @import { FormsAnswer } from '../../../terminal/http/v1/forms.ts'
 * @import { SettingsObject } from '../../../terminal/settings/settings-document.ts'
 */

/** @typedef {Static<typeof FormsAnswer>} Forms */
/** @typedef {Forms['banks'][number]} BankForm */
/** @typedef {BankForm['fields'][number]} FieldForm */
/** @typedef {SettingsObject} Settings */

export {};
