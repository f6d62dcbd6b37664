/**
 * The device's data for pages: the words of each code in a language, remedies of reasons in `/health`, limits,
 * languages and features. A clone composes files of them at each request; a release has the files ready
 * (`scripts/release/bundle/pages.mjs`).
 */

import { DISPLAY_ERRORS } from '../../drivers/display/error-records.ts';
import { DEFAULT_LANGUAGE, DISPLAY_LANGUAGES, LANGUAGES, type Language, LOCALES } from '../../drivers/lib/languages.ts';
import type { ErrorRecord, ErrorRecords, ReasonRecord, Words } from '../../drivers/lib/records.ts';
import { BANK_ERRORS, CERTIFICATE_ERRORS } from '../banks/error-records.ts';
import { BANK_REASONS } from '../banks/reason-records.ts';
import { LONGEST_PIN, SHORTEST_PIN } from '../core/access/index.ts';
import { ACCESS_ERRORS, ACCESS_REASONS } from '../core/access/records.ts';
import { AUDIT_REASONS } from '../core/audit/reason-records.ts';
import { BOARD_REASONS } from '../core/board/reason-records.ts';
import { MAX_AMOUNT_KOPECKS, MAX_PURPOSE_CHARACTERS, MOST_REPORT_DAYS } from '../core/config/index.ts';
import { CONFIG_REASONS } from '../core/config/reason-records.ts';
import { MAX_SHOP_CHARACTERS } from '../core/host/index.ts';
import { DEVICE_ERRORS, HOST_REASONS } from '../core/host/records.ts';
import { COMMON_ERRORS, RANK_ERRORS } from '../core/http/error-records.ts';
import { MAX_ID } from '../core/schema/index.ts';
import { TABLE_ERRORS } from '../core/tables/error-records.ts';
import { TLS_REASONS } from '../core/tls/reason-records.ts';
import { MIN_PASSPHRASE } from '../features/backup/index.ts';
import { FEATURE_ERRORS, FEATURE_REASONS, FEATURES } from '../features.ts';
import { MAX_FIELD_LENGTH, MAX_NOTE_CHARACTERS, MAX_PROFILE_NAME, TERMINAL_REASONS } from '../payments/index.ts';
import { PAYMENT_ERRORS, SETTINGS_FIELD_ERRORS } from '../payments/model/error-records.ts';
import { ORIGINAL_ERRORS } from '../payments/model/original-error-records.ts';
import { MAX_BARCODES, MAX_NAME_CHARACTERS, MAX_PLU_CHARACTERS, MAX_WEIGHT_GRAMS } from '../recognition/index.ts';
import { ITEM_FILE_ERRORS, RECOGNITION_ERRORS } from '../recognition/model/error-records.ts';
import { RECOGNITION_REASONS } from '../recognition/model/reason-records.ts';
import { SYNC_REASONS } from '../sync/reason-records.ts';
import { MAX_CODE_CHARACTERS, MAX_OWN_TOKEN_CHARACTERS } from './api/claim-routes.ts';
import { MAX_SEARCH_CHARACTERS } from './api/log-routes.ts';
import { MAX_DEVICE_NAME_CHARACTERS } from './api/machine-routes.ts';
import { MAX_TOKEN_CHARACTERS } from './api/session-routes.ts';

/** What pages say where an answer has a sub-reason, which tells more than its code. */
export const SUB_REASONS = {
  ...RANK_ERRORS,
  ...TABLE_ERRORS,
  ...CERTIFICATE_ERRORS,
  ...SETTINGS_FIELD_ERRORS,
  ...ITEM_FILE_ERRORS,
} satisfies ErrorRecords;

const ERRORS = {
  ...SUB_REASONS,
  ...COMMON_ERRORS,
  ...DISPLAY_ERRORS,
  ...ORIGINAL_ERRORS,
  ...BANK_ERRORS,
  ...PAYMENT_ERRORS,
  ...RECOGNITION_ERRORS,
  ...ACCESS_ERRORS,
  ...FEATURE_ERRORS,
  ...DEVICE_ERRORS,
} satisfies Readonly<Record<string, ErrorRecord>>;

/** All reasons of `/health`, in one table. */
export const REASONS = {
  ...TERMINAL_REASONS,
  ...BANK_REASONS,
  ...RECOGNITION_REASONS,
  ...SYNC_REASONS,
  ...FEATURE_REASONS,
  ...ACCESS_REASONS,
  ...TLS_REASONS,
  ...AUDIT_REASONS,
  ...BOARD_REASONS,
  ...HOST_REASONS,
  ...CONFIG_REASONS,
} satisfies Readonly<Record<string, ReasonRecord>>;

/** The pages' words for each code. */
export const codeWords = (language: Language): Readonly<Record<string, Words>> => ({
  ...Object.fromEntries(
    Object.entries(ERRORS).flatMap(([code, { page }]) => (page === null ? [] : [[`problem.${code}`, page[language]]])),
  ),
  ...Object.fromEntries(Object.entries(REASONS).map(([code, { words }]) => [`reason.${code}`, words[language]])),
});

/** Limits of what a person may type or request, the same as in the schemas of the calls. */
const LIMITS = {
  kopecks: MAX_AMOUNT_KOPECKS,
  purpose: MAX_PURPOSE_CHARACTERS,
  note: MAX_NOTE_CHARACTERS,
  soughtPayment: MAX_ID,
  profileName: MAX_PROFILE_NAME,
  connectionField: MAX_FIELD_LENGTH,
  shortestPin: SHORTEST_PIN,
  longestPin: LONGEST_PIN,
  token: MAX_TOKEN_CHARACTERS,
  ownToken: MAX_OWN_TOKEN_CHARACTERS,
  claimCode: MAX_CODE_CHARACTERS,
  deviceName: MAX_DEVICE_NAME_CHARACTERS,
  shortestPassphrase: MIN_PASSPHRASE,
  logText: MAX_SEARCH_CHARACTERS,
  shop: MAX_SHOP_CHARACTERS,
  reportDays: MOST_REPORT_DAYS,
  itemId: MAX_PLU_CHARACTERS,
  itemName: MAX_NAME_CHARACTERS,
  barcodes: MAX_BARCODES,
  pieceGrams: MAX_WEIGHT_GRAMS,
};

/** The data that pages need in addition to their own files. */
export const PAGE_DATA = Object.freeze({
  languages: { LANGUAGES, DISPLAY_LANGUAGES, LOCALES, DEFAULT_LANGUAGE },
  words: codeWords,
  limits: LIMITS,
  features: FEATURES.map(({ name }) => name),
  remedies: Object.fromEntries(
    Object.entries(REASONS).flatMap(([code, { remedy }]) => (remedy === null ? [] : [[code, remedy]])),
  ),
});
