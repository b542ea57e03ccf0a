import { setTimeout as sleep } from 'node:timers/promises'
import { eventually } from '../../infra/runtime/testing.ts'
import { DAY_MS } from '../../schemas/domain/durations.ts'
import type { Json } from './numbers.ts'
import { repeatsOf, type Said, signalsOf, type TrueClaim, type TrueSolution, type Truth } from './truth.ts'

/** Calls a write as a person in the app and, once the truth is changed too, compares what it answered. */
export type Act = (operation: string, input: object, change?: (data: Json, changeId: string) => void) => Promise<Json>

export const COMMENT = 'Agreed.'

/** How many more wake what was put off until more is said. */
export const MORE_SIGNALS = 3

/** People decide on signals in Triage: accept, dismiss, snooze, and take some of it back. */
export const decideInTriage = async (act: Act, truth: Truth): Promise<void> => {
  const some = (from: number, count: number): readonly Said[] =>
    signalsOf(truth)
      .filter(({ state }) => state === 'triage')
      .slice(from, from + count)
  const triage = async (action: 'accept' | 'dismiss', said: readonly Said[]): Promise<string> => {
    let change = ''
    const signals = said.map(({ id }) => ({ signal_id: id, version: 1 }))
    await act('triage_signals', { action, signals, comment: COMMENT }, (data, changeId) => {
      change = changeId
      for (const one of said) one.state = action === 'accept' ? 'accepted' : 'dismissed'
      for (const { signal_id, reference } of data.started_claims) {
        const by = said.find(({ id }) => id === signal_id)
        if (by === undefined) throw new Error(`${reference} was started by none of these.`)
        truth.claims.set(reference, {
          reference,
          kind: 'problem',
          evidence: new Set([by]),
          mergedInto: null,
          isDismissed: false,
        })
      }
      followSignals(truth)
    })
    return change
  }
  truth.decidedFirst = some(0, 8)
  await triage('accept', truth.decidedFirst)
  await triage('dismiss', some(5, 6))
  const takenBack = some(10, 5)
  const change = await triage('dismiss', takenBack)
  await act('undo_change', { change_id: change, comment: COMMENT }, () => {
    for (const one of takenBack) one.state = 'triage'
    followSignals(truth)
  })
  const asleep = some(20, 3)
  const signals = asleep.map(({ id }) => ({ signal_id: id, version: 1 }))
  const until = new Date(Date.now() + 3 * DAY_MS).toISOString()
  await act('triage_signals', { action: 'snooze', signals, until, comment: COMMENT }, () => {
    for (const one of asleep) one.snoozed = true
  })
  const [last] = some(30, 1)
  const more = { signals: [{ signal_id: last?.id, version: 1 }], more_signals: MORE_SIGNALS }
  await act('triage_signals', { action: 'snooze', ...more, comment: COMMENT }, () => {
    if (last !== undefined) last.snoozed = true
  })
}

/** A claim is dismissed with the last of its signals, and emerges again with it. */
const followSignals = (truth: Truth): void => {
  for (const claim of truth.claims.values()) {
    const isDismissed = [...claim.evidence].every(({ fate, state }) => fate !== 'signal' || state === 'dismissed')
    if (isDismissed === claim.isDismissed) continue
    claim.isDismissed = isDismissed
    truth.followedClaims += 1
  }
}

/** The name of a pair of claims, whichever is named first. */
export const pairOf = (one: string, other: string): string => [one, other].toSorted().join('/')

/** People merge claims, and take one of the merges back. */
export const mergeClaims = async (act: Act, truth: Truth): Promise<void> => {
  const problems = [...truth.claims.values()].filter(({ kind }) => kind === 'problem')
  for (let place = 0; place < 5; place += 1) {
    const merged = problems[place] as TrueClaim
    // Both of one kind, and no pair that the judge has kept apart.
    const survivor = problems.findLast(
      one => one.evidence.size === 1 && !truth.keptApart.has(pairOf(merged.reference, one.reference)),
    ) as TrueClaim
    const evidence = [...merged.evidence]
    let change = ''
    await act(
      'merge_claims',
      { claim_id: merged.reference, into_claim_id: survivor.reference, comment: COMMENT },
      (_, id) => {
        change = id
        merged.mergedInto = survivor
        for (const one of evidence) survivor.evidence.add(one)
        merged.evidence.clear()
        truth.merges += 1
      },
    )
    if (place !== 4) continue
    await act('undo_change', { change_id: change, comment: COMMENT }, () => {
      merged.mergedInto = null
      for (const one of evidence) {
        survivor.evidence.delete(one)
        merged.evidence.add(one)
      }
      truth.merges -= 1
    })
  }
}

