/** The page of the items, in real Chromium: thousands of them, found and named by keyboard and by touch, deleted and taken back in every window. */

import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import { freePort } from '../ports.ts';
import { StillClock } from '../still-clock.ts';
import { call, each, opening, startTestDevice, type TestDevice, temporaryFolder, until } from '../support.ts';
import { browserSuite, button, Gate, learnEmptyTray, REFUSED, RU, SEEING, show, templatesOf } from './support.ts';

const { test, browsing } = browserSuite('page of the items in Chromium');

const UNDO_MS = 30_000;
const MANY = 5000;

const carton = (side: number) =>
  `<g transform="rotate(${side * 15} 640 360)"><rect x="500" y="260" width="280" height="200" fill="#f4f4ee"/><rect x="${510 + side * 20}" y="290" width="120" height="120" fill="#1f63b0"/></g>`;

/** Knows "7", Tea, by two pictures. */
async function taught(device: TestDevice): Promise<void> {
  await learnEmptyTray(device);
  await call(`${device.recognition}/v1/items/7`, { method: 'PUT', json: { name: 'Tea', price: 12_990 } });
  for (const side of [0, 2]) {
    await show(device, carton(side));
    const { status, text } = await call(`${device.recognition}/v1/items/7/templates`, { method: 'POST' });
    assert.is(status, 201, text);
  }
}
const put = ({ recognition }: TestDevice, csv: string) =>
  call(`${recognition}/v1/catalogue`, { method: 'POST', headers: { 'content-type': 'text/csv' }, body: csv });
const many = (count: number): string =>
  `id,name,price\n${Array.from({ length: count }, (_, at) => `${10_000 + at},Item number ${at},${at}\n`).join('')}`;
const item = ({ recognition }: TestDevice, id: string) => call(`${recognition}/v1/items/${id}`);

test('a deletion is undone after a reload, in another window; one not undone is done in both', async () => {
  const time = new StillClock();
  await using device = await startTestDevice(SEEING, undefined, { time });
  await taught(device);
  await using page = await browsing.open(`${device.recognition}/#/items/7`, {}, /404/);
  const other = await page.context().newPage();
  await other.goto(`${device.recognition}/#/items`);
  await button(page, 'Delete picture 1').click();
  await button(page, 'Delete item').click();
  await other.getByText('“Tea” will be deleted').first().waitFor();
  await other.getByText('deleting', { exact: true }).waitFor();
  time.go(UNDO_MS - 5000);
  await page.reload();
  await page.locator('.undoing li').nth(1).waitFor();
  assert.match((await page.locator('.undoing').textContent()) ?? '', /in [1-5] s/);
  await button(page, 'Undo: “Tea” will be deleted').click();
  await until('its end in both windows', async () => {
    const rows = [page, other].map((window) => window.locator('.undoing li').count());
    return (await Promise.all(rows)).every((count) => count === 1);
  });
  assert.is((await item(device, '7')).status, 200);
  time.go(5001);
  await until('one picture less', async () => (await page.locator('.pictures img').count()) === 1);
  assert.is(await templatesOf(device, '7'), 1);
  await until('nothing to take back', async () => (await other.locator('.undoing li').count()) === 0);
  await button(page, 'Delete item').click();
  await other.locator('.undoing li').waitFor();
  time.go(UNDO_MS + 1);
  await page.getByText('This item no longer exists.').waitFor();
  await other.getByText('No items yet').waitFor();
  assert.is((await item(device, '7')).status, 404);
});

test('taken back too late it is reported, and the page goes on', async () => {
  const time = new StillClock();
  await using device = await startTestDevice(SEEING, undefined, { time });
  await taught(device);
  const late = /404/;
  await using page = await browsing.open(`${device.recognition}/#/items/7`, RU, late);
  await button(page, 'Удалить снимок 2').click();
  const undo = button(page.locator('.undoing'), 'Отменить: Снимок товара «Tea» будет удалён');
  await undo.waitFor();
  // another window is quicker
  await page.route('**/console/api/deletions/*', async (route) => {
    await route.continue({ url: `${device.recognition}/console/api/deletions/gone` });
  });
  await undo.click();
  await page.getByText('Уже поздно: удалено или восстановлено в другом окне.').waitFor();
});

