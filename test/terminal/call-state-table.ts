/**
 * Each event in each state of the calls: the state after it (`=`: the same), then what the ledger is to write. Call 1 is
 * being answered; a later one may wait, or have its outcome before its turn. `b` is the payment that the status reports for
 * a later call, `c` the payment of the event.
 */
export const CALL_TABLE = `
no call: 0 called, 0 begun
  recovered                    | 0 called, 0 begun, failure of 0: before, failure recorded
  called                       | 1 called, 0 begun
  delayed                      | = | record RESTARTED
  failure-recorded             | 0 called, 0 begun, failure recorded
the process before has failed: 0 called, 0 begun, failure of 0: before, failure recorded
  recovered                    | =
  called                       | 1 called, 0 begun, failure of 0: before, failure recorded
  delayed                      | =
  failure-recorded             | =
one is answered: 1 called, 1 begun
  recovered                    | 1 called, 1 begun, failure of 0: before, failure recorded
  called                       | 2 called, 1 begun
  delayed                      | = | record RESTARTED
  failure-recorded             | 1 called, 1 begun, failure recorded
  begun 1                      | =
  payment-recorded 1           | 1 called, 1 begun, payment of 1
  payment-reported 1           | = | record c for 1
  payment-reported 1, the last | 1 called, 1 begun, payment of 1
  payment-unrecorded 1         | 1 called, 1 begun, payment of 1, unrecorded c
  failed 1                     | 1 called, 1 begun, failure of 1: why 1 | record why 1
  refused 1                    | 1 called, 1 begun, failure of 1: why 1 | record why 1
one is delayed: 1 called, 1 begun, failure recorded
  recovered                    | 1 called, 1 begun, failure of 0: before, failure recorded
  called                       | 2 called, 1 begun, failure recorded
  delayed                      | =
  failure-recorded             | =
  begun 1                      | =
  payment-recorded 1           | 1 called, 1 begun, payment of 1
  payment-reported 1           | = | record c for 1
  payment-reported 1, the last | = | record c for 1
  payment-unrecorded 1         | 1 called, 1 begun, payment of 1, failure recorded, unrecorded c
  failed 1                     | 1 called, 1 begun, failure of 1: why 1, failure recorded | record why 1
  refused 1                    | 1 called, 1 begun, failure of 1: why 1, failure recorded | record why 1
one has a payment: 1 called, 1 begun, payment of 1
  recovered                    | 1 called, 1 begun, payment of 1, failure of 0: before, failure recorded
  called                       | 2 called, 1 begun, payment of 1
  delayed                      | = | record RESTARTED
  failure-recorded             | 1 called, 1 begun, payment of 1, failure recorded
  begun 1                      | =
  payment-recorded 1           | =
  payment-reported 1           | = | record c for 1
  payment-reported 1, the last | =
  payment-unrecorded 1         | 1 called, 1 begun, payment of 1, unrecorded c
  failed 1                     | =
  refused 1                    | 1 called, 1 begun, payment of 1, failure of 1: why 1 | record why 1
one has failed: 1 called, 1 begun, failure of 1: why 1, failure recorded
  recovered                    | =
  called                       | 2 called, 1 begun, failure of 1: why 1, failure recorded
  delayed                      | =
  failure-recorded             | =
  begun 1                      | =
  payment-recorded 1           | 1 called, 1 begun, payment of 1
  payment-reported 1           | = | record c for 1
  payment-reported 1, the last | = | record c for 1
  payment-unrecorded 1         | 1 called, 1 begun, payment of 1, failure recorded, unrecorded c
  failed 1                     | = | record why 1
  refused 1                    | = | record why 1
one has failed, and the ledger lacks that: 1 called, 1 begun, failure of 1: why 1
  recovered                    | 1 called, 1 begun, failure of 1: why 1, failure recorded
  called                       | 2 called, 1 begun, failure of 1: why 1
  delayed                      | = | record RESTARTED
  failure-recorded             | 1 called, 1 begun, failure of 1: why 1, failure recorded
  begun 1                      | =
  payment-recorded 1           | 1 called, 1 begun, payment of 1
  payment-reported 1           | = | record c for 1
  payment-reported 1, the last | 1 called, 1 begun, payment of 1
  payment-unrecorded 1         | 1 called, 1 begun, payment of 1, unrecorded c
  failed 1                     | = | record why 1
  refused 1                    | = | record why 1
one is refused in spite of its payment: 1 called, 1 begun, payment of 1, failure of 1: why 1, failure recorded
  recovered                    | =
  called                       | 2 called, 1 begun, payment of 1, failure of 1: why 1, failure recorded
  delayed                      | =
  failure-recorded             | =
  begun 1                      | =
  payment-recorded 1           | 1 called, 1 begun, payment of 1
  payment-reported 1           | = | record c for 1
  payment-reported 1, the last | = | record c for 1
  payment-unrecorded 1         | 1 called, 1 begun, payment of 1, failure recorded, unrecorded c
  failed 1                     | =
  refused 1                    | = | record why 1
one has a payment that is not recorded: 1 called, 1 begun, payment of 1, unrecorded a
  recovered                    | 1 called, 1 begun, payment of 1, failure of 0: before, failure recorded, unrecorded a
  called                       | 2 called, 1 begun, payment of 1, unrecorded a
  delayed                      | = | record RESTARTED
  failure-recorded             | 1 called, 1 begun, payment of 1, failure recorded, unrecorded a
  begun 1                      | =
  payment-recorded 1           | 1 called, 1 begun, payment of 1
  payment-reported 1           | = | record c for 1
  payment-reported 1, the last | 1 called, 1 begun, payment of 1
  payment-unrecorded 1         | 1 called, 1 begun, payment of 1, unrecorded c
  failed 1                     | =
  refused 1                    | 1 called, 1 begun, payment of 1, failure of 1: why 1, unrecorded a | record why 1
another waits: 2 called, 1 begun
  recovered                    | 2 called, 1 begun, failure of 0: before, failure recorded
  called                       | 3 called, 1 begun
  delayed                      | = | record RESTARTED
  failure-recorded             | 2 called, 1 begun, failure recorded
  begun 1                      | =
  payment-recorded 1           | 2 called, 1 begun, payment of 1 | record RESTARTED
  payment-reported 1           | = | record c for 1
  payment-reported 1, the last | 2 called, 1 begun, payment of 1
  payment-unrecorded 1         | 2 called, 1 begun, payment of 1, unrecorded c
  failed 1                     | 2 called, 1 begun, failure of 1: why 1 | record why 1
  refused 1                    | 2 called, 1 begun, failure of 1: why 1 | record why 1
  begun 2                      | 2 called, 2 begun
  payment-recorded 2           | 2 called, 1 begun, payment of 2
  payment-reported 2           | = | record c for 2
  payment-reported 2, the last | 2 called, 1 begun, payment of 2
  payment-unrecorded 2         | 2 called, 1 begun, payment of 2, unrecorded c
  failed 2                     | 2 called, 1 begun, failure of 2: why 2 | record why 2
  refused 2                    | 2 called, 1 begun, failure of 2: why 2 | record why 2
another waits, and one has a payment: 2 called, 1 begun, payment of 1
  recovered                    | 2 called, 1 begun, payment of 1, failure of 0: before, failure recorded
  called                       | 3 called, 1 begun, payment of 1
  delayed                      | = | record RESTARTED
  failure-recorded             | 2 called, 1 begun, payment of 1, failure recorded
  begun 1                      | =
  payment-recorded 1           | = | record RESTARTED
  payment-reported 1           | = | record c for 1
  payment-reported 1, the last | =
  payment-unrecorded 1         | 2 called, 1 begun, payment of 1, unrecorded c
  failed 1                     | =
  refused 1                    | 2 called, 1 begun, payment of 1, failure of 1: why 1 | record why 1
  begun 2                      | 2 called, 2 begun, payment of 1
  payment-recorded 2           | 2 called, 1 begun, payment of 2
  payment-reported 2           | = | record c for 2
  payment-reported 2, the last | 2 called, 1 begun, payment of 2
  payment-unrecorded 2         | 2 called, 1 begun, payment of 2, unrecorded c
  failed 2                     | 2 called, 1 begun, payment of 1, failure of 2: why 2 | record why 2
  refused 2                    | 2 called, 1 begun, payment of 1, failure of 2: why 2 | record why 2
another has failed: 2 called, 1 begun, failure of 2: why 2, failure recorded
  recovered                    | =
  called                       | 3 called, 1 begun, failure of 2: why 2, failure recorded
  delayed                      | =
  failure-recorded             | =
  begun 1                      | =
  payment-recorded 1           | 2 called, 1 begun, payment of 1, failure of 2: why 2 | record why 2
  payment-reported 1           | = | record c for 1
  payment-reported 1, the last | = | record c for 1
  payment-unrecorded 1         | 2 called, 1 begun, payment of 1, failure of 2: why 2, failure recorded, unrecorded c
  failed 1                     | =
  refused 1                    | =
  begun 2                      | 2 called, 2 begun, failure of 2: why 2, failure recorded
  payment-recorded 2           | 2 called, 1 begun, payment of 2
  payment-reported 2           | = | record c for 2
  payment-reported 2, the last | = | record c for 2
  payment-unrecorded 2         | 2 called, 1 begun, payment of 2, failure recorded, unrecorded c
  failed 2                     | = | record why 2
  refused 2                    | = | record why 2
another has a payment: 2 called, 1 begun, payment of 2
  recovered                    | 2 called, 1 begun, payment of 2, failure of 0: before, failure recorded
  called                       | 3 called, 1 begun, payment of 2
  delayed                      | = | record RESTARTED
  failure-recorded             | 2 called, 1 begun, payment of 2, failure recorded
  begun 1                      | =
  payment-recorded 1           | = | record b for 2
  payment-recorded 1, the same | =
  payment-reported 1           | =
  payment-reported 1, the last | =
  payment-unrecorded 1         | =
  failed 1                     | =
  refused 1                    | =
  begun 2                      | 2 called, 2 begun, payment of 2
  payment-recorded 2           | =
  payment-reported 2           | = | record c for 2
  payment-reported 2, the last | =
  payment-unrecorded 2         | 2 called, 1 begun, payment of 2, unrecorded c
  failed 2                     | =
  refused 2                    | 2 called, 1 begun, payment of 2, failure of 2: why 2 | record why 2
another has a payment that is not recorded: 2 called, 1 begun, payment of 2, unrecorded a
  recovered                    | 2 called, 1 begun, payment of 2, failure of 0: before, failure recorded, unrecorded a
  called                       | 3 called, 1 begun, payment of 2, unrecorded a
  delayed                      | = | record RESTARTED
  failure-recorded             | 2 called, 1 begun, payment of 2, failure recorded, unrecorded a
  begun 1                      | =
  payment-recorded 1           | 2 called, 1 begun, payment of 2 | record b for 2
  payment-recorded 1, the same | 2 called, 1 begun, payment of 2
  payment-reported 1           | =
  payment-reported 1, the last | =
  payment-unrecorded 1         | =
  failed 1                     | =
  refused 1                    | =
  begun 2                      | 2 called, 2 begun, payment of 2, unrecorded a
  payment-recorded 2           | 2 called, 1 begun, payment of 2
  payment-reported 2           | = | record c for 2
  payment-reported 2, the last | 2 called, 1 begun, payment of 2
  payment-unrecorded 2         | 2 called, 1 begun, payment of 2, unrecorded c
  failed 2                     | =
  refused 2                    | 2 called, 1 begun, payment of 2, failure of 2: why 2, unrecorded a | record why 2
another has a payment, and a third waits: 3 called, 1 begun, payment of 2
  recovered                    | 3 called, 1 begun, payment of 2, failure of 0: before, failure recorded
  called                       | 4 called, 1 begun, payment of 2
  delayed                      | = | record RESTARTED
  failure-recorded             | 3 called, 1 begun, payment of 2, failure recorded
  begun 1                      | =
  payment-recorded 1           | = | record RESTARTED | record b for 2
  payment-recorded 1, the same | = | record RESTARTED
  payment-reported 1           | =
  payment-reported 1, the last | =
  payment-unrecorded 1         | =
  failed 1                     | =
  refused 1                    | =
  begun 2                      | 3 called, 2 begun, payment of 2
  payment-recorded 2           | = | record RESTARTED
  payment-reported 2           | = | record c for 2
  payment-reported 2, the last | =
  payment-unrecorded 2         | 3 called, 1 begun, payment of 2, unrecorded c
  failed 2                     | =
  refused 2                    | 3 called, 1 begun, payment of 2, failure of 2: why 2 | record why 2
another has a payment, and a third has failed: 3 called, 1 begun, payment of 2, failure of 3: why 3, failure recorded
  recovered                    | =
  called                       | 4 called, 1 begun, payment of 2, failure of 3: why 3, failure recorded
  delayed                      | =
  failure-recorded             | =
  begun 1                      | =
  payment-recorded 1           | 3 called, 1 begun, payment of 2, failure of 3: why 3 | record why 3
  payment-recorded 1, the same | 3 called, 1 begun, payment of 2, failure of 3: why 3 | record why 3
  payment-reported 1           | =
  payment-reported 1, the last | =
  payment-unrecorded 1         | =
  failed 1                     | =
  refused 1                    | =
  begun 2                      | 3 called, 2 begun, payment of 2, failure of 3: why 3, failure recorded
  payment-recorded 2           | 3 called, 1 begun, payment of 2, failure of 3: why 3 | record why 3
  payment-reported 2           | = | record c for 2
  payment-reported 2, the last | = | record c for 2
  payment-unrecorded 2         | 3 called, 1 begun, payment of 2, failure of 3: why 3, failure recorded, unrecorded c
  failed 2                     | =
  refused 2                    | =
`;
