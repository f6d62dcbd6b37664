/**
 * @import { Static } from 'typebox'
 * @import { TriedAnswer } from '../../../terminal/http/bank-test-route.ts'
 * @import { FormsAnswer } from '../../../terminal/http/forms.ts'
 * @import { SettingsObject } from '../../../terminal/settings/settings-document.ts'
 */

/** @typedef {Static<typeof FormsAnswer>} Forms */
/** @typedef {Forms['banks'][number]['fields'][number]} FieldForm */
/** @typedef {Static<typeof TriedAnswer>} Tried */
/** @typedef {SettingsObject} Settings */

export {};
