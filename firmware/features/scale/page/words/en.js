/** The words of a scale's page. */
export default {
  'page.scale': 'What is on the scale',
  'tray.scale': 'Scale screen',
};
