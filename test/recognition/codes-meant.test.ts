/** A code in whichever form it is given: by a hand scanner, by hand, by the camera, in a table. It is the same item at every door. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { foundCodes } from '../../firmware/recognition/answer/by-code.ts';
import { checkDigitOf, codeMeant, gtinIn, gtinOfShort, isGtin } from '../../firmware/recognition/model/symbologies.ts';
import { each } from '../support.ts';
import { onRig } from './support.ts';

const test = suite('recognition: what a code means');
const it = each(test, onRig);

const GTIN = '4006381333931';
const LONG = `0${GTIN}`;
const GS = '\u001d';

const MEANT: Readonly<Record<string, readonly string[]>> = {
  [GTIN]: [
    GTIN,
    `]E0${GTIN}`,
    `${GTIN}\r\n`,
    `\t${GTIN}`,
    `\ufeff${GTIN}\u200b`,
    `]E3${GTIN}05`,
    `]E3${GTIN}12345`,
    `]C0${GTIN}`,
  ],
  [LONG]: [
    ...[
      `]C101${LONG}`,
      `]d201${LONG}17261130`,
      `]d2${GS}01${LONG}`,
      `]e001${LONG}3103001234`,
      `]Q301${LONG}21A${GS}10B`,
    ],
    ...[`]C110LOT${GS}01${LONG}`, `]C117261130${GS}01${LONG}`, `]C11726113001${LONG}`, `01${LONG}21serial${GS}91FFD0`],
    ...[`${GS}01${LONG}215abc`, `01${LONG}`, `(01)${LONG}(21)abc`, `(17)261130(01)${LONG}`],
    ...[
      `https://id.gs1.org/01/${LONG}`,
      `HTTP://SHOP.EXAMPLE/gtin/${LONG}?x=1`,
      `]Q1https://id.gs1.org/01/${LONG}/21/A`,
    ],
  ],
  '042100005264': ['04252614', ']E004252614', ' 04252614\r'],
  '96385074': ['96385074', ']E496385074'],
  '01234565': ['01234565'],
};
for (const [code, given] of Object.entries(MEANT))
  for (const text of given)
    test(`${JSON.stringify(text)} means ${code}`, () => {
      assert.is(codeMeant(text), code);
    });

test('what means nothing else stays as it is, without what a scanner has added', () => {
  for (const text of [
    'ABC-1',
    '4011',
    `02${LONG}3710`,
    `01${LONG.slice(0, -1)}0`,
    '04252615',
    'https://shop.example/01/',
  ])
    assert.is(codeMeant(text), text);
  assert.is(codeMeant(']C0ABC-1\r'), 'ABC-1');
  assert.is(codeMeant(']]'), ']]');
  assert.is(gtinIn(`10LOT01${LONG}`), null, 'a lot without its separator goes on to the end');
});

test('the short form of UPC stands for one number, by each of its last digits', () => {
  for (const [short, long] of [
    ['0123450', '01200000345'],
    ['0123451', '01210000345'],
    ['0123452', '01220000345'],
    ['0123453', '01230000045'],
    ['0123454', '01234000005'],
    ['0123459', '01234500009'],
    ['1123457', '11234500007'],
  ] as const) {
    const check = checkDigitOf(long);
    const text = `${short}${check}`;
    assert.is(gtinOfShort(text), isGtin(text) ? null : `${long}${check}`, text);
  }
});

it('an item is found by its code in any form, and a code of its own goes first', async (rig) => {
  await rig.send('PUT', '/v1/items/pen', { name: 'Pen', barcodes: [GTIN] });
  await rig.send('PUT', '/v1/items/cola', { name: 'Cola', barcodes: ['04252614'] });
  assert.equal((await rig.get('/v1/items/cola')).body.barcodes, ['042100005264']);
  const found = async (code: string) => {
    const { body } = await rig.get(`/v1/items?${new URLSearchParams({ code })}`);
    return body.items.map(({ id }: { id: string }) => id);
  };
  for (const text of [GTIN, LONG].flatMap((code) => MEANT[code] ?? []))
    assert.equal(await found(text), ['pen'], JSON.stringify(text));
  for (const text of ['04252614', ']E00042100005264', '0042100005264']) assert.equal(await found(text), ['cola'], text);
  await rig.send('PUT', '/v1/items/serial', { name: 'Serial', barcodes: [`]X9${GTIN}`] });
  await rig.send('PUT', '/v1/items/own', { name: 'Own', plu: `]E0${GTIN}` });
  assert.equal(await found(`]E0${GTIN}`), ['own']);
  assert.equal((await rig.get('/v1/items?code=%00')).status, 400);
});

test('the camera is answered the same: own text first, then what it means', () => {
  const said = (owner: string) => (text: string) => ({
    item: text === owner ? 'pen' : null,
    weight: null,
    price: null,
  });
  const codesOf = (text: string, isGs1: boolean, owner: string) =>
    foundCodes([{ symbology: 'code-128', text, isGs1, places: [] }], said(owner)).map(({ code }) => code.item);
  assert.equal(codesOf(`10LOT${GS}01${LONG}`, true, LONG), ['pen']);
  assert.equal(codesOf(`01${LONG}21A`, false, LONG), [null], 'its symbol says that it has no elements');
  assert.equal(codesOf(`https://id.gs1.org/01/${LONG}`, false, LONG), ['pen']);
  assert.equal(codesOf(`01${LONG}21A`, true, `01${LONG}21A`), ['pen']);
  assert.equal(codesOf('ABC', false, LONG), [null]);
});

test.run();
