/**
 * The start of a JPEG of one pixel, up to its frame header: of a crop the device checks no more before it stores it.
 */
export const JPEG_START = Buffer.from('ffd8ffc0000b080001000101011100ff', 'hex');
