/**
 * The recognition device: camera frame to tray, tray to embedding, embedding to items with a verdict. It holds items,
 * templates, packages of them, feedback, and the calls of its port. It speaks to no bank and works without a network.
 */

export { type CameraConfig, GPIO_CONFIG, type GpioConfig, type ModelConfig, type RecognitionConfig } from './config.ts';
export { shippedModel } from './embedding/manifest.ts';
export type { Assignment } from './feedback/assignments.ts';
export { MAX_QUEUED, ReviewError, type UncertainAnswer } from './feedback/review-queue.ts';
export { sendJpeg } from './http/file-answers.ts';
export { cleanItem, ItemId, newItem } from './http/item-id.ts';
export { originalCalls } from './http/original/calls.ts';
export { addSystemRoutes } from './http/original/device.ts';
export type { SyncInfo } from './http/original/device-info.ts';
export { answerOf, OK, success } from './http/original/envelope.ts';
export { FORM_BYTES, formFailure, isPartAFile, passOverRest } from './http/package-upload.ts';
export { serveRecognition } from './http/port/server.ts';
export { ItemAnswer, itemAnswer, nameOrNull } from './http/v1/item-schemas.ts';
export { SurenessSchema, similarity, surenessOf, Warning } from './http/v1/sureness.ts';
export type { Now } from './http/v1/tray-schemas.ts';
export { ScannedCode } from './items/barcodes.ts';
export { ItemRecord, type ItemVersion, isLater, MOST_AHEAD, versionOf } from './items/item-versions.ts';
export type { Items } from './items/items.ts';
export { PRINTED_REFUSALS, type PrintedCode, type PrintedCodes, type PrintedRefusal } from './items/printed-codes.ts';
export { type DeletionMarks, type DeletionProgress, notMaster } from './model/deletion-marks.ts';
export { withFailureCodes } from './model/failures.ts';
export { isCleanId } from './model/item-id.ts';
export { MAX_BARCODES, MAX_NAME_CHARACTERS, MAX_PLU_CHARACTERS, MAX_WEIGHT_GRAMS } from './model/item-limits.ts';
export { GRAMS_PRINTED, KOPECKS_PRINTED, PrintedLayout, printedAs } from './model/printed-layout.ts';
export { type CodeName, RECOGNITION_PROBLEMS, RecognitionError, StoreRefusal } from './model/recognition-error.ts';
export type { Revision } from './model/revision.ts';
export type { Change } from './model/template.ts';
export { byAge, inTurns, type TemplateName, type WholeTemplate } from './model/template.ts';
export { openVision } from './service/open-vision.ts';
export { type MovableClock, Recognition, type RecognitionOptions } from './service/recognition.ts';
export { type LentPins, TrayPins } from './service/tray-pins.ts';
export { MAX_LAYOUTS } from './storage/settings.ts';
export type { TemplateExchange, Tombstone } from './templates/exchange.ts';
export { MAX_CROP_BYTES, PackageLineSchema } from './templates/package-format.ts';
export { isTemplateCrop, isTemplateVector } from './templates/template-rows.ts';