const it = each(
  test,
  opening(() => startTestDevice(SEEING)),
);

it('a name given first in another window stays when this one saves a nameless item', async (device) => {
  await learnEmptyTray(device);
  await show(device, carton(0));
  await call(`${device.recognition}/v1/items/8/templates`, { method: 'POST' });
  await using page = await browsing.open(`${device.recognition}/#/items/8`, {}, /404/);
  await page.getByLabel('Price (roubles)').fill('129.9');
  const gate = await Gate.at(page, '**/v1/items/8', 'call', (method) => method === 'GET');
  await call(`${device.recognition}/v1/items/8`, { method: 'PUT', json: { name: 'Cocoa', plu: '88' } });
  await until('the page hears of it', async () => gate.count > 0);
  await button(page, 'Save').click();
  await until('it is saved', async () => (await item(device, '8')).body.price === 12_990);
  const { name, plu } = (await item(device, '8')).body;
  assert.equal([name, plu], ['Cocoa', '88']);
  await page.getByLabel('Name', { exact: true }).fill('Tea');
  gate.letGo();
  await button(page, 'Save').click();
  await until('the next', async () => (await item(device, '8')).body.name === 'Tea');
});

test('a new item’s name that is too long is refused at its field with the limit, and not cut', async () => {
  await using device = await startTestDevice();
  await put(device, many(1));
  await using page = await browsing.open(`${device.recognition}/#/items`, RU, /404|503/);
  assert.is(await page.getByRole('link', { name: 'Добавить товар' }).getAttribute('href'), '#/teach');
  await page.goto(`${device.recognition}/#/items/10000`);
  await page.getByLabel('Название', { exact: true }).fill('Ч'.repeat(201));
  await button(page, 'Сохранить').click();
  await page.locator('#name-problem', { hasText: 'Не длиннее 200 знаков, сейчас 201.' }).waitFor();
  assert.is((await item(device, '10000')).body.name, 'Item number 0');
});

it('a page down is a screen of rows, from the top of the list too', async (device) => {
  const place = (page: Page) =>
    page.evaluate<number>("Number(document.activeElement.closest('[data-at]')?.dataset.at ?? -1)");
  assert.is((await put(device, many(100))).status, 200);
  await using page = await browsing.open(`${device.recognition}/#/items`);
  await page.getByText('100 items', { exact: true }).waitFor();
  await page.locator('[data-at="0"]').focus();
  const rows = await page.evaluate<number>(
    "Math.floor(innerHeight / document.querySelector('.shelf li').getBoundingClientRect().height)",
  );
  assert.ok(rows > 3, `rows of a screen: ${rows}`);
  await page.keyboard.press('PageDown');
  await until('a screen of rows on', async () => Math.abs((await place(page)) - rows) <= 1);
});

it('of thousands of items only the visible are drawn; keys reach all, and the focus stays', async (device) => {
  assert.is((await put(device, many(MANY))).status, 200);
  await using page = await browsing.open(`${device.recognition}/#/items`);
  await page.getByText('5,000 items', { exact: true }).waitFor();
  assert.ok((await page.locator('.shelf li').count()) < 60);
  await page.locator('#text').focus();
  await page.keyboard.press('ArrowDown');
  const focused = () => page.evaluate<string>('document.activeElement.textContent');
  assert.match(await focused(), /Item number 0/);
  await page.keyboard.press('ArrowDown');
  await until('the next', async () => /Item number 1/.test(await focused()));
  await page.keyboard.press('End');
  await until('the last', async () => /Item number 4999/.test(await focused()));
  assert.is(await page.locator('[aria-posinset="5000"]').count(), 1);
  await page.evaluate('scrollTo(0, 0)');
  await page.getByText('Item number 3', { exact: true }).waitFor();
  assert.match(await focused(), /Item number 4999/, 'it is still drawn');
  await page.locator('#text').fill('NUMBER 49 ');
  await page.locator('#text').fill('4 999');
  await page.getByText('No items found.').waitFor();
  await page.locator('#text').fill('number 4999');
  await page.getByText('1 item', { exact: true }).waitFor();
  await page.reload();
  await page.getByText('1 item', { exact: true }).waitFor();
  assert.is(await page.locator('#text').inputValue(), 'number 4999', 'what was sought outlives a reload');
  await page.keyboard.press('Tab');
  await page.locator('.shelf a').focus();
  await page.keyboard.press('Enter');
  await page.getByLabel('Name', { exact: true }).fill('Milk');
  await page.getByLabel('Price (roubles)').fill('129.9');
  await page.keyboard.press('Enter');
  await page.getByText('Saved.').waitFor();
  const { name, price } = (await item(device, '14999')).body;
  assert.equal([name, price], ['Milk', 12_990]);
});

