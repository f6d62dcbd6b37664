/** Sound cards of tests: a stand-in of `aplay` that fails as the real one does, and a device of ALSA that is a file. */
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Takes the place of `aplay`. @param script what it does @returns the environment that finds it first */
export function standIn(folder: string, script: string): NodeJS.ProcessEnv {
  const bin = join(folder, 'bin');
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, 'aplay'), `#!/bin/sh\n${script}\n`);
  chmodSync(join(bin, 'aplay'), 0o755);
  return { ...process.env, PATH: `${bin}:${process.env.PATH}` };
}

/** A device of the name `speaker`, whose samples go to a file. @returns the environment in which ALSA knows it */
export function fileSpeaker(folder: string): {
  readonly env: Record<string, string>;
  readonly samples: () => Buffer;
  /** Forgets the samples: the next sound begins the file anew. */
  readonly clear: () => void;
} {
  const [conf, raw] = [join(folder, 'asound.conf'), join(folder, 'samples.raw')];
  writeFileSync(
    conf,
    `pcm.speaker { type plug slave.pcm { type file slave.pcm { type null } file "${raw}" format raw } }\n`,
  );
  return {
    env: { ALSA_CONFIG_PATH: conf },
    samples: () => (existsSync(raw) ? readFileSync(raw) : Buffer.alloc(0)),
    clear: () => rmSync(raw, { force: true }),
  };
}
