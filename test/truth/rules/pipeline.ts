import { STEPS, type StepName } from '../../../schemas/domain/vocabulary.ts'
import type { Json } from '../numbers.ts'
import { type Rule, rule } from '../rules.ts'
import { repeatsOf, type Said, type Truth } from '../truth.ts'

const DIES_AT = STEPS.indexOf('embed')
const REPEATS_AT = STEPS.indexOf('dedup')

const counted = ({ said }: Truth): readonly Said[] => said.filter(({ fate }) => fate !== 'erased' && fate !== 'test')
const died = (said: readonly Said[]): readonly Said[] => said.filter(({ fate }) => fate === 'dead letter')
/** A signal that has taken the place of its original since was a repeat when it came. */
const skipped = (said: readonly Said[]): readonly Said[] => said.filter(({ wasRepeat }) => wasRepeat)
const heirs = (said: readonly Said[]): readonly Said[] =>
  said.filter(({ wasRepeat, fate }) => wasRepeat && fate === 'signal')

/** What a step did with everything that was said. */
const doneBy = (truth: Truth, step: StepName) => {
  const at = STEPS.indexOf(step)
  const said = counted(truth)
  const left = said.length - (at > DIES_AT ? died(said).length : 0) - (at > REPEATS_AT ? skipped(said).length : 0)
  // Whoever takes the place of what was erased is inserted then.
  const handled = left + (step === 'insert' ? heirs(said).length : 0)
  const ended = {
    skipped: at === REPEATS_AT ? skipped(said).length : 0,
    dead_lettered: at === DIES_AT ? died(said).length : 0,
  }
  return { handled, ...ended, next: handled - ended.skipped - ended.dead_lettered }
}

const ofStep =
  (field: keyof ReturnType<typeof doneBy>) => (truth: Truth, _: unknown, number: { owners: readonly Json[] }) =>
    doneBy(truth, number.owners[0].step)[field]

const signalsBy = ({ said }: Truth, address: string): readonly Said[] =>
  said.filter(({ actor, fate }) => actor === address && fate === 'signal')

const repeatsByOthers = (truth: Truth, one: Said): readonly Said[] =>
  repeatsOf(truth, one).filter(({ actor }) => actor !== one.actor)

/** What the pipeline did, what died in it, and what erasures take and took. */
export const PIPELINE_RULES: readonly Rule[] = [
  rule(/^inspect_pipeline\.last_hour\[\]\.handled$/, ofStep('handled')),
  rule(/^inspect_pipeline\.last_hour\[\]\.next$/, ofStep('next')),
  rule(/^inspect_pipeline\.last_hour\[\]\.skipped$/, ofStep('skipped')),
  rule(/^inspect_pipeline\.last_hour\[\]\.dead_lettered$/, ofStep('dead_lettered')),
  rule(/(steps|step_attempts)\[\]\.ordinal$/, (_, __, { owners: [{ step }] }) => STEPS.indexOf(step) + 1),
  rule(/(steps|step_attempts)\[\]\.replay$|\.replays$|\.retries$/, () => 0),
  // A model that refuses a text is not asked again, and nothing was replayed.
  rule(/(steps|step_attempts)\[\]\.attempt$|\.attempts$|dead_letter_count$/, () => 1),
  rule(/^(replay|discard)_dead_letters\.(.*\.)?dead_letters$/, ({ said }, { operation }) =>
    operation === 'discard_dead_letters' ? 1 : died(said).filter(({ discarded }) => !discarded).length,
  ),

  rule(
    /^preview_erasure\.actors\[\]\.(signals|repeats)$/,
    ({ said }, { input }, { path }) =>
      said.filter(one => one.actor === input.person.address && `${one.fate}s` === path.split('.').at(-1)).length,
  ),
  rule(/^preview_erasure\.repeats_of_others$/, (truth, { input: { person } }) =>
    signalsBy(truth, person.address).reduce((sum, one) => sum + repeatsByOthers(truth, one).length, 0),
  ),
  rule(/^preview_erasure\.claims_(kept|emptied)$/, (truth, { input: { person } }, { path }) => {
    const gone = new Set(signalsBy(truth, person.address))
    const touched = [...truth.claims.values()].filter(({ evidence }) => [...evidence].some(one => gone.has(one)))
    const isLost = (one: Said) => gone.has(one) && repeatsByOthers(truth, one).length === 0
    const emptied = touched.filter(({ evidence }) => [...evidence].every(isLost)).length
    return path === 'claims_emptied' ? emptied : touched.length - emptied
  }),
  rule(/^preview_erasure\.comments$/, (truth, { input: { person } }) =>
    signalsBy(truth, person.address).reduce(
      (sum, { reference }) => sum + (truth.comments.get(String(reference)) ?? 0),
      0,
    ),
  ),
  rule(/^preview_erasure\.dead_letters_to_read$/, ({ said }) => died(said).length),
  rule(
    /^list_erasures\.items\[\]\.erased_signals$/,
    ({ erasures }, { data }, { owners: [item] }) => erasures[data.items.length - 1 - data.items.indexOf(item)] ?? null,
  ),
  rule(/^list_erasures\.count$/, ({ erasures }) => erasures.length),
]
