import { hash, randomFillSync } from 'node:crypto'
import { parse, v7 } from 'uuid'

declare const kind: unique symbol

/** A UUID that says what it identifies, so that a signal's id cannot be passed where a claim's is wanted. */
type Id<Kind extends string> = string & { readonly [kind]: Kind }

export type TenantId = Id<'tenant'>
export type WorkspaceId = Id<'workspace'>
export type UserId = Id<'user'>
export type KeyId = Id<'key'>
export type SourceId = Id<'source'>
export type SignalId = Id<'signal'>
export type NodeId = Id<'node'>
export type ClaimId = Id<'claim'>
export type ThemeId = Id<'theme'>
export type ProposalId = Id<'proposal'>
export type SolutionId = Id<'solution'>
export type DecisionId = Id<'decision'>
export type HandoffId = Id<'handoff'>
export type OutcomeId = Id<'outcome'>
export type LivingDocumentId = Id<'living_document'>
export type NoteId = Id<'note'>
export type CommentId = Id<'comment'>
export type GroupId = Id<'group'>
export type StrategyElementId = Id<'strategy_element'>
export type ChangeId = Id<'change'>
export type ReviewId = Id<'review'>
export type EventId = Id<'event'>
export type MetricPointId = Id<'metric_point'>
export type JobId = Id<'job'>
export type TransferId = Id<'transfer'>
export type ProcessorId = Id<'processor'>

/** Every name-based id of Assay lives under this namespace, so that a derived id never meets one made elsewhere. */
const NAMESPACE = Buffer.from(parse('6f0b8f0a-52a5-5d4c-9c5e-0c2b1a7d9e41'))
const SEPARATOR = '\u001f'

let latestMs = 0
let sequence = 0

/**
 * A new id, ordered by the time it was made, those of one millisecond among each other too (UUIDv7, RFC 9562 sections
 * 5.7 and 6.2). Each millisecond begins with a counter of 30 random bits, which leaves it two bits to grow into.
 */
export const newId = <T extends Id<string>>(): T => v7(timeAndChance()) as T

const timeAndChance = () => {
  const random = randomBytes(16)
  const now = Date.now()
  if (now > latestMs) {
    latestMs = now
    sequence = new DataView(random.buffer, random.byteOffset).getUint32(0) >>> 2
  } else sequence += 1
  return { random, msecs: latestMs, seq: sequence }
}

/**
 * The id that the same parts always give (UUIDv5, RFC 9562 section 5.5): what is made again, by a sender's retry or by
 * a redelivery, is the same thing. `what` keeps ids of different kinds made of the same parts apart. A signal has a
 * dozen of them, and the library's own function takes several times as long.
 */
export const derivedId = <T extends Id<string>>(what: string, ...parts: readonly string[]): T =>
  idFromBytes(derivedBytes(what, parts))

/** A digest of SHA-1 is copied here: each in a buffer of its own takes longer than the digesting. */
const digest = Buffer.alloc(20)

/** Bytes to be used at once, the first 16 of which are the id. */
const derivedBytes = (what: string, parts: readonly string[]): Buffer => {
  const name = Buffer.from([what, ...parts].join(SEPARATOR))
  digest.write(hash('sha1', Buffer.concat([NAMESPACE, name]), 'binary'), 'binary')
  digest[6] = ((digest[6] ?? 0) & 0x0f) | 0x50
  digest[8] = ((digest[8] ?? 0) & 0x3f) | 0x80
  return digest
}

/** Where the mark of an accepted signal's id begins: its last four bytes. */
const MARK = 12
/** A new id of a signal is made here: its text is what is kept. */
const made = Buffer.alloc(16)

/**
 * A new id for a signal that a workspace accepts. It bears the workspace's mark, so that `wasAccepted` knows it before
 * any store does: a signal that nobody has stored yet is told from one that never came.
 */
export const newSignalId = (workspaceId: WorkspaceId): SignalId => marked(workspaceId, v7(timeAndChance(), made))

/**
 * The id of a signal that a workspace accepts under its sender's key, the same for the same parts. It has the version
 * of derived ids, by which the activity's store tells what may come twice, and the workspace's mark too.
 */
