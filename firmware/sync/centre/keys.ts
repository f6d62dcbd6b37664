/**
 * Names of templates at the centre. An item's id may be `>`, `*`, `a b` or `ü`, and the first of these, sent raw, would
 * empty a bucket; so each part travels as `i` and its base64url, joined by dots.
 */
import type { TemplateName } from '../../recognition/templates/template-name.ts';

const PARTS_OF_A_TEMPLATE = 3;

export const encodePart = (text: string): string => `i${Buffer.from(text, 'utf8').toString('base64url')}`;

/** Null for what {@link encodePart} does not write. */
export function decodePart(part: string): string | null {
  const text = Buffer.from(part.slice(1), 'base64url').toString('utf8');
  return text !== '' && encodePart(text) === part ? text : null;
}

export const keyOf = ({ item, origin, sid }: TemplateName): string => [item, origin, sid].map(encodePart).join('.');

/** Names a template in memory: cheaper than its key, of which a round would make tens of thousands. */
export const identityOf = ({ item, origin, sid }: TemplateName): string => `${item}\n${origin}\n${sid}`;

/** Null for what is no template's name: it is left alone. */
export function refOf(key: string): TemplateName | null {
  const parts = key.split('.').map(decodePart);
  const [item, origin, sid] = parts;
  return parts.length === PARTS_OF_A_TEMPLATE && item && origin && sid ? { item, origin, sid } : null;
}
