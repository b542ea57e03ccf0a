import { createServer } from 'node:http'
import { type Listening, listen } from './listen.ts'
import type { Probes } from './probes.ts'

interface ProbeServerOptions {
  readonly host: string
  readonly port: number
  readonly probes: Probes
  /** The settings that say where it listens. */
  readonly variables?: string
}

const NOT_FOUND = { status: 404, headers: {}, body: '' }

/** Answers probes on a port that serves nothing else. */
export const startProbeServer = ({ probes, ...where }: ProbeServerOptions): Promise<Listening> => {
  const server = createServer(async ({ method, url = '' }, response) => {
    const probe = method === 'GET' || method === 'HEAD' ? probes.get(url.split('?', 1)[0] ?? '') : undefined
    const { status, headers, body } = (await probe?.()) ?? NOT_FOUND
    response.writeHead(status, headers).end(body)
  })
  return listen(server, where)
}
