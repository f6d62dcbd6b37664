/** A text as it is sought: in small letters, and without ё, which few people write. */
export const folded = (text: string): string => text.normalize('NFKC').toLocaleLowerCase('ru').replaceAll('ё', 'е');
