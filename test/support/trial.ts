import type { Stack } from '../../infra/stack/index.ts'
import type { InstallationLedger } from '../../model/ledger/installation-ledger.ts'
import { assertAccounted } from './accounting.ts'
import { type LedgerReader, openLedger } from './ledger.ts'
import { createLane, createLanes, type Lane, type Load, startLoad } from './load.ts'
import { type Person, signUp } from './person.ts'
import { type ProgramName, type ProgramsInstallation, startPrograms } from './programs.ts'

/** Signals that are accepted before a fault begins, and after it has passed. */
const MORE_SIGNALS = 12

/** Programs on the real engines that are sent signals while something goes wrong. */
export interface Trial {
  readonly installation: ProgramsInstallation
  /** By which a further command finds the engines and shares the programs' settings. */
  readonly environment: Readonly<Record<string, string>>
  readonly person: Person
  readonly ledger: LedgerReader
  /** A further workspace, which the load does not go to; what it is sent is accounted for with the rest. */
  addLane(name: string): Promise<Lane>
  /**
   * Sends signals while `change` happens; then every one that was accepted is accounted for. Prints the ledger under
   * `what`.
   */
  underLoad(what: string, change: (load: Load) => Promise<void>): Promise<void>
  /** That everything that was ever accepted is accounted for. */
  assertAccounted(what: string): Promise<InstallationLedger>
  /** Takes the installation down; the stack stays. */
  end(): Promise<void>
}

interface TrialOptions {
  readonly environment: Readonly<Record<string, string>>
  readonly names: readonly ProgramName[]
  /** How long each sender waits between two signals. */
  readonly betweenSignalsMs: number
}

export const startTrial = async (stack: Pick<Stack, 'urls'>, options: TrialOptions): Promise<Trial> => {
  const { environment: settings, names, betweenSignalsMs } = options
  const installation = await startPrograms(stack, settings, names)
  const { person, lanes } = await prepare(installation).catch(async error => {
    await installation.remove()
    throw error
  })
  const environment = { ...stack.urls, ...settings }
  const ledger = openLedger(environment)
  const edges = installation.programs.ingest.map(({ baseUrl }) => baseUrl)
  const further: Lane[] = []
  const account = (what: string) => assertAccounted(ledger, [...lanes, ...further], what)
  return {
    installation,
    environment,
    person,
    ledger,
    assertAccounted: account,
    async addLane(name) {
      const lane = await createLane(person, name)
      further.push(lane)
      return lane
    },
    async underLoad(what, change) {
      const load = startLoad(lanes, { edges, betweenSignalsMs })
      try {
        await load.untilMore(MORE_SIGNALS)
        await change(load)
        await load.untilMore(MORE_SIGNALS)
      } finally {
        await load.finish()
      }
      await account(what)
    },
    async end() {
      await Promise.all([...lanes, ...further].map(({ agent }) => agent.close()))
      await ledger.close()
      await installation.remove()
    },
  }
}

const prepare = async ({ baseUrl }: ProgramsInstallation) => {
  const person = await signUp(baseUrl)
  return { person, lanes: await createLanes(person) }
}
