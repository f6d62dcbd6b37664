/** A JPEG of one pixel that holds whatever bytes a test wants: of a template's picture the device checks the markers alone. */
const SEGMENT_BYTES = 65_000;
const START = Buffer.from('ffd8', 'hex');
const COMMENT = 0xfffe;
/** Quantisation tables, frame header, scan header, one byte of a scan, end. */
const REST = Buffer.from('ffdb000300ffc0000b080001000101011100ffda0008010100003f0000ffd9', 'hex');

function commentOf(bytes: Uint8Array): Buffer {
  const head = Buffer.alloc(4);
  head.writeUInt16BE(COMMENT);
  head.writeUInt16BE(bytes.length + 2, 2);
  return Buffer.concat([head, bytes]);
}

/** @param bytes what its comments hold */
export function madeUpJpeg(bytes: Uint8Array = Buffer.alloc(1)): Buffer {
  const comments: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += SEGMENT_BYTES)
    comments.push(commentOf(bytes.subarray(at, at + SEGMENT_BYTES)));
  return Buffer.concat([START, ...comments, REST]);
}
