/**
 * The recognition device: camera frame to tray, tray to embedding, embedding to items with a verdict. It holds items,
 * templates, packages of them, feedback, and the calls of its port. It speaks to no bank and works without a network.
 */
export { CODES, type CodeName, RecognitionError, StoreRefusal } from './codes.ts';
export { type DeletionMarks, type DeletionProgress, notMaster } from './deletion-marks.ts';
export { Embedder } from './embedding/embedder.ts';
export { SHIPPED_MODEL_SEES } from './embedding/manifest.ts';
export { withFailureCodes } from './failures.ts';
export { ItemAnswer, itemAnswer } from './http/item-schemas.ts';
export { addSystemRoutes } from './http/original-device.ts';
export { answerOf, ItemId, originalCalls, STANDALONE, type SyncInfo } from './http/original-schemas.ts';
export { FORM_BYTES, formFailure, isPartAFile, passOverRest } from './http/package-upload.ts';
export { RECOGNITION_PROBLEMS, recognitionEnvelope, recognitionProblems } from './http/problem.ts';
export { cleanItem } from './http/requests.ts';
export { addRecognitionRoutes } from './http/router.ts';
export type { Now } from './http/tray-schemas.ts';
export { ScannedCode } from './items/barcodes.ts';
export { MAX_BARCODES, MAX_NAME_CHARACTERS, MAX_PLU_CHARACTERS, MAX_WEIGHT_GRAMS } from './items/item-limits.ts';
export { type ItemVersion, ItemWord, isLater, MOST_AHEAD, versionOf } from './items/item-versions.ts';
export type { Items } from './items/items.ts';
export { PRINTED_REFUSALS, type PrintedCode, type PrintedCodes, type PrintedRefusal } from './items/printed-codes.ts';
export { GRAMS_PRINTED, KOPECKS_PRINTED, PrintedLayout, printedAs } from './items/printed-layout.ts';
export type { Revision } from './items/revision.ts';
export { Recognition } from './recognition.ts';
export type { MovableClock, RecognitionOptions } from './recognition-parts.ts';
export { MAX_LAYOUTS } from './settings.ts';
export type { TemplateExchange, Tombstone } from './templates/exchange.ts';
export { isCleanId, MAX_CROP_BYTES, PackageLineSchema } from './templates/package-format.ts';
export {
  byAge,
  inTurns,
  isTemplateCrop,
  isTemplateVector,
  type TemplateName,
  type WholeTemplate,
} from './templates/template-rows.ts';
export type { Change } from './templates/templates.ts';
export { type LentPins, TrayPins } from './tray-pins.ts';
