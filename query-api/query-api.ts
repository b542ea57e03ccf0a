import type { Analytics } from '../infra/clickhouse/port.ts'
import type { Mailer } from '../infra/mail/port.ts'
import type { Embedder } from '../infra/models/port.ts'
import type { Database } from '../infra/postgres/port.ts'
import { AssayError, logged } from '../infra/runtime/errors.ts'
import { createReachability } from '../infra/runtime/health.ts'
import type { Logger } from '../infra/runtime/logger.ts'
import type { Metrics } from '../infra/runtime/metrics.ts'
import { readProductVersion } from '../infra/runtime/product-version.ts'
import { createPseudonymizer, createSealer, derivedSecrets, type InstallationKey } from '../infra/runtime/secrets.ts'
import { createScannedIndex } from '../infra/vector-index/sign-bits.ts'
import { limitSessions } from '../model/accounts/accounts.ts'
import { deleteAccount } from '../model/accounts/delete-account.ts'
import { ACCOUNT_SECRETS } from '../model/installation/sealed-columns.ts'
import { readUnfinishedWork } from '../model/installation/unfinished-work.ts'
import { createKeptLedgers } from '../model/ledger/kept-ledgers.ts'
import { createNeighbours } from '../model/neighbours/neighbours.ts'
import type { Quotas } from '../model/quotas/quotas.ts'
import { createMeanings } from '../model/search/meanings.ts'
import { createSearchTexts } from '../model/search/search-texts.ts'
import { ensureFirstWorkspace } from '../model/workspaces/lifecycle.ts'
import type { UserId } from '../schemas/domain/ids.ts'
import { createAccountEvents } from './accounts/account-events.ts'
import { createOwnWays } from './accounts/account-route.ts'
import { createAccountsApi } from './accounts/accounts-api.ts'
import { createAuth } from './accounts/auth.ts'
import type { AccountsPool } from './accounts/auth-options.ts'
import { createKeyring } from './accounts/keys.ts'
import { createPasswordReset } from './accounts/password-reset.ts'
import { createSessions } from './accounts/sessions.ts'
import type { SignOnSettings } from './accounts/sign-on/config.ts'
import { createSignOn, takeRoles } from './accounts/sign-on/sign-on.ts'
import { createSignUpCheck, type SignUpMode } from './accounts/sign-up-check.ts'
import { createTries, NO_LIMIT } from './accounts/tries.ts'
import { cleanUpHourly } from './clean-up.ts'
import { createDiscovery, RESOURCE_METADATA_PATH } from './discovery/discovery.ts'
import { createFilesApi } from './files/files-api.ts'
import { createKeylessBudget } from './http/address-budget.ts'
import { createApp, createAppApi } from './http/app.ts'
import { createBodyBudget } from './http/body-budget.ts'
import { createBodyDoor } from './http/body-door.ts'
import { loadWebApp } from './http/pages.ts'
import { trustedOrigins } from './http/requests.ts'
import { createEvents, EVENT_SETTINGS, type EventSettings } from './live/events.ts'
import { createWatch } from './live/watch.ts'
import { putDigestsRegularly } from './mail/digests.ts'
import { createMailQueue, type OutgoingMail } from './mail/mail-queue.ts'
import { createMailSender, sendMails } from './mail/mail-sender.ts'
import { createMcpEndpoint } from './mcp/endpoint.ts'
import { createMethods } from './mcp/methods.ts'
import { createAgentCall } from './mcp/strangers-marks.ts'
import { createSurface } from './mcp/surface.ts'
import { createActivityBuffer } from './operations/call/activity-buffer.ts'
import { createCall } from './operations/call/call.ts'
import { createIncidentLimit } from './operations/call/call-limits.ts'
import { analyticsWithBreaker, databaseWithBreaker } from './operations/call/circuit-breakers.ts'
import { measureCalls, tracingCalls } from './operations/call/observe.ts'
import type { Operation, Services } from './operations/define.ts'
import { createDependencies, watchFullDisk } from './operations/pipeline/dependencies.ts'
import { registry } from './operations/registry.ts'
import { prompts as allPrompts, type Prompt } from './prompts/index.ts'
import { resources as allResources, type Resource } from './resources/index.ts'
import type { Tool } from './tools/define-tool.ts'
import { tools as allTools } from './tools/index.ts'
import { measureUnfinishedWork } from './unfinished-work-metrics.ts'
import { createWorker } from './worker/worker.ts'

