import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import type { LogClient, LogHarness, LogUnderTest } from '../conformance/harness.ts'
import { connectEmbeddedLog, type EmbeddedLogOptions, type RunningEmbeddedLog, startEmbeddedLog } from './start.ts'

const SHORT_TIMEOUTS = { retentionSweepMs: 25, sessionTimeoutMs: 6000, rebalanceTimeoutMs: 300 }

/** A directory that goes away when the test is through. */
export const temporaryDirectory = async (t: TestContext): Promise<string> => {
  const directory = await mkdtemp(join(tmpdir(), 'assay-log-'))
  t.after(() => rm(directory, { recursive: true }))
  return directory
}

/** An embedded log that ends with the test, whatever becomes of it. */
export const startFor = async (t: TestContext, options: EmbeddedLogOptions): Promise<RunningEmbeddedLog> => {
  const running = await startEmbeddedLog(options)
  let stopping: Promise<void> | null = null
  const stop = (): Promise<void> => {
    stopping ??= running.stop()
    return stopping
  }
  t.after(stop)
  return { ...running, stop }
}

export const embeddedHarness: LogHarness = {
  async start(): Promise<LogUnderTest> {
    const directory = await mkdtemp(join(tmpdir(), 'assay-log-'))
    const open = () => startEmbeddedLog({ directory, ...SHORT_TIMEOUTS })
    let running = await open()
    return {
      async connect(): Promise<LogClient> {
        const port = running.connect()
        // A port that is closed on the client's side looks to the log like a thread that ended.
        const abandon = () => new Promise<void>(resolve => port.once('close', resolve).close())
        return { log: connectEmbeddedLog(port), abandon }
      },
      async reopen() {
        await running.stop()
        running = await open()
      },
      async stop() {
        await running.stop()
        await rm(directory, { recursive: true })
      },
    }
  },
}