it('by touch, in Russian: an item is found, named, priced; a wrong price is named at its field', async (device) => {
  await put(device, 'id,name,price\n1,Хлеб Бородинский,\n2,Молоко,9900\n');
  await using page = await browsing.open(`${device.recognition}/#/items`, { ...RU, hasTouch: true, isMobile: true });
  await page.locator('#text').tap();
  await page.locator('#text').fill('ХЛЕБ');
  await page.locator('.shelf a').tap();
  await page.getByLabel('Название', { exact: true }).fill('Хлеб Дарницкий');
  await page.getByLabel('Цена, ₽').fill('12,345');
  await button(page, 'Сохранить').tap();
  await page.getByText('не больше двух цифр после запятой').waitFor();
  assert.is(await page.locator('#price').getAttribute('aria-invalid'), 'true');
  await page.getByLabel('Цена, ₽').fill('59,90');
  await button(page, 'Сохранить').tap();
  await page.getByText('Сохранено.').waitFor();
  await page.getByLabel('Цена, ₽').fill('дорого');
  await button(page, 'Сохранить').tap();
  await page.getByText('не больше двух цифр после запятой').waitFor();
  assert.is(await page.getByText('Сохранено.').count(), 0, 'what was saved before is not what was typed now');
  await page.getByLabel('Цена, ₽').fill('59,90');
  await button(page, 'Сохранить').tap();
  await page.getByText('Сохранено.').waitFor();
  await page.getByRole('link', { name: 'Все товары' }).tap();
  await page.getByText('Хлеб Дарницкий').waitFor();
  assert.is(await page.locator('#text').inputValue(), 'ХЛЕБ');
  assert.equal((await item(device, '1')).body.price, 5990);
});

it('what another window says of an item comes into this one, but not over what is being typed', async (device) => {
  await put(device, 'id,name,price\n1,Bread,5000\n');
  await using page = await browsing.open(`${device.recognition}/#/items/1`);
  await page.getByLabel('Name', { exact: true }).fill('Rye bread');
  await call(`${device.recognition}/v1/items/1`, { method: 'PATCH', json: { name: 'Loaf', price: 7000 } });
  await until('the price', async () => (await page.getByLabel('Price (roubles)').inputValue()) === '70.00');
  assert.is(await page.getByLabel('Name', { exact: true }).inputValue(), 'Rye bread');
  await button(page, 'Save').click();
  await page.getByText('Saved.').waitFor();
  const { name, price } = (await item(device, '1')).body;
  assert.equal([name, price], ['Rye bread', 7000]);
});

