import assert from 'node:assert/strict'
import type { Classification } from '../../../../schemas/domain/vocabulary.ts'
import { type Differences, Impossible, type Model, originsIn } from './model.testing.ts'

export const MOVE_KINDS = [
  'merge',
  'pull_apart',
  'split',
  'attach',
  'promote',
  'promote_two',
  'detach',
  'accept',
  'dismiss',
  'reclassify',
  'duplicate',
  'not_a_repeat',
  'undo_decision',
  'undo_change',
  'link',
  'unlink',
  'dismiss_claim',
  'erase',
] as const
type MoveKind = (typeof MOVE_KINDS)[number]

/** A step of a walk. The numbers choose among the present objects and actions. */
export interface Move {
  readonly kind: MoveKind
  readonly one: number
  readonly other: number
}

/** A Decision's effect on a signal, enough to predict its undo. */
interface Effect {
  readonly signal: string
  readonly from: readonly [state: string | undefined, classification: string | undefined]
  /** The claim under whose name it became evidence. */
  readonly claim?: string
  readonly repeats?: readonly string[]
  readonly takenOut?: { readonly original: string; readonly marked: boolean }
}

/** A change that its id undoes, with its effects. */
export interface Change {
  readonly id: string
  differences: Differences
  readonly decision: string | null
  readonly effects: readonly Effect[]
  /** Claims that it merged into others. */
  readonly merged: readonly string[]
  /** The change that it undid. */
  readonly undoes: Change | null
}

export interface Walk {
  readonly model: Model
  /** In the order of receipt, erased ones included. */
  readonly signals: readonly string[]
  readonly claims: string[]
  readonly solution: string
  readonly changes: Change[]
  /** True when nothing was written since the last change, which can then be undone. */
  isUndisturbed: boolean
}

export interface Plan {
  /** Null for an erasure, which is a job and no operation. */
  readonly operation: string | null
  readonly input: Readonly<Record<string, unknown>>
}

/** An operation's answer, as parsed from JSON. */
export type Answered = ReturnType<typeof JSON.parse>

interface Did {
  readonly effects?: readonly Effect[]
  readonly merged?: readonly string[]
  readonly undoes?: Change
}

interface MoveDefinition {
  /** May throw `NothingThere`. */
  plan(walk: Walk, move: Move): Plan
  /** Changes the model by the promise of the accepted operation. */
  follow(walk: Walk, input: Plan['input'], data: Answered): Did
}

/** The workspace has no object for the move. */
export class NothingThere extends Error {}

const pick = <Item>(items: readonly Item[], number: number): Item => {
  const item = items[number % items.length]
  if (item === undefined) throw new NothingThere()
  return item
}

/** In three of four cases an object that fits the move, else any object. */
const pickLikely = <Item>(likely: readonly Item[], all: readonly Item[], { one, other }: Move): Item =>
  likely.length > 0 && other % 4 > 0 ? pick(likely, one) : pick(all, one)

/** Evidence pairs, each with the size of its claim. */
const attachmentsIn = ({ model }: Walk) => {
  const pairs = model.under('evidence').map(([rest]) => rest.split(' ') as [claim: string, signal: string])
  const sizes = Map.groupBy(pairs, ([claim]) => claim)
  return pairs.map(([claim, signal]) => ({ claim, signal, size: sizes.get(claim)?.length ?? 0 }))
}

/** Signals without a claim. */
const loose = (walk: Walk): readonly string[] => {
  const attached = new Set(attachmentsIn(walk).map(({ signal }) => signal))
  return walk.signals.filter(signal => walk.model.get(`state ${signal}`) !== undefined && !attached.has(signal))
}

const isLoose = (walk: Walk, signal: string): boolean => loose(walk).includes(signal)

const COMMENT = 'The team agreed on it.'
const CLASSES: readonly Classification[] = ['problem', 'idea', 'question']

const text = (value: unknown): string => String(value)
/** The signal of a write; a repeat is refused. */
const standing = ({ model }: Walk, id: unknown): string => {
  if (model.get(`repeat ${id}`) !== undefined) throw new Impossible(`${id} repeats another`)
  return text(id)
}
/** The claim of a write; a merged one is refused. */
const living = ({ model }: Walk, id: unknown): string => {
  if (model.get(`merged ${id}`) !== undefined) throw new Impossible(`${id} was merged`)
  return text(id)
}
const pickClaim = ({ model, claims }: Walk, move: Move): string =>
  pickLikely(
    claims.filter(claim => model.get(`merged ${claim}`) === undefined),
    claims,
    move,
  )
