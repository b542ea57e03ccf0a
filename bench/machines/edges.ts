import { startStack } from '../../infra/stack/index.ts'
import { plural } from '../../schemas/domain/for-people.ts'
import { type ProgramName, startPrograms } from '../../test/support/programs.ts'
import { sendLoad } from '../support/load.ts'
import { recordFigure } from '../support/measuring.ts'
import { withShares } from '../support/share-of-core.ts'
import { createTargets, quotasFor, untilKnown } from '../support/subject.ts'

const SHARE = 0.1
const COUNTS = [1, 2, 4]
const ENDPOINTS = 800
const SECONDS = 10
/** For each edge: one that is given fewer has smaller batches. */
const VIRTUAL_USERS = 32

/** What more edges bring, each with a share of a core, which count their senders' requests together in Valkey. */
export const edges = async (): Promise<void> => {
  const stack = await startStack({ engines: ['kafka', 'registry', 'postgres', 'clickhouse', 'valkey'] })
  try {
    const names: readonly ProgramName[] = [
      ...Array.from({ length: Math.max(...COUNTS) }, () => 'ingest' as const),
      'query-api',
    ]
    const installation = await startPrograms(stack, quotasFor(ENDPOINTS), names)
    try {
      const targets = await createTargets(installation.baseUrl, ENDPOINTS)
      const all = installation.programs.ingest
      for (const edge of all) await untilKnown([edge.baseUrl], ENDPOINTS)
      const spread = (count: number) =>
        targets.map(({ url, secret }, place) => ({
          url: `${all[place % count]?.baseUrl}${new URL(url).pathname}`,
          secret,
        }))
      await sendLoad({ targets: spread(all.length), seconds: SECONDS, virtualUsers: VIRTUAL_USERS })
      await withShares(SHARE, async limit => {
        limit(all)
        for (const count of COUNTS) {
          const { accepted, refused, seconds, latency } = await sendLoad({
            targets: spread(count),
            seconds: SECONDS,
            virtualUsers: VIRTUAL_USERS * count,
          })
          recordFigure('machines: edges: accepted', accepted / seconds, 'requests/s', { at: count })
          console.log(
            `${count} ${plural(count, 'edge')} at ${SHARE} of a core: ${(accepted / seconds).toFixed(0)} accepted/s, ${refused} refused, p99 ${latency.p99.toFixed(0)} ms`,
          )
        }
      })
    } finally {
      await installation.remove()
    }
  } finally {
    await stack.stop()
  }
}
