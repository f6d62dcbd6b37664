/** The page of a scale. */
export default {
  'page.scale': 'What is on the scale',
  'tray.scale': 'Scale screen',
};
