/**
 * Sound cards of this machine, by the kernel's lists. Sources: `/proc/asound/cards` and `/proc/asound/pcm`,
 * https://docs.kernel.org/sound/designs/procfile.html
 */
import { accessSync, constants, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isCode } from '../../../drivers/lib/errors.ts';

/** A device of a card that plays. */
export interface Speaker {
  /** For the player: `plughw:CARD=Headphones,DEV=0`. */
  readonly name: string;
  /** What the card is called: `bcm2835 Headphones`. */
  readonly title: string;
}

/** ` 1 [Headphones     ]: bcm2835_headpho - bcm2835 Headphones` */
const CARD = /^ *(\d+) \[(\S+) *\]: .*? - (.*)$/gm;
/** `01-00: bcm2835 Headphones : bcm2835 Headphones : playback 8` */
const PLAYING = /^(\d+)-(\d+): .*: playback \d+/gm;

export class SoundCards {
  readonly #root: string;

  /** @param root before `/proc` and `/dev`; empty on a machine */
  constructor(root = '') {
    this.#root = root;
  }

  get speakers(): Speaker[] {
    const cards = this.#cards;
    return [...this.#list('pcm').matchAll(PLAYING)].flatMap(([, number, device]) => {
      const card = cards.find((each) => each.number === Number(number));
      return card === undefined
        ? []
        : [{ name: `plughw:CARD=${card.id},DEV=${Number(device)}`, title: card.title.trim() }];
    });
  }

  /** Whether the card of a device is there; null for a device whose name says no card. */
  has(device: string): boolean | null {
    const id = cardOf(device);
    return id === null ? null : this.#cards.some((card) => card.id === id);
  }

  /** Whether the card of a device is there, and this process may not use it. */
  isDenied(device: string): boolean {
    const id = cardOf(device);
    const card = this.#cards.find((each) => each.id === id);
    if (card === undefined) return false;
    try {
      accessSync(join(this.#root, `/dev/snd/controlC${card.number}`), constants.R_OK | constants.W_OK);
      return false;
    } catch (error) {
      return isCode(error, 'EACCES', 'EPERM');
    }
  }

  get #cards() {
    return [...this.#list('cards').matchAll(CARD)].map(([, number, id = '', title = '']) => ({
      number: Number(number),
      id,
      title,
    }));
  }

  /** Empty on a machine without sound. */
  #list(name: 'cards' | 'pcm'): string {
    try {
      return readFileSync(join(this.#root, '/proc/asound', name), 'utf8');
    } catch (error) {
      if (isCode(error, 'ENOENT', 'ENOTDIR', 'EACCES')) return '';
      throw error;
    }
  }
}

const cardOf = (device: string): string | null => /:CARD=([\w-]+)/.exec(device)?.[1] ?? null;
