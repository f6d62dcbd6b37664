/** The labels of scales among the settings; the rest comes with them. */
export default {
  'settings.printed-codes': 'Scale labels',
  'settings.printedCodesWords': 'Barcodes with a weight or a price',
  'audit.printed-codes-set': 'Scale labels set',
};
