import { commandsIn } from './protocol.ts'

/** A cycle of messages for the engine, and the conversion of its answer. */
interface PreparedCycle {
  readonly messages: Buffer
  /** Turns the engine's answer into the answer that the client expects. */
  answered(answer: Buffer): Buffer
}

const PARSE = 'P'.charCodeAt(0)
const BIND = 'B'.charCodeAt(0)
const DESCRIBE = 'D'.charCodeAt(0)
const EXECUTE = 'E'.charCodeAt(0)
const SYNC = 'S'.charCodeAt(0)
const PORTAL = 'P'.charCodeAt(0)
/** The engine's answer to Parse. */
const PARSED = Buffer.from([...Buffer.from('1'), 0, 0, 0, 4])

/** A longer text was built for a single use. */
const LONGEST_TEXT = 32_768
/**
 * Received bytes, about a hundred signals, after which plans are made anew; then each time that the bytes have doubled.
 */
const FIRST_PLANNED_UP_TO = 1_000_000
/** After these commands a statement may have other columns, and the engine refuses the prepared one. */
const CHANGES_TABLES = /^(?:ALTER|CREATE|DROP|DO|CALL)\b/

/**
 * Lets the engine parse and plan each statement once for all clients, which costs several times as much as running it.
 * Clients send unnamed statements, since they share a session; here the statement's text serves as its name. A text is
 * prepared when it comes a second time. The engine plans again for other table sizes or another role.
 */
export class PreparedStatements {
  readonly #names = new Map<string, string>()
  readonly #seen = new Set<string>()
  readonly #most: number
  #isStale = false
  #last = 0
  /** Bytes of all cycles so far, and the bytes at which plans are made anew. */
  #taken = 0
  #plannedUpTo = FIRST_PLANNED_UP_TO

  constructor(most: number) {
    this.#most = most
  }

  /** True when all statements must be given up: send `deallocate all` between transactions, then call `forget`. */
  get isToBeEmptied(): boolean {
    return this.#isStale || this.#names.size >= this.#most
  }

  forget(): void {
    this.#names.clear()
    this.#isStale = false
  }

  /**
   * True when plans should be made anew: send `discard plans` between transactions, then call `planAnew`. A generic
   * plan knows the tables' old sizes; the received bytes tell how much they may have grown.
   */
  get isPlannedTooLongAgo(): boolean {
    return this.#taken >= this.#plannedUpTo
  }

  planAnew(): void {
    this.#plannedUpTo = this.#taken * 2
  }

  /** `cycle` has one client's messages up to the one that ends the cycle. */
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

/**
 * After its header, Parse has the statement's name; Bind has the portal's name, which stays empty, then the
 * statement's.
 */
const named = (name: string, parse: Buffer): Buffer => withBody(PARSE, Buffer.from(`${name}\0`), parse.subarray(6))
const boundTo = (name: string, bind: Buffer): Buffer => withBody(BIND, Buffer.from(`\0${name}\0`), bind.subarray(7))
