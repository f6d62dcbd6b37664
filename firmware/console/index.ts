/**
 * The web pages: the operator console, the customer display, and the calls under `/console/api` that only they and `lanectl`
 * make. Only `device/` and `lanectl/` use this module.
 */

export type { PinList } from './api/access-routes.ts';
export { addConsole } from './calls.ts';
export { openPages, type PageFiles } from './page-files.ts';
export { bankWords, wordsIn } from './words.ts';
