/** The log of the device. */
export default {
  'log.title': 'Log',
  'log.words': 'Entries since startup, newest first. Secrets are masked.',
  'log.level': 'Severity',
  'log.least.info': 'Everything',
  'log.least.warn': 'Warnings and errors',
  'log.least.error': 'Errors only',
  'log.of.warn': 'Warning',
  'log.of.error': 'Error',
  'log.part': 'Part',
  'log.part.all': 'All parts',
  'log.part.terminal': 'Payments',
  'log.part.recognition': 'Recognition',
  'log.part.sync': 'Store',
  'log.part.chain': 'Chain',
  'log.part.device': 'Device',
  'log.text': 'Text',
  'log.lines': 'Log entries',
  'log.none': 'No entries found.',
  'log.support': 'Download support bundle',
  'log.supportWords':
    'One file for support: log, health, figures, versions and settings, without secrets. It is sent nowhere by itself.',
};
