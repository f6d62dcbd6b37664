/**
 * Each event in each state of the calls: the state after it (`=`: the same), then what the ledger is to write. Call 1 is
 * being answered; a later one may wait, or have its outcome before its turn. `b` is the payment that the status reports for
 * a later call, `c` the payment of the event.
 */
export const CALL_TABLE = `
no call: 0 called, 0 begun
  recovered             | 0 called, 0 begun, failure of 0: before, failure kept
  called                | 1 called, 0 begun
  delayed               | = | keep RESTARTED
  failure-kept          | 0 called, 0 begun, failure kept
the process before has failed: 0 called, 0 begun, failure of 0: before, failure kept
  recovered             | =
  called                | 1 called, 0 begun, failure of 0: before, failure kept
  delayed               | =
  failure-kept          | =
one is answered: 1 called, 1 begun
  recovered             | 1 called, 1 begun, failure of 0: before, failure kept
  called                | 2 called, 1 begun
  delayed               | = | keep RESTARTED
  failure-kept          | 1 called, 1 begun, failure kept
  begun 1               | =
  recorded 1            | 1 called, 1 begun, payment of 1
  reported 1            | = | record c for 1
  reported 1, the last  | 1 called, 1 begun, payment of 1
  unrecorded 1          | 1 called, 1 begun, payment of 1, unrecorded c
  failed 1              | 1 called, 1 begun, failure of 1: why 1 | keep why 1
  refused 1             | 1 called, 1 begun, failure of 1: why 1 | keep why 1
one is delayed: 1 called, 1 begun, failure kept
  recovered             | 1 called, 1 begun, failure of 0: before, failure kept
  called                | 2 called, 1 begun, failure kept
  delayed               | =
  failure-kept          | =
  begun 1               | =
  recorded 1            | 1 called, 1 begun, payment of 1
  reported 1            | = | record c for 1
  reported 1, the last  | = | record c for 1
  unrecorded 1          | 1 called, 1 begun, payment of 1, failure kept, unrecorded c
  failed 1              | 1 called, 1 begun, failure of 1: why 1, failure kept | keep why 1
  refused 1             | 1 called, 1 begun, failure of 1: why 1, failure kept | keep why 1
one has a payment: 1 called, 1 begun, payment of 1
  recovered             | 1 called, 1 begun, payment of 1, failure of 0: before, failure kept
  called                | 2 called, 1 begun, payment of 1
  delayed               | = | keep RESTARTED
  failure-kept          | 1 called, 1 begun, payment of 1, failure kept
  begun 1               | =
  recorded 1            | =
  reported 1            | = | record c for 1
  reported 1, the last  | =
  unrecorded 1          | 1 called, 1 begun, payment of 1, unrecorded c
  failed 1              | =
  refused 1             | 1 called, 1 begun, payment of 1, failure of 1: why 1 | keep why 1
one has failed: 1 called, 1 begun, failure of 1: why 1, failure kept
  recovered             | =
  called                | 2 called, 1 begun, failure of 1: why 1, failure kept
  delayed               | =
  failure-kept          | =
  begun 1               | =
  recorded 1            | 1 called, 1 begun, payment of 1
  reported 1            | = | record c for 1
  reported 1, the last  | = | record c for 1
  unrecorded 1          | 1 called, 1 begun, payment of 1, failure kept, unrecorded c
  failed 1              | = | keep why 1
  refused 1             | = | keep why 1
one has failed, and the ledger lacks that: 1 called, 1 begun, failure of 1: why 1
  recovered             | 1 called, 1 begun, failure of 1: why 1, failure kept
  called                | 2 called, 1 begun, failure of 1: why 1
  delayed               | = | keep RESTARTED
  failure-kept          | 1 called, 1 begun, failure of 1: why 1, failure kept
  begun 1               | =
  recorded 1            | 1 called, 1 begun, payment of 1
  reported 1            | = | record c for 1
  reported 1, the last  | 1 called, 1 begun, payment of 1
  unrecorded 1          | 1 called, 1 begun, payment of 1, unrecorded c
  failed 1              | = | keep why 1
  refused 1             | = | keep why 1
one is refused in spite of its payment: 1 called, 1 begun, payment of 1, failure of 1: why 1, failure kept
  recovered             | =
  called                | 2 called, 1 begun, payment of 1, failure of 1: why 1, failure kept
  delayed               | =
  failure-kept          | =
  begun 1               | =
  recorded 1            | 1 called, 1 begun, payment of 1
  reported 1            | = | record c for 1
  reported 1, the last  | = | record c for 1
  unrecorded 1          | 1 called, 1 begun, payment of 1, failure kept, unrecorded c
  failed 1              | =
  refused 1             | = | keep why 1
one has a payment that is not recorded: 1 called, 1 begun, payment of 1, unrecorded a
  recovered             | 1 called, 1 begun, payment of 1, failure of 0: before, failure kept, unrecorded a
  called                | 2 called, 1 begun, payment of 1, unrecorded a
  delayed               | = | keep RESTARTED
  failure-kept          | 1 called, 1 begun, payment of 1, failure kept, unrecorded a
  begun 1               | =
  recorded 1            | 1 called, 1 begun, payment of 1
  reported 1            | = | record c for 1
  reported 1, the last  | 1 called, 1 begun, payment of 1
  unrecorded 1          | 1 called, 1 begun, payment of 1, unrecorded c
  failed 1              | =
  refused 1             | 1 called, 1 begun, payment of 1, failure of 1: why 1, unrecorded a | keep why 1
another waits: 2 called, 1 begun
  recovered             | 2 called, 1 begun, failure of 0: before, failure kept
  called                | 3 called, 1 begun
  delayed               | = | keep RESTARTED
  failure-kept          | 2 called, 1 begun, failure kept
  begun 1               | =
  recorded 1            | 2 called, 1 begun, payment of 1 | keep RESTARTED
  reported 1            | = | record c for 1
  reported 1, the last  | 2 called, 1 begun, payment of 1
  unrecorded 1          | 2 called, 1 begun, payment of 1, unrecorded c
  failed 1              | 2 called, 1 begun, failure of 1: why 1 | keep why 1
  refused 1             | 2 called, 1 begun, failure of 1: why 1 | keep why 1
  begun 2               | 2 called, 2 begun
  recorded 2            | 2 called, 1 begun, payment of 2
  reported 2            | = | record c for 2
  reported 2, the last  | 2 called, 1 begun, payment of 2
  unrecorded 2          | 2 called, 1 begun, payment of 2, unrecorded c
  failed 2              | 2 called, 1 begun, failure of 2: why 2 | keep why 2
  refused 2             | 2 called, 1 begun, failure of 2: why 2 | keep why 2
another waits, and one has a payment: 2 called, 1 begun, payment of 1
  recovered             | 2 called, 1 begun, payment of 1, failure of 0: before, failure kept
  called                | 3 called, 1 begun, payment of 1
  delayed               | = | keep RESTARTED
  failure-kept          | 2 called, 1 begun, payment of 1, failure kept
  begun 1               | =
  recorded 1            | = | keep RESTARTED
  reported 1            | = | record c for 1
  reported 1, the last  | =
  unrecorded 1          | 2 called, 1 begun, payment of 1, unrecorded c
  failed 1              | =
  refused 1             | 2 called, 1 begun, payment of 1, failure of 1: why 1 | keep why 1
  begun 2               | 2 called, 2 begun, payment of 1
  recorded 2            | 2 called, 1 begun, payment of 2
  reported 2            | = | record c for 2
  reported 2, the last  | 2 called, 1 begun, payment of 2
  unrecorded 2          | 2 called, 1 begun, payment of 2, unrecorded c
  failed 2              | 2 called, 1 begun, payment of 1, failure of 2: why 2 | keep why 2
  refused 2             | 2 called, 1 begun, payment of 1, failure of 2: why 2 | keep why 2
another has failed: 2 called, 1 begun, failure of 2: why 2, failure kept
  recovered             | =
  called                | 3 called, 1 begun, failure of 2: why 2, failure kept
  delayed               | =
  failure-kept          | =
  begun 1               | =
  recorded 1            | 2 called, 1 begun, payment of 1, failure of 2: why 2 | keep why 2
  reported 1            | = | record c for 1
  reported 1, the last  | = | record c for 1
  unrecorded 1          | 2 called, 1 begun, payment of 1, failure of 2: why 2, failure kept, unrecorded c
  failed 1              | =
  refused 1             | =
  begun 2               | 2 called, 2 begun, failure of 2: why 2, failure kept
  recorded 2            | 2 called, 1 begun, payment of 2
  reported 2            | = | record c for 2
  reported 2, the last  | = | record c for 2
  unrecorded 2          | 2 called, 1 begun, payment of 2, failure kept, unrecorded c
  failed 2              | = | keep why 2
  refused 2             | = | keep why 2
another has a payment: 2 called, 1 begun, payment of 2
  recovered             | 2 called, 1 begun, payment of 2, failure of 0: before, failure kept
  called                | 3 called, 1 begun, payment of 2
  delayed               | = | keep RESTARTED
  failure-kept          | 2 called, 1 begun, payment of 2, failure kept
  begun 1               | =
  recorded 1            | = | record b for 2
  recorded 1, the same  | =
  reported 1            | =
  reported 1, the last  | =
  unrecorded 1          | =
  failed 1              | =
  refused 1             | =
  begun 2               | 2 called, 2 begun, payment of 2
  recorded 2            | =
  reported 2            | = | record c for 2
  reported 2, the last  | =
  unrecorded 2          | 2 called, 1 begun, payment of 2, unrecorded c
  failed 2              | =
  refused 2             | 2 called, 1 begun, payment of 2, failure of 2: why 2 | keep why 2
another has a payment that is not recorded: 2 called, 1 begun, payment of 2, unrecorded a
  recovered             | 2 called, 1 begun, payment of 2, failure of 0: before, failure kept, unrecorded a
  called                | 3 called, 1 begun, payment of 2, unrecorded a
  delayed               | = | keep RESTARTED
  failure-kept          | 2 called, 1 begun, payment of 2, failure kept, unrecorded a
  begun 1               | =
  recorded 1            | 2 called, 1 begun, payment of 2 | record b for 2
  recorded 1, the same  | 2 called, 1 begun, payment of 2
  reported 1            | =
  reported 1, the last  | =
  unrecorded 1          | =
  failed 1              | =
  refused 1             | =
  begun 2               | 2 called, 2 begun, payment of 2, unrecorded a
  recorded 2            | 2 called, 1 begun, payment of 2
  reported 2            | = | record c for 2
  reported 2, the last  | 2 called, 1 begun, payment of 2
  unrecorded 2          | 2 called, 1 begun, payment of 2, unrecorded c
  failed 2              | =
  refused 2             | 2 called, 1 begun, payment of 2, failure of 2: why 2, unrecorded a | keep why 2
another has a payment, and a third waits: 3 called, 1 begun, payment of 2
  recovered             | 3 called, 1 begun, payment of 2, failure of 0: before, failure kept
  called                | 4 called, 1 begun, payment of 2
  delayed               | = | keep RESTARTED
  failure-kept          | 3 called, 1 begun, payment of 2, failure kept
  begun 1               | =
  recorded 1            | = | keep RESTARTED | record b for 2
  recorded 1, the same  | = | keep RESTARTED
  reported 1            | =
  reported 1, the last  | =
  unrecorded 1          | =
  failed 1              | =
  refused 1             | =
  begun 2               | 3 called, 2 begun, payment of 2
  recorded 2            | = | keep RESTARTED
  reported 2            | = | record c for 2
  reported 2, the last  | =
  unrecorded 2          | 3 called, 1 begun, payment of 2, unrecorded c
  failed 2              | =
  refused 2             | 3 called, 1 begun, payment of 2, failure of 2: why 2 | keep why 2
another has a payment, and a third has failed: 3 called, 1 begun, payment of 2, failure of 3: why 3, failure kept
  recovered             | =
  called                | 4 called, 1 begun, payment of 2, failure of 3: why 3, failure kept
  delayed               | =
  failure-kept          | =
  begun 1               | =
  recorded 1            | 3 called, 1 begun, payment of 2, failure of 3: why 3 | keep why 3
  recorded 1, the same  | 3 called, 1 begun, payment of 2, failure of 3: why 3 | keep why 3
  reported 1            | =
  reported 1, the last  | =
  unrecorded 1          | =
  failed 1              | =
  refused 1             | =
  begun 2               | 3 called, 2 begun, payment of 2, failure of 3: why 3, failure kept
  recorded 2            | 3 called, 1 begun, payment of 2, failure of 3: why 3 | keep why 3
  reported 2            | = | record c for 2
  reported 2, the last  | = | record c for 2
  unrecorded 2          | 3 called, 1 begun, payment of 2, failure of 3: why 3, failure kept, unrecorded c
  failed 2              | =
  refused 2             | =
`;
