/** The self-test among the settings; the rest comes with it. */
export default {
  'settings.self-test': 'Self-test',
  'settings.selfTestWords': 'Checks a new device in five minutes',
};
