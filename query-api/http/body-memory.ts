import { createShares, fromEach, type Share } from '../../infra/runtime/shares.ts'
import { AssayError, type Caller } from '../operations/define.ts'
import { LONG_TEXT_BODY } from '../operations/parts/body-limits.ts'
import type { BodySender } from './body-budget.ts'

/** Memory of all bodies that are received or wait for the thread. */
const MEMORY_BYTES = 128 * 1024 * 1024
/** A tenant can take a quarter of the free memory. */
const PART_OF_TENANT = 4
/**
 * A person has two accounts, the app and their keys; both together leave half of the tenant's part to its other people.
 */
const PART_OF_ACCOUNT = 16

/** Memory of bodies while they are received: a body without an end blocks only its sender's memory. */
export interface BodyMemory {
  /** Memory in a sender's name. The caller always releases it. */
  of(from: BodySender): Held
}

export interface Held {
  /** Throws `rate_limited` when the sender's bodies would exceed their part. */
  take(bytes: number): void
  /** Gives all taken memory back. */
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