test('a table is looked through, its faults reported by their lines, and taken once it is mended', async () => {
  using folder = temporaryFolder();
  const file = (name: string, text: string): string => {
    const path = join(folder.path, name);
    writeFileSync(path, text);
    return path;
  };
  await using device = await startTestDevice(SEEING);
  await using page = await browsing.open(`${device.recognition}/#/items?files=yes`, RU, /400/);
  const field = page.getByLabel('Таблица (.xlsx или CSV)');
  await field.setInputFiles(file('none.csv', 'название\nЧай\n'));
  await page.getByText('в первой строке должны быть названия столбцов').waitFor();
  const choose = async (text: string): Promise<void> => {
    const table = file('table.csv', text);
    const asked = page.waitForEvent('filechooser');
    await field.click();
    await (await asked).setFiles(table);
  };
  for (const [text, words] of [
    ['id,name,name\n7,Чай,Чай\n', 'столбец name назван дважды'],
    [`id\n${'x'.repeat(20_000)}\n`, 'Строка 2 таблицы слишком длинная'],
    ['id,name\n7,"Чай\n', 'или не закрыта кавычка'],
    ['id,name,price\n7,Чай, 12,50\n', 'в строке 2 ячеек больше или меньше, чем столбцов'],
    [many(10_001), 'в ней больше 10'],
  ] as const) {
    await choose(text); // under the same name, as somebody mends a table
    await page.locator('#table .outcome', { hasText: words }).waitFor();
  }
  await field.setInputFiles(file('wrong.csv', 'id;name;price\n1;Чай;100\n2;Кофе;1,50\n1;Чай;200\n'));
  await page.getByText('Ошибки в 2 строках').first().waitFor();
  const cells = await page.locator('#table tbody').first().locator('tr').allTextContents();
  assert.match(cells[0] ?? '', /^3price: рубли/);
  assert.match(cells[1] ?? '', /^4Товар 1 уже есть/);
  assert.is(await button(page, 'Загрузить 1 товар').isDisabled(), true);
  assert.is((await item(device, '1')).status, 404, 'nothing was taken');
  await field.setInputFiles(file('right.csv', 'id;name;price;Вес\n1;Чай;100;1\n2;Кофе;150;1\n'));
  await page.getByText('Не читается: Вес.').waitFor();
  const take = button(page, 'Загрузить 2 товара');
  assert.is(await take.isDisabled(), true, 'kopecks or roubles is a question');
  const prices = page.getByLabel('Первая цена в таблице: 100. Это');
  await prices.selectOption('roubles');
  await page.locator('#table .sum', { hasText: '150,00' }).waitFor();
  await prices.selectOption('kopecks');
  await page.locator('#table .sum', { hasText: '1,50' }).waitFor();
  const face = page.locator('#table .file-input');
  assert.is(await face.innerText(), 'Выбрать файл\nright.csv');
  await take.click();
  await page.getByText('Таблица загружена.').waitFor();
  assert.is(await face.innerText(), 'Выбрать файл\nФайл не выбран');
  await until('nor does a screen reader read it any more', async () => (await field.inputValue()) === '');
  const byKeyboard = page.waitForEvent('filechooser');
  await field.press('Enter');
  await byKeyboard;
  assert.is((await item(device, '2')).body.name, 'Кофе');
  const coming = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Выгрузить для 1С' }).click();
  const download = await coming;
  assert.is(download.suggestedFilename(), 'items.csv');
  const exported = join(folder.path, 'items-1c.csv');
  await download.saveAs(exported);
  assert.match(readFileSync(exported, 'utf8'), /^\uFEFFКод;Наименование;Цена\r\n1;Чай;"1,00"\r\n2;Кофе;"1,50"\r\n$/);
  await field.setInputFiles(file('wrong-1c.csv', 'Код;Цена\n1;дорого\n'));
  await page.getByText('В файле 1С Цена — в рублях').waitFor();
});

test('after its device’s restart the page shows the present list, though revisions begin anew', async () => {
  using tea = temporaryFolder();
  using milk = temporaryFolder();
  const settings = { LANEWARE_RECOGNITION_PORT: String(await freePort()) };
  for (const [folder, name] of [
    [tea, 'Tea'],
    [milk, 'Milk'],
  ] as const) {
    await using device = await startTestDevice(settings, folder.path);
    await call(`${device.recognition}/v1/items/7`, { method: 'PUT', json: { name } });
  }
  await using before = await startTestDevice(settings, tea.path);
  await using page = await browsing.open(`${before.recognition}/#/items`, {}, REFUSED);
  await page.getByText('Tea', { exact: true }).waitFor();
  await before[Symbol.asyncDispose]();
  await page.locator('.shell[data-live=no]').waitFor();
  await using _after = await startTestDevice(settings, milk.path); // with a backup that was put back
  await page.getByText('Milk', { exact: true }).waitFor();
});

