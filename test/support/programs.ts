import { randomBytes } from 'node:crypto'
import { createServer, request } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { type Listening, listen } from '../../infra/runtime/listen.ts'
import type { Stack } from '../../infra/stack/index.ts'
import { assay } from './assay.ts'
import type { Installation } from './installation.ts'
import { createProgram, freePort, type RunningProgram } from './program.ts'

export type ProgramName = 'ingest' | 'processors' | 'query-api'

/** Programs of their own on the real engines of a stack, behind one address. */
export interface ProgramsInstallation extends Installation {
  /** The programs that it was started with, of each kind. */
  readonly programs: Readonly<Record<ProgramName, readonly RunningProgram[]>>
  /** Starts one besides these and waits until it is ready. The proxy does not know it. */
  add(name: ProgramName, parameters?: readonly string[]): Promise<RunningProgram>
  /** Everything that every program printed. */
  output(): string
}

const migrate = async (environment: Readonly<Record<string, string>>): Promise<void> => {
  const { code, stdout, stderr } = await assay(['migrate'], environment)
  if (code !== 0) throw new Error(`assay migrate ended with code ${code}:\n${stdout}${stderr}`)
}

/**
 * Migrates the stack's engines and starts programs on them: two of each unless told. Resolves when all are ready,
 * whenever the engines are.
 */
export const startPrograms = async (
  stack: Pick<Stack, 'urls'>,
  environment: Readonly<Record<string, string>> = {},
  names: readonly ProgramName[] = ['ingest', 'ingest', 'processors', 'processors', 'query-api', 'query-api'],
): Promise<ProgramsInstallation> => {
  const port = await freePort()
  const smtpPort = await freePort()
  const baseUrl = `http://127.0.0.1:${port}`
  const shared = {
    ...stack.urls,
    INSTALLATION_KEY: randomBytes(32).toString('base64'),
    BASE_URL: baseUrl,
    CLIENT_ADDRESS_HEADER: 'x-forwarded-for',
    SIGN_UP: 'open',
    ...environment,
  }
  const programs: Record<ProgramName, RunningProgram[]> = { ingest: [], processors: [], 'query-api': [] }
  const guests: RunningProgram[] = []
  const all = (): RunningProgram[] => [...Object.values(programs).flat(), ...guests]
  const addressesOf = (name: ProgramName): string[] => programs[name].map(program => program.baseUrl)
  const proxy = await startProxy(() => ({ ingest: addressesOf('ingest'), queryApi: addressesOf('query-api') }), port)

  let isFirstEdge = environment.INGEST_MAIL_DOMAIN !== undefined
  /** One edge alone can have the port for mail. */
  const ofFirst = (name: ProgramName): Readonly<Record<string, string>> => {
    if (name !== 'ingest' || !isFirstEdge) return {}
    isFirstEdge = false
    return { SMTP_PORT: String(smtpPort) }
  }
  const startAmong = async (
    those: RunningProgram[],
    name: ProgramName,
    parameters: readonly string[] = [],
  ): Promise<RunningProgram> => {
    const program = await createProgram([name, ...parameters], { ...shared, ...ofFirst(name) })
    those.push(program)
    program.start()
    await program.ready()
    return program
  }
  const remove = async (): Promise<void> => {
    await proxy.stop()
    await Promise.all(all().map(program => program.stop()))
  }
  const output = () =>
    all()
      .map(program => program.output())
      .join('\n')
  try {
    // All at once, as a container engine would: the programs wait for the migrations.
    const starting = [migrate(shared), ...names.map(name => startAmong(programs[name], name))]
    await Promise.all(starting).catch(async error => {
      // Those that were still about to start would outlive the others.
      await Promise.allSettled(starting)
      throw error
    })
  } catch (error) {
    await remove()
    throw error
  }
  return {
    baseUrl,
    smtpPort,
    programs,
    add: (name, parameters) => startAmong(guests, name, parameters),
    output,
    remove,
  }
}

/** Addresses that take turns. */
interface Upstreams {
  readonly ingest: readonly string[]
  readonly queryApi: readonly string[]
}

/**
 * What stands in front of the programs: the edge's paths to the edges, all others to the query APIs, as
 * infra/deploy/Caddyfile has it. A request is never repeated; an upstream that is not there is a 502.
 */
export const startProxy = (upstreams: () => Upstreams, port: number): Promise<Listening> => {
  let turn = 0
  /** Connections are used again. */
  const guarded = new WeakSet<object>()
  const server = createServer(async (incoming, outgoing) => {
    // Read whole, as an upstream may answer before it has all of it.
    const body = await buffer(incoming)
    const { ingest, queryApi } = upstreams()
    const candidates = incoming.url?.startsWith('/api/webhooks/') ? ingest : queryApi
    turn += 1
    const upstream = new URL(candidates[turn % candidates.length] ?? 'http://127.0.0.1:1')
    const forwarded = request(
      {
        host: upstream.hostname,
        port: upstream.port,
        method: incoming.method,
        path: incoming.url,
        headers: { ...incoming.headers, 'x-forwarded-for': incoming.socket.remoteAddress },
      },
      answer => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(outgoing)
      },
    )
    forwarded.on('error', () => {
      if (outgoing.headersSent) outgoing.destroy()
      else outgoing.writeHead(502).end()
    })
    // An upstream that refuses a body before it has all of it closes the connection, also after its answer was read.
    forwarded.on('socket', socket => {
      if (guarded.has(socket)) return
      guarded.add(socket)
      socket.on('error', () => {})
    })
    forwarded.end(body)
  })
  return listen(server, { host: '127.0.0.1', port })
}
