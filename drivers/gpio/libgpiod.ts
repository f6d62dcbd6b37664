/**
 * Pins of a Raspberry Pi through libgpiod's programs, for kernels without GPIO files: a `gpioset` holds each level for as long as it
 * runs, and a `gpiomon` writes a line for each edge of the button.
 */
import { ButtonEdges } from './button-edges.ts';
import { answerOf, type Chip, edgeOf, findChip } from './gpiod-programs.ts';
import { KEPT_TIMING, KeptProgram } from './kept-program.ts';
import type { OnTrouble, Pin, PinFactory } from './pins.ts';

export function libgpiodPins(env: NodeJS.ProcessEnv, timing = KEPT_TIMING): PinFactory {
  let chip: Promise<Chip> | null = null;
  const theChip = (): Promise<Chip> => {
    chip ??= findChip(env);
    return chip;
  };
  /** A chip may have come back under another name. */
  const forgetting =
    (onTrouble: OnTrouble): OnTrouble =>
    (reason) => {
      if (reason !== null) chip = null;
      onTrouble(reason);
    };
  return {
    kind: 'libgpiod',
    output(bcm, onTrouble): Pin {
      let level: 0 | 1 = 0;
      let held: Chip | null = null;
      const kept = new KeptProgram({
        findChip: theChip,
        command(found) {
          held = found;
          return found.edition.hold(found.name, bcm, level);
        },
        onTrouble: forgetting(onTrouble),
        onLine: () => true,
        onEnd: () => {},
        env,
        timing,
      });
      return {
        readSync: () => level,
        writeSync(value) {
          if (value === level) return;
          level = value;
          kept.replace();
        },
        watch: () => {},
        /** A kernel may leave a released line at its last level, so that level is set first. */
        async giveBack() {
          await kept.close();
          if (held === null) return;
          const { trouble } = await answerOf(held.edition.set(held.name, bcm, level), env);
          if (trouble !== '') throw new Error(trouble);
        },
      };
    },
    button(bcm, onTrouble): Pin {
      let callback: Parameters<Pin['watch']>[0] = () => {};
      const edges = new ButtonEdges(() => callback(null, 1));
      const kept = new KeptProgram({
        findChip: theChip,
        command: ({ name, edition }) => edition.watch(name, bcm),
        onTrouble: forgetting(onTrouble),
        onLine(line) {
          const edge = edgeOf(line);
          if (edge !== null) edges.take(edge);
          return edge !== null;
        },
        onEnd: () => edges.lose(),
        env,
        timing,
      });
      return {
        readSync: () => edges.level,
        writeSync: () => {},
        watch: (heard) => {
          callback = heard;
        },
        async giveBack() {
          edges.lose();
          await kept.close();
        },
      };
    },
  };
}
