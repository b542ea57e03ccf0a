import type { Log } from '../port.ts'

/** What the suite needs to know how to do with an adapter. */
export interface LogHarness {
  /**
   * A log that is empty, with short patience: retention is applied, a dead client noticed and a partition taken from a
   * handler that does not finish, all within a few seconds. It runs for the whole suite; tests use topics and groups of
   * their own.
   */
  start(): Promise<LogUnderTest>
}

export interface LogUnderTest {
  /** A client as another program has one. */
  connect(): Promise<LogClient>
  /** Ends the log and opens it again on what it stored. Clients from before are dead. */
  reopen(): Promise<void>
  stop(): Promise<void>
}

/** What a part of the suite gets of the log under test. The suite itself closes the clients in the end. */
export type Bench = Pick<LogUnderTest, 'connect' | 'reopen'>

export interface LogClient {
  readonly log: Log
  /** Takes the client away without a goodbye, as if its process had been killed. */
  abandon(): Promise<void>
}
