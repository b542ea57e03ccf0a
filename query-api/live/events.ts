import { AssayError, asAssayError } from '../../infra/runtime/errors.ts'
import { createShares } from '../../infra/runtime/shares.ts'
import { timerMs } from '../../infra/runtime/timers.ts'
import type { TenantId, UserId } from '../../schemas/domain/ids.ts'
import type { LiveTopic } from '../../schemas/domain/vocabulary.ts'
import type { Sessions } from '../accounts/sessions.ts'
import { problem } from '../http/problem.ts'
import type { Watch } from './watch.ts'

export interface EventSettings {
  /** Interval of the comments that keep a proxy and the edge from closing the stream. The edge waits ten seconds. */
  readonly heartbeatMs: number
  /** Interval between checks of the session and the membership, ms. */
  readonly checkMs: number
  /** Longest life of a stream, ms; the page then opens another one, so no stream outlives an update of the servers. */
  readonly longestMs: number
  readonly mostOfPerson: number
  /** Most streams of all tenants together; each tenant has a share. */
  readonly most: number
}

export const EVENT_SETTINGS: EventSettings = {
  heartbeatMs: 5000,
  checkMs: 15_000,
  longestMs: 15 * 60_000,
  mostOfPerson: 20,
  most: 2000,
}

interface Ports {
  readonly sessions: Pick<Sessions, 'callerOf' | 'worksIn'>
  readonly watch: Watch
  readonly settings: EventSettings
}

interface Watching {
  readonly tenantId: TenantId
  readonly userId: UserId
}

/** A tenant can take half of the free streams: a company alone on its installation has most of the room. */
const PART_OF_THE_REST = 2

const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store, no-transform',
  // A buffering proxy would hold the events back.
  'x-accel-buffering': 'no',
}

/** Most unread bytes; a reader with more has stopped reading, and the stream ends. */
const MAX_UNREAD = 64 * 1024

/**
 * `GET /api/app/events`: sends the changed topics of the caller's workspace as server-sent events, without content: the
 * page calls the operations again, with the rights that the person then has. `open` comes when no later change can be
 * missed. The stream ends with the session or the membership.
 */
export const createEvents = ({ sessions, watch, settings }: Ports) => {
  const open = new Map<() => void, Watching>()
  let draining = false

  /** The streams of a tenant's accounts count together, so that many accounts of one tenant leave room for others. */
  const shareOf = createShares<TenantId>(settings.most, settings.mostOfPerson, PART_OF_THE_REST)

  const admit = ({ tenantId, userId }: Watching): void => {
    if (draining) throw new AssayError('unavailable', 'This server is about to stop. Connect again.', {})
    const own = [...open.values()].filter(each => each.userId === userId).length
    if (own < settings.mostOfPerson && shareOf(tenantId).take(1)) return
    const whose = own < settings.mostOfPerson ? 'of your workspaces together' : 'of yours'
    throw new AssayError(
      'rate_limited',
      `Too many pages ${whose} are watching. Close some tabs; pages that do not watch work all the same, and are asked again when they are looked at.`,
    )
  }

  return {
    answer: async (request: Request): Promise<Response> => {
      try {
        const caller = await sessions.callerOf(request.headers)
        const { workspaceId, tenantId, userId } = caller
        await sessions.worksIn(caller)
        admit({ tenantId, userId })
        // Named explicitly: a session without a named workspace could continue in another one of the person.
        const requestHeaders = new Headers(request.headers)
        requestHeaders.set('x-workspace-id', workspaceId)
        const stillMember = () => sessions.callerOf(requestHeaders).then(() => true, isUnavailable)
        const body = streamOf(settings, stillMember, {
          begin: (say, end) => {
            open.set(end, { tenantId, userId })
            // At `open` the page reads everything again, so it misses nothing.
            const watcher = {
              begun: () => say('open', {}),
              changed: (topics: readonly LiveTopic[]) => say('changed', { topics }),
            }
            return watch.watch(workspaceId, watcher)
          },
          ended: end => {
            if (open.delete(end)) shareOf(tenantId).give(1)
          },
        })
        return new Response(body, { headers: HEADERS })
      } catch (error) {
        return problem(asAssayError(error))
      }
    },
    /** Ends every stream and refuses new ones, so that a stopping server need not wait. */
    drain: (): void => {
      draining = true
      for (const end of [...open.keys()]) end()
    },
    size: (): number => open.size,
  }
}

/** True when a check failed for a reason other than the person's rights; then the check is repeated. */
const isUnavailable = (error: unknown): boolean => {
  const { code } = asAssayError(error)
  return code !== 'unauthorized' && code !== 'forbidden'
}

interface Hooks {
  readonly begin: (say: (event: string, data: object) => void, end: () => void) => () => void
  readonly ended: (end: () => void) => void
}

const streamOf = (
  { heartbeatMs, checkMs, longestMs }: EventSettings,
  stillMember: () => Promise<boolean>,
  { begin, ended }: Hooks,
): ReadableStream<Uint8Array> => {
  const encoder = new TextEncoder()
  let end = (): void => {}
  return new ReadableStream<Uint8Array>(
    {
      start: controller => {
        let over = false
        let unwatch = (): void => {}
        const timers: NodeJS.Timeout[] = []
        end = () => {
          if (over) return
          over = true
          for (const timer of timers) clearInterval(timer)
          unwatch()
          ended(end)
          try {
            controller.close()
          } catch {
            // The reader has cancelled the stream.
          }
        }
        const write = (text: string) => {
          if (over) return
          if ((controller.desiredSize ?? 0) < -MAX_UNREAD) return end()
          controller.enqueue(encoder.encode(text))
        }
        const say = (event: string, data: object) => write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)
        unwatch = begin(say, end)
        timers.push(
          setInterval(() => write(': still here\n\n'), timerMs(heartbeatMs)).unref(),
          setInterval(async () => {
            if (await stillMember()) return
            say('end', {})
            end()
          }, timerMs(checkMs)).unref(),
          setTimeout(end, timerMs(longestMs)).unref(),
        )
      },
      cancel: () => end(),
    },
    new ByteLengthQueuingStrategy({ highWaterMark: 0 }),
  )
}
