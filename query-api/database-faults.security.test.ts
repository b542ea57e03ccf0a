import assert from 'node:assert/strict'
import { AsyncLocalStorage } from 'node:async_hooks'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import type pg from 'pg'
import { createPool } from '../infra/postgres/pool.ts'
import { isAssayError } from '../infra/runtime/errors.ts'
import { createLogger } from '../infra/runtime/logger.ts'
import { eventually } from '../infra/runtime/testing.ts'
import { describeWithStack } from '../infra/stack/testing.ts'
import { isUuid } from '../schemas/domain/ids.ts'
import { problem } from './http/problem.ts'
import type { Operation } from './operations/define.ts'
import { registry } from './operations/registry.ts'
import { type OperationsKit, startOperations, type Workspace } from './operations/testing.ts'
import { answersWithoutDatabase, type OwnIds, sampleInput } from './operations/testing-reach.ts'
import { firstOf, seedEverything } from './operations/testing-seed.ts'

/** A client's own `query`, past what has it fail. */
type Ask = (...values: readonly unknown[]) => Promise<pg.QueryResult>

/** What a server really does to a statement that is about to be asked; rejects as the driver does. */
type Fault = (
  ask: Ask,
  statement: () => Promise<pg.QueryResult>,
  end: () => Promise<unknown>,
) => Promise<pg.QueryResult>

const FAULTS: Readonly<Record<string, Fault>> = {
  'its time is over': async ask => {
    await ask('set statement_timeout = 1')
    return ask('select pg_sleep(60)')
  },
  'the server ends the connection in the middle of it': async (ask, _, end) => {
    const asked = ask('select pg_sleep(60)')
    const [ended] = await Promise.allSettled([asked, end()])
    return ended.status === 'rejected' ? Promise.reject(ended.reason) : ended.value
  },
  'the server has ended the connection before': async (_, statement, end) => {
    await end()
    return statement()
  },
}

/** The server has done what was asked, and nobody hears of it. */
const answerLost: Fault = async (ask, statement, end) => {
  await statement()
  await end()
  return ask('select 1')
}

interface Trial {
  /** Null once it has struck. */
  fault: Fault | null
  /** Whether it is to strike a statement of this text. */
  readonly isMeant: (text: string) => boolean
}

/** Has one statement of the pool's clients meet a fault: the first for which `isMeant` says so. */
const faultyPool = (pool: pg.Pool, url: string) => {
  const administrator = createPool({
    connection: url,
    max: 1,
    logger: createLogger({ level: 'silent', program: 'test' }),
  })
  const connect = pool.connect.bind(pool)
  // What asks in the background, such as the relay of activity, is not what is tried.
  const trials = new AsyncLocalStorage<Trial>()
  const faulty = (client: pg.PoolClient): pg.PoolClient =>
    new Proxy(client, {
      get: (target, name) => {
        const value = Reflect.get(target, name)
        if (name !== 'query') return typeof value === 'function' ? value.bind(target) : value
        // One of many forms, passed on as it comes.
        const ask = target.query.bind(target) as unknown as Ask
        return (...values: readonly unknown[]) => {
          const trial = trials.getStore()
          const text = String(values[0])
          if (!trial?.fault || /^rollback/i.test(text) || !trial.isMeant(text)) return ask(...values)
          const strike = trial.fault
          trial.fault = null
          // A number: pg's types leave out what its clients have.
          const { processID } = target as unknown as { readonly processID: number }
          // It answers once the process is gone, within 5 s.
          const end = () => administrator.query('select pg_terminate_backend($1, 5000)', [processID])
          return strike(ask, () => ask(...values), end)
        }
      },
    })
  // `pool.query` asks for a connection by a callback, which stays as it is.
  pool.connect = ((callback?: never) =>
    callback === undefined ? connect().then(faulty) : connect(callback)) as typeof pool.connect
  return {
    /** Answers what the work came to, and whether a statement of it was struck. */
    striking: async <T>(fault: Fault, isMeant: Trial['isMeant'], work: () => Promise<T>) => {
      const trial: Trial = { fault, isMeant }
      try {
        const result = await trials.run(trial, work)
        return { result, struck: trial.fault === null }
      } finally {
        trial.fault = null
      }
    },
    close: () => administrator.end(),
  }
}

const MAX_STATEMENTS = 8
/**
 * Each operation has one statement in eight struck, another one than its neighbours; all of them where time is given.
 */
const EVERY = process.env.FAULTS === 'long' ? 1 : 8

