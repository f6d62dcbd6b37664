/** Opens the access to the device. */
import { BootSettings, openClaims, openSignIn, openTokens } from '../../core/access/index.ts';
import { displaySign } from '../../payments/index.ts';
import { bootPairing } from '../../sync/index.ts';
import type { Opened } from './joining.ts';
import type { Has } from './whole.ts';

/** Who may call, and what the boot partition has handed over. */
export const access = {
  name: 'access',
  open: async ({
    base,
    sealer,
  }: Has<'base' | 'sealer'>): Promise<Opened<Has<'tokens' | 'signIn' | 'bootSettings'>>> => {
    const { dataDir, clock, health, log } = base;
    const tokens = openTokens(base, sealer);
    const signIn = openSignIn(base, sealer, tokens);
    const bootSettings = new BootSettings(dataDir.file('handed-over.json'), tokens, clock, health, log);
    await bootSettings.takeTokens();
    return [{ tokens, signIn, bootSettings }, { close: () => signIn.close() }];
  },
};

/** A technician's first token, by a code on the display. */
export const claim = {
  name: 'claim',
  open: ({ base, terminal, tokens }: Has<'base' | 'terminal' | 'tokens'>): Opened<Has<'claims'>> => {
    const claims = openClaims(base, tokens, (address) => displaySign(terminal, address));
    if (claims !== null) terminal.screen.onChange(() => claims.displayChanged());
    return [{ claims }, { serve: () => claims?.begin(), close: () => claims?.close() }];
  },
};

/** The master that the boot partition names. */
export const pairing = {
  name: 'pairing',
  open: ({ bootSettings, sync }: Has<'bootSettings' | 'sync'>): Opened<object> => [
    {},
    { start: () => bootSettings.pairWith(bootPairing(sync)), close: () => bootSettings.close() },
  ],
};
