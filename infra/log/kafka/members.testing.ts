import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect as connectSocket, type Socket } from 'node:net'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pino from 'pino'
import { HOUR_MS } from '../../../schemas/domain/durations.ts'
import { eventually } from '../../runtime/testing.ts'
import { commitAll, record, startReader } from '../conformance/reading.ts'
import { createKafkaLog } from './index.ts'
import { connectTo, SHORT_TIMEOUTS } from './testing.ts'

const program = fileURLToPath(new URL('./fixtures/member.ts', import.meta.url))

/**
 * A member of the group of that name, who reads the topic of that name, as a process of its own; and what it printed.
 */
const startMember = (broker: string, name: string) => {
  const flags = ['--disable-warning=ExperimentalWarning', program, broker, name]
  const child = spawn(process.execPath, flags, { stdio: ['ignore', 'pipe', 'pipe'] })
  const printed = { out: '', error: '' }
  child.stdout.setEncoding('utf8').on('data', chunk => {
    printed.out += chunk
  })
  child.stderr.setEncoding('utf8').on('data', chunk => {
    printed.error += chunk
  })
  return { child, printed, read: () => printed.out.split('\n').slice(0, -1) }
}

/** What a group does when a member dies, falls silent or takes long. */
export const describeMembers = (broker: string): void => {
  describe('members of a group', { concurrency: true }, () => {
    test('When a process is killed the other takes over: each record is read, and nothing is printed but records.', async t => {
      const { log } = connectTo([broker])
      t.after(() => log.close())
      await log.ensureTopics([{ name: 'killed', partitions: 4, retentionMs: HOUR_MS }])
      const doomed = startMember(broker, 'killed')
      const heir = startMember(broker, 'killed')
      t.after(() => [doomed, heir].map(({ child }) => child.kill('SIGKILL')))
      let last = 0
      const append = () =>
        log.append(Array.from({ length: 10 }, () => record('killed', `${++last}`, `key ${last % 40}`)))
      await eventually('both are at work', async () => {
        await append()
        return doomed.read().length > 0 && heir.read().length > 0
      })
      doomed.child.kill('SIGKILL')
      for (let times = 0; times < 20; times++) await append()
      const isThrough = async () =>
        (await log.lag('killed')).every(({ committed, highWatermark }) => committed === highWatermark)
      await eventually('everything is committed', isThrough)
      heir.child.kill('SIGTERM')
      const [code] = await once(heir.child, 'close')
      assert.deepEqual([code, heir.printed.error, doomed.printed.error], [0, '', ''])
      assert.equal(new Set([...doomed.read(), ...heir.read()]).size, last)
    })

    test('A consumer whose line falls silent is built anew, and goes on where it was.', async t => {
      const sockets: Socket[] = []
      const warnings: string[] = []
      const log = createKafkaLog({
        ...SHORT_TIMEOUTS,
        brokers: [broker],
        clientId: 'silent',
        logger: pino({ level: 'warn' }, { write: line => void warnings.push(line) }),
        stallMs: 1000,
        socketFactory: ({ host, port, onConnect }) => {
          const socket = connectSocket({ host, port }, onConnect)
          sockets.push(socket)
          return socket
        },
      })
      t.after(async () => {
        await log.close()
        for (const socket of sockets) socket.destroy()
      })
      await log.ensureTopics([{ name: 'silent', partitions: 1, retentionMs: HOUR_MS }])
      await log.append([record('silent', 'before')])
      const others = sockets.length
      const reader = await startReader(log, { group: 'silent', topics: ['silent'] })
      await eventually('it reads', () => reader.texts().length === 1)
      const own = sockets.slice(others)
      await eventually('it has committed', async () => (await log.lag('silent'))[0]?.committed === 1)
      for (const socket of own) socket.pause()
      await log.append([record('silent', 'after')])
      await eventually('it reads again', () => reader.texts().length === 2)
      assert.deepEqual(reader.texts(), ['before', 'after'])
      assert.match(warnings.join(''), /no sign of life/)
    })

    test('A handler may take longer than a session: the group hears of its member meanwhile.', async t => {
      const { log } = connectTo([broker])
      t.after(() => log.close())
      await log.ensureTopics([{ name: 'long', partitions: 1, retentionMs: HOUR_MS }])
      await log.append([record('long', 'a')])
      const reader = await startReader(log, {
        group: 'long',
        topics: ['long'],
        onBatch: async (batch, context) => {
          await sleep(SHORT_TIMEOUTS.sessionTimeoutMs * 1.5)
          assert.equal(context.signal.aborted, false)
          return commitAll(batch, context)
        },
      })
      await eventually('it is committed', async () => (await log.lag('long'))[0]?.committed === 1)
      assert.deepEqual(reader.texts(), ['a'])
    })
  })
}