await describeWithStack(['postgres'], stack => {
  const { DATABASE_URL: url = '' } = stack.urls
  let kit: OperationsKit
  let workspace: Workspace
  let own: OwnIds
  let pool: ReturnType<typeof faultyPool>
  const nobody = randomUUID()
  before(async () => {
    process.env.DATABASE_URL = url
    kit = await startOperations()
    pool = faultyPool(kit.database.pool, url)
    workspace = await kit.workspace()
    await seedEverything(kit, workspace, 'glockenspiel')
    own = await firstOf(kit, workspace)
  })
  after(async () => {
    await pool.close()
    await kit.stop()
    await stack.stop()
  })

  /** Its input with an id of nobody's where the seed has none, so that it gets as far as the database. */
  const inputOf = (operation: Operation) => {
    const { token, ...rest } = sampleInput(operation, own)
    const named = Object.entries(rest).map(([name, value]) => [
      name,
      /(^|_)id$/.test(name) && !isUuid(String(value)) ? nobody : value,
    ])
    return { ...Object.fromEntries(named), ...(token !== undefined && { token: 'x'.repeat(43) }) }
  }

  const answerOf = async (operation: Operation, key?: string): Promise<Response> => {
    try {
      return Response.json(await workspace.run(operation, inputOf(operation), key))
    } catch (error) {
      assert.ok(isAssayError(error), `${operation.name}: ${String(error)}`)
      return problem(error)
    }
  }

  const tellsWhatToDo = async (response: Response, operation: Operation, what: string): Promise<void> => {
    const { detail } = (await response.json()) as { readonly detail: string }
    assert.equal(response.status, 503, `${operation.name}, ${what}: ${detail}`)
    assert.ok(Number(response.headers.get('retry-after')) > 0, operation.name)
    assert.match(detail, operation.effect === 'read' ? /Try again in/ : /X-Idempotency-Key/)
  }

  const eachTells = async (what: string): Promise<void> => {
    const wanted = [...registry.values()]
    await Promise.all(
      wanted.map(async operation => {
        const answer = await answerOf(operation, randomUUID())
        // What is asked of the analytics engine alone is answered.
        const mayAnswer = operation.name.startsWith('analyze_') || answersWithoutDatabase(operation)
        if (!mayAnswer || !answer.ok) await tellsWhatToDo(answer, operation, what)
      }),
    )
  }

  const nthStatement = (wanted: number) => {
    let seen = 0
    return () => {
      seen += 1
      return seen === wanted
    }
  }

  describe('An operation on a server that fails it', () => {
    it('is answered 503 with what to do, whichever statement it is, and can be sent again', async () => {
      const faults = Object.entries(FAULTS)
      let tried = 0
      for (const operation of registry.values()) {
        const key = operation.effect === 'write' ? randomUUID() : undefined
        for (let number = 1; number <= MAX_STATEMENTS; number += 1) {
          if ((number + operation.name.length) % EVERY !== 0) continue
          const [name, fault] = faults[(number + operation.name.length) % faults.length] ?? assert.fail()
          const { result, struck } = await pool.striking(fault, nthStatement(number), () => answerOf(operation, key))
          if (!struck) break
          tried += 1
          // A read is repeated by itself when its connection was lost.
          if (operation.effect === 'read' && fault !== FAULTS['its time is over'] && result.status < 500) continue
          if (answersWithoutDatabase(operation) && result.ok) continue
          await tellsWhatToDo(result, operation, `statement ${number}: ${name}`)
        }
      }
      assert.ok(tried > (registry.size * 3) / EVERY, `${tried} statements failed`)
    })

    it('was done once when its answer was lost, and sent again under its key it gets that answer', async () => {
      let lost = 0
      for (const operation of registry.values()) {
        if (operation.effect === 'read') continue
        const key = randomUUID()
        let isStored = false
        const isCommit = (text: string) => {
          isStored ||= text.trimStart().startsWith('insert into idempotent_answers')
          return isStored && text === 'commit'
        }
        const { result, struck } = await pool.striking(answerLost, isCommit, () => answerOf(operation, key))
        // Of those that refuse the sample nothing is committed.
        if (!struck) continue
        lost += 1
        await tellsWhatToDo(result, operation, 'its commit')
        const stored = 'select answer from idempotent_answers where idempotency_key = $1'
        const { rows } = await kit.database.pool.query<{ answer: unknown }>(stored, [key])
        assert.equal(rows.length, 1, operation.name)
        const again = await answerOf(operation, key)
        assert.equal(again.status, 200, operation.name)
        assert.deepEqual(await again.json(), rows[0]?.answer, operation.name)
      }
      assert.ok(lost >= 15, `${lost} answers were lost`)
    })

    it('is answered 503 while all connections are taken', async () => {
      const { pool: connections } = kit.database
      const { max, connectionTimeoutMillis } = connections.options
      const taken = await Promise.all(Array.from({ length: max }, () => connections.connect()))
      connections.options.connectionTimeoutMillis = 20
      try {
        await eachTells('no connection')
      } finally {
        connections.options.connectionTimeoutMillis = connectionTimeoutMillis
        for (const client of taken) client.release()
      }
    })

    it('is answered 503 while the server is stopped, and works when it is back', async () => {
      await stack.stopEngine('postgres')
      await eachTells('no server')
      await stack.startEngine('postgres')
      const triage = registry.get('lookup_triage') ?? assert.fail()
      await eventually('it answers again', async () => (await answerOf(triage)).ok)
    })
  })
})
