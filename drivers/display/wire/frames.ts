/**
 * The wire protocol of the Mertech QR display family: the same bytes over UART and over BLE.
 *
 *     command   02 F0 03  <ASCII>                 03
 *     QR        02 F2 02  lenHi lenLo  <UTF-8>    02 F2 03
 *
 * The length is big-endian and counts bytes. The vendor publishes no document; the source is what four public clients
 * all send: github.com/402d/qrdisplay-sdk (`MertechQrDisplay.java`), github.com/EugeneMir89/mertechQRdisplay,
 * github.com/sergw3x/mertech_qr (`main.go`) and KkmServer's `MertechQrPay`. Where they differ, the form that counts
 * bytes and always clears before a QR is used here.
 */
import type { Picture } from '../contract.ts';
import { payloadBytes } from '../payload.ts';

export const COMMAND_PREFIX: readonly number[] = Object.freeze([0x02, 0xf0, 0x03]);
export const QR_PREFIX: readonly number[] = Object.freeze([0x02, 0xf2, 0x02]);
export const QR_SUFFIX: readonly number[] = Object.freeze([0x02, 0xf2, 0x03]);
export const TERMINATOR = 0x03;
/** The byte that ends a reply. */
export const REPLY_END: number = TERMINATOR;
/** The acknowledging byte of the scanner family, whose command form the display shares. */
export const ACK = 0x06;

export const COMMANDS = Object.freeze({
  clear: 'CLS',
  success: 'correct',
  failure: 'mistake',
});
export type CommandName = keyof typeof COMMANDS;

export function encodeCommand(name: CommandName): Uint8Array {
  return Uint8Array.from([...COMMAND_PREFIX, ...new TextEncoder().encode(COMMANDS[name]), TERMINATOR]);
}

/** @throws {DisplayError} `payload` */
export function encodeQr(kind: string, payload: string): Uint8Array {
  const bytes = payloadBytes(kind, payload);
  return Uint8Array.from([...QR_PREFIX, bytes.length >> 8, bytes.length & 0xff, ...bytes, ...QR_SUFFIX]);
}

/**
 * The frames that replace the present picture by `picture`. A Clear always comes before a QR: the display itself does
 * not wipe a larger code under a smaller one.
 * @throws {DisplayError} `payload`
 */
export function encodePicture(kind: string, picture: Picture): readonly Uint8Array[] {
  if (picture.kind === 'clear') return [encodeCommand('clear')];
  if (picture.kind === 'status') return [encodeCommand(picture.status === 'waiting' ? 'clear' : picture.status)];
  return [encodeCommand('clear'), encodeQr(kind, picture.payload)];
}

/** The first frames of a new connection: Clear, and then the picture. @throws {DisplayError} `payload` */
export function encodeAfresh(kind: string, picture: Picture): readonly Uint8Array[] {
  const frames = encodePicture(kind, picture);
  return picture.kind === 'status' ? [encodeCommand('clear'), ...frames] : frames;
}

/** Of a longer reply only the two ends are logged: it may repeat the payload, which no log may hold. */
const MAX_WHOLE_REPLY_BYTES = 32;
const REPLY_END_BYTES = 8;

interface Reply {
  readonly bytes: number;
  /** The bytes before the terminator, in hexadecimal: they are logged while the format of replies is unknown. */
  readonly hex: string;
  /** The printable part. */
  readonly text: string;
  readonly acknowledged: boolean;
}

/**
 * Reads one answer, without its terminator. No source says what displays answer; the likely form is the echoed command
 * and 06. So any text is a reply, no reply is required, and nothing depends on a reply.
 */
export function readReply(latin1: string): Reply {
  const whole = Buffer.from(latin1, 'latin1');
  const long = whole.length > MAX_WHOLE_REPLY_BYTES;
  const ends = [whole.subarray(0, REPLY_END_BYTES), whole.subarray(-REPLY_END_BYTES)];
  const logged = long ? ends : [whole];
  return Object.freeze({
    bytes: whole.length,
    hex: logged.map((part) => part.toString('hex')).join('…'),
    text: logged.map((part) => part.toString('latin1').replace(/[^\x20-\x7e]/g, '')).join('…'),
    acknowledged: whole.includes(ACK),
  });
}
