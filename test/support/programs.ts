import { randomBytes } from 'node:crypto'
import type { Stack } from '../../infra/stack/index.ts'
import { assay } from './assay.ts'
import type { Installation } from './installation.ts'
import { createProgram, freePort, type RunningProgram } from './program.ts'
import { startProxy } from './proxy.ts'

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