it('a table may be dropped on its field', async (device) => {
  await using page = await browsing.open(`${device.recognition}/#/items?files=yes`);
  await page.locator('.drop').waitFor();
  await page.evaluate(`(() => {
    const data = new DataTransfer();
    data.items.add(new File(['id,name\\n5,Salt\\n'], 'salt.csv', { type: 'text/csv' }));
    document.querySelector('.drop').dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
  })()`);
  await button(page, 'Import 1 item').click();
  await page.getByText('Table imported.').waitFor();
  assert.is((await item(device, '5')).body.name, 'Salt');
});

test('a file that was changed, or is gone, after it was chosen is to be chosen again', async () => {
  using folder = temporaryFolder();
  await using device = await startTestDevice(SEEING);
  const paths = { table: join(folder.path, 'items.csv'), package: join(folder.path, 'package.zip') };
  const write = (text: string) => {
    for (const path of Object.values(paths)) writeFileSync(path, text);
  };
  write('id;name\n7;Tea\n');
  await using page = await browsing.open(
    `${device.recognition}/#/items?files=yes`,
    {},
    /ERR_UPLOAD_FILE_CHANGED|ERR_FILE_NOT_FOUND/,
  );
  await page.locator('#table-file').setInputFiles(paths.table);
  await page.locator('#package-file').setInputFiles(paths.package);
  await button(page, 'Import 1 item').waitFor();
  write('id;name\n7;Green tea\n8;Milk\n');
  rmSync(paths.package);
  for (const [name, press] of Object.entries({ '#table': 'Import 1 item', '#package-in': 'Import' })) {
    await page.locator(name).getByRole('button', { name: press, exact: true }).click();
    await page.locator(`${name} .outcome.failed`, { hasText: 'Choose it again.' }).waitFor();
  }
});

test('a package goes out of one device and into another; what is none is refused in words', async () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'package.zip');
  await using source = await startTestDevice(SEEING);
  await taught(source);
  await browsing.visit(`${source.recognition}/#/items?files=yes`, {}, async (page) => {
    await button(page, 'Prepare export').click();
    await page.getByText('Ready. Pictures: 2, items: 1.').waitFor();
    const coming = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Download the package' }).click();
    await (await coming).saveAs(path);
  });
  await using target = await startTestDevice(SEEING);
  await using page = await browsing.open(`${target.recognition}/#/items?files=yes`, RU);
  writeFileSync(join(folder.path, 'none.zip'), 'no package');
  await page.getByLabel('Пакет (ZIP)').setInputFiles(join(folder.path, 'none.zip'));
  await button(page, 'Загрузить').click();
  await page.getByText('это не пакет, или он неполный').waitFor();
  assert.is(await page.locator('.task .fault:not([open]) code').count(), 1, 'the English sentence is folded');
  await page.getByLabel('Пакет (ZIP)').setInputFiles(path);
  await button(page, 'Загрузить').click();
  await page.getByText('Новых снимков: 2, уже были: 0').waitFor();
  await page.getByRole('link', { name: 'Все товары' }).click();
  await page.locator('.shelf strong', { hasText: 'Без названия' }).waitFor();
  assert.is(await templatesOf(target, '7'), 2);
});

it('how often an item stood first is shown from five confirmations on', async (device) => {
  await taught(device);
  const confirm = async () => {
    const { body } = await call(`${device.recognition}/api/get_result`);
    await call(`${device.recognition}/api/feedback`, { json: { session: body.data.session, id: '7' } });
  };
  for (let n = 0; n < 4; n++) await confirm();
  await using page = await browsing.open(`${device.recognition}/#/items/7`);
  await page.getByText('Confirmed 4 times in 90 days, 4 of them as the top match.').waitFor();
  assert.is(await page.getByText('100%').count(), 0);
  await confirm();
  await page.reload();
  await page.getByText('100%').waitFor();
  await page.getByText('recognised at once').waitFor();
  await page.clock.setFixedTime(new Date(Date.now() + 2 * 365 * 86_400_000));
  await page.reload();
  await page.getByText('100%').waitFor();
});

test.run();
