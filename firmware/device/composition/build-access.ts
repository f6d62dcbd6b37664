/** The parts of access to the device: tokens, sign-in, the code on the display, and pairing by the boot partition. */
import { BootSettings, openClaims, openSignIn, openTokens } from '../../core/access/index.ts';
import { displaySign } from '../../payments/index.ts';
import { bootPairing } from '../../sync/index.ts';
import type { Opened } from './joining.ts';
import type { Has } from './whole.ts';

/** Tokens, sign-in, and the settings from the boot partition. */
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
    await bootSettings.storeChosenTokens();
    return [{ tokens, signIn, bootSettings }, { close: () => signIn.close() }];
  },
};

/** The code on the display by which a technician gets a first token. */
export const claim = {
  name: 'claim',
  open: ({ base, terminal, tokens }: Has<'base' | 'terminal' | 'tokens'>): Opened<Has<'claims'>> => {
    const claims = openClaims(base, tokens, (address) => displaySign(terminal, address));
    if (claims !== null) terminal.screen.onChange(() => claims.displayChanged());
    return [{ claims }, { serve: () => claims?.begin(), close: () => claims?.close() }];
  },
};

/** Pairs with the master that the boot partition names. */
export const pairing = {
  name: 'pairing',
  open: ({ bootSettings, sync }: Has<'bootSettings' | 'sync'>): Opened<object> => [
    {},
    { start: () => bootSettings.pairWith(bootPairing(sync)), close: () => bootSettings.close() },
  ],
};
