/**
 * A record with the number that the calls of the original device answer: a negative code of the device family where one
 * fits (docs/sources.md, "The recognition interface: error codes"), our own from -6301 on. Several codes may have one
 * number.
 */
import { type Refusal, refused } from '../../../drivers/lib/records.ts';

export const numbered = ({ number, ...refusal }: Refusal & { readonly number: number }) => ({
  ...refused(refusal),
  number,
});