export interface QueryApiPorts {
  readonly database: Database
  /** Pool of the login role on the same database; accounts and sessions are the library's own tables. */
  readonly accountsPool: AccountsPool
  /** Rejects while the database lacks migrations. */
  readonly assertMigrated: () => Promise<void>
  readonly analytics: Analytics
  /** Rejects while the log does not answer. */
  readonly pingLog: () => Promise<void>
  /** Rejects while the registry of the log's schemas does not answer. */
  readonly pingRegistry: () => Promise<void>
  readonly embedder: Embedder
  /** Null when the installation sends no mail. */
  readonly mailer: Mailer | null
  readonly appendSignal: Services['appendSignal']
  readonly encodeSignal: Services['encodeSignal']
  readonly readSignal: Services['readSignal']
  readonly installationKey: InstallationKey
  readonly logger: Logger
  readonly metrics: Pick<Metrics, 'registry'>
  readonly settings: {
    readonly baseUrl: string
    readonly siteUrl: string | null
    readonly signUp: SignUpMode
    readonly throttleSignIn: boolean
    /** Null when people sign in with a password alone. */
    readonly signOn: SignOnSettings | null
    /** True when new accounts can sign in only after their address is verified. */
    readonly requireVerifiedEmail: boolean
    /** MCP messages a minute for an address without a key; 0 means no limit. */
    readonly keylessCallsPerMinute: number
    /** Memory for vectors' sign bits in the search, MB. */
    readonly searchMegabytes: number
    /** Domain of the ingestion addresses; null when the installation receives no mail. */
    readonly mailDomain: string | null
    readonly quotas: Quotas
  }
  readonly now?: () => Date
  /** Settings of the app's event streams. */
  readonly live?: Partial<EventSettings> & { readonly intervalMs?: number }
  /** Replacements of the product's operations and tools, for tests of the doors. */
  readonly operations?: ReadonlyMap<string, Operation>
  readonly tools?: readonly Tool[]
  readonly prompts?: readonly Prompt[]
  readonly resources?: readonly Resource[]
}

export interface QueryApi {
  /** Answers a request. `CLIENT_ADDRESS_HEADER` is trusted, so the server must set or remove it. */
  fetch(request: Request): Promise<Response>
  /** Ends the event streams, so that a stopping server need not wait. */
  drain(): void
  /** Writes data still in memory. Called after the last request was answered. */
  close(): Promise<void>
}

const WATCH_EVERY_MS = 1000
/** Longest delay before the start of an outage is noticed, ms. */
const LOOK_EVERY_MS = 10_000
const APP = new URL('../web/dist/', import.meta.url)

