/** What the device says of its health, by the codes of firmware/host/faults.ts. */
export default {
  'reason.settings-missing': 'Nothing is set up yet: neither a bank nor a display.',
  'reason.settings-unreadable': 'The settings of bank and display cannot be used: set them anew.',
  'reason.settings-unconfirmed':
    'The settings were damaged, and what there is may be older: nothing is sold until somebody has looked whose account they name, and has saved them again.',
  'reason.settings-doubtful': 'The printed code of the bank looks wrong: customers may not be able to pay by it.',
  'reason.bank-closed': 'No payment can be registered: the profile of the bank cannot be used.',
  'reason.bank-stale':
    'The files of the bank have changed and cannot be read: until a restart the earlier ones are used.',
  'reason.bank-unauthorised': 'The bank does not take the password, key or certificate of the profile.',
  'reason.bank-unreachable': {
    one: 'The last payment could not be registered: the bank cannot be reached. Check the internet connection, and whether today is {today}.',
    other:
      'The last {n} payments could not be registered: the bank cannot be reached. Check the internet connection, and whether today is {today}.',
  },
  'reason.bank-refuses': {
    one: 'The bank has refused to register the last payment.',
    other: 'The bank has refused to register the last {n} payments.',
  },
  'reason.bank-contradicts': {
    one: 'The bank has answered the last payment with something that cannot be right: ask the bank.',
    other: 'The bank has answered the last {n} payments with something that cannot be right: ask the bank.',
  },
  'reason.bank-certificate-doubted': {
    one: 'The last payment could not be registered: the certificate of the bank is out of its time, or the date of this device ({today}) is wrong.',
    other:
      'The last {n} payments could not be registered: the certificate of the bank is out of its time, or the date of this device ({today}) is wrong.',
  },
  'reason.bank-other-closed': 'The bank profile “{profile}”, which is not in use, cannot be used.',
  'reason.bank-other-unauthorised':
    'The bank does not take the password, key or certificate of the profile “{profile}”, which is not in use.',
  'reason.certificate-client-ended':
    'The certificate of the shop for the bank ({name}) has ended on {at}: payments fail. If today is not {today}, set the clock.',
  'reason.certificate-client-early':
    'The certificate of the shop for the bank ({name}) is good from {at} only. Most likely the date of this device ({today}) is wrong.',
  'reason.certificate-client-ending':
    'The certificate of the shop for the bank ({name}) ends on {at}; today is {today}. Get the next one in time.',
  'reason.certificate-authority-ended':
    'An authority that vouches for the bank ({name}) has ended on {at}: payments fail. If today is not {today}, set the clock.',
  'reason.certificate-authority-early':
    'An authority that vouches for the bank ({name}) is good from {at} only. Most likely the date of this device ({today}) is wrong.',
  'reason.certificate-authority-ending':
    'An authority that vouches for the bank ({name}) ends on {at}; today is {today}. Get the next one in time.',
  'reason.certificate-bank-ended':
    'The certificate of the bank itself ({name}) has ended on {at}: payments fail. If today is not {today}, set the clock.',
  'reason.certificate-bank-early':
    'The certificate of the bank itself ({name}) is good from {at} only. Most likely the date of this device ({today}) is wrong.',
  'reason.certificate-bank-ending':
    'The certificate of the bank itself ({name}) ends on {at}; today is {today}. Get the next one in time.',
  'reason.display-lost': 'The customer display is not connected. The device looks for it all the time.',
  'reason.payments-late': {
    one: '{n} payment was accepted late, or unknown to the till: check with the customer whether to refund it.',
    other: '{n} payments were accepted late, or unknown to the till: check with the customers whether to refund them.',
  },
  'reason.payments-unanswered': {
    one: 'The bank has not answered {n} time. Check the internet connection.',
    other: 'The bank has not answered {n} times in a row. Check the internet connection.',
  },
  'reason.payments-silent': {
    one: 'The bank answers, but not about {n} payment. If it stays so, ask the bank.',
    other: 'The bank answers, but not about {n} payments. If it stays so, ask the bank.',
  },
  'reason.payments-untold': {
    one: 'The bank does not tell the outcome of {n} payment: ask the bank.',
    other: 'The bank does not tell the outcome of {n} payments: ask the bank.',
  },
  'reason.refunds-undecided': {
    one: '{n} refund is not decided: look in the account at the bank whether the money has gone back, and say so.',
    other: '{n} refunds are not decided: look in the account at the bank whether the money has gone back, and say so.',
  },
  'reason.refunds-done-after-all': {
    one: 'By the word of the bank {n} refund has gone back that a person had decided not to have: decide it once more.',
    other:
      'By the word of the bank {n} refunds have gone back that a person had decided not to have: decide them once more.',
  },
  'reason.refunds-refused-after-all': {
    one: 'The bank has refused {n} refund that a person had decided to have gone back: decide it once more.',
    other: 'The bank has refused {n} refunds that a person had decided to have gone back: decide them once more.',
  },
  'reason.refunds-unexplained': {
    one: 'More of {n} payment has gone back than this device knows of: look in the account at the bank.',
    other: 'More of {n} payments has gone back than this device knows of: look in the account at the bank.',
  },
  'reason.storage-full': 'The storage is full: no payment can be taken.',
  'reason.storage-refused':
    'The record of payments cannot be written: no payment can be taken. A card that fails can only be read.',
  'reason.ledger-aside':
    'The record of payments was damaged and set aside as {file}; it was made anew from its copies. Give that file to the accountant.',
  'reason.ledger-beside': 'A file beside the record of payments was damaged and set aside as {file}.',
  'reason.ledger-damaged': 'Entries of the record of payments are damaged, and no copy of them is left.',
  'reason.ledger-lost': 'Entries of the record of payments are lost.',
  'reason.ledger-conflicting': 'The record of payments and its copies contradict each other.',
  'reason.ledger-altered': 'Somebody has altered entries of the record of payments.',
  'reason.ledger-repaired': 'Entries of the record of payments were damaged and are put back from a copy.',
  'reason.ledger-journal': 'The journal beside the record of payments cannot be written.',
  'reason.ledger-copy': 'The copy of the record of payments in {path} is behind.',
  'reason.webhooks-unkept': 'What was delivered to webhooks cannot be kept: after a restart events come again.',
  'reason.webhook-failing': {
    one: '{url} has taken nothing for {minutes} min; {n} event waits.',
    other: '{url} has taken nothing for {minutes} min; {n} events wait.',
  },
  'reason.webhook-given-up': {
    one: '{n} event was given up: {url} has not taken it within a day.',
    other: '{n} events were given up: {url} has not taken them within a day.',
  },
  'reason.camera-none': 'There is no camera, on purpose: payments need none.',
  'reason.camera-unfed': 'No picture has been sent yet: a program sends them to this device.',
  'reason.camera-lost': 'The camera is lost. The device looks for it all the time.',
  'reason.camera-silent': 'The camera has given no picture yet.',
  'reason.tray-misfit':
    'The empty tray was learned with another size of picture, and is not used: empty the tray and learn it again.',
  'reason.model-loading': 'The model is being loaded: items are recognised in a moment.',
  'reason.model-stopped': 'The model does not run: items are not recognised. Payments go on.',
  'reason.barcodes-off': 'Barcodes are not read, on purpose.',
  'reason.barcodes-lost':
    'The reader of barcodes has failed and is started again. Items are recognised by their looks meanwhile.',
  'reason.calibration-none': 'The tray was never measured: sizes are not told.',
  'reason.calibration-unusable': 'Sizes are not told: the tray must be measured again.',
  'reason.white-damaged': 'The note of the white place was damaged: name it again.',
  'reason.templates-unopened': 'The templates cannot be opened: nothing is recognised or learned.',
  'reason.templates-damaged': 'The templates are damaged: nothing is recognised until a restart puts them right.',
  'reason.templates-gone': 'The file of the templates was taken away while the device ran.',
  'reason.templates-unpictured': {
    one: '{n} template has a damaged picture and is not used: delete it.',
    other: '{n} templates have a damaged picture and are not used: delete them.',
  },
  'reason.templates-preparing': {
    one: '{n} template is being prepared for the new model. It goes by itself.',
    other: '{n} templates are being prepared for the new model. It goes by itself.',
  },
  'reason.templates-aside':
    'The templates were damaged and set aside as {file}: import the latest package, or teach the items again.',
  'reason.recognition-settings-damaged':
    'The settings of recognition were damaged and are as new: check area and speed.',
  'reason.items-unopened': 'The list of items cannot be opened: no names and prices.',
  'reason.items-damaged': 'The list of items is damaged until a restart puts it right.',
  'reason.items-gone': 'The file of the items was taken away while the device ran.',
  'reason.items-aside': 'The list of items was damaged and set aside as {file}: import it again.',
  'reason.items-log':
    'What was changed of the items right before the power went is lost; its damaged log is kept as {file}. Look what is missing.',
  'reason.items-missing': {
    one: '{n} item is missing since the last end: import the latest table.',
    other: '{n} items are missing since the last end: import the latest table.',
  },
  'reason.templates-log':
    'What was taught right before the power went is lost; its damaged log is kept as {file}. Look what is missing.',
  'reason.templates-missing': {
    one: '{n} template is missing since the last end: import the latest package, or teach the item again.',
    other: '{n} templates are missing since the last end: import the latest package, or teach the items again.',
  },
  'reason.sync-settings-damaged': 'The role in the store was damaged: choose it again.',
  'reason.sync-devices-damaged': 'The list of paired devices was damaged: check it.',
  'reason.sync-twice': 'Two devices have the serial number {devices}: give one another, and pair both anew.',
  'reason.sync-failing': 'The devices of the store do not synchronise.',
  'reason.sync-silent': 'Nothing was heard of {devices} for {minutes} min: is it on, and in the network?',
  'reason.sync-late': 'Last synchronised {minutes} min ago.',
  'reason.clock-behind': 'The clock says {says}, but it was {known} already: the time stands still.',
  'reason.config-unknown': 'The configuration has keys without effect: {keys}.',
  'reason.config-last-good': 'The configuration is wrong; the last good one is in force.',
  'reason.access-loopback': 'No phone can claim this device: its pages answer on this machine alone.',
  'reason.access-unencrypted': 'No phone can claim this device: encryption is switched off.',
  'reason.access-unclaimed':
    'Nobody has a technician’s token yet: photograph the code on the display when the device starts.',
  'reason.console-pins-lost':
    'The PINs are lost: their file or the key of this device was damaged. Nobody is asked at a page on this machine until they are set again.',
  'reason.access-lost': 'The tokens that were made here are lost: make new ones.',
  'reason.card-refused': 'Something that was written on the card was not taken.',
  'reason.card-unpaired': 'Not paired with the master {master} of the card yet.',
  'reason.card-token': 'A token of the card ({role}) could not be taken.',
  'reason.tls-off': 'Encryption is off: whoever listens on the network reads tokens, too.',
  'reason.tls-on': 'Callers from the network are encrypted. Fingerprint of the certificate: {fingerprint}',
  'reason.tls-troubled': 'The certificate for callers from the network needs attention.',
  'reason.pins-lost': 'Button and lamps at the tray do not answer.',
  'reason.audit-unkept': {
    one: 'The audit trail cannot be written; {n} line is lost. All else goes on.',
    other: 'The audit trail cannot be written; {n} lines are lost. All else goes on.',
  },
  'reason.audit-damaged': {
    one: 'Lines of the audit trail were changed or are missing, in {n} place.',
    other: 'Lines of the audit trail were changed or are missing, in {n} places.',
  },
  'reason.chain-unreadable': 'The note of the chain that this store belongs to was damaged: join it again.',
  'reason.chain-no-master': 'This device has joined a chain, but is no master any more.',
  'reason.chain-unsealed':
    'The store has left its chain, but an old pass is still at hand: make this device a master once more, or standalone.',
  'reason.chain-away': 'The chain has not been reached for {minutes} min.',
  'reason.chain-ends': 'The pass of this store to its chain ends in {days} days.',
  'reason.chain-releases': 'The releases of the chain are not followed.',
  'reason.chain-templates': 'The templates of the chain are not taken.',
  'reason.chain-configuration': 'What the chain wants configured is not in force.',
  'reason.chain-payments': 'The chain takes no payments at the moment: they are kept, and sent later.',
  'reason.disk-full': '{free} MB are free, {needed} MB are needed for updates and payments.',
  'reason.disk-files': { one: 'Only {n} file can still be made.', other: 'Only {n} files can still be made.' },
  'reason.disk-faulty': { one: 'The file system has met {n} fault.', other: 'The file system has met {n} faults.' },
  'reason.disk-worn': 'The storage has used up to {percent} % of its life.',
  'reason.root-absent': 'Nothing can be kept and no payment be taken: the part of the card for data is not in use.',
  'reason.root-repaired':
    'The part of the card for data was damaged and is mended, perhaps with a loss: compare the sales with the bank.',
  'reason.root-troubled': 'The protection of the card against writing has found something.',
  'reason.root-writable': 'The system part of the card can be written to: end the maintenance.',
  'reason.supply-low': 'The voltage of the supply is too low.',
  'reason.supply-was-low': {
    one: 'The voltage of the supply was too low {n} time.',
    other: 'The voltage of the supply was too low {n} times.',
  },
  'reason.board-slow': 'The board slows itself down.',
  'reason.board-was-slow': {
    one: 'The board has slowed itself down {n} time.',
    other: 'The board has slowed itself down {n} times.',
  },
  'reason.board-hot': 'The board has {degrees} °C, and slows down from {limit} °C on.',
  'reason.board-unwatched': 'The watchdog of the board is off: one that hangs stays so.',
  'reason.update-undone': 'Release {version} was tried and undone: it did not prove itself here.',
  'reason.update-undone-load':
    'Release {version} was undone since memory ran out or it hung: its own fault, or load from outside.',
  'reason.update-load': {
    one: 'Within a day memory ran out or this release hung {n} time: its own fault, or load from outside.',
    other: 'Within a day memory ran out or this release hung {n} times: its own fault, or load from outside.',
  },
  'reason.update-ends': {
    one: 'This release has ended by itself {n} time within a day.',
    other: 'This release has ended by itself {n} times within a day.',
  },
  'reason.update-put-off': 'Updates are put off since {at}.',
  'reason.update-waiting': 'Updates are put off since {at}; the device tries again by itself.',
  'reason.update-running': 'An update is under way.',
};