export const keyedSignalId = (workspaceId: WorkspaceId, ...parts: readonly string[]): SignalId =>
  marked(workspaceId, derivedBytes('signal', parts))

const marked = (workspaceId: WorkspaceId, bytes: Buffer): SignalId => {
  bytes.writeUInt32BE(markOf(workspaceId, bytes), MARK)
  return idFromBytes(bytes)
}

/**
 * A checksum of the workspace's id and of what stands before the mark, mixed as MurmurHash3 does. Nobody is kept from
 * making one.
 */
const markOf = (workspaceId: WorkspaceId, bytes: Buffer): number => {
  const random = digitsAt(workspaceId, 28, 8) ^ digitsAt(workspaceId, 0, 8)
  let mark = random ^ ((digitsAt(workspaceId, 24, 4) << 16) | digitsAt(workspaceId, 9, 4))
  for (let at = 0; at < MARK; at += 4) {
    mark = Math.imul(mark ^ bytes.readUInt32BE(at), 0xcc9e2d51)
    mark = Math.imul(mark ^ (mark >>> 15), 0x1b873593)
  }
  mark = Math.imul(mark ^ (mark >>> 16), 0x85ebca6b)
  mark = Math.imul(mark ^ (mark >>> 13), 0xc2b2ae35)
  return (mark ^ (mark >>> 16)) >>> 0
}

/**
 * Whether the id of a signal is one that this workspace gave out when it accepted it. By chance one of four billion
 * others is, too.
 */
export const wasAccepted = (workspaceId: WorkspaceId, id: string): boolean => {
  if (!isUuid(id)) return false
  const bytes = Buffer.from(parse(id))
  return bytes.readUInt32BE(MARK) === markOf(workspaceId, bytes)
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i

export const isUuid = (text: string): boolean => UUID.test(text)

export const ID_BYTES = 16
const DIGITS = Buffer.from('0123456789abcdef')
/** The bytes behind which an id has a hyphen. */
const isBeforeHyphen = (place: number): boolean => place === 3 || place === 5 || place === 7 || place === 9
/** An id is written here sign by sign: put together of strings, it takes ten times its size of memory. */
const written = Buffer.alloc(36, '-')

/** The id that 16 bytes are, as PostgreSQL writes it from a column of ids. */
export const idFromBytes = <T extends Id<string>>(bytes: Uint8Array): T => {
  let at = 0
  for (let place = 0; place < ID_BYTES; place += 1) {
    const byte = bytes[place] ?? 0
    written[at] = DIGITS[byte >>> 4] ?? 0
    written[at + 1] = DIGITS[byte & 15] ?? 0
    at += isBeforeHyphen(place) ? 3 : 2
  }
  return written.toString('latin1') as T
}

/** The 16 bytes of an id. */
export const bytesOfId = (id: Id<string>): Uint8Array => {
  const bytes = Buffer.allocUnsafe(ID_BYTES)
  let at = 0
  for (let place = 0; place < ID_BYTES; place += 1) {
    bytes[place] = (digitAt(id, at) << 4) | digitAt(id, at + 1)
    at += isBeforeHyphen(place) ? 3 : 2
  }
  return bytes
}

/** What the hexadecimal digit there counts, of either case. */
const digitAt = (id: string, at: number): number => {
  const code = id.charCodeAt(at)
  return (code & 15) + (code > 57 ? 9 : 0)
}

/** What so many hexadecimal digits say, at most eight, as a number of 32 bits. */
const digitsAt = (id: Id<string>, start: number, count: number): number => {
  let value = 0
  for (let at = start; at < start + count; at += 1) value = (value << 4) | digitAt(id, at)
  return value
}

const pool = new Uint8Array(8192)
let taken = pool.length

/**
 * So many random bytes, at most 64, never given out before. The system is asked for many at once: asked for each id by
 * itself, it was a tenth of what the edge did. A view, to be used at once: the pool is filled anew when it is used up.
 */
export const randomBytes = (count: number): Uint8Array => {
  if (taken + count > pool.length) {
    randomFillSync(pool)
    taken = 0
  }
  taken += count
  return pool.subarray(taken - count, taken)
}
