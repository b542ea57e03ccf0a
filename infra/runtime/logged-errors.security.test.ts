import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ClickHouseError } from '@clickhouse/client'
import pg from 'pg'
import { analyticsError, questionError } from '../clickhouse/errors.ts'
import { databaseError } from '../postgres/errors.ts'
import { AssayError, asAssayError } from './errors.ts'
import { createLogger } from './logger.ts'

/** What a stranger wrote. No line of the log and no answer may have it. */
const MARK = 'SWORDFISH'
const DOCUMENT = `{"a": ${MARK}}`

/** SQLSTATEs of PostgreSQL's manual, appendix A, each with what the server says of values. */
const SAID_BY_POSTGRES: readonly (readonly [string, string])[] = [
  ['22001', 'value too long for type character varying(10)'],
  ['22003', `value ${MARK} is out of range for type integer`],
  ['22007', `invalid input syntax for type timestamp: "${MARK}"`],
  ['22021', `invalid byte sequence for encoding "UTF8": ${MARK}`],
  ['22P02', `invalid input syntax for type uuid: "${MARK}"`],
  ['22P05', `character of ${MARK} has no equivalent`],
  ['23502', `null value in column "${MARK}"`],
  ['23503', `insert violates foreign key constraint "a_${MARK}"`],
  ['23505', 'duplicate key value violates unique constraint "a_key"'],
  ['23514', `new row violates check constraint "a_${MARK}"`],
  ['40001', `could not serialize ${MARK}`],
  ['42601', `syntax error at or near ${MARK}`],
  ['42P01', `relation ${MARK} does not exist`],
  ['54000', `index row size of ${MARK}`],
  ['57014', `canceling statement of ${MARK}`],
  ['XX000', `cache lookup failed for ${MARK}`],
]

const postgresErrors = () =>
  SAID_BY_POSTGRES.map(([code, message]) => {
    const said = `${message}\n    at ${MARK} (file:///${MARK})`
    return Object.assign(new pg.DatabaseError(message, said.length, 'error'), {
      code,
      severity: 'ERROR',
      detail: `Failing row contains (${MARK}).`,
      hint: MARK,
      where: `COPY a, line 1: "${MARK}"`,
      internalQuery: `select '${MARK}'`,
      query: `select '${MARK}'`,
      parameters: [MARK],
    })
  })

const clickHouseErrors = () =>
  ['36', '43', '47', '62', '158', '159', '167', '241', '307', '386', '1001'].map(
    code =>
      new ClickHouseError({
        message: `In scope SELECT count() FROM a WHERE b = '${MARK}' AND c = ${MARK}. Max query size exceeded: '${MARK}'`,
        code,
        type: 'SYNTAX_ERROR',
      }),
  )

const thrownBy = (work: () => unknown): unknown => {
  try {
    return work()
  } catch (error) {
    return error
  }
}

const ofPrograms = () => [
  thrownBy(() => JSON.parse(DOCUMENT)),
  thrownBy(() => JSON.parse(`"a" ${MARK}`)),
  thrownBy(() => new URL(`http://${MARK}:x`)),
  new Error(`The value "${MARK}" is 'no "${MARK}" number'`),
  new AggregateError([new Error(`'${MARK}'`)], `"${MARK}"`),
]

test('what strangers wrote is in no line of the log and in no answer, whatever a store or a library says', () => {
  const lines: string[] = []
  const logger = createLogger({
    level: 'trace',
    program: 'test',
    destination: { write: line => void lines.push(line) },
  })
  const errors = [
    ...postgresErrors().flatMap(error => [error, databaseError(error)]),
    ...clickHouseErrors().flatMap(error => [error, analyticsError(error), questionError(error)]),
    ...ofPrograms(),
  ]
  for (const error of errors) {
    logger.error({ err: error }, 'failed')
    logger.child({ part: 'a' }).warn({ err: new Error('outer', { cause: error }) }, 'failed')
    logger.error(error, 'failed')
    const { publicMessage, context } = asAssayError(error)
    assert.doesNotMatch(publicMessage + JSON.stringify(context), new RegExp(MARK))
  }
  assert.equal(lines.length, 3 * errors.length)
  for (const line of lines) assert.doesNotMatch(line, new RegExp(MARK))
})

test('who reads the log still learns what failed, by which code, and where', () => {
  const lines: string[] = []
  const logger = createLogger({ level: 'info', program: 'test', destination: { write: line => void lines.push(line) } })
  const [, , , , refused] = postgresErrors()
  logger.error({ err: databaseError(refused) }, 'failed')
  logger.error({
    err: new AssayError('internal', 'A sentence of ours.', { cause: new TypeError('x is not a function') }),
  })
  const [first, second] = lines.map(line => JSON.parse(line).err)
  assert.equal(first.cause.code, '22P02')
  assert.equal(first.message, 'A value cannot be stored as it is.')
  assert.equal(second.cause.message, 'x is not a function')
  assert.match(second.stack, /logged-errors\.security\.test\.ts:\d+/)
})
