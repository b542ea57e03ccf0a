import { after, before, describe } from 'node:test'
import { describeCompletion } from './completion.ts'
import { describeDelivery } from './delivery.ts'
import { describeGroupPositions } from './group-positions.ts'
import { describeGroups } from './groups.ts'
import type { Bench, LogClient, LogHarness, LogUnderTest } from './harness.ts'
import { describeRecords } from './records.ts'
import { describeRetention } from './retention.ts'

/** Everything that the port promises, tried on one adapter. */
export const describeLogConformance = (name: string, harness: LogHarness): void => {
  describe(`The log contract, kept by ${name}`, () => {
    let log: LogUnderTest
    const clients: LogClient[] = []
    const bench: Bench = {
      async connect() {
        const client = await log.connect()
        clients.push(client)
        return client
      },
      reopen: () => log.reopen(),
    }

    before(async () => {
      log = await harness.start()
    })
    after(async () => {
      for (const client of clients) await client.log.close()
      await log.stop()
    })

    describeRecords(bench)
    describeDelivery(bench)
    describeCompletion(bench)
    describeGroupPositions(bench)
    describeGroups(bench)
    describeRetention(bench)
  })
}
