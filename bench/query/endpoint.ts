import { Agent, request } from 'node:http'
import { startStack } from '../../infra/stack/index.ts'
import { createKey, signUp } from '../../test/support/person.ts'
import { freePort } from '../../test/support/program.ts'
import { type Peer, startPeer } from '../support/load.ts'
import { recordFigure } from '../support/measuring.ts'

const SIZES = { full: { rounds: 5, calls: 6000, warmUp: 3000 }, quick: { rounds: 3, calls: 2000, warmUp: 2000 } }
const ASKED = 0.5
const CONCURRENCY = 16

const BODY = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'service_nothing', arguments: { mode: 'nothing' } },
})

const post = (url: string, key: string, agent: Agent): Promise<void> =>
  new Promise((resolve, reject) => {
    const headers = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      authorization: `Bearer ${key}`,
    }
    const sent = request(`${url}/api/mcp`, { method: 'POST', agent, headers }, response => {
      let text = ''
      response.setEncoding('utf8').on('data', chunk => (text += chunk))
      response.on('end', () =>
        response.statusCode === 200 && text.includes('"done":"nothing"')
          ? resolve()
          : reject(new Error(`${url} answered ${response.statusCode}: ${text.slice(0, 300)}`)),
      )
    })
    sent.on('error', reject)
    sent.end(BODY)
  })

/** CPU of the peer's process for each of so many calls, in microseconds. */
const load = async (peer: Peer, key: string, calls: number): Promise<number> => {
  const agent = new Agent({ keepAlive: true, maxSockets: CONCURRENCY })
  const before = await peer.cpuSeconds()
  let left = calls
  const caller = async () => {
    while (left > 0) {
      left -= 1
      await post(peer.url, key, agent)
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, caller))
  const spent = (await peer.cpuSeconds()) - before
  agent.destroy()
  return (spent / calls) * 1e6
}

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN

/** What a call costs the endpoint before any tool does anything, against Express with the SDK's stock transport. */
export const endpoint = async (form: keyof typeof SIZES = 'full'): Promise<void> => {
  const size = SIZES[form]
  const stack = await startStack({ engines: ['postgres'] })
  const peers: Peer[] = []
  try {
    const port = String(await freePort())
    const program = 'query-api/mcp/nothing-program.ts'
    const own = await startPeer('assay', [program, stack.urls.DATABASE_URL ?? '', port])
    peers.push(own, await startPeer('Express, the SDK’s stock transport', ['bench/peers/express-mcp.ts']))
    const { key } = await createKey(await signUp(own.url))
    for (const peer of peers) await load(peer, key, size.warmUp)

    const costs = new Map<Peer, number[]>(peers.map(peer => [peer, []]))
    // Rounds alternate, so that what else the machine does meets both alike.
    for (let round = 1; round <= size.rounds; round += 1) {
      for (const [peer, rounds] of costs) {
        rounds.push(await load(peer, key, size.calls))
        console.log(`round ${round}  ${peer.name.padEnd(34)} ${rounds.at(-1)?.toFixed(0)} µs CPU a call`)
      }
    }
    const [assay = Number.NaN, express = Number.NaN] = [...costs.values()].map(median)
    recordFigure('query: CPU of a tool call that does nothing', assay, 'µs')
    recordFigure('query: the same, of Express and the stock transport', assay / express, 'times', { atMost: ASKED })
    console.log(
      `\n  ${(assay / express).toFixed(2)} of Express with the stock transport (medians; asked: at most 0.50)`,
    )
  } finally {
    for (const peer of peers) await peer.stop()
    await stack.stop()
  }
}
