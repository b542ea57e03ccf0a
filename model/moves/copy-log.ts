import { createHash } from 'node:crypto'
import type { GroupPlace, LogContents, PartitionContents, StoredRecord } from '../../infra/log/port.ts'
import type { OwnerQuery } from '../../infra/postgres/pool.ts'
import { AssayError } from '../../infra/runtime/errors.ts'
import type { Sealer } from '../../infra/runtime/secrets.ts'
import { counted, plural } from '../../schemas/domain/for-people.ts'
import type { Report } from './copy-database.ts'

const PAGE_BYTES = 4 * 1024 * 1024
/** Empty reads before a partition is given up. Each waits a moment at the broker. */
const MAX_EMPTY_HANDED = 20
/** A zero byte, then the schema's id: Confluent's framing, as `infra/log/codec.ts` writes it. */
const FRAME_BYTES = 5

type SchemaIds = ReadonlyMap<number, number>

/** A record's bytes with the schema id of the other log. Unchanged when the ids are equal or there is no frame. */
export const withSchemaIds = (value: Uint8Array, ids: SchemaIds): Uint8Array => {
  if (value.byteLength < FRAME_BYTES || value[0] !== 0) return value
  const id = new DataView(value.buffer, value.byteOffset, value.byteLength).getInt32(1)
  const other = ids.get(id)
  if (other === undefined || other === id) return value
  const changed = Uint8Array.from(value)
  new DataView(changed.buffer).setInt32(1, other)
  return changed
}

/** Records of a partition, page by page. */
async function* pagesOf(
  log: LogContents,
  partition: PartitionContents,
  from: number,
): AsyncGenerator<readonly StoredRecord[]> {
  let emptyHanded = 0
  for (let at = from; at < partition.next; ) {
    const records = await log.read(partition, at, PAGE_BYTES)
    const last = records.at(-1)
    if (last === undefined) {
      // A slow broker answers with nothing. The comparison finds records that are missing.
      emptyHanded += 1
      if (emptyHanded > MAX_EMPTY_HANDED) return
      continue
    }
    emptyHanded = 0
    yield records
    at = last.offset + 1
  }
}

/** Number of records and a digest of their contents, without schema ids and times. */
const sumOf = async (log: LogContents, partition: PartitionContents, ids: SchemaIds): Promise<string> => {
  const digest = createHash('sha256')
  let count = 0
  for await (const records of pagesOf(log, partition, partition.first)) {
    for (const { offset, key, headers, value } of records) {
      const sorted = Object.entries(headers).toSorted(([one], [other]) => (one < other ? -1 : 1))
      digest.update(JSON.stringify([offset, key, sorted, value.byteLength])).update(withSchemaIds(value, ids))
      count += 1
    }
  }
  return `${counted(count, 'record')} from ${partition.first} to ${partition.next}, ${digest.digest('hex').slice(0, 16)}`
}

const nameOf = ({ topic, partition }: { topic: string; partition: number }): string => `${topic}/${partition}`

const fill = async (
  from: LogContents,
  to: LogContents,
  partition: PartitionContents,
  there: number,
  ids: SchemaIds,
) => {
  if (there <= partition.first) await to.advance(partition, partition.first)
  for await (const records of pagesOf(from, partition, Math.max(there, partition.first)))
    await to.add(
      partition,
      records.map(record => ({ ...record, value: withSchemaIds(record.value, ids) })),
    )
}

const textOf = (places: readonly GroupPlace[]): string =>
  JSON.stringify(
    places
      .map(({ group, topic, partition, offset, metadata }) => [group, topic, partition, offset, metadata])
      .toSorted((one, other) => (String(one) < String(other) ? -1 : 1)),
  )

/** True when nothing was ever appended to the log's topics. */
export const isEmptyLog = async (log: LogContents): Promise<boolean> =>
  (await log.partitions()).every(({ next }) => next === 0)

/**
 * Copies waiting records with their offsets and the groups' positions, continues an interrupted copy, then compares
 * both sides. Rejects with `conflict` and the differences. Answers each schema's id in the target.
 */
export const copyLog = async (from: LogContents, to: LogContents, report: Report): Promise<SchemaIds> => {
  await to.makeTopics(await from.topics())
  const ids = await to.keepSchemas(await from.schemas())
  const partitions = await from.partitions()
  const before = new Map((await to.partitions()).map(partition => [nameOf(partition), partition.next]))
  for (const partition of partitions) await fill(from, to, partition, before.get(nameOf(partition)) ?? 0, ids)
  await to.setPlaces(await from.places())

  const after = new Map((await to.partitions()).map(partition => [nameOf(partition), partition]))
  const differing: string[] = []
  let waiting = 0
  for (const partition of partitions) {
    const copied = after.get(nameOf(partition))
    const [here, there] = [
      await sumOf(from, partition, ids),
      copied === undefined ? 'nothing' : await sumOf(to, { ...copied, first: partition.first }, new Map()),
    ]
    waiting += partition.next - partition.first
    if (here !== there) differing.push(`${nameOf(partition)} (${here} there, ${there} here)`)
  }
  if (textOf(await from.places()) !== textOf(await to.places())) differing.push('the places of the consumer groups')
  if (differing.length > 0)
    throw new AssayError('conflict', `The copy of the log is not the same as its source: ${differing.join(', ')}.`)
  report(
    `log: ${counted(waiting, 'record')} that ${plural(waiting, 'waits', 'wait')} in ${counted(partitions.length, 'partition')}, each the same by count and checksum, with its offsets`,
  )
  return ids
}

const PAGE = 100

interface Kept {
  readonly signal_id: string
  readonly step: string
  readonly sealed: boolean
  readonly record: Uint8Array
}

/** Null for a value whose key is lost: nobody can read it on either side. */
const openedBy = (unseal: Sealer['unseal'], sealed: Uint8Array): Buffer | null => {
  try {
    return Buffer.from(unseal(sealed), 'base64')
  } catch {
    return null
  }
}

/** Changes the schema ids in dead letters' records to those of the target's log. */
export const renameSchemas = async (
  query: OwnerQuery,
  ids: ReadonlyMap<number, number>,
  { seal, unseal }: Pick<Sealer, 'seal' | 'unseal'>,
): Promise<void> => {
  if ([...ids].every(([id, other]) => id === other)) return
  let after = ['00000000-0000-0000-0000-000000000000', '']
  for (;;) {
    const deadLetters = await query<Kept>(
      `select signal_id, step, sealed, record from dead_letters where (signal_id, step) > ($1, $2)
       order by signal_id, step limit ${PAGE}`,
      after,
    )
    for (const { signal_id, step, sealed, record } of deadLetters) {
      after = [signal_id, step]
      const bytes = sealed ? openedBy(unseal, record) : record
      if (bytes === null) continue
      const renamed = Buffer.from(withSchemaIds(bytes, ids))
      await query('update dead_letters set record = $3 where signal_id = $1 and step = $2', [
        signal_id,
        step,
        sealed ? Buffer.from(seal(renamed.toString('base64'))) : renamed,
      ])
    }
    if (deadLetters.length < PAGE) return
  }
}
