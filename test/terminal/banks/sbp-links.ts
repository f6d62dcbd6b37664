/** Links of the payment system as banks make them, for tests. */
import { crc16 } from '../../../firmware/banks/sbp-link.ts';

export interface SbpLinkInput {
  readonly host?: string;
  readonly id: string;
  /** Many payments, one payment, a subscription. */
  readonly type: '01' | '02' | '03';
  readonly bank: string;
  /** Kopecks. */
  readonly sum?: number;
  /** Only beside `sum`; `RUB` unless given. */
  readonly cur?: string;
}

export const signed = (link: string): string =>
  `${link}&crc=${crc16(link).toString(16).toUpperCase().padStart(4, '0')}`;

export function buildSbpLink({ host = 'qr.nspk.ru', id, type, bank, sum, cur = 'RUB' }: SbpLinkInput): string {
  const amount = sum === undefined ? '' : `&sum=${sum}&cur=${cur}`;
  return signed(`https://${host}/${id}?type=${type}&bank=${bank}${amount}`);
}
