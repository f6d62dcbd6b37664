/** The words of the layouts of codes that scales print. */
export default {
  'settings.printed-codes': 'Scale labels',
  'settings.printedCodesWords': 'Barcodes with a weight or a price',
  'audit.printed-codes-set': 'Scale labels set',
  'printed.how':
    'A scale prints 13 digits that begin with 20 to 29. Say what each digit is: 2 and the digit after it as on the label, I for the PLU, W for grams or P for kopecks, C for the check digit. X is any digit; V is the check digit of weight or price, which is not checked.',
  'printed.layouts': 'Layouts',
  'printed.layoutsHelp': 'As 21IIIIIWWWWWC. Several: with a space between them; the first that fits is used.',
  'printed.unfit': 'Not a layout: {words}. It has 13 characters, as 21IIIIIWWWWWC.',
  'printed.code': 'Code of a label',
  'printed.codeHelp': 'Scan a label of your scale, or type its 13 digits. Left empty, examples are shown.',
  'printed.preview': 'Preview',
  'printed.none': 'No layouts: codes of scales are not taken apart.',
  'printed.plu': 'PLU {plu}',
  'printed.noItem': 'no item has this PLU',
  'printed.grams': '{n} g',
  'printed.save': 'Save',
  'printed.saved': 'Saved.',
};
