import { AssayError, asAssayError } from '../../infra/runtime/errors.ts'
import { createShares } from '../../infra/runtime/shares.ts'
import { timerMs } from '../../infra/runtime/timers.ts'
import type { TenantId, UserId } from '../../schemas/domain/ids.ts'
import type { LiveTopic } from '../../schemas/domain/vocabulary.ts'
import type { Sessions } from '../accounts/sessions.ts'
import { problem } from '../http/problem.ts'
import type { Watch } from './watch.ts'

export interface EventSettings {
  /**
   * Something is written so often, so that neither a proxy nor the edge takes the stream for dead. The edge waits ten
   * seconds.
   */
  readonly heartbeatMs: number
  /** How often the session and the membership are looked at again. */
  readonly checkMs: number
  /** A stream ends after so long, and the page opens another one: none outlives a change of what serves it. */
  readonly longestMs: number
  readonly mostOfPerson: number
  /** Streams of all tenants together, at most; each tenant has a share of them. */
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
  readonly sessions: Pick<Sessions, 'callerOf'>
  readonly watch: Watch
  readonly settings: EventSettings
}

interface Watching {
  readonly tenantId: TenantId
  readonly userId: UserId
}

/** A tenant takes half of what the others leave: a company alone with its installation has most of the room. */
const PART_OF_THE_REST = 2

const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store, no-transform',
  // A proxy that gathers answers would hold the events back.
  'x-accel-buffering': 'no',
}

/** The reader has so many bytes to take before it is given up: it reads nothing any more. */
const MAX_UNREAD = 64 * 1024

/**
 * `GET /api/app/events`: says which topics of the caller's workspace changed, as server-sent events, and nothing about
 * them: the page asks the operations again, as the person who it is by then. `open` is said once nothing that changes
 * from then on is missed. Closes when the session or the membership ends.
 */
export const createEvents = ({ sessions, watch, settings }: Ports) => {
  const open = new Map<() => void, Watching>()
  let draining = false

  /** The streams of a tenant's accounts count together: many accounts of one tenant leave room for others. */
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
        const { workspaceId, tenantId, userId } = await sessions.callerOf(request.headers)
        admit({ tenantId, userId })
        // Named, as a session that names none would go on in another workspace of the person's.
        const requestHeaders = new Headers(request.headers)
        requestHeaders.set('x-workspace-id', workspaceId)
        const stillMember = () => sessions.callerOf(requestHeaders).then(() => true, isUnavailable)
        const body = streamOf(settings, stillMember, {
          begin: (say, end) => {
            open.set(end, { tenantId, userId })
            // What the page has read by then it reads again, so that it misses nothing.
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
    /** Ends every stream and takes no more, so that a server that stops need not wait for them. */
    drain: (): void => {
      draining = true
      for (const end of [...open.keys()]) end()
    },
    size: (): number => open.size,
  }
}

/** Whether a check failed for another reason than that the person may not be here: then it is made again. */
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
            // The reader has cancelled it.
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
