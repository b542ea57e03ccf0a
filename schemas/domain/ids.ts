import { hash, randomFillSync } from 'node:crypto'
import { parse, v7 } from 'uuid'

declare const kind: unique symbol

/** A UUID typed by what it identifies: a signal's id cannot be passed as a claim's. */
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

/** The namespace of all name-based ids of Assay: derived ids never equal ids made elsewhere. */
const NAMESPACE = Buffer.from(parse('6f0b8f0a-52a5-5d4c-9c5e-0c2b1a7d9e41'))
const SEPARATOR = '\u001f'

let latestMs = 0
let sequence = 0

/**
 * A new id, ordered by its time; ids of the same millisecond are ordered too (UUIDv7, RFC 9562 sections 5.7 and 6.2).
 * Each millisecond starts a counter with 30 random bits, which leaves two bits to grow.
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
 * The same id for the same parts (UUIDv5, RFC 9562 section 5.5): a sender's retry or a redelivery gives the same id.
 * `what` separates kinds of ids made of the same parts. A signal has a dozen derived ids, and the library's function
 * takes several times as long.
 */
export const derivedId = <T extends Id<string>>(what: string, ...parts: readonly string[]): T =>
  idFromBytes(derivedBytes(what, parts))

/** A buffer for SHA-1 digests: allocating one for each takes longer than hashing. */
const digest = Buffer.alloc(20)

/** The first 16 bytes are the id. Use them at once: the buffer is reused. */
const derivedBytes = (what: string, parts: readonly string[]): Buffer => {
  const name = Buffer.from([what, ...parts].join(SEPARATOR))
  digest.write(hash('sha1', Buffer.concat([NAMESPACE, name]), 'binary'), 'binary')
  digest[6] = ((digest[6] ?? 0) & 0x0f) | 0x50
  digest[8] = ((digest[8] ?? 0) & 0x3f) | 0x80
  return digest
}

/** Where the mark of an accepted signal's id begins: its last four bytes. */
const MARK = 12
/** A buffer for new signal ids, whose text is kept. */
const made = Buffer.alloc(16)

/**
 * A new id for a signal that a workspace accepts. The id holds a mark of the workspace: `wasAccepted` recognises it
 * before any store has the signal.
 */
export const newSignalId = (workspaceId: WorkspaceId): SignalId => marked(workspaceId, v7(timeAndChance(), made))

/**
 * The id of a signal accepted under its sender's key, the same for the same parts. It has the version of derived ids,
 * by which the activity's store recognises possible repeats, and the workspace's mark.
 */
export const keyedSignalId = (workspaceId: WorkspaceId, ...parts: readonly string[]): SignalId =>
  marked(workspaceId, derivedBytes('signal', parts))

const marked = (workspaceId: WorkspaceId, bytes: Buffer): SignalId => {
  bytes.writeUInt32BE(markOf(workspaceId, bytes), MARK)
  return idFromBytes(bytes)
}

/**
 * A checksum of the workspace's id and of the bytes before the mark, mixed like MurmurHash3. Not a proof: anybody can
 * compute one.
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

/** True when the workspace accepted a signal with this id; for one in four billion other ids true by chance. */
export const wasAccepted = (workspaceId: WorkspaceId, id: string): boolean => {
  if (!isUuid(id)) return false
  const bytes = Buffer.from(parse(id))
  return bytes.readUInt32BE(MARK) === markOf(workspaceId, bytes)
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i

/** True for a UUID of versions 1 to 8 (RFC 9562), in lower or upper case. */
export const isUuid = (text: string): boolean => UUID.test(text)

export const ID_BYTES = 16
const DIGITS = Buffer.from('0123456789abcdef')
/** The bytes after which an id has a hyphen. */
const isBeforeHyphen = (place: number): boolean => place === 3 || place === 5 || place === 7 || place === 9
/** Buffer in which an id is written: concatenated strings would take ten times the id's memory. */
const written = Buffer.alloc(36, '-')

/** The id of 16 bytes, as PostgreSQL writes it. */
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

/** The value of a hexadecimal digit, in upper or lower case. */
const digitAt = (id: string, at: number): number => {
  const code = id.charCodeAt(at)
  return (code & 15) + (code > 57 ? 9 : 0)
}

/** The value of at most eight hexadecimal digits, as a 32-bit number. */
const digitsAt = (id: Id<string>, start: number, count: number): number => {
  let value = 0
  for (let at = start; at < start + count; at += 1) value = (value << 4) | digitAt(id, at)
  return value
}

const pool = new Uint8Array(8192)
let taken = pool.length

/**
 * Random bytes, at most 64, never given out before. Read from the system in bulk: a call for each id took a tenth of
 * the edge's time. Use the view at once, since the pool is refilled.
 */
export const randomBytes = (count: number): Uint8Array => {
  if (taken + count > pool.length) {
    randomFillSync(pool)
    taken = 0
  }
  taken += count
  return pool.subarray(taken - count, taken)
}