/** People make Solutions of claims, boost one, rank one, plan one and group two. */
export const buildSolutions = async (act: Act, truth: Truth): Promise<void> => {
  const claims = [...truth.claims.values()].filter(({ mergedInto }) => mergedInto === null)
  for (let place = 0; place < 4; place += 1) {
    const answered = claims.slice(place * 3, place * 3 + 4)
    const solution: TrueSolution = {
      reference: `SOL-${place + 1}`,
      claims: new Set(answered),
      state: 'Backlog',
      boost: 1,
      rank: null,
      notes: 0,
      handoffs: 0,
      decisions: 0,
      documents: [],
    }
    const claim_ids = answered.map(({ reference }) => reference)
    await act('create_solution', { title: `Build ${place}`, claim_ids, comment: COMMENT }, () => {
      truth.solutions.set(solution.reference, solution)
    })
  }
  const [first, second, third] = [...truth.solutions.values()] as [TrueSolution, TrueSolution, TrueSolution]
  const about = (solution: TrueSolution) => ({ solution_id: solution.reference, comment: COMMENT })
  await act('prioritize_solution', { ...about(first), priority_boost: 2.5 }, () => {
    first.boost = 2.5
  })
  await act('update_solution', { ...about(second), state: 'Planned' }, () => {
    second.state = 'Planned'
    truth.moves += 1
  })
  await act('prioritize_solution', { ...about(third), manual_rank: 1 }, () => {
    third.rank = 1
  })
  await act('change_roadmap', { action: 'place', horizon: 'now', ...about(second) })
  const solution_ids = [first.reference, second.reference]
  await act('change_group', { action: 'create', name: 'This quarter', solution_ids, comment: COMMENT })
  const strategy = {
    action: 'add',
    layer: 'vision',
    title: 'Fast',
    claim_ids: claims.slice(0, 3).map(one => one.reference),
  }
  await act('change_strategy', { ...strategy, solution_ids, comment: COMMENT })
}

/** What erasures need of an owner: the workspace's name, and how far one is. */
interface Owner {
  readonly workspace: string
  readonly erasure: (id: string) => Promise<Json>
  readonly actorsOf: (address: string) => Promise<readonly string[]>
}

/** A Signal is erased whose first repeat takes its place, one without repeats, and a person with all that they said. */
export const eraseSome = async (act: Act, truth: Truth, { workspace, erasure, actorsOf }: Owner): Promise<void> => {
  const done = async ({ id }: Json): Promise<unknown> =>
    eventually(
      'the erasure is done',
      async () => {
        await sleep(ERASURE_PAUSE_MS)
        return (await erasure(id))?.job?.state === 'done'
      },
      ERASURE_DEADLINE_MS,
    )
  const isLeft = ({ actor }: Said): boolean => actor !== ERASED_PERSON
  const repeated = signalsOf(truth).find(one => isLeft(one) && repeatsOf(truth, one).filter(isLeft).length > 2)
  const alone = signalsOf(truth).find(one => isLeft(one) && repeatsOf(truth, one).length === 0)
  for (const one of [repeated, alone]) {
    if (one === undefined) throw new Error('No Signal is there to be erased.')
    await done(await act('erase_signal', { id: one.id, confirm: workspace }))
    forget(truth, [one])
  }
  const actors = await actorsOf(ERASED_PERSON)
  const person = { address: ERASED_PERSON, name: null }
  await done(await act('erase_person', { person, actors, masks_words: false, confirm: workspace }))
  forget(
    truth,
    truth.said.filter(one => one.actor === ERASED_PERSON && ['signal', 'repeat'].includes(one.fate)),
  )
}

/** Long after an erasure is done on a machine that does much else. */
const ERASURE_DEADLINE_MS = 300_000
const ERASURE_PAUSE_MS = 1000

const ERASED_PERSON = 'person.3@example.com'

/** What an erasure makes of the truth: the oldest repeat that is left takes the place of the Signal that it repeats. */
const forget = (truth: Truth, gone: readonly Said[]): void => {
  truth.erasures.push(gone.length)
  for (const said of gone) {
    const [heir, ...others] = repeatsOf(truth, said).filter(one => !gone.includes(one))
    const wasSignal = said.fate === 'signal'
    said.fate = 'erased'
    truth.comments.delete(String(said.reference))
    if (!wasSignal) continue
    for (const claim of truth.claims.values()) {
      if (!claim.evidence.delete(said)) continue
      if (heir !== undefined) claim.evidence.add(heir)
      else if (claim.evidence.size === 0 && !claim.isDismissed) truth.emptiedClaims += 1
    }
    if (heir === undefined) continue
    Object.assign(heir, { fate: 'signal', original: null, state: said.state })
    for (const other of others) other.original = heir
  }
}