/** Builds the query API from its ports. It does not listen: a server passes requests to it. */
export const startQueryApi = async (ports: QueryApiPorts): Promise<QueryApi> => {
  const { logger, settings, installationKey, now = () => new Date() } = ports
  const { operations = registry, tools = allTools, prompts = allPrompts, resources = allResources } = ports
  const { baseUrl } = settings
  const watched = watchFullDisk(ports.database)
  const database = databaseWithBreaker(watched.database)
  const version = readProductVersion()
  const origins = trustedOrigins(baseUrl, ...(settings.siteUrl === null ? [] : [settings.siteUrl]))

  const keyring = createKeyring(database, now)
  const buffer = createActivityBuffer(watched.writing(database), logger)
  const sealer = createSealer(installationKey)
  const { embedder, check: checkEmbedder } = watchEmbedder(ports.embedder)
  const searchBytes = settings.searchMegabytes * 1024 * 1024
  const meanings = createMeanings(embedder)
  const dependencies = createDependencies({
    checks: {
      database: async () => {
        await ports.database.ping()
        await ports.assertMigrated()
        await watched.assertRoom()
      },
      analytics: ports.analytics.ping,
      log: ports.pingLog,
      registry: ports.pingRegistry,
      embedder: checkEmbedder,
    },
    database: ports.database,
    sendsMail: ports.mailer !== null,
    now: Date.now,
  })
  const mail = startMail(ports, watched.writing(database))
  const worker = createWorker(logger)
  const bodies = createBodyBudget()
  const door = createBodyDoor(bodies, worker)
  const services: Services = {
    analytics: analyticsWithBreaker(ports.analytics),
    embedder,
    dependencies,
    startedAt: now(),
    neighbours: createNeighbours({ maxBytes: searchBytes / 4, createIndex: createScannedIndex }),
    texts: createSearchTexts({ maxBytes: (searchBytes / 4) * 3, log: logger }),
    meanings,
    ledgers: createKeptLedgers(),
    worker,
    appendSignal: ports.appendSignal,
    encodeSignal: ports.encodeSignal,
    readSignal: ports.readSignal,
    baseUrl,
    mailDomain: settings.mailDomain,
    mail,
    quotas: settings.quotas,
    now,
    ...sealer,
    actorKey: createPseudonymizer(installationKey, 'actors'),
  }
  const limit = createIncidentLimit(database, now)
  const observe = measureCalls(ports.metrics)
  measureUnfinishedWork(ports.metrics, () => readUnfinishedWork(database))
  const call = tracingCalls(
    createCall({ database, services, buffer, limit, bodies, evictKey: keyring.forget, observe }),
  )

  const passwordReset = createPasswordReset({ database, mail })
  const signOn = settings.signOn && createSignOn(settings.signOn, settings.signUp === 'open')
  const auth = createAuth(
    {
      pool: ports.accountsPool,
      baseUrl,
      secrets: derivedSecrets(installationKey, ACCOUNT_SECRETS),
      trustedOrigins: origins,
      log: logger,
      onSession: async user => {
        if (signOn !== null) await takeRoles(database, signOn, user, logger)
        await afterSignIn(database, user, settings.quotas, logger)
      },
      signOn,
      sendVerification: mail && verificationBy(database, mail, logger),
      requireVerified: settings.requireVerifiedEmail,
      onPasswordReset: passwordReset.used,
      deleteAccount: async (user, hold) => (await deleteAccount(database, user, hold)).forEach(keyring.forget),
    },
    ports.assertMigrated,
  )
  const sessions = createSessions(auth, database, settings.quotas)

  const { intervalMs = WATCH_EVERY_MS, ...live } = ports.live ?? {}
  const events = createEvents({
    sessions,
    watch: createWatch({ database, now, log: logger, intervalMs }),
    settings: { ...EVENT_SETTINGS, ...live },
  })

  const surface = createSurface(tools, operations.values())
  const app = createApp({
    mcp: createMcpEndpoint({
      answer: createMethods({ surface, prompts, resources, agentCall: createAgentCall(call, bodies), version }),
      door,
      keyring,
      keyless: createKeylessBudget(settings.keylessCallsPerMinute),
      origins,
      metadataUrl: `${baseUrl}${RESOURCE_METADATA_PATH}`,
      log: logger,
    }),
    appApi: createAppApi({ door, call, operations, sessions, origins }),
    events: events.answer,
    files: createFilesApi({ door, worker, database, sealer, quotas: settings.quotas, sessions, origins }),
    accounts: createAccountsApi({
      door,
      auth,
      admission: createSignUpCheck(database, settings.signUp, settings.requireVerifiedEmail),
      passwordReset,
      events: createAccountEvents({ database, mail, log: logger }),
      signOn,
      tries: settings.throttleSignIn ? createTries() : NO_LIMIT,
      ownWays: createOwnWays(database),
      database,
      baseUrl,
      origins,
    }),
    discovery: createDiscovery({ baseUrl, version, tools, operations: operations.values() }),
    webApp: await loadWebApp(APP),
    siteUrl: settings.siteUrl,
    log: logger,
  })
  const watching = setInterval(() => void dependencies.read(), LOOK_EVERY_MS).unref()
  const stopCleaning = cleanUpHourly({ database, analytics: services.analytics, now: services.now, log: logger })
  return {
    fetch: app.fetch,
    drain: events.drain,
    close: async () => {
      clearInterval(watching)
      stopCleaning()
      await mail?.stop()
      await buffer.close()
      await meanings.idle()
      await worker.stop()
    },
  }
}

/** Queue and sender of mail; null when the installation sends none. */
const startMail = (
  { mailer, installationKey, settings, logger, now = () => new Date() }: QueryApiPorts,
  database: Database,
) => {
  if (mailer === null) return null
  const queue = createMailQueue(installationKey)
  const sender = createMailSender({ database, mailer, queue, baseUrl: settings.baseUrl, log: logger })
  const sending = sendMails(sender, { database, log: logger })
  const stopDigests = putDigestsRegularly({ database, mail: queue, log: logger, now }, sending.wake)
  return {
    ...queue,
    wake: sending.wake,
    stop: async () => {
      stopDigests()
      await sending.stop()
    },
  }
}

/** Queues links to verify an address without delaying the answer. */
const verificationBy =
  (database: Database, mail: OutgoingMail, logger: Logger) =>
  (email: string, token: string): void => {
    database
      .transaction({ role: 'assay_accounts' }, transaction => mail.put(transaction, 'verification', { email, token }))
      .then(mail.wake, error => logger.warn(logged(error), 'A mail to verify an address could not be stored.'))
  }

/** The same embedder, and a check that rejects with the reason of its last failure. */
const watchEmbedder = (embedder: Embedder) => {
  const reach = createReachability(Date.now)
  return {
    embedder: { ...embedder, embed: (texts: readonly string[]) => reach.through(() => embedder.embed(texts)) },
    check: async () => {
      const away = reach.away()
      if (away !== null) throw new AssayError('unavailable', away.reason)
    },
  }
}

/** A failure here must not undo the sign-in: the session's next request tries again. */
const afterSignIn = async (database: Database, user: UserId, quotas: Quotas, logger: Logger): Promise<void> => {
  try {
    await limitSessions(database, user)
    await ensureFirstWorkspace(database, user, quotas)
  } catch (error) {
    logger.warn(logged(error), 'A first workspace could not be made yet, or old sessions not be ended.')
  }
}
