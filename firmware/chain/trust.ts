/** Whose signatures a device accepts of what lies at its chain: the master of its store sends them, for it alone has joined. */
import Type, { type Static } from 'typebox';

const MAX_KEY_BYTES = 1024;

export const TrustSchema = Type.Object({
  /** Public key of the account of the store, at the hub. */
  account: Type.String({ pattern: '^A[A-Z2-7]{55}$' }),
  /** Ed25519, PEM. */
  signingKey: Type.String({ minLength: 1, maxLength: MAX_KEY_BYTES }),
});
export type Trust = Readonly<Static<typeof TrustSchema>>;
