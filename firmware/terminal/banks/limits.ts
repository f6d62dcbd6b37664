/** What a payment may ask of a bank, within what the interface allows. */
import { TerminalError } from '../errors.ts';
import type { BankAdapter } from './adapter.ts';

/** @throws {TerminalError} 400 naming the field, its limit and the bank; nothing has changed then */
export function mustFitBank(
  { name, limits }: Pick<BankAdapter, 'name' | 'limits'>,
  { amount, ttl }: { readonly amount: number; readonly ttl: number },
): void {
  if (amount < limits.minAmount) throw TerminalError.invalid('amount', `must be >= ${limits.minAmount} at ${name}`);
  if (amount > limits.maxAmount) throw TerminalError.invalid('amount', `must be <= ${limits.maxAmount} at ${name}`);
  if (ttl > limits.maxTtlMinutes) throw TerminalError.invalid('ttl', `must be <= ${limits.maxTtlMinutes} at ${name}`);
}
