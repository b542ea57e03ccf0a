import type { Setting } from '../../../infra/runtime/settings.ts'
import { INGEST_CONFIG } from '../../../ingest/config.ts'
import { INGEST_PROGRAM_CONFIG } from '../../../ingest/main.ts'
import { PROCESSORS_PROGRAM_CONFIG } from '../../../processors/main.ts'
import { CANNOT_MATTER, chosenValues, type OtherValue, type Settings, type World } from './values.ts'

/** A start with other settings than the one before, while signals wait. */
export interface Round extends OtherValue {
  /** What is changed, in words. */
  readonly what: string
  readonly from: Settings
  /** Whether each `npm test` has it. */
  readonly isShort?: true
}

/** Each setting's own type is forgotten: its values are written, and read again. */
const settingsOf = (config: object): readonly Setting<unknown>[] => Object.values(config)

/** Every setting of the programs that a signal passes until it is stored: a new one takes part by itself. */
export const PIPELINE: ReadonlyMap<string, Setting<unknown>> = new Map(
  [...settingsOf(INGEST_PROGRAM_CONFIG), ...settingsOf(PROCESSORS_PROGRAM_CONFIG)].map(setting => [
    setting.env,
    setting,
  ]),
)

/** Settings as a table shows them: without their secrets. */
export const shown = (settings: Settings): string =>
  Object.entries(settings)
    .map(([env, text]) => {
      const { secret = true, parse, write } = PIPELINE.get(env) ?? {}
      const value = parse?.(text)
      const written = value === undefined || write === undefined ? text : write(value)
      return `${env}=${secret ? '…' : written}`
    })
    .join(' ')

/** A value that is valid and not the default: twice or half of a number, the other of yes and no. */
const differing = (setting: Setting<unknown>): readonly OtherValue[] => {
  const { env, default: usual, parse, write } = setting
  const candidates =
    typeof usual === 'number' ? [usual * 2, Math.floor(usual / 2)] : typeof usual === 'boolean' ? [!usual] : []
  const found = candidates.map(write).find(text => parse(text) !== undefined)
  if (found !== undefined) return [{ to: { [env]: found } }]
  throw new TypeError(
    `${env} takes part in no round. Give it another value in values.ts, or name it in CANNOT_MATTER with the reason why nothing that waits depends on it.`,
  )
}

const before = (to: Settings, base: Settings): Settings =>
  Object.fromEntries(
    Object.keys(to).map(env => {
      const { default: usual, write } = PIPELINE.get(env) ?? {}
      const shown = usual === undefined || usual === null || write === undefined ? '' : write(usual)
      return [env, base[env] ?? shown]
    }),
  )

/**
 * What is changed, one after the other. The edge's own settings change together: all of them end before the log. A
 * further round changes all settings at once that a start takes. The keys come last: each later start needs the newest.
 */
export const roundsOn = (world: World, pipeline = PIPELINE): readonly Round[] => {
  const chosen = chosenValues(world)
  const unknown = [...Object.keys(chosen), ...Object.keys(CANNOT_MATTER)].filter(env => !pipeline.has(env))
  if (unknown.length > 0) throw new TypeError(`${unknown.join(', ')}: no setting of the pipeline has this name.`)
  const edge = new Set(settingsOf(INGEST_CONFIG).map(({ env }) => env))
  const values = [...pipeline.values()]
    .filter(({ env }) => !(env in CANNOT_MATTER))
    .map(setting => ({ env: setting.env, values: chosen[setting.env] ?? differing(setting) }))
  const round = (what: string, value: OtherValue): Round => ({ ...value, what, from: before(value.to, world.base) })
  const together = (some: typeof values): Settings =>
    Object.assign({}, ...some.flatMap(({ values: [first] }) => (first && !first.refusal ? [first.to] : [])))
  const isKey = (env: string): boolean => /^(PREVIOUS_)?INSTALLATION_KEY$/.test(env)
  const ofProcessors = values.filter(({ env }) => !edge.has(env) && !isKey(env))
  const each = (some: typeof values): Round[] =>
    some.flatMap(({ env, values: all }) => all.map(value => round(env, value)))
  return [
    ...each(ofProcessors),
    round('the edge’s settings', { to: together(values.filter(({ env }) => edge.has(env))) }),
    {
      ...round('all of these settings', {
        to: { ...together(ofProcessors), PIPELINE_SEGMENTS: '', JUDGE_URL: world.base.JUDGE_URL ?? '' },
      }),
      isShort: true,
    },
    ...each(values.filter(({ env }) => isKey(env))),
  ]
}
