import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MAIL_ENVIRONMENT } from './mail.ts'
import { prepareDataDirectory } from './prepared-database.ts'
import { createProgram, freePort, type RunningProgram } from './program.ts'

/** A whole Assay, however many processes it has. */
export interface Installation {
  /** Where senders, agents and people reach it. */
  readonly baseUrl: string
  /** Where mail servers reach it; nothing listens there unless the environment opens the way in for mail. */
  readonly smtpPort: number
  /** Stops it and removes its data. */
  remove(): Promise<void>
}

/** One in a single process, on a data directory of its own. */
export interface EmbeddedInstallation extends Installation, Pick<RunningProgram, 'output' | 'killAbruptly' | 'stop'> {
  readonly dataDirectory: string
  /** Where `/metrics` is answered: not on the public port. */
  readonly metricsUrl: string
  /** Starts it again on the same data and the same port, and waits until it is ready. */
  start(): Promise<void>
}

interface InstallationOptions {
  /**
   * Begins with no data at all, as a user's first start does; else with a database that was made and migrated before.
   */
  readonly fromNothing?: boolean
  /** Where its code is, unless in this repository. */
  readonly repository?: string
}

/** Starts an embedded installation and waits until it is ready. `environment` is added to the process's own. */
export const startInstallation = async (
  environment: Readonly<Record<string, string>> = {},
  { fromNothing = false, repository }: InstallationOptions = {},
): Promise<EmbeddedInstallation> => {
  const port = await freePort()
  const baseUrl = `http://127.0.0.1:${port}`
  const smtpPort = await freePort()
  const metricsPort = await freePort()
  const dataDirectory = await mkdtemp(join(tmpdir(), 'assay-test-'))
  // A directory that holds a database is not started with a server in its place.
  if (!fromNothing && environment.DATABASE_URL === undefined) await prepareDataDirectory(dataDirectory)
  const program = await createProgram(
    ['all'],
    {
      PORT: String(port),
      DATA_DIR: dataDirectory,
      BASE_URL: baseUrl,
      METRICS_PORT: String(metricsPort),
      // Tests have many people come who know nobody.
      SIGN_UP: 'open',
      ...(environment.INGEST_MAIL_DOMAIN === undefined ? {} : { SMTP_PORT: String(smtpPort) }),
      ...environment,
    },
    repository,
  )
  const start = (): Promise<void> => {
    program.start()
    return program.ready()
  }
  const remove = async (): Promise<void> => {
    await program.stop()
    await rm(dataDirectory, { recursive: true, force: true })
  }
  await start().catch(async error => {
    await remove()
    throw error
  })
  return { ...program, baseUrl, smtpPort, dataDirectory, metricsUrl: `http://127.0.0.1:${metricsPort}`, start, remove }
}

/** Where the runner has one up for all files whose tests need none of their own; see test/run.ts. */
export const SHARED_INSTALLATION_VARIABLE = 'ASSAY_TEST_INSTALLATION'

/**
 * One that others use at the same time, each person in workspaces of their own; one of its own where no runner shares
 * one.
 */
export const sharedInstallation = async (): Promise<Installation> => {
  const { [SHARED_INSTALLATION_VARIABLE]: baseUrl } = process.env
  return baseUrl === undefined ? startSharedInstallation() : { baseUrl, smtpPort: 0, remove: async () => {} }
}

/**
 * Starts one for several files. What is throttled by address is so for each person: `signUp` comes from an address of
 * its own. It takes mail, so that it has every kind of source.
 */
export const startSharedInstallation = (): Promise<Installation> =>
  startInstallation({ CLIENT_ADDRESS_HEADER: 'x-forwarded-for', ...MAIL_ENVIRONMENT })
