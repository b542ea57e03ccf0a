import { after } from 'node:test'
import { describeWithStack } from '../stack/testing.ts'

/** A server on a free port of the loopback interface. */
export interface TestValkey {
  readonly url: string
  start(): Promise<void>
  stop(): Promise<void>
  /** Takes connections and answers nothing until `resume`. */
  pause(): void
  resume(): void
}

/** Tests on a real Valkey; where it cannot be had, see `describeWithStack`. */
export const describeWithValkey = (describeTests: (valkey: TestValkey) => void): Promise<void> =>
  describeWithStack(['valkey'], stack => {
    after(() => stack.stop())
    describeTests({
      url: stack.urls.VALKEY_URL ?? '',
      start: () => stack.startEngine('valkey'),
      stop: () => stack.stopEngine('valkey'),
      pause: () => stack.stallEngine('valkey'),
      resume: () => stack.resumeEngine('valkey'),
    })
  })
