/** Cuts what a display sends into replies: chunks may be of any size, and bytes may be garbage. */

/** No known reply is near this long; without a bound, a line that floats would fill the memory. */
const MAX_REPLY_BYTES = 256;

/**
 * @param end byte that ends a reply
 * @param onReply gets each reply as latin1 text without its terminator; empty ones are left out, and one that is longer
 * than 256 bytes comes in pieces
 * @returns the function to give the received bytes to
 */
export async function createReplyReader(
  end: number,
  onReply: (latin1: string) => void,
): Promise<(bytes: Uint8Array) => void> {
  const { ReadlineParser } = await import('@serialport/parser-readline');
  const parser = new ReadlineParser({ delimiter: [end], encoding: 'latin1' });
  parser.on('data', (reply: string) => onReply(reply));
  let open = 0;

  return (bytes) => {
    for (let start = 0; start < bytes.length; ) {
      const piece = bytes.subarray(start, start + MAX_REPLY_BYTES - open);
      parser.write(piece);
      start += piece.length;
      const last = piece.lastIndexOf(end);
      open = last === -1 ? open + piece.length : piece.length - last - 1;
      if (open >= MAX_REPLY_BYTES) {
        parser.write(Uint8Array.of(end));
        open = 0;
      }
    }
  };
}
