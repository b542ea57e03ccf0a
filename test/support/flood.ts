import type { Lane } from './load.ts'
import type { CreatedSource, Person } from './person.ts'
import { post, webhookHeaders } from './sender.ts'

/** A connection takes 500 requests a minute: a flood goes to as many of a workspace as it needs. */
const REQUESTS_OF_A_CONNECTION = 400
const CONCURRENCY = 100

/** Sends one text so many times at once, each time as a signal of its own, until each is answered 200. */
export const floodWith = async (person: Person, lane: Lane, text: string, count: number): Promise<void> => {
  const member = person.inWorkspace(lane.workspaceId)
  const connections: CreatedSource[] = []
  for (let made = 0; made * REQUESTS_OF_A_CONNECTION < count; made += 1) {
    connections.push(await member.call('create_source', { kind: 'connection', name: `Flood ${made}` }))
  }
  let next = 0
  const sender = async (): Promise<void> => {
    while (next < count) {
      const number = next
      next += 1
      const source = connections[number % connections.length]
      if (source === undefined) throw new TypeError('There is no connection to send to.')
      for (;;) {
        const answer = await send(source, `flood-${number}`, text).catch(() => null)
        if (answer?.status !== 200) continue
        lane.accepted.push(String(answer.body.snippet_id))
        lane.texts.push(text)
        break
      }
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, sender))
}

const send = (source: CreatedSource, id: string, text: string) => {
  const at = new Date()
  const body = JSON.stringify({ type: 'feedback.created', timestamp: at.toISOString(), data: { text } })
  return post(source.url, body, webhookHeaders(source.secret, id, at, body))
}
