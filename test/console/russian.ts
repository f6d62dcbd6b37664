/** What of a Russian text may be written in Latin letters. */

/** Words that are the same in Russian: what shops, makers and wires call themselves. */
export const SAME_IN_RUSSIAN = new Set(
  'Laneware QR PLU CSV Excel JSON URL HTTP HTTPS TLS API USB Bluetooth BLE PIN ID IP UTC Wi Fi EN RU CFT YooKassa Sandbox XXXX curl GET POST PUT PATCH DELETE JavaScript PHP Python Shift JPEG PNG NTP BlueZ Raspberry Pi sandbox xx IIIIIWWWWWC'.split(
    ' ',
  ),
);
/** Names of settings, and addresses. */
const NAMES = /[\w-]*([./][\w-]+)+/g;
const LATIN = /[A-Za-z][A-Za-z’']+/g;

/** Words of English in texts that a Russian reads, each with where it stands. */
export function englishAmong(texts: readonly string[]): string[] {
  return texts.flatMap((text) => {
    const words = (text.replaceAll(NAMES, '').match(LATIN) ?? []).filter((word) => !SAME_IN_RUSSIAN.has(word));
    return words.length === 0 ? [] : [`English under ru: ${words.join(' ')} in "${text.trim().slice(0, 80)}"`];
  });
}
