/** Secrets of all kinds that a lane knows, made up, and the search for them in a bundle in any of their usual encodings. */
import { unzip } from '../../recognition/packages-support.ts';

/** By what each is. */
export const PLANTED: Readonly<Record<string, string>> = Object.freeze({
  bankPassword: ['Zk7', 'pw', 'Bank!9'].join('-'),
  bankToken: ['tok', 'Qx81vv', 'bank'].join('_'),
  certificateKey: ['MIIEvQ', 'IBADANBg', 'kqhkiG9w0'].join('/'),
  keyPassphrase: ['kfour', 'battery', 'qstaple'].join(' '),
  webhookSecret: ['whsec', '5f81ab77c0de'].join('_'),
  cashierPin: ['7391', '5284'].join(''),
  supervisorPin: ['6028', '4471'].join(''),
  sessionCookie: ['s%3A', 'uV8xk2', 'PqLm'].join(''),
  apiToken: ['lane', 'api', '0a9b8c7d6e5f4'].join('.'),
  tillToken: ['till', 'tt', '93ab1c7d55e'].join('-'),
  technicianToken: ['tech', 'ee71', 'c9d8b7a6'].join('-'),
  claimCode: ['QW7K', 'ZP4M'].join(''),
  pairingCode: ['HT6X', 'RB2N'].join(''),
  natsSeed: ['SUAMK2FJ', 'WIDT7SVE', 'Q3XV6ZKC'].join(''),
  natsKey: ['UDXU4RCS', 'JNZOIQHZ', 'NWXHXORD'].join(''),
  backupPassphrase: ['zebra', 'quartz', 'violin', 'fjord'].join('~'),
  wifiKey: ['shop', 'wlan', 'Geheim77'].join('+'),
  payerPhone: ['7916', '1234', '567'].join(''),
  cardMask: ['427600', '******', '1834'].join(''),
  tlsKey: ['MC4CAQAw', 'BQYDK2Vw', 'BCIEIHq8'].join('+'),
  chainKey: ['ed25519', 'priv', '9f8e7d6c5b4a'].join(':'),
  sealKey: ['c2VhbC1r', 'ZXktMTIz', 'NDU2Nzg5'].join(''),
  userInfo: ['ftpuser', 'Hunter22x'].join(':'),
  queryKey: ['qk', 'A1B2C3D4E5'].join('='),
  purchaser: ['Ivanova', 'Mar1ya'].join(' '),
  cardNumber: ['4276', '1234', '5678', '9010'].join(' '),
  bankAnswer: ['{"pan":"5469380012345678"', '"cvc":"921"}'].join(','),
  pemKey: ['-----BEGIN PRIVATE KEY-----', 'MIGHAgEAMBMGByqGSM49', '-----END PRIVATE KEY-----'].join('\n'),
  headerPassword: ['Basic', 'bGFuZTpIdW50ZXIy'].join(' '),
  addressToken: ['https://hooks.example/in?access_token', 'Vq9xZr2LmPw'].join('='),
  /** In the form of what the log says: only because it is set on the device it is known to be a secret. */
  plainPassword: ['correct', 'horse', 'staple'].join(''),
});

/** What of the Base64 of a text stays the same wherever the text stands in what is encoded. */
const base64Cores = (text: string): string[] =>
  [0, 1, 2].map((shift) => {
    const bytes = Buffer.concat([Buffer.alloc(shift), Buffer.from(text)]);
    const [first, last] = [shift === 0 ? 0 : 4, Math.floor(bytes.length / 3) * 4];
    return bytes.toString('base64').slice(first, last);
  });

const percent = (text: string): string =>
  [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');

/** In the forms in which it may come out of a program. */
export function formsOf(secret: string): string[] {
  const cores = base64Cores(secret);
  const urls = cores.map((core) => core.replaceAll('+', '-').replaceAll('/', '_'));
  return [
    ...new Set([
      ...[secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1), percent(secret)],
      ...[Buffer.from(secret).toString('hex'), [...secret].reverse().join('')],
      ...[...cores, ...urls].filter((core) => core.length >= 8),
    ]),
  ].map((form) => form.toLowerCase());
}

/** All secrets in one line, each in one of its forms by turns: for a message, a header, a name. */
export const ALL_IN_ONE = Object.values(PLANTED)
  .map((secret, at) => formsOf(secret)[at % formsOf(secret).length])
  .join(' ')
  .replaceAll('\n', '\\n');

export type Opened = ReadonlyMap<string, string>;

export const opened = async (zip: Buffer): Promise<Opened> =>
  new Map([...(await unzip(zip))].map(([name, bytes]) => [name, bytes.toString()]));

/** Which secrets are found in which part, by what they are; the names of the parts are looked through, too. */
export const foundIn = (parts: Opened): string[] =>
  [...parts].flatMap(([name, text]) => {
    const lower = `${name}\n${text}`.toLowerCase();
    return Object.entries(PLANTED)
      .filter(([, secret]) => formsOf(secret).some((form) => lower.includes(form)))
      .map(([what]) => `${what} in ${name}`);
  });