/** Chooses the second object of a move. */
const pickOther = (walk: Walk, { kind, one, other }: Move): string => pickClaim(walk, { kind, one: other, other: one })
const fromOf = ({ model }: Walk, signal: string): Effect['from'] => [
  model.get(`state ${signal}`),
  model.get(`class ${signal}`),
]

const attachTo = ({ model }: Walk, claim: string, signal: string): void => {
  if (model.get(`evidence ${claim} ${signal}`) === undefined) model.set(`evidence ${claim} ${signal}`, '')
}

const startClaim = (walk: Walk, id: string, state = 'emerging'): void => {
  walk.claims.push(id)
  walk.model.set(`claim ${id}`, state)
}

const triage = (action: string, input: object): Plan => ({ operation: 'triage', input: { action, ...input } })

const stateMove = (action: 'accept' | 'dismiss', state: string): MoveDefinition => ({
  plan: (walk, { one }) => triage(action, { signal_id: pick(walk.signals, one) }),
  follow: (walk, { signal_id }, { decision, claim }) => {
    if (decision === null) return {}
    const signal = standing(walk, signal_id)
    const from = fromOf(walk, signal)
    const startsClaim =
      action === 'accept' && from[0] !== 'dismissed' && from[1] === 'question' && isLoose(walk, signal)
    assert.equal(claim !== null, startsClaim, `${signal} starts a claim`)
    walk.model.set(`state ${signal}`, state)
    if (claim === null) return { effects: [{ signal, from }] }
    startClaim(walk, claim.id)
    attachTo(walk, claim.id, signal)
    return { effects: [{ signal, from, claim: text(claim.id) }] }
  },
})

/** Undoes a Decision's effect on a signal. */
const takeBackEffect = (walk: Walk, { signal, from, claim, repeats, takenOut }: Effect): void => {
  const { model } = walk
  if (takenOut !== undefined) {
    if (model.get(`state ${signal}`) === undefined) {
      model.set(`taken ${signal}`, undefined)
      return
    }
    model.set(`state ${signal}`, 'dismissed')
    model.markRepeat(signal, model.get(`repeat ${takenOut.original}`) ?? takenOut.original)
    return
  }
  if (claim !== undefined) model.takeOff(claim, signal)
  if (repeats !== undefined) model.unmarkRepeat(signal, repeats)
  model.set(`state ${signal}`, from[0])
  model.set(`class ${signal}`, from[1])
}

