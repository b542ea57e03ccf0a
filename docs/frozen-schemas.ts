import { readdirSync, readFileSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import { activitySchema } from '../schemas/events/activity.ts'
import type { AvroSchema } from '../schemas/events/avro.ts'
import { metricPointSchema } from '../schemas/events/metric-point.ts'
import { signalSchema } from '../schemas/events/signal.avsc.ts'

/** Where each version that a subject's schema ever had is kept, from the repository's root. */
const HISTORY = 'schemas/events/history'
const ROOT = new URL('../', import.meta.url)

/** The schema of each subject as programs write it today. */
export const SUBJECTS: Readonly<Record<string, AvroSchema>> = {
  signal: signalSchema,
  activity: activitySchema,
  metric_point: metricPointSchema,
}

/** The frozen versions of a subject, oldest first: records of each may still be in a log. */
export const frozenVersions = (subject: string): readonly AvroSchema[] =>
  readdirSync(new URL(HISTORY, ROOT))
    .filter(file => file.startsWith(`${subject}.v`))
    .sort((one, other) => one.localeCompare(other, 'en', { numeric: true }))
    .map(file => JSON.parse(readFileSync(new URL(`${HISTORY}/${file}`, ROOT), 'utf8')))

/** By its path, the text of each version that is to be frozen: of a subject whose schema is not its newest one. */
export const newVersions = (): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(SUBJECTS).flatMap(([subject, schema]) => {
      const frozen = frozenVersions(subject)
      const text = JSON.stringify(schema, null, 2)
      if (isDeepStrictEqual(frozen.at(-1), JSON.parse(text))) return []
      return [[`${HISTORY}/${subject}.v${frozen.length + 1}.json`, `${text}\n`]]
    }),
  )
