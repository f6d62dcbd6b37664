/** The beginning of a JPEG of one pixel, up to its frame header: no more of a crop is looked at before it is stored. */
export const JPEG_START = Buffer.from('ffd8ffc0000b080001000101011100ff', 'hex');
