/** Тексты страницы весов. */
export default {
  'page.scale': 'Что на весах',
  'tray.scale': 'Экран весов',
};
