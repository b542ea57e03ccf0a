import type { Transaction } from '../../infra/postgres/port.ts'

export interface TestSignalRow {
  readonly id: string
  readonly source_id: string | null
  readonly text: string
  readonly received_at: Date
}

const LIST = `select id, source_id, text, received_at from test_signals order by stored_at desc, id desc`
const REMOVE = `delete from test_signals returning id`
const IS_TEST = `select from test_signals where id = $1`

/** The tests of sources that came through, the newest first: a handful. */
export const readTests = (transaction: Transaction): Promise<TestSignalRow[]> => transaction.query<TestSignalRow>(LIST)

/** Removes all of them. Answers how many there were. */
export const removeTests = async (transaction: Transaction): Promise<number> => (await transaction.query(REMOVE)).length

/** Whether an id that a sender was answered is that of a test that came through. */
export const isStoredTest = async (transaction: Transaction, id: string): Promise<boolean> =>
  (await transaction.query(IS_TEST, [id])).length > 0
