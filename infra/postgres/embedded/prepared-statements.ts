import { commandsIn } from './protocol.ts'

/** A cycle of messages as the engine gets it, and what its answer means. */
interface PreparedCycle {
  readonly messages: Buffer
  /** Makes of the engine's answer the one that the client waits for. */
  answered(answer: Buffer): Buffer
}

const PARSE = 'P'.charCodeAt(0)
const BIND = 'B'.charCodeAt(0)
const DESCRIBE = 'D'.charCodeAt(0)
const EXECUTE = 'E'.charCodeAt(0)
const SYNC = 'S'.charCodeAt(0)
const PORTAL = 'P'.charCodeAt(0)
/** What the engine says to Parse, and to nothing else. */
const PARSED = Buffer.from([...Buffer.from('1'), 0, 0, 0, 4])

/** A longer text is one that was put together for once. */
const LONGEST_TEXT = 32_768
/** Plans are made anew after so many bytes, about a hundred signals, and each time that these have doubled. */
const FIRST_PLANNED_UP_TO = 1_000_000
/** After these a statement may have other columns, and the engine refuses to run it as it was prepared. */
const CHANGES_TABLES = /^(?:ALTER|CREATE|DROP|DO|CALL)\b/

/**
 * Has the engine parse and plan a statement once, whoever sends it: that takes several times what running it takes.
 * Clients send theirs unnamed, as they share one session; here the text is the name. A text that came but once is not
 * kept. The engine itself plans again what other sizes of tables or another role ask for.
 */
export class PreparedStatements {
  readonly #names = new Map<string, string>()
  readonly #seen = new Set<string>()
  readonly #most: number
  #isStale = false
  #last = 0
  /** Bytes of all cycles so far, and how many they may become before plans are made anew. */
  #taken = 0
  #plannedUpTo = FIRST_PLANNED_UP_TO

  constructor(most: number) {
    this.#most = most
  }

  /** Whether all are to be given up: `deallocate all`, between transactions, and then `forget`. */
  get isToBeEmptied(): boolean {
    return this.#isStale || this.#names.size >= this.#most
  }

  forget(): void {
    this.#names.clear()
    this.#isStale = false
  }

  /**
   * Whether plans are to be made anew: `discard plans`, between transactions, and then `planAnew`. A plan that is kept
   * for all values knows the tables as they were, and what clients send says how much they may have grown.
   */
  get isPlannedTooLongAgo(): boolean {
    return this.#taken >= this.#plannedUpTo
  }

  planAnew(): void {
    this.#plannedUpTo = this.#taken * 2
  }

  /** `cycle` are the messages of one client, up to the one that ends it. */
  prepare(cycle: readonly Buffer[]): PreparedCycle {
    for (const message of cycle) this.#taken += message.byteLength
    const [parse, bind, ...rest] = cycle
    if (!isUnnamed(parse, PARSE) || !isUnnamed(bind, BIND) || bind[6] !== 0 || !rest.every(isOfPortal))
      return this.#asItIs(cycle)
    const text = parse.toString('latin1', 5)
    const known = this.#names.get(text)
    if (known !== undefined)
      return {
        messages: Buffer.concat([boundTo(known, bind), ...rest]),
        answered: answer => Buffer.concat([PARSED, answer]),
      }
    if (text.length > LONGEST_TEXT || !this.#isSeenAgain(text)) return this.#asItIs(cycle)
    this.#last += 1
    const name = `s${this.#last}`
    return {
      messages: Buffer.concat([named(name, parse), boundTo(name, bind), ...rest]),
      answered: answer => {
        if (answer.subarray(0, PARSED.length).equals(PARSED)) this.#names.set(text, name)
        return answer
      },
    }
  }

  #asItIs(cycle: readonly Buffer[]): PreparedCycle {
    return {
      messages: Buffer.concat(cycle),
      answered: answer => {
        if (!commandsIn(answer).some(command => CHANGES_TABLES.test(command))) return answer
        this.#names.clear()
        this.#isStale = true
        return answer
      },
    }
  }

  #isSeenAgain(text: string): boolean {
    if (this.#seen.delete(text)) return true
    if (this.#seen.size >= this.#most) this.#seen.clear()
    this.#seen.add(text)
    return false
  }
}

const isUnnamed = (message: Buffer | undefined, type: number): message is Buffer =>
  message?.[0] === type && message[5] === 0

const isOfPortal = (message: Buffer): boolean =>
  message[0] === EXECUTE || message[0] === SYNC || (message[0] === DESCRIBE && message[5] === PORTAL)

const withBody = (type: number, ...parts: readonly Buffer[]): Buffer => {
  const message = Buffer.concat([Buffer.alloc(5), ...parts])
  message[0] = type
  message.writeInt32BE(message.length - 1, 1)
  return message
}

/** Behind its head, Parse has the statement's name; Bind has the portal's, which stays empty, and then that. */
const named = (name: string, parse: Buffer): Buffer => withBody(PARSE, Buffer.from(`${name}\0`), parse.subarray(6))
const boundTo = (name: string, bind: Buffer): Buffer => withBody(BIND, Buffer.from(`\0${name}\0`), bind.subarray(7))
