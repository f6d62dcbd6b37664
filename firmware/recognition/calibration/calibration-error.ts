/**
 * - `SheetNotFound`: no code of the sheet is in the picture
 * - `SheetIncomplete`: some of them are not
 * - `SheetNotFlat`: they do not lie in one plane as they were printed
 * - `TooSlanted`: one end of the area is seen much larger than the other
 */
export type CalibrationErrorCode = 'SheetNotFound' | 'SheetIncomplete' | 'SheetNotFlat' | 'TooSlanted';

/** What was asked for could not be measured; what was measured before stays. */
export class CalibrationError extends Error {
  readonly code: CalibrationErrorCode;

  constructor(code: CalibrationErrorCode, message: string) {
    super(message);
    this.name = 'CalibrationError';
    this.code = code;
  }
}
