import { createShares, fromEach, type Share } from '../../infra/runtime/shares.ts'
import { AssayError, type Caller } from '../operations/define.ts'
import { LONG_TEXT_BODY } from '../operations/parts/body-limits.ts'
import type { BodySender } from './body-budget.ts'

/** What all bodies that are under way, or wait for the thread, may take together. */
const MEMORY_BYTES = 128 * 1024 * 1024
/** A tenant takes a quarter of what the others leave. */
const PART_OF_TENANT = 4
/** A person has two accounts, the app and their keys: both together leave half of the tenant's to its other people. */
const PART_OF_ACCOUNT = 16

/** What bodies take while they come: one that begins and does not end holds nobody's but its sender's own. */
export interface BodyMemory {
  /** Takes memory in a sender's name. The share is to be given back whatever becomes of the body. */
  of(from: BodySender): Held
}

export interface Held {
  /** Throws `rate_limited` where the sender's bodies would have more than their part. */
  take(bytes: number): void
  /** Gives back all that was taken. */
  release(): void
}

const tooMuch = (): AssayError =>
  new AssayError('rate_limited', 'Too many long requests of yours are on their way. Wait for their answers.', {
    retryAfterSeconds: 1,
  })

export const createBodyMemory = (): BodyMemory => {
  const ofAccount = createShares<string>(MEMORY_BYTES, LONG_TEXT_BODY.bytes, PART_OF_ACCOUNT)
  const ofTenant = createShares<Caller['tenantId']>(MEMORY_BYTES, LONG_TEXT_BODY.bytes, PART_OF_TENANT)
  const shareOf = ({ account, tenant }: BodySender): Share =>
    tenant === null ? ofAccount(account) : fromEach([ofAccount(account), ofTenant(tenant)])
  return {
    of: from => {
      const share = shareOf(from)
      let held = 0
      return {
        take: bytes => {
          if (!share.take(bytes)) throw tooMuch()
          held += bytes
        },
        release: () => {
          share.give(held)
          held = 0
        },
      }
    },
  }
}
