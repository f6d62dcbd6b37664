/** What the device says of its health, by the codes of firmware/core/host/faults.ts. */
export default {
  'reason.settings-missing': 'Not set up yet: neither a bank nor a display.',
  'reason.settings-unreadable': 'The bank and display settings cannot be read: set them up again.',
  'reason.settings-unconfirmed':
    'The settings were damaged, and those left may be outdated. Sales are stopped until you check the recipient’s account and save the settings again.',
  'reason.settings-doubtful': 'The bank’s printed code looks wrong: customers may not be able to pay with it.',
  'reason.bank-closed': 'Payments cannot be registered: the bank profile does not work.',
  'reason.bank-stale': 'The bank’s files have changed and cannot be read: the previous ones are used until a restart.',
  'reason.bank-unauthorised': 'The bank does not accept the profile’s password, key or certificate.',
  'reason.bank-unreachable': {
    one: 'The last payment could not be registered: no connection to the bank. Check the internet connection and the date ({today}).',
    other:
      'The last {n} payments could not be registered: no connection to the bank. Check the internet connection and the date ({today}).',
  },
  'reason.bank-silent': 'The bank is not answering. Check the internet connection.',
  'reason.bank-refused': 'The bank refused to register the last payment.',
  'reason.bank-refuses': {
    one: 'The bank refused to register the last payment.',
    other: 'The bank refused to register the last {n} payments.',
  },
  'reason.bank-contradicts': {
    one: 'The bank’s answer to the last payment contradicts itself: ask the bank.',
    other: 'The bank’s answers to the last {n} payments contradict themselves: ask the bank.',
  },
  'reason.bank-certificate-doubted': {
    one: 'The last payment could not be registered: the bank’s certificate is not valid now, or the device’s date ({today}) is wrong.',
    other:
      'The last {n} payments could not be registered: the bank’s certificate is not valid now, or the device’s date ({today}) is wrong.',
  },
  'reason.bank-other-closed': 'The bank profile “{profile}”, not in use, cannot be opened.',
  'reason.bank-other-unauthorised':
    'The bank does not accept the password, key or certificate of the profile “{profile}”, not in use.',
  'reason.certificate-client-ended':
    'The shop’s certificate for the bank ({name}) expired on {at}: payments fail. If today is not {today}, set the clock.',
  'reason.certificate-client-early':
    'The shop’s certificate for the bank ({name}) is not valid before {at}. The device’s date ({today}) is probably wrong.',
  'reason.certificate-client-ending':
    'The shop’s certificate for the bank ({name}) expires on {at}; today is {today}. Get a new one in time.',
  'reason.certificate-authority-ended':
    'The certificate of the bank’s authority ({name}) expired on {at}: payments fail. If today is not {today}, set the clock.',
  'reason.certificate-authority-early':
    'The certificate of the bank’s authority ({name}) is not valid before {at}. The device’s date ({today}) is probably wrong.',
  'reason.certificate-authority-ending':
    'The certificate of the bank’s authority ({name}) expires on {at}; today is {today}. Get a new one in time.',
  'reason.certificate-bank-ended':
    'The bank’s own certificate ({name}) expired on {at}: payments fail. If today is not {today}, set the clock.',
  'reason.certificate-bank-early':
    'The bank’s own certificate ({name}) is not valid before {at}. The device’s date ({today}) is probably wrong.',
  'reason.certificate-bank-ending':
    'The bank’s own certificate ({name}) expires on {at}; today is {today}. Get a new one in time.',
  'reason.display-lost': 'The customer display is not connected. The device reconnects automatically.',
  'reason.payments-late': {
    one: '{n} payment was paid late, or the till missed it: check whether the customer needs a refund.',
    other: '{n} payments were paid late, or the till missed them: check whether the customers need refunds.',
  },
  'reason.payments-unanswered': {
    one: 'The bank has not answered {n} time. Check the internet connection.',
    other: 'The bank has not answered {n} times in a row. Check the internet connection.',
  },
  'reason.payments-silent': {
    one: 'The bank answers, but not about {n} payment. If this lasts, ask the bank.',
    other: 'The bank answers, but not about {n} payments. If this lasts, ask the bank.',
  },
  'reason.payments-untold': {
    one: 'The bank does not report the outcome of {n} payment: ask the bank.',
    other: 'The bank does not report the outcome of {n} payments: ask the bank.',
  },
  'reason.refunds-undecided': {
    one: '{n} refund has no outcome: check in your account at the bank whether the money went back, and mark it here.',
    other:
      '{n} refunds have no outcome: check in your account at the bank whether the money went back, and mark them here.',
  },
  'reason.refunds-done-after-all': {
    one: 'The bank paid out {n} refund that was marked as refused: mark it again.',
    other: 'The bank paid out {n} refunds that were marked as refused: mark them again.',
  },
  'reason.refunds-refused-after-all': {
    one: 'The bank refused {n} refund that was marked as paid out: mark it again.',
    other: 'The bank refused {n} refunds that were marked as paid out: mark them again.',
  },
  'reason.refunds-unexplained': {
    one: 'More of {n} payment was refunded than this device knows: check your account at the bank.',
    other: 'More of {n} payments was refunded than this device knows: check your account at the bank.',
  },
  'reason.storage-full': 'No space left on the device: payments are not possible.',
  'reason.storage-refused': 'The ledger cannot be written: payments are not possible. The card may be failing.',
  'reason.ledger-aside':
    'The ledger was damaged and set aside as {file}; it was restored from its copies. Give that file to the accountant.',
  'reason.ledger-beside': 'A file of the ledger was damaged and set aside as {file}.',
  'reason.ledger-damaged': 'Ledger entries are damaged, and there is no copy of them.',
  'reason.ledger-lost': 'Ledger entries are lost.',
  'reason.ledger-conflicting': 'The ledger and its journal contradict each other. The journal was set aside as {file}.',
  'reason.ledger-repaired': 'Ledger entries were damaged and restored from a copy.',
  'reason.ledger-journal': 'The ledger’s journal is damaged or cannot be written.',
  'reason.ledger-rule': 'A change of the ledger was refused, as it would have broken a rule of money.',
  'reason.ledger-copy': 'The copy of the ledger in {path} is behind.',
  'reason.webhooks-unkept': 'Webhook deliveries cannot be recorded: events are sent again after a restart.',
  'reason.webhook-failing': {
    one: '{url} has accepted nothing for {minutes} min; {n} event waits.',
    other: '{url} has accepted nothing for {minutes} min; {n} events wait.',
  },
  'reason.webhook-given-up': {
    one: '{n} event was dropped: {url} did not accept it within a day.',
    other: '{n} events were dropped: {url} did not accept them within a day.',
  },
  'reason.camera-none': 'No camera is configured: payments do not need one.',
  'reason.camera-unfed': 'No pictures yet: a program sends them to this device.',
  'reason.camera-lost': 'The camera is not connected. The device reconnects automatically.',
  'reason.camera-silent': 'No picture from the camera yet.',
  'reason.tray-misfit':
    'The empty tray was learned at another picture size and is not used: empty the tray and learn it again.',
  'reason.model-loading': 'The model is loading: recognition starts in a few seconds.',
  'reason.model-stopped': 'The model is not running: items are not recognised. Payments work.',
  'reason.barcodes-off': 'Barcode reading is off in the configuration.',
  'reason.native-failed': 'Fast recognition failed: each answer takes up to three times as long.',
  'reason.barcodes-lost':
    'The barcode reader failed and is restarting. Meanwhile, items are recognised by their looks.',
  'reason.templates-unopened': 'Item pictures cannot be opened: nothing can be recognised or taught.',
  'reason.templates-damaged':
    'Item pictures are damaged, and nothing is recognised: restart the device to repair them.',
  'reason.templates-gone': 'The file of item pictures was removed while the device was running.',
  'reason.templates-unpictured': {
    one: '{n} picture is damaged and is not used: delete it.',
    other: '{n} pictures are damaged and are not used: delete them.',
  },
  'reason.templates-preparing': {
    one: '{n} picture is being prepared for the new model, automatically.',
    other: '{n} pictures are being prepared for the new model, automatically.',
  },
  'reason.templates-aside':
    'The item pictures were damaged and set aside as {file}: import the latest package, or teach the items again.',
  'reason.recognition-settings-damaged':
    'The recognition settings were damaged and reset: check the area and the speed.',
  'reason.items-unopened': 'The item list cannot be opened: names and prices are missing.',
  'reason.items-damaged': 'The item list is damaged: restart the device to repair it.',
  'reason.items-gone': 'The file of items was removed while the device was running.',
  'reason.items-aside': 'The item list was damaged and set aside as {file}: import it again.',
  'reason.items-altered': {
    one: 'The memory card has changed the price of {n} item: {items}. Enter it again.',
    other:
      'The memory card has changed the prices of {n} items: {items}. Enter them again, or import the latest table.',
  },
  'reason.sync-settings-damaged': 'The role in the store was damaged: choose it again.',
  'reason.sync-devices-damaged': 'The list of paired devices was damaged: check it.',
  'reason.sync-twice': 'Two devices have the serial number {devices}: change one, and pair both again.',
  'reason.sync-deletes':
    '{device} has deleted {count} templates of other devices: if nobody meant it, take it out of the store.',
  'reason.sync-fills':
    '{device} has filled its share of the room of the store, and gives nothing more: take it out, and pair it anew if it is sound.',
  'reason.sync-failing': 'The devices of the store do not synchronise.',
  'reason.lane-payments':
    'The master of the store does not take the payments of this device: its reconciliation lacks them.',
  'reason.sync-silent': '{devices} not seen for {minutes} min: is it on and connected to the network?',
  'reason.sync-late': 'Last synchronised {minutes} min ago.',
  'reason.clock-behind': 'The clock is behind: it shows {says}, but {known} has already passed.',
  'reason.config-unknown': 'The configuration has unknown keys: {keys}.',
  'reason.config-last-good':
    'The configuration file cannot be used. Correct {keys}. Until then, the last valid configuration ({at}) is in use.',
  'reason.access-loopback': 'A phone cannot create a token: the pages open on this device only.',
  'reason.access-unencrypted': 'A phone cannot create a token: encryption is off.',
  'reason.access-unclaimed': 'No technician’s token yet: scan the code on the display when the device starts.',
  'reason.console-pins-lost':
    'The PINs are lost: their file or the device’s key was damaged. Until they are set again, the pages on this device are open to everyone.',
  'reason.access-lost': 'The tokens created here are lost: create new ones.',
  'reason.card-refused': 'Some options on the card were not accepted.',
  'reason.card-unpaired': 'Not paired yet with the master {master} named on the card.',
  'reason.card-token': 'A token on the card ({role}) was not accepted.',
  'reason.tls-off': 'Encryption is off: tokens can be read on the network.',
  'reason.tls-on': 'Network calls are encrypted. Certificate fingerprint: {fingerprint}',
  'reason.tls-troubled': 'The certificate for network calls needs attention.',
  'reason.pins-lost': 'The button and lamps at the tray are not responding.',
  'reason.pins-unreachable': 'The device lacks the programs for the button and lamps at the tray.',
  'reason.audit-unkept': {
    one: 'The audit trail cannot be written; {n} line is lost. Everything else works.',
    other: 'The audit trail cannot be written; {n} lines are lost. Everything else works.',
  },
  'reason.audit-damaged': {
    one: 'Lines of the audit trail were changed or are missing, in {n} place.',
    other: 'Lines of the audit trail were changed or are missing, in {n} places.',
  },
  'reason.chain-away': 'No connection to the chain for {minutes} min.',
  'reason.chain-credentials': 'The chain does not accept the credentials of this device, or their file cannot be used.',
  'reason.chain-certificate': 'The chain’s server is not recognised by its certificate.',
  'reason.chain-refuses': 'The chain accepts nothing at the moment: payments are kept and sent later.',
  'reason.disk-full': 'Space is running out: {free} MB free, updates and payments need {needed} MB.',
  'reason.disk-files': { one: 'Only {n} more file can be created.', other: 'Only {n} more files can be created.' },
  'reason.disk-faulty': { one: 'The file system reports {n} error.', other: 'The file system reports {n} errors.' },
  'reason.database-held': 'Another program holds {file} (process {pid}): nothing can be written to it.',
  'reason.disk-worn': 'The storage has used up to {percent} % of its life.',
  'reason.root-absent': 'Nothing is stored and payments are not possible: the card’s data partition is not in use.',
  'reason.root-repaired':
    'The card’s data partition was damaged and repaired, possibly with losses: reconcile the sales with the bank.',
  'reason.root-troubled': 'The card’s write protection reports a problem.',
  'reason.root-writable': 'The card’s system partition is writable: end the maintenance.',
  'reason.supply-low': 'The supply voltage is too low.',
  'reason.supply-was-low': {
    one: 'The supply voltage was too low {n} time.',
    other: 'The supply voltage was too low {n} times.',
  },
  'reason.board-slow': 'The board is throttling.',
  'reason.board-was-slow': {
    one: 'The board throttled {n} time.',
    other: 'The board throttled {n} times.',
  },
  'reason.board-hot': 'The board is at {degrees} °C and throttles from {limit} °C.',
  'reason.board-unwatched': 'The board’s watchdog is off: a hang needs a manual restart.',
  'reason.update-undone': 'Version {version} was rolled back: it failed its checks here.',
  'reason.update-undone-load':
    'Version {version} was rolled back: it ran out of memory or hung. The cause is the version, or load from outside.',
  'reason.update-load': {
    one: 'Within a day, this version ran out of memory or hung {n} time. The cause is the version, or load from outside.',
    other:
      'Within a day, this version ran out of memory or hung {n} times. The cause is the version, or load from outside.',
  },
  'reason.update-ends': {
    one: 'This version crashed {n} time within a day.',
    other: 'This version crashed {n} times within a day.',
  },
  'reason.update-put-off': 'Updates postponed since {at}.',
  'reason.update-waiting': 'Updates postponed since {at}; the device retries automatically.',
  'reason.update-running': 'An update is in progress.',
};
