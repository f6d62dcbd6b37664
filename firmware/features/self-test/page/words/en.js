/** The name of the self-test among the settings; its other words are loaded with it. */
export default {
  'settings.self-test': 'Self-test',
  'settings.selfTestWords': 'Checks a new device in five minutes',
};
