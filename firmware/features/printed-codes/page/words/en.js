/** The name of scale labels among the settings; the other words are loaded with the view. */
export default {
  'settings.printed-codes': 'Scale labels',
  'settings.printedCodesWords': 'Barcodes with a weight or a price',
  'audit.printed-codes-set': 'Scale labels set',
};
