/**
 * @import { Static } from 'typebox'
 * @import { TriedAnswer } from '../../../payments/http/bank-test-route.ts'
 * @import { FormsAnswer } from '../../../payments/http/forms.ts'
 * @import { SettingsObject } from '../../../payments/settings/settings-document.ts'
 */

/** @typedef {Static<typeof FormsAnswer>} Forms */
/** @typedef {Forms['banks'][number]['fields'][number]} FieldForm */
/** @typedef {Static<typeof TriedAnswer>} Tried */
/** @typedef {SettingsObject} Settings */

export {};