export const MOVES: Readonly<Record<MoveKind, MoveDefinition>> = {
  merge: {
    plan: (walk, move) => ({
      operation: 'merge_claims',
      input: { claim_id: pickClaim(walk, move), into_claim_id: pickOther(walk, move), lift_refusal: true },
    }),
    follow: (walk, { claim_id, into_claim_id }) => {
      const claim = living(walk, claim_id)
      walk.model.merge(claim, living(walk, into_claim_id))
      return { merged: [claim] }
    },
  },
  pull_apart: {
    plan: ({ model, claims }, move) => {
      const merged = claims.filter(claim => model.get(`merged ${claim}`) !== undefined)
      return triage('undo', { claim_id: pickLikely(merged, claims, move) })
    },
    follow: ({ model }, { claim_id }) => {
      model.pullApart(text(claim_id))
      return {}
    },
  },
  split: {
    plan: (walk, move) => {
      const attachments = attachmentsIn(walk)
      const { claim, signal } = pickLikely(
        attachments.filter(({ size }) => size > 1),
        attachments,
        move,
      )
      return { operation: 'split_claim', input: { claim_id: claim, signal_ids: [signal] } }
    },
    follow: (walk, { claim_id, signal_ids }, { claim }) => {
      const from = living(walk, claim_id)
      startClaim(walk, claim.id)
      // The plan made the input.
      for (const signal of (signal_ids as readonly string[]).map(id => standing(walk, id))) {
        walk.model.set(`evidence ${from} ${signal}`, undefined)
        walk.model.set(`evidence ${claim.id} ${signal}`, '')
      }
      return {}
    },
  },
  attach: {
    plan: (walk, move) => ({
      operation: 'attach_evidence',
      input: { signal_id: pick(walk.signals, move.one), claim_id: pickOther(walk, move), reason: COMMENT },
    }),
    follow: (walk, { signal_id, claim_id }) => {
      const signal = standing(walk, signal_id)
      const from = fromOf(walk, signal)
      const claim = living(walk, claim_id)
      attachTo(walk, claim, signal)
      walk.model.set(`state ${signal}`, 'accepted')
      return { effects: [{ signal, from, claim }] }
    },
  },
  promote: {
    plan: (walk, move) =>
      triage('promote', {
        signal_id: pickLikely(loose(walk), walk.signals, move),
        ...(move.other % 3 === 0 ? { kind: 'problem' } : { claim_id: pickOther(walk, move) }),
      }),
    follow: (walk, { signal_id, claim_id }, { claim }) => {
      const signal = standing(walk, signal_id)
      const from = fromOf(walk, signal)
      if (claim_id === undefined) startClaim(walk, claim.id)
      const named = living(walk, claim_id ?? claim.id)
      attachTo(walk, named, signal)
      walk.model.set(`state ${signal}`, 'accepted')
      return { effects: [{ signal, from, claim: named }] }
    },
  },
  promote_two: {
    plan: (walk, move) => {
      const signals = loose(walk).length > 0 ? loose(walk) : walk.signals
      const signal_ids = [...new Set([pick(signals, move.one), pick(signals, move.other)])]
      return { operation: 'triage_signals', input: { action: 'promote', kind: 'problem', signal_ids } }
    },
    follow: (walk, { signal_ids }, { claim }) => {
      startClaim(walk, claim.id)
      // The plan made the input.
      const effects = (signal_ids as readonly string[]).map(signal => {
        const from = fromOf(walk, standing(walk, signal))
        attachTo(walk, claim.id, signal)
        walk.model.set(`state ${signal}`, 'accepted')
        return { signal, from, claim: text(claim.id) }
      })
      return { effects: effects.toReversed() }
    },
  },
  detach: {
    plan: (walk, { one }) => {
      const { claim, signal } = pick(attachmentsIn(walk), one)
      return triage('undo', { signal_id: signal, claim_id: claim })
    },
    follow: (walk, { signal_id, claim_id }, { claim }) => {
      const signal = standing(walk, signal_id)
      walk.model.set(`evidence ${living(walk, claim_id)} ${signal}`, undefined)
      startClaim(walk, claim.id)
      walk.model.set(`evidence ${claim.id} ${signal}`, '')
      return {}
    },
  },
  accept: stateMove('accept', 'accepted'),
  dismiss: stateMove('dismiss', 'dismissed'),
  reclassify: {
    plan: ({ signals }, { one, other }) =>
      triage('reclassify', { signal_id: pick(signals, one), classification: pick(CLASSES, other) }),
    follow: (walk, { signal_id, classification }, { decision, claim }) => {
      if (decision === null) return {}
      const signal = standing(walk, signal_id)
      const from = fromOf(walk, signal)
      walk.model.set(`class ${signal}`, text(classification))
      if (claim === null) return { effects: [{ signal, from }] }
      startClaim(walk, claim.id)
      attachTo(walk, claim.id, signal)
      return { effects: [{ signal, from, claim: text(claim.id) }] }
    },
  },
  duplicate: {
    plan: ({ signals }, { one, other }) => ({
      operation: 'triage_signals',
      input: { action: 'duplicate', signal_ids: [pick(signals, one)], original_signal_id: pick(signals, other) },
    }),
    follow: (walk, { signal_ids, original_signal_id: given }) => {
      // The plan made the input.
      const [signal = ''] = signal_ids as readonly string[]
      const from = fromOf(walk, standing(walk, signal))
      walk.model.set(`state ${signal}`, 'dismissed')
      const repeats = walk.model.markRepeat(signal, standing(walk, given))
      return { effects: [{ signal, from, repeats }] }
    },
  },
  not_a_repeat: {
    plan: ({ model, signals }, move) => {
      const repeats = model.under('repeat').map(([signal]) => signal)
      return triage('not_a_repeat', { signal_id: pickLikely(repeats, signals, move) })
    },
    follow: (walk, { signal_id }, { signal: shown }) => {
      const { model } = walk
      const signal = text(signal_id)
      const original = model.get(`repeat ${signal}`) ?? ''
      const from = fromOf(walk, signal)
      const marked = lastMark(walk, signal)
      if (model.get(`state ${signal}`) === undefined) model.set(`taken ${signal}`, 'on its way')
      else {
        model.unmarkRepeat(signal, marked?.repeats ?? [])
        model.set(`state ${signal}`, marked?.from[0] ?? shown.state)
        model.set(`class ${signal}`, marked?.from[1] ?? shown.classification)
      }
      return { effects: [{ signal, from, takenOut: { original, marked: marked !== undefined } }] }
    },
  },
  undo_decision: {
    plan: ({ changes }, { one }) =>
      triage('undo', { decision_id: pick(changes.flatMap(({ decision }) => decision ?? []).toReversed(), one) }),
    follow: (walk, { decision_id }, { undone }) => {
      const change = walk.changes.find(({ decision }) => decision === decision_id)
      if (change === undefined) throw new Impossible('a Decision that nobody made was taken back')
      if (undone.includes('merge')) for (const claim of change.merged) walk.model.pullApart(claim)
      for (const effect of change.effects) takeBackEffect(walk, effect)
      return {}
    },
  },
  undo_change: {
    plan: ({ changes }, { one }) => ({
      operation: 'undo_change',
      input: { change_id: pick(changes.toReversed(), one).id },
    }),
    follow: (walk, { change_id }, { is_changed }) => {
      if (!is_changed) return {}
      const change = walk.changes.find(({ id }) => id === change_id)
      if (change === undefined) throw new Impossible('a change that nobody made was taken back')
      walk.model.takeBack(change.differences)
      // A repeated change is recorded like the first one.
      return { undoes: change, effects: change.undoes?.effects ?? [] }
    },
  },
  link: {
    plan: (walk, move) => ({
      operation: 'update_solution',
      input: { solution_id: walk.solution, add_claim_ids: [pickClaim(walk, move)], comment: COMMENT },
    }),
    follow: (walk, { add_claim_ids }) => {
      // The plan made the input.
      for (const claim of add_claim_ids as readonly string[]) {
        const name = `link ${walk.solution} ${living(walk, claim)}`
        if (walk.model.get(name) === undefined) walk.model.set(name, '')
      }
      return {}
    },
  },
  unlink: {
    plan: (walk, move) => ({
      operation: 'update_solution',
      input: { solution_id: walk.solution, remove_claim_ids: [pickClaim(walk, move)], comment: COMMENT },
    }),
    follow: (walk, { remove_claim_ids }) => {
      // The plan made the input.
      for (const claim of remove_claim_ids as readonly string[])
        walk.model.set(`link ${walk.solution} ${living(walk, claim)}`, undefined)
      return {}
    },
  },
  dismiss_claim: {
    plan: (walk, move) => ({
      operation: 'update_claim',
      input: { claim_id: pickClaim(walk, move), state: move.other % 2 === 0 ? 'dismissed' : 'established' },
    }),
    follow: (walk, { claim_id }) => {
      living(walk, claim_id)
      return {}
    },
  },
  erase: {
    plan: ({ signals }, { one }) => ({ operation: null, input: { signal_id: pick(signals, one) } }),
    follow: ({ model, changes }, { signal_id }, { heir, erased }) => {
      const gone = new Set<string>(erased)
      if (heir !== null) inherit(model, text(signal_id), heir, gone)
      for (const [name] of [...model.facts])
        if (name.split(' ').some(part => gone.has(part))) model.set(name, undefined)
      // Erased signals are removed from all changes: no undo restores them.
      for (const change of changes) {
        const kept = [...change.differences].filter(
          ([name, { before, after }]) => ![...name.split(' '), before ?? '', after ?? ''].some(part => gone.has(part)),
        )
        change.differences = new Map(kept)
      }
      return {}
    },
  },
}

/** A signal takes the place of an erased one. */
const inherit = (model: Model, signal: string, heir: string, gone: ReadonlySet<string>): void => {
  model.set(`repeat ${heir}`, undefined)
  model.set(`state ${heir}`, model.get(`state ${signal}`))
  for (const [repeat, of] of model.under('repeat'))
    if (of === signal && !gone.has(repeat)) model.set(`repeat ${repeat}`, heir)
  for (const [rest, origins] of model.under('evidence')) {
    const [claim = '', evidence] = rest.split(' ')
    if (evidence !== signal) continue
    if (model.get(`evidence ${claim} ${heir}`) === undefined)
      model.set(`evidence ${claim} ${heir}`, originsIn([origins]))
  }
}

/** The way in which a person marked a signal as a repeat. */
const lastMark = ({ changes }: Walk, signal: string): Effect | undefined =>
  changes
    .flatMap(({ effects }) => effects)
    .filter(effect => effect.signal === signal && effect.repeats !== undefined)
    .at(-1)
