/**
 * @import { Static } from 'typebox'
 * @import { TriedAnswer } from '../../../terminal/http/v1/bank-test-route.ts'
 * @import { FormsAnswer } from '../../../terminal/http/v1/forms.ts'
 * @import { SettingsObject } from '../../../terminal/settings/settings-document.ts'
 */

/** @typedef {Static<typeof FormsAnswer>} Forms */
/** @typedef {Forms['banks'][number]['fields'][number]} FieldForm */
/** @typedef {Static<typeof TriedAnswer>} Tried */
/** @typedef {SettingsObject} Settings */

export {};
